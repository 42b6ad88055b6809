"""The evenings that a figure was counted over, and their hands: from the rows that the figure itself is summed from.

The queries are fixed: two for the roll-ups and one for the evenings without one, three more if there are any; four for
the hands of the evenings shown. None for a figure that comes from balances alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import chain
from typing import Final, NamedTuple

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from sessions_app.models import Circle, Evening
from sessions_app.readers.book.statistics import Person, Statistics, counted_evenings, not_rolled_up, stored_evenings
from sessions_app.readers.book.statistics_sums import (
    ALL,
    CountedEvening,
    Figure,
    PlayerEvening,
    SummedEvening,
    longest_streak,
)
from sessions_app.readers.evening.figures import SeatRow, figure_at, played_hands, records_of, unscaled
from sessions_app.words.periods import Period

#: Figures of balances: no single hands are behind them, or all hands are.
OF_BALANCES: Final = frozenset(
    {"evenings", "points", "money", "merit", "merit_best", "best_evening", "worst_evening", "streak_won", "streak_lost"}
)
#: Figures whose hands are not listed one by one.
WITHOUT_HANDS: Final = OF_BALANCES | {"hands", "against"}


class HandFigure(NamedTuple):
    """A hand that counts for a figure, and its amount."""

    number: int
    value: Amount


@dataclass(frozen=True, slots=True)
class EveningFigure:
    """An evening's part of a figure."""

    id: int
    game_key: str
    started_at: datetime
    figure: Figure
    hands: tuple[HandFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureEvenings:
    """The sum of a figure's evenings, how many there are, and some of them, the latest first."""

    figure: Figure
    count: int
    evenings: tuple[EveningFigure, ...]


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure of a person: in a game or in ALL, against another person or None, over the `best` evenings or all.

    Only `merit_best` asks for the best evenings.
    """

    game: str
    person: Person
    name: str
    key: str = ""
    against: Person | None = None
    best: int | None = None


def figure_evenings(
    circle: Circle, period: Period, stats: Statistics, spec: FigureSpec, first: int, most: int
) -> FigureEvenings:
    """Return the evenings behind a figure of the period's statistics: those from the `first`, `most` of them."""
    if spec.name in OF_BALANCES:
        every = [EveningFigure(*evening[:3], figure) for evening, figure in _balances(stats, spec)]
    else:
        stored = stored_evenings(circle, period, spec.person, spec.game)
        every = list(_of_rows(chain(stored, counted_evenings(not_rolled_up(circle, period))), spec))
    every.sort(key=lambda each: (each.started_at, each.id), reverse=True)
    figure = Figure(sum(each.figure.value for each in every), sum(each.figure.of for each in every))
    page = every[first : first + most]
    if spec.name not in WITHOUT_HANDS:
        page = _with_hands(page, spec)
    return FigureEvenings(figure, len(every), tuple(page))


def _balances(stats: Statistics, spec: FigureSpec) -> Iterator[tuple[SummedEvening, Figure]]:
    """Yield the evenings of a figure that comes from the balances."""
    results = stats.results(spec.game, spec.person.pk)
    attended = [each for each in results if each[1].took_part]
    match spec.name:
        case "evenings":
            yield from ((evening, Figure(1, 0)) for evening, _result in attended)
        case "points":
            for evening, result in results:
                if result.took_part or result.balance:
                    yield evening, Figure(result.balance, int(result.took_part))
        case "money":
            for evening, result in results:
                if evening.stake is not None and evening.currency == spec.key and (result.took_part or result.balance):
                    yield evening, Figure(Fraction(result.balance) * Fraction(evening.stake), int(result.took_part))
        case "merit" | "merit_best" as name:
            most = spec.best if name == "merit_best" else None
            for evening, result in stats.merits(spec.game, spec.person.pk, most):
                yield evening, Figure(result.merit, 1)
        case name:
            yield from ((evening, Figure(result.balance, 1)) for evening, result in _extremes(attended, name))


def _extremes(attended: Sequence[PlayerEvening], name: str) -> Sequence[PlayerEvening]:
    """Return the best or the worst evening, of equal ones all, or the longest row won or lost."""
    balances = [result.balance for _evening, result in attended]
    if not balances:
        return []
    if name in ("best_evening", "worst_evening"):
        wanted = max(balances) if name == "best_evening" else min(balances)
        return [each for each in attended if each[1].balance == wanted]
    start, length = longest_streak([balance > 0 if name == "streak_won" else balance < 0 for balance in balances])
    return attended[start : start + length]


def _of_rows(evenings: Iterable[CountedEvening], spec: FigureSpec) -> Iterator[EveningFigure]:
    """Yield the evenings whose rows have the figure."""
    for evening in evenings:
        if spec.game not in (evening.game_key, ALL):
            continue
        seats = [seat for seat, player in enumerate(evening.players) if player == spec.person.pk]
        figures = [_of_seat(evening, seat, spec) for seat in seats]
        value, of = sum(figure.value for figure in figures), sum(figure.of for figure in figures)
        if value or of:
            yield EveningFigure(evening.pk, evening.game_key, evening.started_at, Figure(value, of))


def _of_seat(evening: CountedEvening, seat: int, spec: FigureSpec) -> Figure:
    row, scale = evening.figures["seats"][seat], evening.figures["scale"]
    if spec.against is None:
        return Figure(*figure_at(row, scale, spec.name, spec.key, GAMES[evening.game_key].counted_over))
    others = [other for other, player in enumerate(evening.players) if player == spec.against.pk]
    return Figure(sum(unscaled(SeatRow(*row).against[other], scale) for other in others), len(others))


def _with_hands(page: list[EveningFigure], spec: FigureSpec) -> list[EveningFigure]:
    """Return the evenings with the hands that count for the figure: four queries."""
    hands: dict[int, tuple[HandFigure, ...]] = {}
    for record in records_of(list(Evening.objects.filter(pk__in=[each.id for each in page]))):
        seats = {seat for seat, player in enumerate(record.players) if player == spec.person.pk}
        hands[record.evening.pk] = tuple(
            HandFigure(hand.number, measure.amount)
            for hand in played_hands(record)
            for measure in hand.measures
            if measure.amount and measure.seat in seats and (measure.name, measure.key) == (spec.name, spec.key)
        )
    return [replace(each, hands=hands.get(each.id, ())) for each in page]
