"""The count of a raspasovka, and the hands that end a row of them (docs/rules/preference.md §5.6, §11 `raspasy_…`)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.preference.deal import Contract, Mizer, Raspasovka
from scorekeeper.games.preference.house_rules import AT_RATE, RaspasyTo, Reset, Rules
from scorekeeper.games.preference.score_lines import Step, Won, in_bank, in_dump
from scorekeeper.games.preference.seating import PLAYERS


def raspasovka(deal: Raspasovka, part: tuple[int, ...], rate: int, row: int, rules: Rules) -> Iterator[Step]:
    """Count a raspasovka, the `row`-th in a row: the tricks at `rate` each, then pool points for taking none.

    `part` are the seats that take part, in the order of the deal's tricks.
    """
    taken, price = dict(zip(part, deal.tricks, strict=True)), {"rate": rate, "row": row}
    yield from _in_banks(taken, price) if rules.raspasy_to is RaspasyTo.BANK else _in_dumps(taken, price, rules)
    zero = zero_points(rate, rules)
    for seat in part[:PLAYERS]:
        if zero and not taken[seat]:
            yield Won("raspasy_zero", seat, zero, {"rate": rate})


def zero_points(rate: int, rules: Rules) -> int:
    """Return the pool points for taking no trick at this price of a trick; 0 for none."""
    return rate if rules.raspasy_zero == AT_RATE else rules.raspasy_zero


def _in_dumps(taken: Mapping[int, int], price: Mapping[str, int], rules: Rules) -> Iterator[ScoreLine]:
    off = min(taken.values()) if rules.raspasy_amnesty else 0
    for seat, tricks in taken.items():
        amount = price["rate"] * (tricks - off)
        if off:
            yield in_dump("raspasy", "amnesty", seat, amount, tricks=tricks, off=off, **price)
        elif tricks:
            yield in_dump("raspasy", "tricks", seat, amount, tricks=tricks, **price)
        elif not rules.raspasy_zero:
            yield in_dump("raspasy", "none", seat, 0, **price)


def _in_banks(taken: Mapping[int, int], price: Mapping[str, int]) -> Iterator[ScoreLine]:
    """Yield the lines of the lowest against each player with more tricks; two lowest write half each."""
    least = min(taken.values())
    lowest = [seat for seat, tricks in taken.items() if tricks == least]
    code = "lowest" if len(lowest) == 1 else "two_lowest"
    for seat in lowest:
        for other, tricks in taken.items():
            if tricks > least:
                amount = Fraction(price["rate"] * tricks, len(lowest))
                yield in_bank("raspasy", code, seat, other, amount, tricks=tricks, **price)


def row_after(deal: Contract | Mizer, row: int, rules: Rules) -> int:
    """Return the number of raspasovkas in a row after a hand of another kind, which may leave it unchanged."""
    return 0 if _ends_row(deal, rules.raspasy_reset) else row


def _ends_row(deal: Contract | Mizer, reset: Reset) -> bool:
    match reset:
        case Reset.ANY:
            return True
        case Reset.PLAYED:
            return isinstance(deal, Mizer) or deal.answers.is_played
        case Reset.MADE:
            return deal.is_made
        case Reset.WHISTED:
            # Nobody whists a mizer, so none ends such a row.
            return isinstance(deal, Contract) and deal.answers.is_whisted and deal.is_made
