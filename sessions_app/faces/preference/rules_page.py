"""The contents of Preference's page of rules: values, a settlement, profiles, the notation, worked hands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from scorekeeper.games import preference
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Sheet
from scorekeeper.games.preference import (
    Answers,
    Rules,
    Standing,
    balances,
    lowest_level,
    next_price,
    pairwise,
    sheet_from_text,
)
from scorekeeper.games.preference.auction import BIDS, Call
from scorekeeper.games.preference.deal import (
    ACCOUNTS,
    ALL_TRICKS,
    BANK,
    DUMP,
    HIGHEST_HALF,
    LEVELS,
    MIZER_VALUE,
    PLAYERS,
    POOL,
    TALON_TRICKS,
    quota,
    value,
)
from scorekeeper.games.preference.house_rules import AT_RATE, BY_VALUE, PROFILES, Growth, Ten
from scorekeeper.games.preference.scoring import zero_points
from sessions_app.faces.house_words import phrases
from sessions_app.faces.preference import words
from sessions_app.faces.preference.house_words import PROFILE_WORDS, SWITCHES
from sessions_app.faces.preference.worked_hands import worked_hands
from sessions_app.words.wording import Words

# --- Tables of values ---


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
    yield _row(_("a trick: whists"), rules.trick_price)
    yield _row(_("half: whists"), lambda level: rules.half_price(level) if _has_half(level, rules) else None)
    yield _row(_("a trick down: dump"), rules.undertrick_price, rules.caught_price)
    down = _("a trick down: consolation")
    yield _row(down, rules.consolation_price, rules.caught_bank_price)
    yield _row(_("a trick below the quota"), lambda level: _missing(level, rules))
    yield _row(_("given up: dump"), rules.given_up_price)


def _row(name: Words, amount: Callable[[int], int | None], of_mizer: int = 0) -> Row:
    return Row(name, (*(amount(level) or None for level in LEVELS), of_mizer or None))


def _is_whisted(level: int, rules: Rules) -> bool:
    return level < LEVELS[-1] or rules.ten is Ten.WHISTED


def _has_half(level: int, rules: Rules) -> bool:
    return rules.half_whist and level <= HIGHEST_HALF


def _missing(level: int, rules: Rules) -> int | None:
    """Return the amount for a missing trick. Values are even, so that half of one is whole."""
    return int(rules.missing_price(level)) if _is_whisted(level, rules) else None


def in_a_row(rules: Rules) -> InARow:
    after = [Standing(row=row) for row in range(SHOWN)]
    endless = rules.raspasy_growth is Growth.ADD and not rules.raspasy_cap
    ladder = tuple(lowest_level(standing, rules) for standing in after)
    return InARow(
        prices=tuple(next_price(standing, rules) for standing in after),
        most=None if endless else next_price(Standing(row=_ENDLESS), rules),
        ladder=ladder if max(ladder) > LEVELS.start else (),
    )


# --- An example of a settlement ---


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
class SettlementExample:
    """The players, the whists of one against another, and the payments of one to another."""

    players: tuple[Player, ...]
    whists: tuple[tuple[str, str, int], ...]
    paid: tuple[tuple[str, str, Amount], ...]


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
            (NAMES[seat], NAMES[against], amount)
            for (_name, seat, against), amount in _part(BANK).items()
            if against is not None
        ),
        paid=tuple(
            (NAMES[payer], NAMES[payee], amount) for (payer, payee), amount in pairwise(SHEET, _SEATS, rules).items()
        ),
    )


def _part(account: str) -> Sheet:
    """Return the entries of one account."""
    return {of: amount for of, amount in SHEET.items() if of[0] == account}


# --- The page ---


__all__ = ["values", "worked_hands"]

#: A no-break space.
_NEXT_TO: Final = "\u00a0"
_SUITS: Final = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
#: The words of a line's letters.
_ANSWERS: Final[dict[Answers, Words]] = {
    Answers.PASSED: _("both pass"),
    Answers.HALF: pgettext_lazy("notation", "pass, then half whist"),
    Answers.FIRST: pgettext_lazy("notation", "the first whists"),
    Answers.SECOND: pgettext_lazy("notation", "the second whists"),
    Answers.RETRIEVED: pgettext_lazy("notation", "pass, half, and the first whists after all"),
    Answers.BOTH: _("both whist"),
    Answers.CHECKED: _("played open"),
    Answers.GIVEN_UP: pgettext_lazy("notation", "given up"),
}


@dataclass(frozen=True, slots=True)
class Profile:
    """A named profile, and its differences from the book; `is_played` ignores the target."""

    name: Words
    explanation: Words
    differing: tuple[str, ...]
    is_played: bool


@dataclass(frozen=True, slots=True)
class Values:
    """The house rules in figures and words, and the constants of the game.

    `bids` are the lowest, the one below a mizer, the one above it, and the highest. `flat` is a consolation that is the
    same for every contract, 0 if there is none; `zero` the amount for a player without a trick in the first raspasovka
    of a row.
    """

    rules: Rules
    rows: tuple[Row, ...]
    in_a_row: InARow
    flat: int
    zero: int
    is_zero_at_rate: bool
    settled: SettlementExample
    own: tuple[str, ...]
    profiles: tuple[Profile, ...]
    letters: tuple[tuple[str, Words], ...]
    bids: tuple[str, ...]
    suits: str = _NEXT_TO.join(_SUITS.values())
    bid_count: int = len(BIDS)
    levels: tuple[int, ...] = tuple(LEVELS)
    highest_half: int = HIGHEST_HALF
    mizer: int = MIZER_VALUE
    players: int = PLAYERS
    tricks: int = ALL_TRICKS
    talon: int = TALON_TRICKS
    cards: int = PLAYERS * ALL_TRICKS + TALON_TRICKS

    @property
    def has_hundreds(self) -> bool:
        """True if the table of values has figures of three digits, which are set smaller."""
        return any(amount is not None and amount > 99 for row in self.rows for amount in row.amounts)


def values(rules: Rules) -> Values:
    row = in_a_row(rules)
    return Values(
        rules=rules,
        rows=rows(rules),
        in_a_row=row,
        flat=0 if rules.consolation == BY_VALUE else rules.consolation,
        zero=zero_points(row.prices[0], rules),
        is_zero_at_rate=rules.raspasy_zero == AT_RATE,
        settled=settlement_example(rules),
        own=phrases(SWITCHES, preference.GAME.differences(rules)),
        profiles=tuple(_profiles(rules)),
        letters=tuple(_letters(rules)),
        bids=_bids(),
    )


def _profiles(rules: Rules) -> Iterator[Profile]:
    for key, profile in PROFILES.items():
        said, differing = PROFILE_WORDS[key], phrases(SWITCHES, preference.GAME.differences(profile))
        yield Profile(said.name, said.explanation, differing, replace(profile, target=rules.target) == rules)


def _bids() -> tuple[str, ...]:
    mizer = BIDS.index(Call.MIZER)
    return tuple(_bid(bid) for bid in (BIDS[0], BIDS[mizer - 1], BIDS[mizer + 1], BIDS[-1]))


def _bid(bid: Call) -> str:
    """Return a bid as players write it: 6♠, and 8NT."""
    level, strain = bid.value[:-1], bid.value[-1]
    return f"{level}{_SUITS[strain]}" if strain in _SUITS else f"{level}{_NEXT_TO}{pgettext('short', 'NT')}"


def _letters(rules: Rules) -> Iterator[tuple[str, Words]]:
    """Yield the letters of a line, from left to right; only those that this house has."""
    yield "S C D H", " ".join(_SUITS.values())
    yield "N", words.STRAINS[preference.Strain.NO_TRUMPS]
    for answers in Answers:
        if _has(answers, rules):
            yield answers.value, _ANSWERS[answers]
    yield "M", words.MIZER
    yield "R", words.RASPASOVKA
    yield "=", _("agreed entries")
    yield "P D B", _("pool, dump, whists")


def _has(answers: Answers, rules: Rules) -> bool:
    match answers:
        case Answers.HALF | Answers.RETRIEVED:
            return rules.half_whist
        case Answers.CHECKED:
            return rules.ten is Ten.CHECKED
        case Answers.GIVEN_UP:
            return bool(rules.give_up)
        case _:
            return True
