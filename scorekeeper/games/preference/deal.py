"""The facts of a Preference hand, in four kinds of deal, and their notation.

validation.py checks which deals are possible.

The rules are docs/rules/preference.md, whose sections are cited here. Each of the three players has a place in a hand:
0 is the declarer, 1 the *first* opponent, at the declarer's left, and 2 the *second*.

The notation: `7C pp`, `6H ph`, `6S wp 6`, `6S ww 6-3-1`, `M 0`, `R 4-3-3`, `8N g`, `= P0+3 D1-2 B2>0+20`.

    contract   6 … 10, and S C D H N or nothing
    answers    pp ph wp pw rh ww        the first's and the second's: pass, whist, half, retrieved
               cc                       ten is checked
               g                        given up
    tricks     6 or 6-3-1               the declarer's; the declarer's, the first's, the second's
    M          a mizer and its tricks
    R          a raspasovka, its tricks in order of speaking, of four the dealer's last
    =          agreed entries in the short form

The short form is `P0+2 D1+18 B2>1+48`: pool, dump or bank, its seat, the seat against, the amount; in this
order and by seats, each account once. A deal has exactly one text; any other spelling is refused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from scorekeeper.games.base import Account, Seating, Seats, Sheet, place_of, short_form
from scorekeeper.games.errors import InvalidDeal, Message, NotationError
from scorekeeper.games.payment_game import in_pairs

LEVELS: Final = range(6, 11)
ALL_TRICKS: Final = 10
#: The value of a mizer, the same as of a ten (§4).
MIZER_VALUE: Final = 10
#: The highest level with a half, retrieved or not.
HIGHEST_HALF: Final = 7
#: The number of tricks that the talon leads; the dealer of four may take them.
TALON_TRICKS: Final = 2

POOL: Final = "pool"
DUMP: Final = "dump"
BANK: Final = "bank"
ACCOUNTS: Final = (POOL, DUMP, BANK)


class Strain(StrEnum):
    """The trump suit, or none, in the order of bidding."""

    SPADES = "S"
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    NO_TRUMPS = "N"


class Answers(StrEnum):
    """The answers of the two opponents, as in the notation; or the reason why they were not asked."""

    PASSED = "pp"
    HALF = "ph"
    FIRST = "wp"
    SECOND = "pw"
    RETRIEVED = "rh"
    BOTH = "ww"
    CHECKED = "cc"
    GIVEN_UP = "g"

    @property
    def lone(self) -> int | None:
        """The place of a whister whose partner passed; None if there is none."""
        return _LONE.get(self)

    @property
    def is_played(self) -> bool:
        return self.lone is not None or self.of_two

    @property
    def of_two(self) -> bool:
        """True if the tricks of each opponent are recorded."""
        return self in (Answers.BOTH, Answers.CHECKED)


_LONE: Final = {Answers.FIRST: 1, Answers.RETRIEVED: 1, Answers.SECOND: 2}


def value(level: int) -> int:
    """Return the v of the rules (§5), suit or no trumps alike: 2, 4, 6, 8, 10."""
    return 2 * (level - LEVELS.start + 1)


def quota(level: int) -> int:
    """Return the tricks that the defence together undertakes by whisting (§4)."""
    return {6: 4, 7: 2}.get(level, 1)


def half_tricks(level: int) -> int:
    """Return the number of tricks that a half is paid for."""
    return quota(level) // 2


@dataclass(frozen=True, slots=True)
class Contract:
    """A game of six to ten tricks.

    `tricks` are empty if nothing was played, the declarer's alone with a lone whister, else the declarer's, the
    first's and the second's. `strain` may be left out: it never counts, except for Stalingrad.
    """

    level: int
    answers: Answers
    tricks: tuple[int, ...] = ()
    strain: Strain | None = None

    @property
    def is_made(self) -> bool:
        """True if the declarer made the contract, conceded by the opponents or played."""
        return self.answers in (Answers.PASSED, Answers.HALF) or (
            self.answers.is_played and self.tricks[0] >= self.level
        )


@dataclass(frozen=True, slots=True)
class Mizer:
    """A game in which the declarer is to take no trick, and the tricks taken; None if not recorded."""

    tricks: int | None

    @property
    def is_made(self) -> bool:
        return self.tricks == 0


@dataclass(frozen=True, slots=True)
class Raspasovka:
    """A hand that all passed: the tricks of all who take part, in order of speaking; of four, the dealer's last."""

    tricks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Agreed:
    """Entries that the players agreed on: an amount for each account, each account once.

    They are sorted in the order of the short form: pools, dumps, banks, each by seats.
    """

    amounts: tuple[tuple[Account, int], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "amounts", tuple(sorted(self.amounts, key=lambda each: place_of(each[0], ACCOUNTS))))


type Deal = Contract | Mizer | Raspasovka | Agreed


def is_agreed(deal: Deal) -> bool:
    """Return whether these are agreed entries, for which no cards were dealt."""
    return isinstance(deal, Agreed)


def agreed(balances: Mapping[int, int]) -> Agreed:
    """Return the agreed entries that come to these balances: whists alone, as a point of them is one of the balance."""
    return Agreed(tuple(((BANK, paid.payee, paid.payer), paid.points) for paid in in_pairs(balances)))


# --- The seats, clockwise (§2) ---


PLAYERS: Final = 3
#: Eldest, the dealer's left, speaks and leads first (docs/rules/preference.md §2). The places are the declarer's, the
#: first's, the second's.
SEATING: Final = Seating((3, 4), PLAYERS)
playing_seats = SEATING.playing_seats
places = SEATING.places


def participants(seats: Seats, dealer: int, *, talon: bool = True) -> tuple[int, ...]:
    """Return the seats of a raspasovka: the three in order of speaking, and of four the dealer with the talon, last."""
    playing = playing_seats(seats, dealer)
    return playing if dealer in playing or not talon else (*playing, dealer)


# --- The notation ---


_LETTERS: Final[Mapping[str, str]] = {name[0].upper(): name for name in ACCOUNTS}

# Two digits, so that 11 tricks are an impossible deal and not a spelling mistake.
_NUMBER: Final = r"(?:0|[1-9][0-9]?)"
_CONTRACT: Final = re.compile(
    rf"(?P<level>[6-9]|10)(?P<strain>[SCDHN]?) (?P<answers>g|cc|[pwhr]{{2}})"
    rf"(?: (?P<tricks>{_NUMBER}(?:-{_NUMBER}){{,2}}))?"
)
_MIZER: Final = re.compile(rf"M(?: (?P<tricks>{_NUMBER}))?")
_RASPASOVKA: Final = re.compile(rf"R(?: (?P<tricks>{_NUMBER}(?:-{_NUMBER}){{,3}}))?")
_AMOUNT: Final = re.compile(r"(?:([PD])([0-9])|(B)([0-9])>([0-9]))([+-][1-9][0-9]{,7})")


def deal_as_spelled(text: str) -> Deal:
    """Read a deal without a check. Raise NotationError if the text is malformed, InvalidDeal for impossible answers."""
    if found := _CONTRACT.fullmatch(text):
        answers = found["answers"]
        if answers not in list(Answers):
            raise InvalidDeal({"answers": Message("half_second" if answers[0] == "h" else "half_after_pass", {})})
        strain = Strain(found["strain"]) if found["strain"] else None
        return Contract(int(found["level"]), Answers(answers), _tricks(found["tricks"]), strain)
    if found := _MIZER.fullmatch(text):
        return Mizer(int(found["tricks"]) if found["tricks"] else None)
    if found := _RASPASOVKA.fullmatch(text):
        return Raspasovka(_tricks(found["tricks"]))
    sign, _space, amounts = text.partition(" ")
    if sign == "=" and amounts:
        return Agreed(tuple(sheet_from_text(amounts).items()))
    raise NotationError(f"not the notation of a deal: {text!r}")


def _tricks(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split("-"))) if text else ()


def deal_to_text(deal: Deal) -> str:
    """Write the notation of a deal; `deal_from_text` of validation.py reads it back."""
    match deal:
        case Contract(level, answers, tricks, strain):
            words = [f"{level}{strain or ''}", answers.value, "-".join(map(str, tricks))]
        case Mizer(taken):
            words = ["M", "" if taken is None else str(taken)]
        case Raspasovka(tricks):
            words = ["R", "-".join(map(str, tricks))]
        case Agreed(amounts):
            words = ["=", sheet_to_text(dict(amounts))]
    return " ".join(filter(None, words))


def reads_as(one: Deal, other: Deal, rules: object = None) -> bool:
    """Return whether both may record the same hand: they differ at most in whether the strain is noted."""
    if isinstance(one, Contract) and isinstance(other, Contract) and None in (one.strain, other.strain):
        return replace(one, strain=None) == replace(other, strain=None)
    return one == other


# --- The short form ---


def sheet_to_text(sheet: Sheet) -> str:
    """Write a sheet in the short form, without accounts of 0."""
    return short_form(sheet, ACCOUNTS)


def sheet_from_text(text: str) -> dict[Account, int]:
    """Read the short form, '' for no entries. Raise NotationError for any other spelling."""
    sheet = dict(_amount(word) for word in text.split())
    if sheet_to_text(sheet) != text:
        raise NotationError(f"not in the order of the short form, or an account twice: {text!r}")
    return sheet


def _amount(word: str) -> tuple[Account, int]:
    found = _AMOUNT.fullmatch(word)
    if not found:
        raise NotationError(f"not an entry in the short form: {word!r}")
    own, whose, bank, by, against, amount = found.groups()
    account = (_LETTERS[bank], int(by), int(against)) if bank else (_LETTERS[own], int(whose), None)
    return account, int(amount)
