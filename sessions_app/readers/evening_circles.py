"""The circles in which a user may start an evening, with the names that each of them knows."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db.models import JSONField, Max, OuterRef, Subquery
from django.db.models.functions import JSONObject

from scorekeeper.text.names import name_key
from sessions_app.models import Circle, Evening, Role, User
from sessions_app.readers.circles import offered_name

#: Names suggested for a new evening.
MOST_SUGGESTED: Final = 12


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
    mine = Circle.objects.filter(members__user=user, members__role__in=[Role.OWNER, Role.KEEPER]).order_by("pk")
    begun = Evening.objects.filter(circle=OuterRef("pk")).order_by("-started_at", "-id")
    last = begun.values(last=JSONObject(last_game="game_key", last_rules="rules"))[:1]
    of_player = ("players__pk", "players__name", "players__merged_into", "players__plays_no_more")
    of_latest = (Subquery(last, output_field=JSONField()), Subquery(begun.values("started_at")[:1]))
    rows = mine.values_list("pk", "name", "is_demo", *of_player, *of_latest).annotate(
        evening=Max("players__seats__evening", default=0), seat=Max("players__seats__pk", default=0)
    )
    by_circle = groupby(map(_Row._make, rows), lambda row: row.circle)
    found = [_circle(list(of_circle)) for _pk, of_circle in by_circle]
    found.sort(key=lambda circle: (circle.latest_evening, circle.id), reverse=True)
    times = Counter(circle.name for circle in found)
    return tuple(replace(circle, has_namesake=times[circle.name] > 1) for circle in found)


def _circle(rows: Sequence[_Row]) -> EveningCircle:
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
