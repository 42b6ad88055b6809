"""The house rules: their switches, the prices by them, and the four profiles (docs/rules/preference.md §11)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from scorekeeper.games.errors import InvalidRules, Message
from scorekeeper.games.house_rules import HouseRules, number, one_of, yes_no
from scorekeeper.games.preference.deal import LEVELS, MIZER_VALUE, Answers, Strain, half_tricks, value


class Style(StrEnum):
    """The tricks of a lone whister when the declarer is down: all the whister's, or half of them the passer's."""

    ZHLOB = "zhlob"
    GENTLEMAN = "gentleman"


class Retrieved(StrEnum):
    """The second after a retrieved half: counts as a passer, or writes nothing, not even consolation."""

    PASS = "pass"  # noqa: S105  an answer, not a password
    NOTHING = "nothing"


class Liable(StrEnum):
    """The account of a whister's missing tricks: the declarer's bank against the whister, or the whister's dump."""

    BANK = "bank"
    DUMP = "dump"


class ShortShare(StrEnum):
    """The missing tricks that each of two whisters answers for at six and seven."""

    SIDE = "side"
    OWN = "own"
    STRICT = "strict"


class ShortOne(StrEnum):
    """The liable ones of two whisters from eight up: for the side, or (strict) for a trick of their own."""

    SECOND = "second"
    BOTH = "both"
    STRICT = "strict"
    SECOND_STRICT = "second_strict"


class Ten(StrEnum):
    """The treatment of a contract of ten: answered, or played open and checked."""

    WHISTED = "whisted"
    CHECKED = "checked"


class RaspasyTo(StrEnum):
    """The account of the tricks of a raspasovka."""

    DUMP = "dump"
    BANK = "bank"


class Growth(StrEnum):
    """The multiplier of a raspasovka's price for the k-th in a row: k, 2 to the k−1, or 1."""

    ADD = "add"
    DOUBLE = "double"
    NONE = "none"


class Reset(StrEnum):
    """The hands that end a row of raspasovkas."""

    ANY = "any"
    PLAYED = "played"
    MADE = "made"
    WHISTED = "whisted"


class MadeTo(StrEnum):
    """The account that pool points won go to first."""

    POOL = "pool"
    DUMP_FIRST = "dump_first"


class PoolEnd(StrEnum):
    """The condition that ends the game."""

    EACH = "each"
    SUM = "sum"
    NEVER = "never"


#: BY_VALUE: a consolation of the contract's value. AT_RATE: pool points for no trick of a raspasovka trick's price.
BY_VALUE: Final = -1
AT_RATE: Final = -1
_FLAT: Final = {str(points): points for points in range(21)}
_ZERO: Final = {str(points): points for points in range(11)}


def _words[Word: StrEnum](kind: type[Word]) -> Mapping[str, Word]:
    """Return the values of an enumeration by name, the book's first."""
    return {word.value: word for word in kind}


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of an evening, by default those of the book; the table of §11 explains each.

    `target` is the pool target T. `consolation` may be BY_VALUE, `raspasy_zero` AT_RATE, `raspasy_cap` 0: none;
    `give_up` is 0 if that is not allowed.

    Raise InvalidRules with `not_with` (switch, value: the other one) at each switch that excludes another.
    """

    target: int = number(20, 1, 999)
    pool_point: int = number(10, 1, 100)
    dump_point: int = number(10, 1, 100)
    dump_factor: int = number(1, 1, 9)
    bank_factor: int = number(1, 1, 9)
    consolation: int = one_of(**{"value": BY_VALUE} | _FLAT)
    mizer_bank: bool = yes_no(True)
    whist_style: Style = one_of(**_words(Style))
    retrieved: Retrieved = one_of(**_words(Retrieved))
    pair_shares: bool = yes_no(False)
    short_to: Liable = one_of(**_words(Liable))
    short_factor: Fraction = one_of(**{"1": Fraction(1), "½": Fraction(1, 2)})
    short_keeps: bool = yes_no(False)
    short_share: ShortShare = one_of(**_words(ShortShare))
    short_one: ShortOne = one_of(**_words(ShortOne))
    ten: Ten = one_of(**_words(Ten))
    half_whist: bool = yes_no(True)
    stalingrad: bool = yes_no(False)
    give_up: int = number(0, 0, 10)
    raspasy_to: RaspasyTo = one_of(**_words(RaspasyTo))
    raspasy_base: int = number(1, 1, 50)
    raspasy_growth: Growth = one_of(**_words(Growth))
    raspasy_cap: int = number(0, 0, 99)
    raspasy_reset: Reset = one_of(**_words(Reset))
    raspasy_zero: int = one_of(**_ZERO | {"rate": AT_RATE})
    raspasy_dealer: bool = yes_no(True)
    raspasy_amnesty: bool = yes_no(False)
    raspasy_exit: tuple[int, ...] = one_of(**{"6": (6,), "6-7": (6, 7), "6-7-8": (6, 7, 8)})
    made_to: MadeTo = one_of(**_words(MadeTo))
    aid: bool = yes_no(True)
    aid_rate: int = number(10, 1, 100)
    pool_end: PoolEnd = one_of(**_words(PoolEnd))

    def __post_init__(self) -> None:
        errors = _excluded(self)
        if errors:
            raise InvalidRules(errors)

    @property
    def dump_points_of_a_pool_point(self) -> int:
        """The number of dump points that are worth a pool point, and that one takes off the dump."""
        return self.pool_point // self.dump_point

    # --- Who is asked (§3) ---

    def unasked(self, level: int, strain: Strain | None) -> Answers | None:
        """Return the result of a contract to which nobody is asked to answer; else None."""
        if level == LEVELS[-1] and self.ten is Ten.CHECKED:
            return Answers.CHECKED
        is_stalingrad = self.stalingrad and (level, strain) == (LEVELS[0], Strain.SPADES)
        return Answers.BOTH if is_stalingrad else None

    # --- Prices (§4) ---

    def trick_price(self, level: int) -> int:
        """Return the amount in the bank against the declarer for a trick."""
        return value(level) * self.bank_factor

    def half_price(self, level: int) -> int:
        """Return the amount in the bank for a half that stands; the hand is not played."""
        return self.trick_price(level) * half_tricks(level)

    def undertrick_price(self, level: int) -> int:
        """Return the amount in the declarer's dump for each trick down."""
        return value(level) * self.dump_factor

    def consolation_price(self, level: int) -> int:
        """Return the amount in each opponent's bank for a trick down; 0 if the house has no consolation."""
        return self.trick_price(level) if self.consolation == BY_VALUE else self.consolation

    def missing_price(self, level: int) -> int | Fraction:
        """Return the price of a missing trick for the whister who answers for it."""
        return value(level) * self.short_factor

    def given_up_price(self, level: int) -> int:
        """Return the price of conceding a contract before play; 0 if that is not allowed."""
        return self.undertrick_price(level) * self.give_up

    @property
    def caught_price(self) -> int:
        """The amount in the declarer's dump for a trick in a mizer."""
        return MIZER_VALUE * self.dump_factor

    @property
    def caught_bank_price(self) -> int:
        """The amount in each opponent's bank for a trick in a mizer; 0 if the house has none."""
        return MIZER_VALUE * self.bank_factor if self.mizer_bank else 0


def _excluded(rules: Rules) -> dict[str, Message]:
    """Return a message for each switch that excludes another."""
    errors: dict[str, Message] = {}
    if rules.pair_shares and rules.short_factor != 1:
        errors["pair_shares"] = _not_with("short_factor", "½")
    if rules.raspasy_to is RaspasyTo.BANK and rules.raspasy_dealer:
        errors["raspasy_to"] = _not_with("raspasy_dealer", "yes")
    elif rules.raspasy_to is RaspasyTo.BANK and rules.raspasy_amnesty:
        errors["raspasy_to"] = _not_with("raspasy_amnesty", "yes")
    if rules.pool_point % rules.dump_point and (rules.aid or rules.made_to is MadeTo.DUMP_FIRST):
        errors["pool_point"] = _not_with("dump_point", str(rules.dump_point))
    return errors


def _not_with(switch: str, value: str) -> Message:
    return Message("not_with", {"switch": switch, "value": value})


BOOK: Final = Rules()
#: The rules shared by all profiles but the book, on a short whister, a failed mizer and the cap of raspasovkas.
_RUSSIAN: Final[Mapping[str, Any]] = {
    "mizer_bank": False,
    "short_to": Liable.DUMP,
    "short_keeps": True,
    "short_share": ShortShare.OWN,
    "raspasy_cap": 3,
}
SOCHI: Final = replace(BOOK, **_RUSSIAN, raspasy_zero=AT_RATE)
LENINGRAD: Final = replace(
    BOOK,
    **_RUSSIAN,
    pool_point=20,
    dump_factor=2,
    bank_factor=2,
    whist_style=Style.GENTLEMAN,
    retrieved=Retrieved.NOTHING,
    short_one=ShortOne.BOTH,
    raspasy_base=2,
    raspasy_zero=AT_RATE,
    raspasy_exit=(6, 7, 8),
    aid=False,
    aid_rate=20,
    pool_end=PoolEnd.SUM,
)
ROSTOV: Final = replace(
    BOOK,
    **_RUSSIAN,
    consolation=10,
    whist_style=Style.GENTLEMAN,
    retrieved=Retrieved.NOTHING,
    short_factor=Fraction(1, 2),
    raspasy_to=RaspasyTo.BANK,
    raspasy_base=5,
    raspasy_growth=Growth.NONE,
    raspasy_zero=1,
    raspasy_dealer=False,
)
PROFILES: Final[Mapping[str, Rules]] = MappingProxyType(
    {"book": BOOK, "sochi": SOCHI, "leningrad": LENINGRAD, "rostov": ROSTOV}
)
HOUSE_RULES: Final = HouseRules(PROFILES)
