"""The facts of a hand of Hungarian Tarokk (docs/rules/tarokk.md §9), and their notation.

On one line: `2+2 61`, `2+3 86 D v`, `1+2 72 R DK T -UK t -b 8@1`, `3?`.

    contract   3 2 1 s                  (s is szóló), and at once
    partner    +1 +2 +3 or = alone      or ? for a lost próba, which has nothing else but the round
    points     0 … 94, or -- - + ++     (to 23, 24–47, 48–70, from 71), the declarers'
    kontra     K R S H M                kontra … mordkontra to the game
    announced  D V T N U X              dupla, volát, trull, négy király, ultimó, XXI-fogás, each with its kontra
    done       v, else t n; u or b; x   b is a pagát beaten in the last trick
    tarokks    8@0                      declared, at a place
    round      *2 *4                    the factor of a doubled round

The opponents' follow the declarers' and have a minus: `DK -XR`. Each deal has exactly one text, and no other spelling
of it is read.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import InitVar, dataclass
from typing import Any, Final

from scorekeeper.games.errors import NotationError, refuse, unknown
from scorekeeper.games.payment_game import KONTRAS, Kontra, letter_of
from scorekeeper.games.tarokk.enums import (
    BONUSES,
    NO_TAROKKS,
    SIDES,
    Announced,
    Band,
    Bonus,
    Contract,
    Pagat,
    Side,
    Tarokks,
    declared_by,
    has_double,
)
from scorekeeper.games.tarokk.house_rules import BOOK, Rules
from scorekeeper.games.tarokk.validation import KNOWN, refusals


@dataclass(frozen=True, slots=True)
class Deal:
    """The announcements and results of one hand. A deal is always possible under the `rules` it was made with.

    `partner` is a place, None for a declarer who plays alone. `points` are the declarers' card points or their band;
    None only for a lost próba, of which nothing else is noted. `announced` is in the order of the notation. `volat`,
    `trull`, `kings` and `xxi` are the sides that made them; a volát sets trull and kings to its side. `tarokks` are
    those declared, by place: 0, 8 or 9. `times` is 2 or 4 if a doubled round is noted with the deal.

    Raise InvalidDeal with one message for each invalid field; validation.py lists the codes.
    """

    contract: Contract
    partner: int | None = None
    points: int | Band | None = None
    game_kontra: Kontra = Kontra.NONE
    announced: tuple[Announced, ...] = ()
    volat: Side | None = None
    trull: Side | None = None
    kings: Side | None = None
    xxi: Side | None = None
    pagat: Pagat = Pagat.NONE
    tarokks: Tarokks = NO_TAROKKS
    is_proba: bool = False
    times: int = 1
    rules: InitVar[Rules] = BOOK

    def __post_init__(self, rules: Rules) -> None:
        self.check(rules)
        object.__setattr__(self, "announced", tuple(sorted(self.announced, key=lambda each: each.order)))
        if self.volat:
            object.__setattr__(self, "trull", self.volat)
            object.__setattr__(self, "kings", self.volat)

    def check(self, rules: Rules) -> None:
        """Raise InvalidDeal if the deal is impossible under these rules."""
        refuse(unknown(self, KNOWN) or refusals(self, rules))

    @property
    def is_alone(self) -> bool:
        """True if the declarer plays against three: there is no segítő, or he called himself."""
        return self.partner is None

    @property
    def card_points(self) -> range:
        """The declarers' card points: the number noted, or a band's range. Raise ValueError for a lost próba."""
        if self.points is None:
            raise ValueError("a lost próba has no card points")
        return self.points.points if isinstance(self.points, Band) else range(self.points, self.points + 1)

    def side_of(self, place: int) -> Side:
        return Side.DECLARERS if place in (0, self.partner) else Side.OPPONENTS

    def kontra_of(self, side: Side, bonus: Bonus) -> Kontra | None:
        """Return the kontra of a bonus that the side announced; None if it did not."""
        return next((each.kontra for each in self.announced if (each.side, each.bonus) == (side, bonus)), None)

    def made(self, side: Side, bonus: Bonus) -> bool:
        """Return whether the side made the bonus, announced or not."""
        match bonus:
            case Bonus.DOUBLE:
                return self.volat is side or has_double(self.card_points, side)
            case Bonus.ULTIMO:
                return self.pagat.won and self.pagat.side is side
            case _:
                made: Side | None = getattr(self, bonus.value)
                return made is side


def reads_as(one: Deal, other: Deal, rules: Rules = BOOK) -> bool:
    """Return whether both may record one hand: they differ at most in the precision of the card points."""
    if _but_for_points(one) != _but_for_points(other):
        return False
    if one.points is None or other.points is None:
        return one.points is other.points
    here, there = one.card_points, other.card_points
    return max(here[0], there[0]) <= min(here[-1], there[-1])


def _but_for_points(deal: Deal) -> tuple[object, ...]:
    return tuple(getattr(deal, name) for name in deal.__slots__ if name != "points")


# --- Notation ---


PAGATS: Final[Mapping[str, Pagat]] = {
    "u": Pagat.DECLARERS_WON,
    "b": Pagat.DECLARERS_LOST,
    "-u": Pagat.OPPONENTS_WON,
    "-b": Pagat.OPPONENTS_LOST,
}

_TEXT: Final = re.compile(
    r"(?P<contract>[321s])(?:\?|(?P<partner>\+[123]|=)"
    # Two digits, so that 95 points are an impossible deal and not a spelling mistake.
    r" (?P<points>--?|\+\+?|0|[1-9][0-9]?)"
    r"(?: (?P<game_kontra>[KRSHM]))?"
    r"(?P<announced>(?: [DVTNUX][KRSHM]?)*(?: -[DVTNUX][KRSHM]?)*)"
    r"(?: (?P<volat>-?)v|(?: (?P<trull>-?)t)?(?: (?P<kings>-?)n)?)"
    r"(?: (?P<pagat>-?[ub]))?"
    r"(?: (?P<xxi>-?)x)?"
    r"(?P<tarokks>(?: [89]@0)?(?: [89]@1)?(?: [89]@2)?(?: [89]@3)?))"
    r"(?: \*(?P<times>[24]))?"
)


def deal_from_text(text: str, rules: Rules = BOOK) -> Deal:
    """Read a deal. Raise NotationError if the text is malformed, InvalidDeal if it is impossible under these rules."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise NotationError(f"not the notation of a deal: {text!r}")
    part: dict[str, Any] = found.groupdict()
    contract, times = Contract(part["contract"]), int(part["times"] or 1)
    if part["partner"] is None:
        return Deal(contract, is_proba=True, times=times, rules=rules)
    deal = Deal(
        contract=contract,
        partner=None if part["partner"] == "=" else int(part["partner"]),
        points=int(part["points"]) if part["points"].isdigit() else Band(part["points"]),
        game_kontra=KONTRAS[part["game_kontra"] or ""],
        announced=tuple(map(_announced, part["announced"].split())),
        volat=SIDES.get(part["volat"]),
        trull=SIDES.get(part["trull"]),
        kings=SIDES.get(part["kings"]),
        xxi=SIDES.get(part["xxi"]),
        pagat=PAGATS.get(part["pagat"], Pagat.NONE),
        tarokks=declared_by({int(word[2]): int(word[0]) for word in part["tarokks"].split()}),
        times=times,
        rules=rules,
    )
    if deal_to_text(deal) != text:
        raise NotationError(f"not in the order of the notation: {text!r}")
    return deal


def deal_to_text(deal: Deal) -> str:
    """Write the notation of a deal, from which `deal_from_text` makes an equal one."""
    return " ".join(filter(None, _words(deal)))


def _words(deal: Deal) -> Iterator[str]:
    if deal.is_proba:
        yield f"{deal.contract}?"
    else:
        yield deal.contract + (f"+{deal.partner}" if deal.partner else "=")
        yield str(deal.points)
        yield letter_of(KONTRAS, deal.game_kontra)
        yield from (each.to_text() for each in deal.announced)
        yield from _made(deal)
        yield from (f"{number}@{place}" for place, number in enumerate(deal.tarokks) if number)
    if deal.times > 1:
        yield f"*{deal.times}"


def _made(deal: Deal) -> Iterator[str]:
    for letter, side in (("v", deal.volat), *(() if deal.volat else (("t", deal.trull), ("n", deal.kings)))):
        yield letter_of(SIDES, side) + letter if side else ""
    yield "" if deal.pagat is Pagat.NONE else letter_of(PAGATS, deal.pagat)
    yield letter_of(SIDES, deal.xxi) + "x" if deal.xxi else ""


def _announced(word: str) -> Announced:
    side = Side.OPPONENTS if word.startswith("-") else Side.DECLARERS
    letters = word.removeprefix("-")
    return Announced(side, BONUSES[letters[0]], KONTRAS[letters[1:]])
