"""The worth of a contract or a mizer in play: the amounts that are certain to be written, made or down.

The amounts depend on the whisters and on the split of tricks between two of them: only those that are the same in every
case are shown. All of them come from `count`.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from scorekeeper.games.base import Account, Place
from scorekeeper.games.preference.counting import count
from scorekeeper.games.preference.deal import ALL_TRICKS, Answers, Contract, Mizer
from scorekeeper.games.preference.declaration import Named
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.standing import Standing

#: The largest number of missing tricks that is shown.
MOST_MISSING: Final = 3
_MAY_BE_PLAYED: Final = (Answers.FIRST, Answers.SECOND, Answers.BOTH)


class Prospect(NamedTuple):
    """The certain amounts with `missing` tricks too few, or in a mizer too many; 0: made."""

    missing: int
    written: Mapping[Account, int]


@lru_cache(maxsize=200)  # forty counts, on every page of a hand that is announced
def prospects(
    contract: Named, answers: Answers | None, place: Place, standing: Standing, rules: Rules
) -> tuple[Prospect, ...]:
    """Return the prospects of made and of down one, two, three; none if nothing is played.

    `answers` is None until all are given.
    """
    if answers and not answers.is_played:
        return ()
    return tuple(
        Prospect(
            missing, _certain([_written(deal, place, standing, rules) for deal in _deals(contract, answers, missing)])
        )
        for missing in range(MOST_MISSING + 1)
    )


def _deals(contract: Named, answers: Answers | None, missing: int) -> Iterator[Contract | Mizer]:
    """Yield the deals that are still possible; for two whisters every split, as any of them may change an amount."""
    if contract.level is None:
        yield Mizer(missing)
        return
    taken = contract.level - missing
    for each in (answers,) if answers else _MAY_BE_PLAYED:
        tricks = tuple(_splits(taken)) if each.of_two else ((taken,),)
        yield from (Contract(contract.level, each, split, contract.strain) for split in tricks)


def _splits(taken: int) -> Iterator[tuple[int, int, int]]:
    left = ALL_TRICKS - taken
    return ((taken, first, left - first) for first in range(left + 1))


def _written(deal: Contract | Mizer, place: Place, standing: Standing, rules: Rules) -> dict[Account, int]:
    sheet: dict[Account, int] = {}
    for entry in count(deal, place, standing, rules).entries:
        sheet[entry.of] = sheet.get(entry.of, 0) + entry.amount
    return sheet


def _certain(sheets: list[dict[Account, int]]) -> dict[Account, int]:
    """Return the accounts with the same amount in all of the sheets."""
    return {
        account: amount
        for account, amount in sheets[0].items()
        if all(sheet.get(account) == amount for sheet in sheets)
    }
