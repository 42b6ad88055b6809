"""The payments that a list suggests: balances in whole coins, then the fewest payments that leave everybody even.

Balances are exact, in the smallest unit of one currency, by position; they sum to zero. A coin is a whole number of
units. Pure Python: standard library only.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from scorekeeper.games.amounts import Amount
from scorekeeper.money.fewest_payments import fewest_payments
from scorekeeper.money.settlement import Transfer, in_whole_units

#: Payer and payee.
type Pair = tuple[int, int]
type Lines = tuple[Transfer, ...]


def is_even(balances: Iterable[Amount], coin: int = 1) -> bool:
    """Return whether every balance is below one coin, either way: nothing is to be paid then."""
    return all(-coin < balance < coin for balance in balances)


def in_whole_coins(balances: Sequence[Amount], coin: int = 1, cut: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the balances in whole coins, each changed by less than one; they sum to zero.

    Each is the nearest multiple of the coin, as far as the sum allows: coins go to the largest remainders, of equal
    ones to the first of those that have `cut`, the highest card first, and then to the first of the others.
    """
    return tuple(coin * coins for coins in in_whole_units([Fraction(balance, coin) for balance in balances], cut))


def pairs_in_whole_coins(pairs: Mapping[Pair, Amount], coin: int = 1) -> dict[Pair, int]:
    """Return what each payer owes each payee in whole coins; all of them paid leave everybody even.

    Each debt is changed by less than one coin, and so is each player's sum of them. Where there are fractions they lie
    on rings of players, one of whom may be the table (None), which makes up for a sum that is no whole coin. Each ring
    is shifted until one of its debts is whole.
    """
    debts: dict[Pair | tuple[int, None], Fraction] = {pair: Fraction(owed, coin) for pair, owed in pairs.items()}
    for player in {player for pair in pairs for player in pair}:
        paid = sum((owed for (payer, _payee), owed in pairs.items() if payer == player), Fraction(0))
        received = sum((owed for (_payer, payee), owed in pairs.items() if payee == player), Fraction(0))
        debts[player, None] = Fraction(received - paid, coin)
    while ring := _ring_of_fractions([pair for pair, owed in debts.items() if owed.denominator != 1]):
        shift = min(-debts[pair] % 1 if is_forward else debts[pair] % 1 for pair, is_forward in ring)
        for pair, is_forward in ring:
            debts[pair] += shift if is_forward else -shift
    return {pair: int(debts[pair]) * coin for pair in pairs}


def _ring_of_fractions(pairs: Sequence[Pair | tuple[int, None]]) -> Sequence[tuple[Pair | tuple[int, None], bool]]:
    """Return pairs that lead from a player back to him, each with whether it is gone from payer to payee.

    () for no pairs. No player stands in one pair only: what he pays and receives, the table included, is whole.
    """
    if not pairs:
        return ()
    path: list[tuple[Pair | tuple[int, None], bool]] = []
    visited: list[int | None] = [pairs[0][0]]
    while True:
        at, came_by = visited[-1], path[-1][0] if path else None
        pair = next(pair for pair in pairs if at in pair and pair != came_by)
        path.append((pair, pair[0] == at))
        there = pair[1] if pair[0] == at else pair[0]
        if there in visited:
            return path[visited.index(there) :]
        visited.append(there)


def suggested_payments(
    balances: Sequence[Amount],
    coin: int = 1,
    notes: Collection[int] = (),
    made: Iterable[Transfer] = (),
    cut: Sequence[int] = (),
) -> Lines:
    """Return the fewest payments in whole coins after which everybody is even, sorted by payer and payee.

    `balances` are those before the payments `made`, which are in the order of time. One that pays a line, or a part of
    it in whole coins, leaves the other lines as they are: others might settle the rest just as well. After any other
    payment the lines are found anew. `notes` are preferred as in `fewest_payments`,
    `cut` decides as in `in_whole_coins`.
    """
    left, lines = list(balances), _lines(tuple(balances), coin, tuple(notes), tuple(cut))
    for paid in made:
        left[paid.payer] += paid.points
        left[paid.payee] -= paid.points
        rest = _after(lines, paid, coin)
        lines = _lines(tuple(left), coin, tuple(notes), tuple(cut)) if rest is None else _needed(rest, left, coin)
    return lines


@lru_cache(maxsize=200)  # 5 ms among 30 people, of each currency on each page of a circle
def _lines(balances: tuple[Amount, ...], coin: int, notes: tuple[int, ...], cut: tuple[int, ...]) -> Lines:
    return _needed(fewest_payments(in_whole_coins(balances, coin, cut), notes), balances, coin)


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
