"""The fewest payments that settle balances, and the order in which they are made.

Pure Python: standard library only.
"""

from collections.abc import Iterable, Iterator, Sequence

from scorekeeper.games.base import Amount
from scorekeeper.settlement import Transfer


def fewest_payments(balances: Sequence[Amount]) -> tuple[Transfer, ...]:
    """Return the fewest transfers that bring all balances to zero: fewer than there are seats.

    Sorted by payer, payee; equal balances always give equal transfers. Time and memory are exponential in the number
    of seats, of which a card table has few. Raise ValueError if the balances do not sum to zero.
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    # A group of k seats whose balances sum to zero needs k − 1 transfers: the more groups, the fewer transfers.
    return tuple(
        sorted(
            transfer
            for group in _most_groups(balances)
            for transfer in _settle({seat: balances[seat] for seat in group})
        )
    )


def one_after_the_other(balances: Sequence[Amount], transfers: Iterable[Transfer]) -> Iterator[Transfer]:
    """Yield the transfers of `fewest_payments` in an order in which each brings one of its two seats to zero.

    The transfers of a group form a tree of its seats, so one that ends at a leaf is always left; of several the first
    is taken. Raise ValueError for transfers that do not bring the balances to zero.
    """
    open_balances, left = list(balances), list(transfers)
    while left:
        clearing = (
            each
            for each in left
            if open_balances[each.payer] == -each.points or open_balances[each.payee] == each.points
        )
        transfer = next(clearing, None)
        if transfer is None:
            raise ValueError(f"{left} do not bring {open_balances} to zero")
        left.remove(transfer)
        open_balances[transfer.payer] += transfer.points
        open_balances[transfer.payee] -= transfer.points
        yield transfer


def _most_groups(balances: Sequence[Amount]) -> list[list[int]]:
    """Divide the seats whose balance is not zero into as many groups as possible, each summing to zero.

    Dynamic programming over sets of seats, as bits: seats are put in a line, and a group ends wherever the sum so far
    is zero. `most[chosen]` is the number of groups in the best line of the chosen seats, `last[chosen]` its last seat.
    """
    uneven = [seat for seat, balance in enumerate(balances) if balance]
    standing = (1 << len(uneven)) - 1
    most, last = ([0] * (standing + 1) for _ in range(2))
    total: list[Amount] = [0] * (standing + 1)
    for chosen in range(1, standing + 1):
        members = (place for place in range(len(uneven)) if chosen >> place & 1)
        closed, last[chosen] = max((most[chosen ^ 1 << place], place) for place in members)
        total[chosen] = total[chosen ^ 1 << last[chosen]] + balances[uneven[last[chosen]]]
        most[chosen] = closed + (total[chosen] == 0)
    groups: list[list[int]] = []
    while standing:
        if total[standing] == 0:
            groups.append([])
        groups[-1].append(uneven[last[standing]])
        standing ^= 1 << last[standing]
    return groups


def _settle(open_balances: dict[int, Amount]) -> Iterator[Transfer]:
    """Yield transfers from the largest debtor to the largest creditor until all balances are zero.

    Each transfer brings one of its two seats to zero.
    """
    while any(open_balances.values()):
        payer = min(open_balances, key=lambda seat: (open_balances[seat], seat))
        payee = min(open_balances, key=lambda seat: (-open_balances[seat], seat))
        points = min(-open_balances[payer], open_balances[payee])
        open_balances[payer] += points
        open_balances[payee] -= points
        yield Transfer(payer, payee, points)
