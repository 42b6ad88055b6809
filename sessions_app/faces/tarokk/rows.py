"""The choices of Tarokk's hand form by house rules. They are cached: no choice depends on a hand or on players."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final, cast

from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.games.tarokk import BOOK, Band, Bonus, Contract, Kontra, Pagat, Rules, Side
from sessions_app.faces.choices import Choice, Choices
from sessions_app.faces.kontra_words import KONTRA_KEYS, SHORT_KONTRAS
from sessions_app.faces.tarokk.exclusions import tarokks_excluded
from sessions_app.faces.tarokk.form_codes import LETTERS, NOBODY, VOLATS
from sessions_app.faces.tarokk.words import CONTRACTS, PAGATS, RESULTS, SHORT_SIDES, SIDES, TAROKKS
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.words.wording import Words

type ChoiceList = list[tuple[str, Choice]]

BOTH: Final = [(side, bonus) for bonus in Bonus for side in Side]
#: The bonuses with a row of their own for the side that made them.
MADE: Final = (Bonus.TRULL, Bonus.KINGS, Bonus.XXI)
BANDS: Final = {
    "-v": "",
    "--": "≤\N{NO-BREAK SPACE}23",
    "-": "24–47",
    "+": "48–70",
    "++": "71\N{NO-BREAK SPACE}+",
    "v": "",
}
#: The results of the opponents, by the result with the same name of the declarers.
OPPONENTS_RESULTS: Final = {"-v": "v", "--": "++"}
#: In the order of the form: the sides that took it, nobody, then the sides that lost it.
PAGAT_ROW: Final = (
    Pagat.DECLARERS_WON,
    Pagat.OPPONENTS_WON,
    Pagat.NONE,
    Pagat.DECLARERS_LOST,
    Pagat.OPPONENTS_LOST,
)
TEMPLATES: Final = "games/tarokk/choices"
#: A cell of the grid of bonuses; its note is whose it is.
TICK: Final = f"{TEMPLATES}/tick.html"
NOBODY_WORD: Final = pgettext_lazy("bonus made by", "nobody")


def announced(side: Side, bonus: Bonus) -> str:
    """Return the field that says whether a side announced a bonus."""
    return f"{LETTERS[side]}_{bonus.value}"


def doubled(side: Side, bonus: Bonus) -> str:
    """Return the field of the kontra to a side's announced bonus."""
    return f"{announced(side, bonus)}_kontra"


def rows(rules: Rules) -> Mapping[str, Choices]:
    """Return the choices of each row; they depend on one house rule only."""
    return _offers(replace(BOOK, ladder=rules.ladder))


@cache
def _offers(rules: Rules) -> Mapping[str, Choices]:
    kontras = Choices(_kontras(rules))
    return MappingProxyType(
        {
            "contract": Choices((each.value, _contract(each)) for each in Contract),
            "result": Choices((key, _result(key, words)) for key, words in RESULTS.items()),
            "counted_by": Choices((LETTERS[side], Choice(words)) for side, words in SIDES.items()),
            "game_kontra": kontras,
            **dict.fromkeys((bonus.value for bonus in MADE), MADE_BY),
            "pagat": Choices((pagat.value, _pagat(pagat)) for pagat in PAGAT_ROW),
            "times": Choices((str(times), Choice(f"×{times}" if times > 1 else BY_ROUND)) for times in (1, 2, 4)),
            **{doubled(side, bonus): kontras for side, bonus in BOTH},
            **{f"tarokks_{seat}": TAROKK_ROW for seat in range(MOST_SEATS)},
        }
    )


#: The words for a hand that counts as many times as its round says.
BY_ROUND: Final = gettext_lazy("as the round says")
MADE_BY: Final = Choices(
    [
        *((letter, Choice(SHORT_SIDES[side], SHORT_SIDES[side], template=TICK)) for side, letter in LETTERS.items()),
        (NOBODY, Choice(NOBODY_WORD, NOBODY_WORD, template=TICK)),
    ]
)
TAROKK_ROW: Final = Choices(
    [
        ("0", Choice(SHORT_KONTRAS[Kontra.NONE])),
        *((str(number), Choice(str(number), line_words=words)) for number, words in TAROKKS.items()),
    ]
)


@cache
def declared(seat: int, sitting: tuple[int, ...]) -> Choices:
    """Return the choices of a seat's declared tarokks beside those of the others who sit."""
    excluded = tarokks_excluded(seat, sitting)
    return Choices(
        (
            value,
            Choice(choice.words, line_words=choice.line_words, excluded=excluded if value != "0" else ()),
        )
        for value, choice in TAROKK_ROW
    )


def _contract(contract: Contract) -> Choice:
    words = CONTRACTS[contract]
    return Choice(words, str(contract.value_of_game), line_words=words, key=str(contract.drawn))


def _result(key: str, words: Words) -> Choice:
    """Return the choice of a result. Typed card points clear a band, but not a volát."""
    cleared_by = "" if key in VOLATS else "points"
    other = OPPONENTS_RESULTS.get(key)
    return Choice(
        words,
        BANDS[key],
        RESULTS[other] if other else "",
        template=f"{TEMPLATES}/opponents_result.html" if other else "",
        line_words=words,
        cleared_by=cleared_by,
        key=str(1 + list(RESULTS).index(key)),
    )


def _kontras(rules: Rules) -> ChoiceList:
    return [
        (
            str(kontra.value),
            Choice(
                f"×{kontra.factor}" if kontra else SHORT_KONTRAS[kontra],
                SHORT_KONTRAS[kontra] if kontra else "",
                key=KONTRA_KEYS.get(kontra, ""),
                line_words=f"×{kontra.factor}" if kontra else "",
            ),
        )
        for kontra in Kontra
        if kontra <= rules.ladder
    ]


def _pagat(pagat: Pagat) -> Choice:
    if pagat is Pagat.NONE:
        return Choice(NOBODY_WORD, NOBODY_WORD, template=TICK)
    return Choice(PAGATS[pagat], SHORT_SIDES[cast(Side, pagat.side)], template=TICK)


def band_of(result: str) -> Band:
    """Return the band of card points of a result."""
    return {"v": Band.FROM_71, "-v": Band.TO_23}.get(result) or Band(result)
