"""The fields of Tarokk's hand form: their codes, choices by house rules, exclusions, and the values of a deal."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.games.tarokk import (
    BOOK,
    Band,
    Bonus,
    Contract,
    Deal,
    Kontra,
    Pagat,
    Rules,
    Side,
    exclusions,
)
from scorekeeper.games.tarokk.exclusions import Condition, Exclusion
from scorekeeper.games.tarokk.validation import MOST_WITH_TAROKKS
from sessions_app.base_forms import Choice, Choices, ShallowFieldsMetaclass, choice_field
from sessions_app.faces import hand_form as hand
from sessions_app.faces.hand_words import SHORT_KONTRAS, kontra_choices
from sessions_app.faces.tarokk.words import BONUSES, CONTRACTS, PAGATS, RESULTS, SHORT_SIDES, SIDES, TAROKKS
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.words.wording import Words

NOBODY: Final = "none"
ALONE: Final = "alone"
LETTERS: Final = {Side.DECLARERS: "d", Side.OPPONENTS: "o"}
VOLATS: Final = {"v": Side.DECLARERS, "-v": Side.OPPONENTS}


# --- Exclusions ---


#: The facts that have one field of the form each.
_PLAIN: Final = ("contract", "trull", "kings", "xxi", "pagat", "is_proba")
#: The rows that a volát hides.
_WITHOUT_VOLAT: Final = {"trull", "kings"}


class Keys(NamedTuple):
    """Some values of one field; typed card points are ranges."""

    row: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.row}={'|'.join(self.values)}"


def excluded_together(rules: Rules) -> str:
    """Return the choices that exclude each other: 'trull=o&xxi=d contract=2&points=0..13&xxi=d', separated by spaces.

    All parts of one hold in no hand. Seats are not included, and neither are values of rows that another value hides.
    """
    return _excluded_together(Rules(lone_discards=rules.lone_discards))


@cache
def _excluded_together(rules: Rules) -> str:
    found = (keys for exclusion in exclusions(rules) for keys in _in_rows(exclusion))
    # Neighbours that are alike compress better.
    return " ".join(sorted("&".join(map(str, keys)) for keys in found if len(keys) > 1))


def _in_rows(exclusion: Exclusion) -> Iterator[tuple[Keys, ...]]:
    """Yield the exclusion in fields of the form, for typed points and for bands; nothing if a field is missing."""
    for bands in (False, True):
        keys = tuple(found for each in exclusion if (found := _keys(each, bands=bands)))
        rows = {each.row for each in keys}
        hidden = any(each.row == "result" and each.values[0] in VOLATS for each in keys) and rows & _WITHOUT_VOLAT
        if len(rows) == len(exclusion) and not hidden:
            yield keys
        if not any(each.field == "points" for each in exclusion):
            return


def _keys(condition: Condition, *, bands: bool) -> Keys | None:
    """Return the values that express a condition, None if there are none."""
    name, values = condition.field, tuple(condition.values)  # type: ignore[var-annotated, arg-type]
    if name == "points":
        if bands:
            said = tuple(band.value for band in Band if band in values)
            return Keys("result", said) if said else None
        ranges = tuple(_ranges(sorted(points for points in values if isinstance(points, int))))
        return Keys("points", ranges) if ranges else None
    if name == "volat":
        said = tuple(key for key, side in VOLATS.items() if side in values)
        return Keys("result", said) if said else None
    if name == "partner":
        return Keys(name, (ALONE,) if None in values else tuple(map(str, range(MOST_SEATS))))
    if name not in _PLAIN:
        return None
    return Keys(name, tuple(_key(value) for value in values)) if name != "is_proba" else Keys("proba", ("on",))


def _key(value: Any) -> str:
    return LETTERS[value] if isinstance(value, Side) else str(value)


def _ranges(points: list[int]) -> Iterator[str]:
    """Yield runs of consecutive numbers as '0..3', '88..91'."""
    starts = [one for one in points if one - 1 not in points]
    ends = [one for one in points if one + 1 not in points]
    return (f"{low}..{high}" for low, high in zip(starts, ends, strict=True))


def tarokks_excluded(seat: int, sitting: tuple[int, ...]) -> tuple[str, ...]:
    """Return the choices that exclude a seat's eight or nine tarokks: those of so many others."""
    others = (other for other in sorted(sitting) if other != seat)
    return tuple("&".join(f"tarokks_{other}=8|9" for other in both) for both in combinations(others, MOST_WITH_TAROKKS))


# --- Choices ---


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
TEMPLATES: Final = "games/tarokk/face.html"
#: A cell of the grid of bonuses; its note is whose it is.
TICK: Final = f"{TEMPLATES}#choice_tick"
NOBODY_WORD: Final = pgettext_lazy("bonus made by", "nobody")


def announced(side: Side, bonus: Bonus) -> str:
    """Return the field that says whether a side announced a bonus."""
    return f"{LETTERS[side]}_{bonus.value}"


def doubled(side: Side, bonus: Bonus) -> str:
    """Return the field of the kontra to a side's announced bonus."""
    return f"{announced(side, bonus)}_kontra"


@cache
def rows(ladder: int) -> Mapping[str, Choices]:
    """Return the choices of each row, with kontras up to the highest of the house."""
    kontras = Choices(kontra_choices(ladder, lambda kontra: f"×{kontra.factor}" if kontra else ""))
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
        template=f"{TEMPLATES}#choice_opponents_result" if other else "",
        line_words=words,
        cleared_by=cleared_by,
        key=str(1 + list(RESULTS).index(key)),
    )


def _pagat(pagat: Pagat) -> Choice:
    if pagat is Pagat.NONE:
        return Choice(NOBODY_WORD, NOBODY_WORD, template=TICK)
    return Choice(PAGATS[pagat], SHORT_SIDES[cast(Side, pagat.side)], template=TICK)


def band_of(result: str) -> Band:
    """Return the band of card points of a result."""
    return {"v": Band.FROM_71, "-v": Band.TO_23}.get(result) or Band(result)


# --- Fields ---


TAROKK_FIELDS: Final = tuple(f"tarokks_{seat}" for seat in range(MOST_SEATS))
OF_SIDE: Final = {letter: side for side, letter in LETTERS.items()}
ALL_POINTS: Final = 94
ALONE_WORD: Final = gettext_lazy("alone")
ANNOUNCEMENTS: Final = {announced(*each): each for each in BOTH}


def level(value: str) -> Kontra:
    return Kontra(int(value))


#: The choices by the book stand in the class, so that most forms need not set their own.
BY_THE_BOOK: Final = rows(BOOK.ladder)
BLANK: Final = (None, "", False, "0", NOBODY)


def asked(name: str, label: Words, **more: Any) -> forms.TypedChoiceField:
    """Return the field of a row; `more` is what it has beside its choices."""
    return choice_field(label, BY_THE_BOOK[name], **more)


def ladder(label: Words) -> forms.TypedChoiceField:
    return asked("game_kontra", label, coerce=level, empty="0")


BOXES: Final = {
    announced(*each): forms.BooleanField(required=False, label=cast(Any, BONUSES[each[1]])) for each in BOTH
}
LADDERS: Final = {doubled(*each): ladder(BONUSES[each[1]]) for each in BOTH}
_DECLARED: Final = {name: asked(name, gettext_lazy("Tarokks"), coerce=int, empty="0") for name in TAROKK_FIELDS}
#: Built by name, as many fields are alike.
Announcements: Any = ShallowFieldsMetaclass("Announcements", (hand.HandForm,), {**BOXES, **LADDERS, **_DECLARED})
#: The rows that are folded away.
MORE: Final = (*BOXES, *LADDERS, *(bonus.value for bonus in MADE), "pagat", "proba", "points", *TAROKK_FIELDS)
#: The rows that a lost próba does not have.
BESIDE_PROBA: Final = ("partner", "result", "game_kontra", *(name for name in MORE if name != "proba"))


class BonusRows(NamedTuple):
    """The fields of one bonus: by side its box and kontra, and the field for the side that made it (None where the
    result tells).
    """

    bonus: Bonus
    boxes: list[tuple[Side, forms.BoundField, forms.BoundField]]
    made: forms.BoundField | None
    needed_at: str


def made_in(bonus: Bonus) -> str:
    """Return the field for the side that made a bonus."""
    return "pagat" if bonus is Bonus.ULTIMO else bonus.value


# --- Values ---


def form_values(deal: Deal, playing: tuple[int, ...]) -> dict[str, str]:
    """Return the fields of a deal; the partner by seat, if the players are known."""
    values = {"contract": deal.contract.value, "times": str(deal.times)}
    if deal.is_proba:
        return values | {"proba": "on"}
    exact = isinstance(deal.points, int)
    values |= {
        "partner": str(playing[deal.partner]) if deal.partner and playing else "" if deal.partner else ALONE,
        "result": _result_of(deal),
        "points": str(deal.points) if exact else "",
        "counted_by": LETTERS[Side.DECLARERS],
        "game_kontra": str(deal.game_kontra.value),
        "pagat": "" if deal.pagat is Pagat.NONE else deal.pagat.value,
    }
    values |= {bonus.value: _letter(None if deal.volat else getattr(deal, bonus.value)) for bonus in MADE[:2]}
    values["xxi"] = _letter(deal.xxi)
    for each in deal.announced:
        values[announced(each.side, each.bonus)] = "on"
        values[doubled(each.side, each.bonus)] = str(each.kontra.value)
        if each.bonus not in (Bonus.DOUBLE, Bonus.VOLAT) and not (deal.volat and each.bonus in MADE[:2]):
            values[made_in(each.bonus)] = values[made_in(each.bonus)] or NOBODY
    for place, seat in enumerate(playing):
        if deal.tarokks[place]:
            values[f"tarokks_{seat}"] = str(deal.tarokks[place])
    return values


def _letter(side: Side | None) -> str:
    return "" if side is None else LETTERS[side]


def _result_of(deal: Deal) -> str:
    """Return the value of `result`, '' where the card points alone tell it."""
    if deal.volat:
        return next(key for key, side in VOLATS.items() if side is deal.volat)
    return "" if isinstance(deal.points, int) else str(deal.points)
