"""Check of the stored sums of years against the roll-ups."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Any, Final

from sessions_app.errors import DAMAGE
from sessions_app.models import Evening, YearSums
from sessions_app.readers.evening_figures import EDITION
from sessions_app.readers.verify.faults import CircleFault
from sessions_app.readers.year_sums import GameSums, YearKey, rollups_by_year, summed, year_key_of

#: Rows in memory at once.
BATCH: Final = 200


def year_faults(wrong_rollups: Collection[int]) -> Iterator[CircleFault]:
    """Yield a fault for each stored sum of a year that is not that of the roll-ups, and for missing or needless sums.

    A year that has one of the evenings whose roll-ups are wrong is left out: that is a fault of the roll-up.
    """
    rollups = rollups_by_year()
    wrong = {year_key_of(evening) for evening in Evening.objects.filter(pk__in=wrong_rollups)}
    stored = {
        YearKey(row.circle_id, row.game_key, row.year): row for row in YearSums.objects.order_by("pk").iterator(BATCH)
    }
    for key in sorted((rollups.keys() | stored.keys()) - wrong):
        for what in _of_year(key, stored.get(key), has_rollups=key in rollups):
            yield key.circle, f"its sums of {key.game_key} in {key.year} {what}"


def _of_year(key: YearKey, row: YearSums | None, *, has_rollups: bool) -> Iterator[str]:
    if row is None or not has_rollups:
        yield "are missing" if row is None else "are there, but no roll-ups"
        return
    if row.edition != EDITION:
        yield f"are of edition {row.edition}, not {EDITION}"
        return
    try:
        was = _flat(GameSums.unpacked(row.sums, row.results, row.best, row.rollups, row.keys))
    except (*DAMAGE, ZeroDivisionError) as error:
        yield f"cannot be read: {error!r}"
        return
    is_now = _flat(summed(key))
    for name in sorted(was.keys() | is_now.keys()):
        if was.get(name) != is_now.get(name):
            yield f"have {was.get(name)} as {name}; the roll-ups give {is_now.get(name)}"


def _flat(sums: GameSums) -> dict[str, Any]:
    """Return all that sums hold by what it is, whatever their scale and the order of their players; none that is 0."""
    found: dict[str, Any] = {"number of roll-ups": sums.rollups, "sum of the roll-ups' keys": sums.keys}
    for what, columns, scale in (("", sums.amounts, sums.scale), ("number of hands or sessions of ", sums.over, 1)):
        for each, column in columns.items():
            for name, amount in zip(sums.names, column, strict=True):
                found[f"{what}{each} of player {name}"] = Fraction(amount, scale)
    for what, square, scale in (("debts", sums.against, sums.scale), ("sessions", sums.together, 1)):
        for name, column in zip(sums.names, square, strict=True):
            for other, amount in zip(sums.names, column, strict=True):
                found[f"{what} of player {name} and player {other}"] = Fraction(amount, scale)
    for evening, (scale, *results) in sums.results.items():
        for name, points, merit, part in zip(*results, strict=True):
            result = str(Fraction(points, scale)), str(Fraction(merit, scale)), bool(part)
            found[f"result of player {name} in session {evening}"] = result
    for key, best in sums.best.items():
        found[f"best hands of session {key}"] = best
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in found.items() if value}
