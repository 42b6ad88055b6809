"""The fewest payments that settle balances, those by a single note preferred.

Pure Python: standard library only.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Transfer

#: The number of people with a balance up to which the payments are always the fewest there can be.
EXACT_UP_TO: Final = 12
#: The number of states of a group at which the search for single notes ends. Groups of up to 6 people have fewer.
STATES_SEARCHED: Final = 300


def fewest_payments(balances: Sequence[Amount], notes: Collection[int] = ()) -> tuple[Transfer, ...]:
    """Return the fewest transfers that bring all balances to zero: fewer than there are seats.

    Their number is the least possible for up to EXACT_UP_TO people with a balance. For more, pairs that owe each other
    the same are taken out first; then the largest debtor pays the largest creditor until few enough are left.

    Of equally few transfers those are preferred in which the most are a single one of `notes`. The search ends after
    STATES_SEARCHED states of each group of people whose balances sum to zero, which is all for up to 6 people.

    Sorted by payer, payee; only debtors pay and only creditors are paid; equal balances always give equal transfers.
    Raise ValueError if the balances do not sum to zero.
    """
    scale, owed = _scaled(balances)
    valued = {note * scale for note in notes}

    def is_note(units: int) -> bool:
        return units in valued

    settle = (lambda group: _by_notes(group, is_note)) if notes else _by_size
    transfers = list(_until_few_are_left(owed))
    for group in _most_groups(owed):
        transfers += settle({seat: owed[seat] for seat in group})
    return tuple(sorted(Transfer(each.payer, each.payee, _unscaled(each.points, scale)) for each in transfers))


# --- Whole numbers instead of fractions ---


def _scaled(balances: Sequence[Amount]) -> tuple[int, dict[int, int]]:
    """Return the least common denominator, and the balances in that part of a unit, without those of zero."""
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    scale = lcm(*(balance.denominator for balance in balances))
    return scale, {seat: int(balance * scale) for seat, balance in enumerate(balances) if balance}


def _unscaled(units: Amount, scale: int) -> Amount:
    amount = Fraction(units, scale)
    return int(amount) if amount.denominator == 1 else amount


# --- Too many people for an exact count ---


def _until_few_are_left(owed: dict[int, int]) -> Iterator[Transfer]:
    """Yield transfers until at most EXACT_UP_TO people are left in `owed`, each clearing one or two."""
    while len(owed) > EXACT_UP_TO:
        yield from _exact_pairs(owed)
        if len(owed) > EXACT_UP_TO:
            yield _paid(owed, *_largest(owed))


def _exact_pairs(owed: dict[int, int]) -> Iterator[Transfer]:
    """Yield a transfer for each pair of equal balances of opposite sign, and take the pair out of `owed`."""
    for payer in sorted(seat for seat, balance in owed.items() if balance < 0):
        payee = next((seat for seat in sorted(owed) if owed[seat] == -owed[payer]), None)
        if payee is not None:
            yield _paid(owed, payer, payee)


def _largest(owed: Mapping[int, int]) -> tuple[int, int]:
    """Return the largest debtor and the largest creditor; of equal ones the first."""
    payer = min(owed, key=lambda seat: (owed[seat], seat))
    payee = min(owed, key=lambda seat: (-owed[seat], seat))
    return payer, payee


def _paid(owed: dict[int, int], payer: int, payee: int) -> Transfer:
    """Return the transfer that clears one of the two, and book it in `owed`."""
    points = min(-owed[payer], owed[payee])
    owed[payer] += points
    owed[payee] -= points
    for seat in (payer, payee):
        if not owed[seat]:
            del owed[seat]
    return Transfer(payer, payee, points)


# --- Groups that sum to zero ---


def _most_groups(owed: Mapping[int, int]) -> list[list[int]]:
    """Divide the seats into as many groups as possible, each summing to zero.

    A group of k seats needs k − 1 transfers: the more groups, the fewer transfers. Dynamic programming over sets of
    seats, as bits: seats are put in a line, and a group ends wherever the sum so far is zero. `most[chosen]` is the
    number of groups in the best line of the chosen seats. It is found without looking at every last seat where the sum
    is zero: then each of them closes the last group.
    """
    seats = list(owed)
    bits = [1 << place for place in range(len(seats))]
    total = [0]
    for seat in seats:
        total += [some + owed[seat] for some in total]
    most = [0] * len(total)
    for chosen in range(1, len(total)):
        if total[chosen]:
            most[chosen] = max([most[chosen ^ bit] for bit in bits if chosen & bit])
        else:
            most[chosen] = most[chosen & chosen - 1] + 1
    groups: list[list[int]] = []
    left = len(total) - 1
    while left:
        if not total[left]:
            groups.append([])
        last = max((place for place, bit in enumerate(bits) if left & bit), key=lambda at: (most[left ^ bits[at]], at))
        groups[-1].append(seats[last])
        left ^= bits[last]
    return groups


def _by_size(group: Mapping[int, int]) -> tuple[Transfer, ...]:
    """Return transfers from the largest debtor to the largest creditor until all balances are zero."""
    left = dict(group)
    transfers = []
    while left:
        transfers.append(_paid(left, *_largest(left)))
    return tuple(transfers)


def _by_notes(group: Mapping[int, int], is_note: Callable[[int], bool]) -> tuple[Transfer, ...]:
    """Return the transfers of a group with the most single notes: those of `_by_size` unless others have more.

    Depth first, payments by a note before others and large ones before small ones. No part of a group sums to zero, so
    every payment clears one person, and the last payment two. A state of the balances is not entered again by as few
    notes, nor where even a note for each payment left would not do better.
    """
    best = _by_size(group)
    most = sum(is_note(int(each.points)) for each in best)
    reached: dict[tuple[tuple[int, int], ...], int] = {}
    waiting: list[tuple[dict[int, int], tuple[Transfer, ...], int]] = [(dict(group), (), 0)]
    while waiting and most < len(best) and len(reached) < STATES_SEARCHED:
        owed, made, singles = waiting.pop()
        if not owed and singles > most:
            best, most = made, singles
        steps = []
        for payer, payee in ((one, other) for one in owed for other in owed if owed[one] < 0 < owed[other]):
            points = min(-owed[payer], owed[payee])
            steps.append((is_note(points), points, -payer, -payee))
        for note, _, payer, payee in sorted(steps):
            if singles + note + len(owed) - 2 > most:
                left = dict(owed)
                transfer = _paid(left, -payer, -payee)
                state = tuple(left.items())
                if reached.get(state, -1) < singles + note:
                    reached[state] = singles + note
                    waiting.append((left, (*made, transfer), singles + note))
    return best
