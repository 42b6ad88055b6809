"""A hand of Asszorti: its values and facts, their validation and notation, and its seats (docs/rules/asszorti.md §6).

The codes of a refusal by field, with their parameters:
any field           `unknown`: not one of its values at all
tricks              `tricks_range`, `tricks_sum` (sum), `split_half`, `split_needed`
arrivazs            `idegen_no_trumps`, `arrivazs_few_tricks` (tricks), `arrivazs_all_tricks` (tricks),
                    `arrivazs_no_trumps` by house rule
arrivazs_kontra     `kontra_unannounced`
either kontra       `kontra_too_high` (highest) by house rule

The notation, on one line: `2H 7-3-1 K`, `hD 6-5-0 S A-K`, `3N 9`.

    contract  3 2 1 h                  (h is hand)
    trump     H D C S N                (N is no trumps)
    tricks    declarer-left-right      or the declarer's alone, if the split was not noted
    kontra    K R S H M                kontra … mordkontra, after the tricks for the game
    arrivázs  A+ won, A- lost, A* idegen, followed at once by its own kontra

Each deal has exactly one text, and no other spelling of it is read.
"""

import re
from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from enum import StrEnum
from typing import Final, NamedTuple, Self, TypeGuard

from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.base import Seating, Seats
from scorekeeper.games.errors import UNKNOWN, Message, NotationError, refuse
from scorekeeper.games.payment_game import KONTRAS, Kontra, letter_of, too_high
from scorekeeper.games.referee import by_place, seats_of_text

type Tricks = tuple[int, int | None, int | None]

ALL_TRICKS: Final = 11
TO_WIN: Final = 6


class Contract(StrEnum):
    """The declarer's contract: the four bids, lowest first."""

    THREE = "3"
    TWO = "2"
    ONE = "1"
    HAND = "hand"


class Trump(StrEnum):
    """The trump suit, or none (szanzadu)."""

    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"
    SPADES = "spades"
    NONE = "none"


class Arrivazs(StrEnum):
    """The result of an announced arrivázs, the last three tricks; `IDEGEN` is one won without a trump."""

    NONE = "none"
    LOST = "lost"
    WON = "won"
    IDEGEN = "idegen"


@dataclass(frozen=True, slots=True)
class Deal:
    """The announcements and tricks of one hand, validated under the `rules` with which it is made.

    `tricks` is (declarer, left opponent, right opponent), 11 in all. The opponents' two may both be None, unless the
    declarer's number is 6 and the rules have the deduction of a bare six: otherwise the split changes nothing.

    Raise InvalidDeal, with one message for each wrong field.
    """

    contract: Contract
    trump: Trump
    tricks: Tricks
    game_kontra: Kontra = Kontra.NONE
    arrivazs: Arrivazs = Arrivazs.NONE
    arrivazs_kontra: Kontra = Kontra.NONE
    rules: InitVar[Rules] = BOOK

    def __post_init__(self, rules: Rules) -> None:
        self.check(rules)

    def check(self, rules: Rules) -> None:
        """Raise InvalidDeal if the deal is impossible under these rules."""
        refuse(_refusals(self, rules))

    def has_deduction(self, rules: Rules) -> bool:
        """Return whether the 6:5:0 deduction applies (§5.2): six tricks against five of one opponent."""
        return rules.six_five_nil and self.tricks in ((6, 5, 0), (6, 0, 5))


def reads_as(one: Deal, other: Deal, rules: Rules = BOOK) -> bool:
    """Return whether both may record the same hand: they differ only in a split that changes nothing."""
    return _without_split(one, rules) == _without_split(other, rules)


def _without_split(deal: Deal, rules: Rules) -> tuple[object, ...]:
    announced = (deal.contract, deal.trump, deal.game_kontra, deal.arrivazs, deal.arrivazs_kontra)
    return (*announced, deal.tricks[0], deal.has_deduction(rules))


# --- Validation ---


type FormValue = tuple[str, str]

#: The total numbers of tricks that a declarer may have, by the result of the arrivázs.
ARRIVAZS_TRICKS: Final[Mapping[Arrivazs, range]] = {
    Arrivazs.NONE: range(ALL_TRICKS + 1),
    Arrivazs.LOST: range(ALL_TRICKS),
    Arrivazs.WON: range(3, ALL_TRICKS + 1),
    Arrivazs.IDEGEN: range(3, ALL_TRICKS + 1),
}

#: Pairs of (field, value) that exclude each other, in a form's words: `tricks` is the declarer's number.
EXCLUDED: Final[tuple[tuple[FormValue, FormValue], ...]] = (
    (("arrivazs", Arrivazs.IDEGEN.value), ("trump", Trump.NONE.value)),
    *(
        (("arrivazs", arrivazs.value), ("tricks", str(tricks)))
        for arrivazs, possible in ARRIVAZS_TRICKS.items()
        for tricks in range(ALL_TRICKS + 1)
        if tricks not in possible
    ),
    *(
        (("arrivazs", Arrivazs.NONE.value), ("arrivazs_kontra", str(kontra.value)))
        for kontra in Kontra
        if kontra is not Kontra.NONE
    ),
)


def _refusals(deal: Deal, rules: Rules) -> dict[str, Message | None]:
    """Return by field why it is wrong; None if it is not."""
    return {
        "contract": _unknown(Contract, deal.contract),
        "trump": _unknown(Trump, deal.trump),
        "tricks": _tricks(deal.tricks, rules),
        "game_kontra": _unknown(Kontra, deal.game_kontra) or too_high(deal.game_kontra, rules.ladder),
        "arrivazs": _unknown(Arrivazs, deal.arrivazs) or _arrivazs(deal, rules),
        "arrivazs_kontra": _unknown(Kontra, deal.arrivazs_kontra)
        or _arrivazs_kontra(deal)
        or too_high(deal.arrivazs_kontra, rules.ladder),
    }


def _unknown(kind: type, value: object) -> Message | None:
    return None if isinstance(value, kind) else UNKNOWN


def _tricks(tricks: object, rules: Rules) -> Message | None:
    if not _are_tricks(tricks):
        return UNKNOWN
    noted = [number for number in tricks if number is not None]
    if any(number not in range(ALL_TRICKS + 1) for number in noted):
        return Message("tricks_range", {})
    if len(noted) == 2:
        return Message("split_half", {})
    if len(noted) == 3 and sum(noted) != ALL_TRICKS:
        return Message("tricks_sum", {"sum": sum(noted)})
    if noted == [TO_WIN] and rules.six_five_nil:
        return Message("split_needed", {})
    return None


def _are_tricks(value: object) -> TypeGuard[Tricks]:
    # The exact type: a bool is an int to Python, and a list would make the deal unhashable.
    return (
        type(value) is tuple
        and len(value) == 3
        and type(value[0]) is int
        and all(number is None or type(number) is int for number in value[1:])
    )


def _arrivazs(deal: Deal, rules: Rules) -> Message | None:
    if deal.arrivazs is not Arrivazs.NONE and deal.trump is Trump.NONE and not rules.no_trump_arrivazs:
        return Message("arrivazs_no_trumps", {})
    if deal.arrivazs is Arrivazs.IDEGEN and deal.trump is Trump.NONE:
        return Message("idegen_no_trumps", {})
    if not _are_tricks(deal.tricks):
        return None
    declarers = deal.tricks[0]
    if declarers not in range(ALL_TRICKS + 1) or declarers in ARRIVAZS_TRICKS[deal.arrivazs]:
        return None
    code = "arrivazs_all_tricks" if deal.arrivazs is Arrivazs.LOST else "arrivazs_few_tricks"
    return Message(code, {"tricks": declarers})


def _arrivazs_kontra(deal: Deal) -> Message | None:
    if deal.arrivazs is Arrivazs.NONE and deal.arrivazs_kontra is not Kontra.NONE:
        return Message("kontra_unannounced", {})
    return None


# --- Notation ---


CONTRACTS: Final = {"3": Contract.THREE, "2": Contract.TWO, "1": Contract.ONE, "h": Contract.HAND}
TRUMPS: Final = {
    "H": Trump.HEARTS,
    "D": Trump.DIAMONDS,
    "C": Trump.CLUBS,
    "S": Trump.SPADES,
    "N": Trump.NONE,
}
ARRIVAZSES: Final = {"": Arrivazs.NONE, "+": Arrivazs.WON, "-": Arrivazs.LOST, "*": Arrivazs.IDEGEN}

# Two digits, so that 12 tricks are an impossible deal and not a spelling mistake.
_NUMBER: Final = r"(?:0|[1-9][0-9]?)"
_TEXT: Final = re.compile(
    r"(?P<contract>[321h])(?P<trump>[HDCSN])"
    rf" (?P<declarer>{_NUMBER})(?:-(?P<left>{_NUMBER})-(?P<right>{_NUMBER}))?"
    r"(?: (?P<game_kontra>[KRSHM]))?"
    r"(?: A(?P<arrivazs>[-+*])(?P<arrivazs_kontra>[KRSHM]?))?"
)


def deal_from_text(text: str, rules: Rules = BOOK) -> Deal:
    """Read a deal. Raise NotationError for malformed text, InvalidDeal for a deal impossible under these rules."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise NotationError(f"not the notation of a deal: {text!r}")
    part = found.groupdict(default="")
    return Deal(
        contract=CONTRACTS[part["contract"]],
        trump=TRUMPS[part["trump"]],
        tricks=(int(part["declarer"]), _number(part["left"]), _number(part["right"])),
        game_kontra=KONTRAS[part["game_kontra"]],
        arrivazs=ARRIVAZSES[part["arrivazs"]],
        arrivazs_kontra=KONTRAS[part["arrivazs_kontra"]],
        rules=rules,
    )


def deal_to_text(deal: Deal) -> str:
    """Write the notation of a deal; `deal_from_text` reads it back."""
    words = [
        letter_of(CONTRACTS, deal.contract) + letter_of(TRUMPS, deal.trump),
        _tricks_text(deal.tricks),
        letter_of(KONTRAS, deal.game_kontra),
    ]
    if deal.arrivazs is not Arrivazs.NONE:
        words.append("A" + letter_of(ARRIVAZSES, deal.arrivazs) + letter_of(KONTRAS, deal.arrivazs_kontra))
    return " ".join(word for word in words if word)


def _number(digits: str) -> int | None:
    return int(digits) if digits else None


def _tricks_text(tricks: Tricks) -> str:
    return "-".join(str(number) for number in tricks if number is not None)


# --- The seats, clockwise: from each to the one at its left ---


PLAYERS: Final = 3
SEATING: Final = Seating((3, 4), PLAYERS)
playing_seats = SEATING.playing_seats


def opponents(seats: Seats, dealer: int, declarer: int) -> tuple[int, int]:
    """Return the declarer's (left, right) neighbours among the players. Raise NotPlaying if he does not play."""
    _declarer, left, right = SEATING.places(seats, dealer, declarer)
    return left, right


def leader(seats: Seats, dealer: int, declarer: int) -> int:
    """Return the seat that leads to the first trick: the declarer's right-hand neighbour, so that he plays second."""
    return opponents(seats, dealer, declarer)[1]


class Sides(NamedTuple):
    """The seats of one hand: the declarer, his left-hand opponent, his right-hand opponent."""

    declarer: int
    left: int
    right: int

    @property
    def opponents(self) -> tuple[int, int]:
        return self.left, self.right

    @classmethod
    def of(cls, playing: tuple[int, ...], declarer: int) -> Self:
        """Return the sides of the three playing seats, clockwise. Raise IllegalMove `not_playing` (seat)."""
        return cls(*by_place(playing, declarer))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read `0-1-2`, as `seats_to_text` writes it. Raise MalformedState."""
        return cls(*seats_of_text(text, PLAYERS))
