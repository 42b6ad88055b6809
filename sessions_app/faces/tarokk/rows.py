"""The choices of the hand form, as a house offers them. Made once: nothing in them depends on a hand or a table."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext_lazy

from scorekeeper.games.tarokk import BOOK, Band, Bonus, Contract, Kontra, Rules, Side
from sessions_app.faces.kontra_words import SHORT_KONTRAS
from sessions_app.faces.offers import Offer, Offers
from sessions_app.faces.tarokk.words import CONTRACTS, PAGATS, RESULTS, SHORT_SIDES, SIDES, TAROKKS
from sessions_app.values import MOST_SEATS
from sessions_app.wording import Words

type Choices = list[tuple[str, Offer]]

NOBODY: Final = "none"
ALONE: Final = "alone"
LETTERS: Final = {Side.DECLARERS: "d", Side.OPPONENTS: "o"}
BOTH: Final = [(side, bonus) for bonus in Bonus for side in Side]
#: What is asked of a bonus besides who announced it: dupla and volát are told by the result.
MADE: Final = (Bonus.TRULL, Bonus.KINGS, Bonus.XXI)
VOLATS: Final = {"v": Side.DECLARERS, "-v": Side.OPPONENTS}
BANDS: Final = {"-v": "", "--": "–23", "-": "24–47", "+": "48–70", "++": "71–", "v": ""}


def announced(side: Side, bonus: Bonus) -> str:
    """The field that says whether a side announced a bonus."""
    return f"{LETTERS[side]}_{bonus.value}"


def doubled(side: Side, bonus: Bonus) -> str:
    """The field that says how far its ladder was climbed."""
    return f"{announced(side, bonus)}_kontra"


def rows(rules: Rules) -> Mapping[str, Offers]:
    """The choices of each row by the house rules that they depend on."""
    return _offers(replace(BOOK, ladder=rules.ladder))


@cache
def _offers(rules: Rules) -> Mapping[str, Offers]:
    kontras = Offers(_kontras(rules))
    return MappingProxyType(
        {
            "contract": Offers((each.value, _contract(each)) for each in Contract),
            "result": Offers((key, _result(key, words)) for key, words in RESULTS.items()),
            "counted_by": Offers((LETTERS[side], Offer(words)) for side, words in SIDES.items()),
            "game_kontra": kontras,
            **{bonus.value: Offers(_made(bonus)) for bonus in MADE},
            "pagat": Offers(_pagats()),
            "times": Offers((str(times), Offer(f"×{times}" if times > 1 else BY_ROUND)) for times in (1, 2, 4)),
            **{doubled(side, bonus): kontras for side, bonus in BOTH},
            **{f"tarokks_{seat}": TAROKK_ROW for seat in range(MOST_SEATS)},
        }
    )


#: A hand that does not say itself how many times it counts.
BY_ROUND: Final = gettext_lazy("as the round says")
TAROKK_ROW: Final = Offers(
    [("0", Offer("—")), *((str(number), Offer(str(number), said=words)) for number, words in TAROKKS.items())]
)


def _contract(contract: Contract) -> Offer:
    excluded = ("proba=on",) if contract is Contract.SOLO else ()
    return Offer(CONTRACTS[contract], str(contract.value_of_game), said=CONTRACTS[contract], excluded=excluded)


def _result(key: str, words: Words) -> Offer:
    """A band is taken back by who counts the card points; a volát stands beside them."""
    return Offer(words, BANDS[key], said=words, cleared_by="" if key in VOLATS else "points")


def _kontras(rules: Rules) -> Choices:
    return [
        (
            str(kontra.value),
            Offer(
                f"×{kontra.factor}" if kontra else "—",
                SHORT_KONTRAS[kontra],
                said=f"×{kontra.factor}" if kontra else "",
            ),
        )
        for kontra in Kontra
        if kontra <= rules.ladder
    ]


def _made(bonus: Bonus) -> Choices:
    """Who made it; what lies with one side's trull or volát the other cannot have made."""
    found = []
    for side in Side:
        excluded = (_against(side), *((f"trull={LETTERS[side.other]}",) if bonus is Bonus.XXI else ()))
        found.append((LETTERS[side], Offer(SHORT_SIDES[side], excluded=excluded)))
    return [*found, (NOBODY, Offer("—"))]


def _pagats() -> Choices:
    found = []
    for pagat, words in PAGATS.items():
        side = pagat.side
        excluded = (_against(side), f"trull={LETTERS[side.other]}") if side and pagat.won else ()
        found.append((pagat.value, Offer(words, excluded=excluded)))
    return found


def _against(side: Side) -> str:
    return next(f"result={key}" for key, of in VOLATS.items() if of is side.other)


def band_of(result: str) -> Band:
    """The band of card points that a key of the result says."""
    return {"v": Band.FROM_71, "-v": Band.TO_23}.get(result) or Band(result)
