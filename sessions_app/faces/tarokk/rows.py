"""The choices of the hand form, as a house offers them. Made once: nothing in them depends on a hand or a table."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext_lazy

from scorekeeper.games.tarokk import BOOK, Band, Bonus, Contract, Kontra, Pagat, Rules, Side
from sessions_app.faces.choices import Offer, Offers
from sessions_app.faces.kontra_words import SHORT_KONTRAS
from sessions_app.faces.tarokk.excluded import excluded_by, tarokks_excluded
from sessions_app.faces.tarokk.keys import LETTERS, NOBODY, VOLATS
from sessions_app.faces.tarokk.words import CONTRACTS, PAGATS, RESULTS, SHORT_SIDES, SIDES, TAROKKS
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.wording import Words

type Choices = list[tuple[str, Offer]]

BOTH: Final = [(side, bonus) for bonus in Bonus for side in Side]
#: What is asked of a bonus besides who announced it: dupla and volát are told by the result.
MADE: Final = (Bonus.TRULL, Bonus.KINGS, Bonus.XXI)
BANDS: Final = {"-v": "", "--": "–23", "-": "24–47", "+": "48–70", "++": "71–", "v": ""}


def announced(side: Side, bonus: Bonus) -> str:
    """The field that says whether a side announced a bonus."""
    return f"{LETTERS[side]}_{bonus.value}"


def doubled(side: Side, bonus: Bonus) -> str:
    """The field that says how far its ladder was climbed."""
    return f"{announced(side, bonus)}_kontra"


def rows(rules: Rules) -> Mapping[str, Offers]:
    """The choices of each row by the house rules that they depend on."""
    return _offers(replace(BOOK, ladder=rules.ladder, lone_discards=rules.lone_discards))


@cache
def _offers(rules: Rules) -> Mapping[str, Offers]:
    kontras = Offers(_kontras(rules))
    return MappingProxyType(
        {
            "contract": Offers((each.value, _contract(each, rules)) for each in Contract),
            "result": Offers((key, _result(key, words, rules)) for key, words in RESULTS.items()),
            "counted_by": Offers((LETTERS[side], Offer(words)) for side, words in SIDES.items()),
            "game_kontra": kontras,
            **{bonus.value: Offers(_made(bonus, rules)) for bonus in MADE},
            "pagat": Offers((pagat.value, _pagat(pagat, rules)) for pagat in PAGATS),
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


@cache
def declared(seat: int, sitting: tuple[int, ...]) -> Offers:
    """The tarokks that a seat declared, where these sit at the table."""
    excluded = tarokks_excluded(seat, sitting)
    return Offers(
        (value, Offer(offer.words, said=offer.said, excluded=excluded if value != "0" else ()))
        for value, offer in TAROKK_ROW
    )


def excluded(rules: Rules, row: str, value: str) -> tuple[str, ...]:
    """What a key cannot stand with by the game, as 'field=value'."""
    return excluded_by(rules).get((row, value), ())


def _contract(contract: Contract, rules: Rules) -> Offer:
    words, cannot = CONTRACTS[contract], excluded(rules, "contract", contract.value)
    return Offer(words, str(contract.value_of_game), said=words, excluded=cannot)


def _result(key: str, words: Words, rules: Rules) -> Offer:
    """A band is taken back by who counts the card points; a volát stands beside them."""
    cleared_by = "" if key in VOLATS else "points"
    return Offer(words, BANDS[key], said=words, excluded=excluded(rules, "result", key), cleared_by=cleared_by)


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


def _made(bonus: Bonus, rules: Rules) -> Choices:
    sides = [
        (letter, Offer(SHORT_SIDES[side], excluded=excluded(rules, bonus.value, letter)))
        for side, letter in LETTERS.items()
    ]
    return [*sides, (NOBODY, Offer("—"))]


def _pagat(pagat: Pagat, rules: Rules) -> Offer:
    return Offer(PAGATS[pagat], excluded=excluded(rules, "pagat", pagat.value))


def band_of(result: str) -> Band:
    """The band of card points that a key of the result says."""
    return {"v": Band.FROM_71, "-v": Band.TO_23}.get(result) or Band(result)
