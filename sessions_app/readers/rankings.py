"""The two rankings of a circle's players in a game: by points won, and by merit. No query."""

from fractions import Fraction
from typing import NamedTuple

from sessions_app.readers.statistics import Person, Statistics
from sessions_app.readers.statistics_sums import Figure


class Ranked(NamedTuple):
    """A player's place: `figure` over all evenings, and `best` over the best of them, or over all."""

    person: Person
    figure: Figure
    best: Figure


def ranked_by_points(stats: Statistics, game: str) -> list[Ranked]:
    """Return the players with an evening, the most points first; equal ones in the order of their names."""
    points = [(person, stats.figure(game, person.pk, "points")) for person in _with_evenings(stats, game)]
    return sorted((Ranked(person, figure, figure) for person, figure in points), key=lambda each: -each.figure.value)


def ranked_by_merit(stats: Statistics, game: str, best: int | None = None) -> list[Ranked]:
    """Return the players by the merit of all their evenings, or by the mean of their `best` evenings.

    With a mean, players with fewer evenings come last.
    """
    ranked = []
    for person in _with_evenings(stats, game):
        every, counted = (merit_of(stats, game, person.pk, most) for most in (None, best))
        ranked.append(Ranked(person, every, counted))
    if best is None:
        return sorted(ranked, key=lambda each: -each.figure.value)
    return sorted(ranked, key=lambda each: (each.best.of < best, -Fraction(each.best.value) / each.best.of))


def merit_of(stats: Statistics, game: str, player: int, best: int | None = None) -> Figure:
    """Return the sum of a player's merit over all evenings, or over the `best` evenings."""
    if best is None:
        return Figure(stats.figure(game, player, "merit").value, int(stats.figure(game, player, "evenings").value))
    evenings = stats.merits(game, player, best)
    return Figure(sum(result.merit for _evening, result in evenings), len(evenings))


def _with_evenings(stats: Statistics, game: str) -> list[Person]:
    return [person for person in stats.players(game) if stats.figure(game, person.pk, "evenings").value]
