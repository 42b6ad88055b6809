"""The contents of Preference's page of rules: values, profiles, the notation, and worked hands by house rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from scorekeeper.games import preference
from scorekeeper.games.preference import Answers, Rules, prices
from scorekeeper.games.preference.auction import BIDS, Call
from scorekeeper.games.preference.deal import ALL_TRICKS, LEVELS, MIZER_VALUE, TALON_TRICKS
from scorekeeper.games.preference.house_rules import AT_RATE, BY_VALUE, PROFILES, Ten
from scorekeeper.games.preference.scoring import zero_points
from scorekeeper.games.preference.seating import PLAYERS
from scorekeeper.games.preference.validation import HIGHEST_HALF
from sessions_app.faces.house_words import phrases
from sessions_app.faces.preference import words
from sessions_app.faces.preference.house_words import PROFILE_WORDS, SWITCHES
from sessions_app.faces.preference.settlement_example import SettlementExample, settlement_example
from sessions_app.faces.preference.value_table import InARow, Row, in_a_row, rows
from sessions_app.faces.preference.worked_hands import worked_hands
from sessions_app.words.wording import Words

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
    of a row; `caught` the amounts for a trick in a mizer, into the dump and for each opponent.
    """

    rules: Rules
    rows: tuple[Row, ...]
    in_a_row: InARow
    has_consolation: bool
    flat: int
    zero: int
    is_zero_at_rate: bool
    settled: SettlementExample
    own: tuple[str, ...]
    profiles: tuple[Profile, ...]
    letters: tuple[tuple[str, Words], ...]
    bids: tuple[str, ...]
    caught: int
    caught_bank: int
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
        has_consolation=bool(rules.consolation),
        flat=0 if rules.consolation == BY_VALUE else rules.consolation,
        zero=zero_points(row.prices[0], rules),
        is_zero_at_rate=rules.raspasy_zero == AT_RATE,
        settled=settlement_example(rules),
        own=phrases(SWITCHES, preference.GAME.differences(rules)),
        profiles=tuple(_profiles(rules)),
        letters=tuple(_letters(rules)),
        bids=_bids(),
        caught=prices.caught(rules),
        caught_bank=prices.caught_bank(rules),
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
