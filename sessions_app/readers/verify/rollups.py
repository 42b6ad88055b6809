"""Check of an evening's stored figures against a recount of its hands."""

from collections.abc import Iterator

from scorekeeper.games.amounts import Amount
from sessions_app.errors import DAMAGE
from sessions_app.models import Evening, EveningRollup
from sessions_app.readers.best_hands import unpacked_best
from sessions_app.readers.evening_figures import EDITION, stored_figures_of, unpacked


def rollup_faults(evening: Evening) -> Iterator[str]:
    """Yield a fault for each stored figure that differs from a recount, for a missing roll-up, or for a premature one.

    An evening whose hands cannot be counted is left out: that is reported as a fault of the hands.
    """
    row = EveningRollup.objects.filter(evening=evening.pk).first()
    if row is None or not evening.has_ended:
        if row is not None:
            yield "it has a roll-up, but has not ended"
        elif evening.has_ended:
            yield "it has ended, but has no roll-up"
        return
    if row.edition != EDITION:
        yield f"its roll-up is of edition {row.edition}, not {EDITION}"
        return
    try:
        counted = stored_figures_of(evening)
    except DAMAGE:
        return
    try:
        stored, best = unpacked(row.figures, evening.game), unpacked_best(row.figures["best"])
    except DAMAGE as error:
        yield f"its roll-up cannot be read: {error!r}"
        return
    recount = unpacked(counted, evening.game)
    for seat, name, key in sorted(stored.keys() | recount.keys()):
        was, is_now = (figures.get((seat, name, key), (0, 0)) for figures in (stored, recount))
        if was != is_now:
            figure = f"{name} {key}".rstrip()
            yield f"its roll-up has {_over(was)} as {figure} of seat {seat}; the recount gives {_over(is_now)}"
    if best != (best_again := unpacked_best(counted["best"])):
        yield f"its roll-up has {best} as its best hands; the recount gives {best_again}"


def _over(figure: tuple[Amount, int]) -> str:
    return f"{figure[0]} over {figure[1]}"
