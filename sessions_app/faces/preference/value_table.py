"""The tables of values on Preference's page of rules: by contract, and by number in a row of raspasovkas."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from scorekeeper.games.preference import Rules, Standing, lowest_level, next_price, prices
from scorekeeper.games.preference.deal import LEVELS, MIZER_VALUE, quota, value
from scorekeeper.games.preference.house_rules import Growth, Ten
from scorekeeper.games.preference.validation import HIGHEST_HALF
from sessions_app.words.wording import Words

#: The number of raspasovkas in a row that are shown.
SHOWN: Final = 5
#: Longer than any row, so that every price has reached its limit.
_ENDLESS: Final = 999


@dataclass(frozen=True, slots=True)
class Row:
    """The amounts of one item by contract, a mizer's last; None where it is impossible."""

    name: Words
    amounts: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class InARow:
    """The raspasovkas in a row: the price of a trick in each, and the lowest contract after those before it.

    `most` is the highest price, None if there is no limit; `ladder` is empty if any contract may always be named.
    """

    prices: tuple[int, ...]
    most: int | None
    ladder: tuple[int, ...]


def rows(rules: Rules) -> tuple[Row, ...]:
    """Return the table of values, without rows that the house does not have."""
    return tuple(row for row in _rows(rules) if any(row.amounts))


def _rows(rules: Rules) -> Iterator[Row]:
    yield _row(_("made: pool"), value, MIZER_VALUE)
    yield _row(_("quota"), lambda level: quota(level) if _is_whisted(level, rules) else None)
    yield _row(_("a trick: whists"), lambda level: prices.trick(level, rules))
    yield _row(_("half: whists"), lambda level: prices.half(level, rules) if _has_half(level, rules) else None)
    yield _row(_("a trick down: dump"), lambda level: prices.undertrick(level, rules), prices.caught(rules))
    down = _("a trick down: consolation")
    yield _row(down, lambda level: prices.consolation(level, rules), prices.caught_bank(rules))
    yield _row(_("a trick below the quota"), lambda level: _missing(level, rules))
    yield _row(_("given up: dump"), lambda level: prices.given_up(level, rules))


def _row(name: Words, amount: Callable[[int], int | None], of_mizer: int = 0) -> Row:
    return Row(name, (*(amount(level) or None for level in LEVELS), of_mizer or None))


def _is_whisted(level: int, rules: Rules) -> bool:
    return level < LEVELS[-1] or rules.ten is Ten.WHISTED


def _has_half(level: int, rules: Rules) -> bool:
    return rules.half_whist and level <= HIGHEST_HALF


def _missing(level: int, rules: Rules) -> int | None:
    """Return the amount for a missing trick. Values are even, so that half of one is whole."""
    return int(prices.missing(level, rules)) if _is_whisted(level, rules) else None


def in_a_row(rules: Rules) -> InARow:
    after = [Standing(row=row) for row in range(SHOWN)]
    endless = rules.raspasy_growth is Growth.ADD and not rules.raspasy_cap
    ladder = tuple(lowest_level(standing, rules) for standing in after)
    return InARow(
        prices=tuple(next_price(standing, rules) for standing in after),
        most=None if endless else next_price(Standing(row=_ENDLESS), rules),
        ladder=ladder if max(ladder) > LEVELS.start else (),
    )
