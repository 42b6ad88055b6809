"""The writer of the sums of a circle's years. Evenings are added and taken away with their roll-ups, by `rollups`."""

import logging
from collections.abc import Callable

from sessions_app.errors import DAMAGE
from sessions_app.models import Circle, Evening, EveningRollup, YearSums
from sessions_app.readers.evening_figures import EDITION
from sessions_app.readers.year_sums import GameSums, YearKey, names_of, rollups_by_year, summed, year_key_of
from sessions_app.writers.transactions import hold_circle, writing

log = logging.getLogger(__name__)


def add(evening: Evening, rollup: EveningRollup) -> None:
    """Add an evening whose roll-up was just written, for a caller that has locked the circle."""
    names = names_of(evening=evening.pk)[evening.pk]
    _change(evening, lambda sums: sums.add(evening.pk, rollup.pk, names, rollup.figures))


def take(evening: Evening, rollup: EveningRollup) -> None:
    """Take away an evening whose roll-up is just deleted, for a caller that has locked the circle."""
    _change(evening, lambda sums: sums.take(evening.pk, rollup.pk, rollup.figures))


def _change(evening: Evening, change: Callable[[GameSums], None]) -> None:
    """Change the sums of the evening's year, and delete them if nothing is left or if they cannot be read."""
    key = year_key_of(evening)
    row = YearSums.objects.filter(**_where(key)).first()
    try:
        sums = GameSums.unpacked(row.sums, row.results, row.best, row.rollups, row.keys) if row else GameSums()
        change(sums)
    except DAMAGE as error:
        # An evening must be able to end: its year is counted by the roll-ups until the sums are filled in.
        log.warning("Could not change the sums of %s: %r", key, error)
        sums = GameSums()
    _put(key, sums)


def _where(key: YearKey) -> dict[str, int | str]:
    return {"circle": key.circle, "game_key": key.game_key, "year": key.year}


def _put(key: YearKey, sums: GameSums) -> None:
    YearSums.objects.filter(**_where(key)).delete()
    if sums.rollups:
        circle, game_key, year = key
        YearSums.objects.create(circle_id=circle, game_key=game_key, year=year, **sums.packed())


def fill() -> int:
    """Add up the years whose stored sums are not those of their roll-ups, or are none; return how many."""
    there = {key: (len(rows), sum(rollup for _evening, rollup in rows)) for key, rows in rollups_by_year().items()}
    rows = YearSums.objects.values_list("circle", "game_key", "year", "edition", "rollups", "keys")
    stored = {YearKey(*row[:3]): (row[4], row[5]) for row in rows if row[3] == EDITION}
    outdated = [key for key in there.keys() | stored.keys() if there.get(key) != stored.get(key)]
    for key in sorted(outdated):
        try:
            _fill(key, summed(key))
        except DAMAGE as error:
            log.warning("Could not add up the sums of %s: %r", key, error)
    YearSums.objects.exclude(edition=EDITION).delete()
    return len(outdated)


@writing
def _fill(key: YearKey, sums: GameSums) -> None:
    """Write the sums of a year, unless an evening has ended or was reopened since they were added up."""
    try:
        hold_circle(key.circle)
    except Circle.DoesNotExist:
        return
    rows = rollups_by_year(evening__circle=key.circle).get(key, [])
    if (len(rows), sum(rollup for _evening, rollup in rows)) == (sums.rollups, sums.keys):
        _put(key, sums)
