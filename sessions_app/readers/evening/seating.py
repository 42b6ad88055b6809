"""The seats of an evening, with names and balances: one query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet

from scorekeeper.db.compiled_queries import Slot, compiled
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account
from scorekeeper.money.settlement import in_whole_units
from sessions_app.models import Evening, Seat, Total
from sessions_app.readers.snapshot import read_once
from sessions_app.words.money import stake_of

#: A seat's position and its player's name.
type Seated = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat with its player's name and balance in points (and in money, where there is a stake).

    `coins` is the exact worth of the balance in the stake's smallest coin, `money` the same in whole coins. `sits` is
    whether he is at the table for the next deal, or has gone home.
    """

    position: int
    name: str
    balance: Amount
    coins: Amount | None = None
    money: Decimal | None = None
    sits: bool = True


def seats_of(evening: Evening, names: Sequence[str] | None = None) -> tuple[SeatView, ...]:
    """Return the seats in their order, with balances: one query, none if the players' `names` are given."""
    return seat_views(evening, tuple(enumerate(names_of(evening) if names is None else names)))


def names_of(evening: Evening) -> list[str]:
    """Return the players' names by seat: one query, in a snapshot one for all who ask."""
    rows = read_once(("names", evening.pk), lambda: _names_by_seat.ask(evening=evening.pk))
    return [name for _position, name in rows]


def seats_by_evening(evenings: Sequence[int]) -> dict[int, list[Seated]]:
    """Return the positions with the players' names, in order, of each of these evenings: one query, none for none."""
    found: dict[int, list[Seated]] = {evening: [] for evening in evenings}
    seats = Seat.objects.filter(evening__in=evenings).order_by("evening", "position")
    for evening, position, name in seats.values_list("evening", "position", "player__name"):
        found[evening].append((position, name))
    return found


@compiled
def _names_by_seat(evening: Slot) -> QuerySet[Seat, Any]:
    """Return each seat's position with its player's name, in order."""
    return Seat.objects.filter(evening=evening).order_by("position").values_list("position", "player__name")


def seat_views(evening: Evening, seats: Sequence[Seated]) -> tuple[SeatView, ...]:
    balances = evening.game.balances(sums_of(evening), tuple(position for position, _name in seats), evening.house)
    stake = stake_of(evening.stake, evening.currency)
    coins = [stake.coins(balances[position]) for position, _name in seats] if stake else []
    units = in_whole_units(coins)
    return tuple(
        SeatView(
            position,
            name,
            balances[position],
            coins[at] if stake else None,
            stake.of_coins(units[at]) if stake else None,
            position in evening.sitting,
        )
        for at, (position, name) in enumerate(seats)
    )


def sums_of(evening: Evening) -> dict[Account, int]:
    return sums(evening.sheet)


def sums(sheet: Mapping[Account, Total]) -> dict[Account, int]:
    """Return the amounts of the accounts, without the number of their entries."""
    return {account: total.amount for account, total in sheet.items()}
