"""The notation of a deal, on one line: `2H 7-3-1 K`, `hD 6-5-0 S A-K`, `3N 9`.

    contract  3 2 1 h                  (h is hand)
    trump     H D C S N                (N is no trumps)
    tricks    declarer-left-right      or the declarer's alone, if the split was not noted
    kontra    K R S H M                kontra … mordkontra, after the tricks for the game
    arrivázs  A+ won, A- lost, A* idegen, followed at once by its own kontra

Each deal has exactly one text, and no other spelling of it is read.
"""

import re
from typing import Final

from scorekeeper.games.asszorti.deal import Arrivazs, Contract, Deal, Tricks, Trump
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.errors import NotationError
from scorekeeper.games.kontra import KONTRAS, letter_of

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
        _tricks(deal.tricks),
        letter_of(KONTRAS, deal.game_kontra),
    ]
    if deal.arrivazs is not Arrivazs.NONE:
        words.append("A" + letter_of(ARRIVAZSES, deal.arrivazs) + letter_of(KONTRAS, deal.arrivazs_kontra))
    return " ".join(word for word in words if word)


def _number(digits: str) -> int | None:
    return int(digits) if digits else None


def _tricks(tricks: Tricks) -> str:
    return "-".join(str(number) for number in tricks if number is not None)
