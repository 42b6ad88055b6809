"""Circles: a user's, their names and players, where an evening may start, their sizes and saved house rules."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db.models import Count, JSONField, Max, OuterRef, Q, Subquery, Sum
from django.db.models.functions import JSONObject
from django.utils import timezone

from scorekeeper.games import GAMES
from scorekeeper.games.errors import InvalidRules
from scorekeeper.text.names import name_key
from sessions_app.models import CIRCLE_NAME_LENGTH, OPEN, Circle, Evening, HouseProfile, Member, Player, Role, User

#: Players whose names make a circle's; more would not fit on a phone.
MOST_NAMED: Final = 4
#: Names suggested for a new evening.
MOST_SUGGESTED: Final = 12


@dataclass(frozen=True, slots=True)
class CircleChoice:
    """A circle of a user's: its name, or one of its players' names, and its players in the order of their names.

    One that `has_namesake` is not the only one of its name among those that are not closed.

    `merged` has the person of each name that was merged into another. Of a closed circle, `archived_at` or
    `deleted_from` is set.
    """

    id: int
    name: str
    is_demo: bool
    players: tuple[tuple[int, str], ...]
    merged: Mapping[int, int] = field(default_factory=dict)
    archived_at: datetime | None = None
    deleted_from: datetime | None = None
    may_own: bool = False
    has_namesake: bool = False

    @property
    def is_closed(self) -> bool:
        return self.archived_at is not None or self.deleted_from is not None

    @property
    def names(self) -> str:
        """Return its players' names, those who joined first, in a line."""
        return offered_name([name for _pk, name in sorted(self.players)])


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
    players = Player.objects.filter(circle=circle.pk, merged_into=None).order_by("sort_key", "pk")
    columns = ("pk", "name", "mark_shape", "mark_colour", "plays_no_more")
    return tuple(CirclePlayer(*row) for row in players.values_list(*columns))


def circle_at(circle_id: int) -> Circle:
    """Return a circle: one query. Raise Circle.DoesNotExist."""
    return Circle.objects.get(pk=circle_id)


def circles_of(user: User) -> tuple[CircleChoice, ...]:
    """Return the circles with players that `user` is a member of, the newest first, until they are deleted."""
    mine = Player.objects.filter(
        Q(circle__deleted_from=None) | Q(circle__deleted_from__gt=timezone.now()), circle__members__user=user
    ).order_by("-circle", "sort_key", "pk")
    columns = ("pk", "name", "merged_into", "circle__members__role")
    of_circle = ("circle", "circle__name", "circle__is_demo", "circle__archived_at", "circle__deleted_from")
    found = []
    for (pk, name, is_demo, archived_at, deleted_from), rows in groupby(
        mine.values_list(*of_circle, *columns), lambda row: row[: len(of_circle)]
    ):
        names = [row[len(of_circle) :] for row in rows]
        players = tuple((player, called) for player, called, merged_into, _role in names if merged_into is None)
        merged = {player: merged_into for player, _called, merged_into, _role in names if merged_into is not None}
        name = name or offered_name([each for _pk, each in sorted(players)])
        closed = (archived_at, deleted_from, names[0][-1] == Role.OWNER)
        found.append(CircleChoice(pk, name, is_demo, players, merged, *closed))
    return tuple(found)


def open_ones(circles: Iterable[CircleChoice]) -> list[CircleChoice]:
    """Return the circles that are not closed."""
    found = [circle for circle in circles if not circle.is_closed]
    times = Counter(circle.name for circle in found)
    return [replace(circle, has_namesake=times[circle.name] > 1) for circle in found]


@dataclass(frozen=True, slots=True)
class EveningCircle:
    """A circle in which a user may start an evening; `name` is '' if it has neither a name nor a player.

    `suggested` are the names of players who still play, the one seated last first. `keys` are of all names, those
    merged into others too. `last_game`, `last_rules` and `last_started_at` are of its latest evening. A
    circle that `has_namesake` is not the only one of its name among the user's.
    """

    id: int
    name: str
    is_demo: bool
    suggested: tuple[str, ...]
    keys: frozenset[str]
    latest_evening: int = 0
    last_game: str = ""
    last_rules: str = ""
    last_started_at: datetime | None = None
    has_namesake: bool = False

    def unknown(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of the names that nobody in the circle has."""
        return tuple(name for name in names if name_key(name) not in self.keys)

    def suggested_besides(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names to suggest where these have been entered."""
        entered = set(map(name_key, names))
        return tuple(name for name in self.suggested if name_key(name) not in entered)


class _Row(NamedTuple):
    """A player of a circle, with his latest evening and seat (0 for none); `player` is None in a circle without any."""

    circle: int
    circle_name: str
    is_demo: bool
    player: int | None
    name: str
    merged_into: int | None
    plays_no_more: bool
    last: dict[str, Any] | None
    last_started_at: datetime | None
    evening: int
    seat: int


def evening_circles(user: User) -> tuple[EveningCircle, ...]:
    """Return the circles that `user` may write to, demos too, the one seated last first: one query."""
    mine = Circle.objects.filter(OPEN, members__user=user, members__role__in=[Role.OWNER, Role.KEEPER]).order_by("pk")
    begun = Evening.objects.filter(circle=OuterRef("pk")).order_by("-started_at", "-id")
    last = begun.values(last=JSONObject(last_game="game_key", last_rules="rules"))[:1]
    of_player = ("players__pk", "players__name", "players__merged_into", "players__plays_no_more")
    of_latest = (Subquery(last, output_field=JSONField()), Subquery(begun.values("started_at")[:1]))
    rows = mine.values_list("pk", "name", "is_demo", *of_player, *of_latest).annotate(
        evening=Max("players__seats__evening", default=0), seat=Max("players__seats__pk", default=0)
    )
    by_circle = groupby(map(_Row._make, rows), lambda row: row.circle)
    found = [_evening_circle(list(of_circle)) for _pk, of_circle in by_circle]
    found.sort(key=lambda circle: (circle.latest_evening, circle.id), reverse=True)
    times = Counter(circle.name for circle in found)
    return tuple(replace(circle, has_namesake=times[circle.name] > 1) for circle in found)


def _evening_circle(rows: Sequence[_Row]) -> EveningCircle:
    circle, players = rows[0], [row for row in rows if row.player is not None]
    people = [row for row in players if row.merged_into is None]
    playing = sorted((row for row in people if not row.plays_no_more), key=lambda row: (-row.evening, row.seat))
    joined = sorted(people, key=lambda row: row.player or 0)
    return EveningCircle(
        circle.circle,
        circle.circle_name or offered_name([row.name for row in joined]),
        circle.is_demo,
        tuple(row.name for row in playing[:MOST_SUGGESTED]),
        frozenset(name_key(row.name) for row in players),
        max(row.evening for row in rows),
        **(circle.last or {}),
        last_started_at=circle.last_started_at,
    )


# --- Sizes, for the operator ---


@dataclass(frozen=True, slots=True)
class CircleSize:
    """A circle with the numbers of its players, sessions, hands and phones; `used_at` is its last known use."""

    id: int
    name: str
    is_demo: bool
    players: int
    sessions: int
    hands: int
    phones: int
    used_at: datetime


def circle_sizes(*, only: int | None = None) -> tuple[CircleSize, ...]:
    """Return the circles, or that one `only`, the most recently used first."""
    chosen = Q() if only is None else Q(circle=only)
    names: dict[int, list[str]] = defaultdict(list)
    for circle_id, name in Player.objects.filter(chosen, merged_into=None).order_by("pk").values_list("circle", "name"):
        names[circle_id].append(name)
    evenings = Evening.objects.filter(chosen).order_by().values_list("circle")
    played = {
        row[0]: row[1:] for row in evenings.annotate(Count("pk"), Sum("hand_count"), Max("started_at"), Max("ended_at"))
    }
    members = Member.objects.filter(chosen).order_by().values_list("circle")
    seen = {row[0]: row[1:] for row in members.annotate(Count("pk"), Max("since"), Max("last_seen_at"))}
    found = []
    for circle in Circle.objects.filter(Q() if only is None else Q(pk=only)):
        sessions, hands, *times = played.get(circle.pk, (0, 0))
        phones, *seen_at = seen.get(circle.pk, (0,))
        name = circle.name or offered_name(names[circle.pk][: MOST_NAMED + 1])
        used_at = max(at for at in (circle.created_at, *times, *seen_at) if at)
        found.append(
            CircleSize(circle.pk, name, circle.is_demo, len(names[circle.pk]), sessions, hands, phones, used_at)
        )
    return tuple(sorted(found, key=lambda size: (size.used_at, size.id), reverse=True))


# --- House rules saved under names ---


@dataclass(frozen=True, slots=True)
class SavedProfile:
    """House rules under a name; `rules` is None if the program cannot read their `text`, or does not know the game."""

    id: int
    game_key: str
    name: str
    text: str
    rules: Any
    made_at: datetime


def profiles_of(circle_id: int, game_key: str | None = None) -> tuple[SavedProfile, ...]:
    """Return all rules that a circle has saved, or those of one game, game by game, the oldest first: one query."""
    rows = HouseProfile.objects.filter(circle=circle_id).order_by("game_key", "pk")
    chosen = rows if game_key is None else rows.filter(game_key=game_key)
    return tuple(SavedProfile(row.pk, row.game_key, row.name, row.rules, _rules_of(row), row.made_at) for row in chosen)


def _rules_of(row: HouseProfile) -> Any:
    try:
        return GAMES[row.game_key].rules_from_text(row.rules)
    except (KeyError, InvalidRules):
        return None
