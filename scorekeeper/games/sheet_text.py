"""The short form of a sheet: `A0+2 B1+18 C2>1+48`, account, seat, the seat it is against, amount."""

from collections.abc import Sequence

from scorekeeper.games.base import Account, Sheet


def place_of(account: Account, accounts: Sequence[str]) -> tuple[int, int, int]:
    """Return the sort key of an account in the short form: the order of the game's accounts, then the seats."""
    name, seat, against = account
    return accounts.index(name) if name in accounts else len(accounts), seat, -1 if against is None else against


def short_form(sheet: Sheet, accounts: Sequence[str]) -> str:
    """Write the sum of each account; sums of zero are left out."""
    return " ".join(
        f"{name[0].upper()}{seat}{'' if against is None else f'>{against}'}{sheet[name, seat, against]:+}"
        for name, seat, against in sorted(sheet, key=lambda account: place_of(account, accounts))
        if sheet[name, seat, against]
    )
