"""Rounding of payments to the smallest coin in use.

Amounts are in the smallest unit of the currency, exact; a coin is a whole number of these units.
Pure Python: standard library only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Transfer


@dataclass(frozen=True, slots=True)
class CashPayments:
    """Transfers in whole coins, and what each seat gains by the rounding, or loses if it is below zero.

    A payer gains what he pays too little, a payee what he is paid too much; that much stays open between them. Only
    seats that gain or lose are in `gains`, which sum to zero. `left_out` are the exact transfers that came to no coin.
    """

    transfers: tuple[Transfer, ...]
    gains: Mapping[int, Amount]
    left_out: tuple[Transfer, ...]


def to_coin(units: Amount, coin: int) -> int:
    """Return the nearest multiple of the coin; of two equally near ones that which is further from zero.

    Raise ValueError for a coin below one unit.
    """
    if coin < 1:
        raise ValueError(f"a coin is at least one unit, not {coin}")
    size = units if units > 0 else -units
    rounded = int((2 * size + coin) // (2 * coin)) * coin
    return rounded if units > 0 else -rounded


def in_cash(transfers: Iterable[Transfer], coin: int) -> CashPayments:
    """Round each transfer to the coin, by half a coin at most; those that come to no coin are left out."""
    paid, left_out = [], []
    gains: dict[int, Amount] = {}
    for transfer in transfers:
        units = to_coin(transfer.points, coin)
        if units:
            paid.append(Transfer(transfer.payer, transfer.payee, units))
        else:
            left_out.append(transfer)
        gains[transfer.payer] = gains.get(transfer.payer, 0) + transfer.points - units
        gains[transfer.payee] = gains.get(transfer.payee, 0) - transfer.points + units
    return CashPayments(tuple(paid), {seat: gain for seat, gain in sorted(gains.items()) if gain}, tuple(left_out))
