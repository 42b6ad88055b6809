"""A user's circles, their names, and a circle's players: one query each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from sessions_app.models import CIRCLE_NAME_LENGTH, Circle, Player, User

#: Players whose names make a circle's; more would not fit on a phone.
MOST_NAMED: Final = 4


@dataclass(frozen=True, slots=True)
class CircleChoice:
    """A circle of a user's: its name, or one of its players' names, and its players in the order of their names.

    `merged` has the person of each name that was merged into another.
    """

    id: int
    name: str
    is_demo: bool
    players: tuple[tuple[int, str], ...]
    merged: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CirclePlayer:
    """A player of a circle, with his mark if he has one."""

    id: int
    name: str
    mark_shape: str = ""
    mark_colour: str = ""
    plays_no_more: bool = False


def name_of(circle: Circle, players: Iterable[CirclePlayer]) -> str:
    """Return the circle's name, or the one offered while it has none, of the players who joined first."""
    joined = sorted(players, key=lambda player: player.id)
    return circle.name or offered_name([player.name for player in joined])


def offered_name(names: Sequence[str]) -> str:
    """Return a name for a circle that has none, of its players' names: 'Anna, Béla, Cili'.

    An ellipsis stands for the players after the first `MOST_NAMED`, and for the end of a name too long to store.
    """
    offered = ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    return offered if len(offered) <= CIRCLE_NAME_LENGTH else f"{offered[: CIRCLE_NAME_LENGTH - 1]}…"


def players_of(circle: Circle) -> tuple[CirclePlayer, ...]:
    """Return the circle's players in the order of their names, each person once."""
    return tuple(CirclePlayer(*row) for row in _players.ask(circle=circle.pk))


@compiled
def _players(circle: Slot) -> QuerySet[Player, Any]:
    players = Player.objects.filter(circle=circle, merged_into=None).order_by("sort_key", "pk")
    return players.values_list("pk", "name", "mark_shape", "mark_colour", "plays_no_more")


def circle_at(circle_id: int) -> Circle:
    """Return a circle: one query. Raise Circle.DoesNotExist."""
    for row in _circle.ask(circle=circle_id):
        return loaded(Circle, columns(Circle), row)
    raise Circle.DoesNotExist


@compiled
def _circle(circle: Slot) -> QuerySet[Circle, Any]:
    return Circle.objects.filter(pk=circle).values_list(*columns(Circle))


def circles_of(user: User) -> tuple[CircleChoice, ...]:
    """Return the circles with players that `user` is a member of, the newest first."""
    found: dict[int, tuple[str, bool, list[tuple[int, str]], dict[int, int]]] = {}
    for circle, name, is_demo, player, called, merged_into in _of_user.ask(user=user.pk):
        _name, _is_demo, players, merged = found.setdefault(circle, (name, is_demo, [], {}))
        if merged_into is None:
            players.append((player, called))
        else:
            merged[player] = merged_into
    return tuple(
        CircleChoice(pk, name or offered_name([each for _pk, each in sorted(players)]), is_demo, tuple(players), merged)
        for pk, (name, is_demo, players, merged) in found.items()
    )


@compiled
def _of_user(user: Slot) -> QuerySet[Player, Any]:
    mine = Player.objects.filter(circle__members__user=user).order_by("-circle", "sort_key", "pk")
    return mine.values_list("circle", "circle__name", "circle__is_demo", "pk", "name", "merged_into")
