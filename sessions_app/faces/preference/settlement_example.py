"""The settlement of a sheet of three by house rules: docs/rules/preference.md §13.3, a game that was broken off."""

from dataclasses import dataclass
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Sheet
from scorekeeper.games.preference import Rules, balances, pairwise, sheet_from_text
from scorekeeper.games.preference.deal import ACCOUNTS, BANK, DUMP, POOL

NAMES: Final = ("A", "B", "C")
SHEET: Final = sheet_from_text("P0+6 P1+2 D0+4 D2+7 B1>0+12 B2>1+4")
_SEATS: Final = tuple(range(len(NAMES)))


@dataclass(frozen=True, slots=True)
class Player:
    """A player's pool and dump, the amounts that these and the whists bring, and the result."""

    name: str
    pool: int
    dump: int
    by_pool: Amount
    by_dump: Amount
    by_whists: Amount
    result: Amount


@dataclass(frozen=True, slots=True)
class Whists:
    """The whists of one player against another."""

    name: str
    other: str
    amount: int


@dataclass(frozen=True, slots=True)
class Debt:
    """The amount that one player owes another."""

    payer: str
    payee: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class SettlementExample:
    players: tuple[Player, ...]
    whists: tuple[Whists, ...]
    paid: tuple[Debt, ...]


def settlement_example(rules: Rules) -> SettlementExample:
    of = {account: balances(_part(account), _SEATS, rules) for account in ACCOUNTS}
    results = balances(SHEET, _SEATS, rules)
    return SettlementExample(
        players=tuple(
            Player(
                name,
                SHEET.get((POOL, seat, None), 0),
                SHEET.get((DUMP, seat, None), 0),
                of[POOL][seat],
                of[DUMP][seat],
                of[BANK][seat],
                results[seat],
            )
            for seat, name in enumerate(NAMES)
        ),
        whists=tuple(
            Whists(NAMES[seat], NAMES[against], amount)
            for (_name, seat, against), amount in _part(BANK).items()
            if against is not None
        ),
        paid=tuple(
            Debt(NAMES[payer], NAMES[payee], amount)
            for (payer, payee), amount in pairwise(SHEET, _SEATS, rules).items()
        ),
    )


def _part(account: str) -> Sheet:
    """Return the entries of one account."""
    return {of: amount for of, amount in SHEET.items() if of[0] == account}
