"""The payments that a list suggests: balances in whole coins, then the fewest payments that leave everybody even.

Balances are exact, in the smallest unit of one currency, by position; they sum to zero. A coin is a whole number of
units. Pure Python: standard library only.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from scorekeeper.games.amounts import Amount
from scorekeeper.money.fewest_payments import fewest_payments
from scorekeeper.money.settlement import Transfer, in_whole_units

type Lines = tuple[Transfer, ...]


def is_even(balances: Iterable[Amount], coin: int = 1) -> bool:
    """Return whether every balance is below one coin, either way: nothing is to be paid then."""
    return all(-coin < balance < coin for balance in balances)


def in_whole_coins(balances: Sequence[Amount], coin: int = 1) -> tuple[int, ...]:
    """Return the balances in whole coins, each changed by less than one; they sum to zero.

    Each is the nearest multiple of the coin, as far as the sum allows: coins go to the largest remainders, of equal
    ones to the first.
    """
    return tuple(coin * coins for coins in in_whole_units([Fraction(balance, coin) for balance in balances]))


def suggested_payments(
    balances: Sequence[Amount], coin: int = 1, notes: Collection[int] = (), made: Iterable[Transfer] = ()
) -> Lines:
    """Return the fewest payments in whole coins after which everybody is even, sorted by payer and payee.

    `balances` are those before the payments `made`, which are in the order of time. One that pays a line, or a part of
    it in whole coins, leaves the other lines as they are: others might settle the rest just as well. After any other
    payment the lines are found anew. `notes` are preferred as in `fewest_payments`.
    """
    left, lines = list(balances), _lines(tuple(balances), coin, tuple(notes))
    for paid in made:
        left[paid.payer] += paid.points
        left[paid.payee] -= paid.points
        rest = _after(lines, paid, coin)
        lines = _lines(tuple(left), coin, tuple(notes)) if rest is None else _needed(rest, left, coin)
    return lines


@lru_cache(maxsize=200)  # 5 ms among 30 people, of each currency on each page of a circle
def _lines(balances: tuple[Amount, ...], coin: int, notes: tuple[int, ...]) -> Lines:
    return _needed(fewest_payments(in_whole_coins(balances, coin), notes), balances, coin)


def _needed(lines: Lines, balances: Sequence[Amount], coin: int) -> Lines:
    """Return the lines without those of one coin that are not needed once the others are paid.

    The payer of such a payment owes less than the coin then, and the payee is owed less: they are even.
    """
    left, needed = list(balances), []
    for line in lines:
        left[line.payer] += line.points
        left[line.payee] -= line.points
    for line in lines:
        if line.points == coin and left[line.payee] < 0 < left[line.payer]:
            left[line.payer] -= coin
            left[line.payee] += coin
        else:
            needed.append(line)
    return tuple(needed)


def _after(lines: Lines, paid: Transfer, coin: int) -> Lines | None:
    """Return the lines after a payment of one of them; None if it pays none, or leaves a part of a coin of it."""
    for at, line in enumerate(lines):
        if (line.payer, line.payee) == (paid.payer, paid.payee):
            rest = line.points - paid.points
            if rest < 0 or rest % coin:
                return None
            smaller = (Transfer(line.payer, line.payee, rest),) if rest else ()
            return (*lines[:at], *smaller, *lines[at + 1 :])
    return None
