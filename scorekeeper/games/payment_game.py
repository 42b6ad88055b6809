"""Games in which one seat pays another: the account `paid`, and what its sums come to.

Whatever is written in them is a hand, and may follow any other; who may declare what is a game's own to say.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from scorekeeper.games.base import Entry, Payment, Sheet

PAID: Final = "paid"


def entries(payments: Iterable[Payment], reason: str) -> tuple[Entry, ...]:
    """Payments as a hand writes them."""
    return tuple(Entry(PAID, payment.payer, payment.payee, payment.points, reason) for payment in payments)


def is_hand(deal: object) -> bool:
    """Whether it is a hand, and not what the table agreed to write."""
    return True


def check_place(deal: object, place: object, rules: object) -> None:
    """Whoever plays may declare any hand."""


def may_follow(deal: object, standing: object, rules: object) -> None:
    """No hand is refused for what was before it."""


def objection(deal: object, after: object, rules: object) -> None:
    """Nothing makes a recorded hand impossible."""


def is_finished(standing: object, rules: object) -> bool:
    """There is no end but what the table agrees on, and that is only a reminder."""
    return False


def next_hand_note(standing: object, rules: object) -> None:
    """No hand counts otherwise for what was before it."""


def balances(sheet: Sheet, seats: tuple[int, ...], rules: object = None) -> Mapping[int, int]:
    """What each of the seats was paid less what it paid. Sums to zero."""
    totals = dict.fromkeys(seats, 0)
    for (_account, payer, payee), points in sheet.items():
        totals[payer] -= points
        if payee is not None:
            totals[payee] += points
    return totals


def pairwise(sheet: Sheet, seats: tuple[int, ...], rules: object = None) -> Mapping[tuple[int, int], int]:
    """What the first of each pair owes the second, netted between the two; even pairs are left out."""
    owed = ((payer, payee, points) for (_account, payer, payee), points in sheet.items() if payee is not None)
    return {(paid.payer, paid.payee): paid.points for paid in netted(owed)}


def netted(owed: Iterable[tuple[int, int, int]]) -> tuple[Payment, ...]:
    """Payments of (payer, payee, points of either sign), at most one between two; even pairs are left out."""
    sums: dict[tuple[int, int], int] = {}
    for payer, payee, points in owed:
        sums[payer, payee] = sums.get((payer, payee), 0) + points
        sums[payee, payer] = sums.get((payee, payer), 0) - points
    return tuple(Payment(*pair, points) for pair, points in sorted(sums.items()) if points > 0)
