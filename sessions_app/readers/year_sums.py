"""The sums of a game in a year as they are stored, so that a page reads tens of rows, and not a thousand roll-ups.

The figures stand measure by measure, for all players in one order, so that the name of a measure is stored and read
once. The balances and merits of the evenings, which do not add up, follow them.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple, Self

from django.db.models.functions import Coalesce
from django.utils import timezone

from sessions_app.models import Evening, EveningRollup, Seat
from sessions_app.periods import Period, midnight
from sessions_app.readers.evening_figures import EDITION


class EveningResults(NamedTuple):
    """An evening's results by seat: the names that sat down, their points and merits by `scale`, who took part."""

    scale: int
    names: Sequence[int]
    points: Sequence[int]
    merits: Sequence[int]
    parts: Sequence[int]


@dataclass
class GameSums:
    """The sums of the roll-ups of some evenings of a game.

    `names` are the players by the names that sat down. `amounts` and `over` have a number for each of them by stored
    figure, `against` and `together` the debts and the number of common evenings for each two; amounts and debts are
    multiplied by `scale`. `results` and `best` are by evening. `rollups` and `keys` are the number of the roll-ups, and
    the sum of their primary keys.
    """

    scale: int = 1
    names: list[int] = field(default_factory=list)
    amounts: dict[str, list[int]] = field(default_factory=dict)
    over: dict[str, list[int]] = field(default_factory=dict)
    against: list[list[int]] = field(default_factory=list)
    together: list[list[int]] = field(default_factory=list)
    results: dict[int, EveningResults] = field(default_factory=dict)
    best: dict[str, Any] = field(default_factory=dict)
    rollups: int = 0
    keys: int = 0

    def add(self, evening: int, rollup: int, names: Sequence[int], figures: Mapping[str, Any]) -> None:
        """Add an evening by its key, the key of its roll-up, its names by seat, and its stored figures."""
        for name in names:
            if name not in self.names:
                self._add_name(name)
        rows, scale = figures["seats"], figures["scale"]
        self._change(names, rows, scale, 1)
        amounts = [row[0] for row in rows]
        self.results[evening] = EveningResults(
            scale,
            list(names),
            [each.get("points", 0) for each in amounts],
            [each.get("merit", 0) for each in amounts],
            [int("points" in over) for _amounts, over, _against in rows],
        )
        self.best[str(evening)] = figures["best"]
        self.rollups += 1
        self.keys += rollup

    def take(self, evening: int, rollup: int, figures: Mapping[str, Any]) -> None:
        """Take away an evening that was added. Raise KeyError if it was not."""
        names = self.results.pop(evening).names
        self._change(names, figures["seats"], figures["scale"], -1)
        for columns in (self.amounts, self.over):
            for each in [each for each, column in columns.items() if not any(column)]:
                del columns[each]
        seated = {name for results in self.results.values() for name in results.names}
        for name in set(names) - seated:
            self._remove_name(name)
        del self.best[str(evening)]
        self.rollups -= 1
        self.keys -= rollup

    def _change(self, names: Sequence[int], rows: Sequence[Any], scale: int, times: int) -> None:
        self._rescale(lcm(self.scale, scale))
        times_scale, places = times * (self.scale // scale), [self.names.index(name) for name in names]
        nothing = [0] * len(self.names)
        for place, (amounts, over, against) in zip(places, rows, strict=True):
            for each, amount in amounts.items():
                self.amounts.setdefault(each, nothing.copy())[place] += amount * times_scale
            for each, of in over.items():
                self.over.setdefault(each, nothing.copy())[place] += of * times
            for other, amount in zip(places, against, strict=True):
                if other != place:
                    self.against[place][other] += amount * times_scale
                    self.together[place][other] += times

    def _rescale(self, scale: int) -> None:
        factor, self.scale = scale // self.scale, scale
        if factor != 1:
            for column in (*self.amounts.values(), *self.against):
                column[:] = [amount * factor for amount in column]

    def _add_name(self, name: int) -> None:
        self.names.append(name)
        for column in self._columns():
            column.append(0)
        for square in (self.against, self.together):
            square.append([0] * len(self.names))

    def _remove_name(self, name: int) -> None:
        place = self.names.index(name)
        for square in (self.against, self.together):
            del square[place]
        for column in (self.names, *self._columns()):
            del column[place]

    def _columns(self) -> Iterable[list[int]]:
        return (*self.amounts.values(), *self.over.values(), *self.against, *self.together)

    # --- As stored ---

    def packed(self) -> dict[str, Any]:
        """Return the columns of the row that stores them."""
        sums = [self.scale, self.names, self.amounts, self.over, self.against, self.together]
        results = [[evening, *row] for evening, row in self.results.items()]
        texts = {"sums": _text(sums), "results": _text(results), "best": _text(self.best)}
        return {"edition": EDITION, "rollups": self.rollups, "keys": self.keys, **texts}

    @classmethod
    def unpacked(cls, sums: str, results: str, best: str, rollups: int, keys: int) -> Self:
        """Read stored sums. Raise an error of the data if they cannot be read."""
        scale, names, amounts, over, against, together = json.loads(sums)
        by_evening = {evening: EveningResults(*row) for evening, *row in json.loads(results)}
        return cls(scale, names, amounts, over, against, together, by_evening, json.loads(best), rollups, keys)


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


class StoredBest:
    """The best hands of the evenings of a row, read when one is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def by_evening(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._text)
        return found


class BestOfEvening(Mapping[str, Any]):
    """The best hands of one evening, as they are stored."""

    __slots__ = ("_evening", "_stored")

    def __init__(self, stored: StoredBest, evening: int) -> None:
        self._stored, self._evening = stored, str(evening)

    def __getitem__(self, name: str) -> Any:
        return self._stored.by_evening[self._evening][name]

    def __iter__(self) -> Any:
        return iter(self._stored.by_evening[self._evening])

    def __len__(self) -> int:
        return len(self._stored.by_evening[self._evening])


# --- Counted from the roll-ups ---


class YearKey(NamedTuple):
    circle: int
    game_key: str
    year: int


def year_key_of(evening: Evening) -> YearKey:
    """Return the circle, the game and the year of the sums that have the evening once it has ended."""
    return YearKey(evening.circle_id, evening.game_key, timezone.localdate(evening.started_at).year)


def rollups_by_year(**where: Any) -> dict[YearKey, list[tuple[int, int]]]:
    """Return the evenings and the roll-ups of each circle, game and year, by their keys: one query."""
    rows = EveningRollup.objects.filter(edition=EDITION, **where).order_by("pk")
    found = defaultdict[YearKey, list[tuple[int, int]]](list)
    columns = ("evening__circle", "evening__game_key", "evening__started_at", "evening", "pk")
    for circle, game_key, started_at, evening, rollup in rows.values_list(*columns).iterator():
        found[YearKey(circle, game_key, timezone.localdate(started_at).year)].append((evening, rollup))
    return found


def summed(key: YearKey) -> GameSums:
    """Add up the roll-ups of a circle, a game and a year: two queries."""
    first, last = midnight(date(key.year, 1, 1)), midnight(date(key.year + 1, 1, 1))
    evenings = Evening.objects.filter(circle=key.circle, game_key=key.game_key)
    evenings = evenings.filter(started_at__gte=first, started_at__lt=last)
    names, found = names_of(evening__in=evenings), GameSums()
    rows = EveningRollup.objects.filter(edition=EDITION, evening__in=evenings).order_by("pk")
    for evening, rollup, figures in rows.values_list("evening", "pk", "figures"):
        found.add(evening, rollup, names[evening], figures)
    return found


def names_of(**where: Any) -> dict[int, list[int]]:
    """Return the names that sat down at evenings, by seat: one query."""
    found = defaultdict[int, list[int]](list)
    seats = Seat.objects.filter(**where).order_by("evening", "position")
    for evening, name in seats.values_list("evening", Coalesce("sat_as", "player")):
        found[evening].append(name)
    return found


def whole_years(period: Period) -> tuple[int, int] | None:
    """Return the first and the last year of a period of whole years, None if it begins or ends within one."""
    first, last = period.first or date.min, period.last or date.max
    if (first.month, first.day, last.month, last.day) != (1, 1, 12, 31):
        return None
    return first.year, last.year
