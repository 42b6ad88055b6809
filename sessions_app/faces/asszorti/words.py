"""The words of Asszorti's rules: a hand, its marks on the sheet, the steps of a count, refusals, measures and feats.

The rules return codes; this module has the words of each. Nothing is counted here.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.asszorti import Arrivazs, Contract, Deal, Kontra, Trump
from scorekeeper.games.asszorti.deal import CONTRACTS as CONTRACT_LETTERS
from scorekeeper.games.asszorti.deal import TRUMPS as TRUMP_LETTERS
from scorekeeper.games.base import ScoreLine
from scorekeeper.games.errors import Message
from scorekeeper.games.measures import Feat
from sessions_app.faces.hand_words import KONTRAS, Mark, Marks, kontra_words, marks_beside
from sessions_app.faces.measure_words import (
    Bars,
    FigureFormat,
    KeyTable,
    MeasureFace,
    MeasureSection,
    MeasureWords,
    by_contract,
)
from sessions_app.words.wording import Words, minus, signed

CONTRACTS: dict[Contract, Words] = {
    Contract.THREE: "3",
    Contract.TWO: "2",
    Contract.ONE: "1",
    Contract.HAND: pgettext_lazy("contract", "from hand"),
}
TRUMPS: dict[Trump, Words] = {
    Trump.HEARTS: _("hearts"),
    Trump.DIAMONDS: _("diamonds"),
    Trump.CLUBS: _("clubs"),
    Trump.SPADES: _("spades"),
    Trump.NONE: _("no trumps"),
}
#: Followed by a variation selector, so that no phone draws an emoji.
SUITS: Final = {Trump.HEARTS: "♥︎", Trump.DIAMONDS: "♦︎", Trump.CLUBS: "♣︎", Trump.SPADES: "♠︎"}
#: Kontras as they are written on the sheet, before their factor.
KONTRA_MARKS: dict[Kontra, str] = {
    Kontra.NONE: "",
    Kontra.KONTRA: "K",
    Kontra.REKONTRA: "R",
    Kontra.SZUBKONTRA: "Sz",
    Kontra.HIRSKONTRA: "H",
    Kontra.MORDKONTRA: "M",
}
ARRIVAZS_MARKS: dict[Arrivazs, str] = {
    Arrivazs.NONE: "",
    Arrivazs.LOST: "A−",
    Arrivazs.WON: "A+",
    Arrivazs.IDEGEN: "A!",
}
ARRIVAZS: dict[Arrivazs, Words] = {
    Arrivazs.NONE: pgettext_lazy("arrivázs", "not announced"),
    Arrivazs.LOST: pgettext_lazy("arrivázs", "lost"),
    Arrivazs.WON: pgettext_lazy("arrivázs", "won"),
    Arrivazs.IDEGEN: pgettext_lazy("arrivázs", "idegen"),
}


ENDED: Final = {
    Arrivazs.WON: _("arrivázs won"),
    Arrivazs.LOST: _("arrivázs lost"),
    Arrivazs.IDEGEN: _("idegen arrivázs"),
}


def result(deal: Deal) -> str:
    """Return the result of a hand as players write it: tricks over six or under, '=' for six exactly."""
    return signed(deal.tricks[0] - 6) if deal.tricks[0] != 6 else "="


def kontra_mark(level: Kontra) -> str:
    """Return a kontra as it is written on the sheet: 'K×2'."""
    return f"{KONTRA_MARKS[level]}×{level.factor}" if level else ""


def arrivazs_words(deal: Deal) -> str:
    """Return the result of an announced arrivázs, and its kontra: 'arrivázs won, kontra ×2'."""
    ended = str(ENDED.get(deal.arrivazs, ""))
    return ", ".join(filter(None, (ended, kontra_words(deal.arrivazs_kontra))))


def arrivazs_mark(deal: Deal) -> str:
    """Return the arrivázs as it is written on the sheet: 'A+ K×2'."""
    return " ".join(filter(None, (ARRIVAZS_MARKS[deal.arrivazs], kontra_mark(deal.arrivazs_kontra))))


def is_six_five_nil(deal: Deal) -> bool:
    return deal.tricks in ((6, 5, 0), (6, 0, 5))


def announcement(contract: Contract, trump: Trump) -> str:
    """Return a contract and its trumps in words: '2, hearts'."""
    return f"{CONTRACTS[contract]}, {TRUMPS[trump]}"


def deal_words(deal: Deal) -> str:
    """Return a deal in words: '2 hearts +1, kontra ×2'."""
    said = f"{CONTRACTS[deal.contract]} {TRUMPS[deal.trump]} {result(deal)}"
    return ", ".join(filter(None, (said, kontra_words(deal.game_kontra), arrivazs_words(deal))))


#: The sentences of refusals by their codes.
_REFUSALS: Final[Mapping[str, Words]] = {
    "unknown": _("Choose one of the options."),
    "tricks_range": _("There are eleven tricks: a number from 0 to 11."),
    "tricks_sum": _("The tricks add up to %(sum)s; there are 11."),
    "split_half": _("Enter the tricks of both opponents, or of neither."),
    "split_needed": _("With 6 tricks it matters how the opponents share the other 5: choose the split."),
    "idegen_no_trumps": _("There is no idegen arrivázs at no trumps: choose 'won'."),
    "arrivazs_all_tricks": _("Taking all 11 tricks includes the last three: the arrivázs is won."),
    "kontra_unannounced": _("Only an arrivázs that was announced can be doubled."),
    "arrivazs_no_trumps": _("There is no arrivázs at no trumps by the house rules."),
}


def refusal(message: Message) -> str:
    """Return the sentence for a refusal by the rules."""
    if message.code == "kontra_too_high":
        highest = Kontra(int(message.params["highest"]))
        if not highest:
            return gettext("There is no kontra by the house rules.")
        return gettext("The highest by the house rules is %(kontra)s.") % {"kontra": KONTRAS[highest]}
    if message.code == "arrivazs_few_tricks":
        return ngettext(
            "An arrivázs is won with the last three tricks; the declarer has only %(tricks)s.",
            "An arrivázs is won with the last three tricks; the declarer has only %(tricks)s.",
            int(message.params["tricks"]),
        ) % {"tricks": message.params["tricks"]}
    return str(_REFUSALS[message.code]) % message.params


def step(line: ScoreLine) -> str:
    """Return a step of the count in words, without its amount."""
    params = line.params
    if line.code == "base":
        words = announcement(Contract(str(params["contract"])), Trump(str(params["trump"])))
        return words if line.amount >= 0 else gettext("%(contract)s: lost") % {"contract": words}
    if line.code == "overtricks":
        count = int(params["count"])
        text = (
            ngettext("%(count)s trick above six, %(each)s each", "%(count)s tricks above six, %(each)s each", count)
            if line.amount >= 0
            else ngettext(
                "%(count)s trick above six for the opponents, %(each)s each",
                "%(count)s tricks above six for the opponents, %(each)s each",
                count,
            )
        )
        return text % params
    if line.code == "kontra":
        return f"{KONTRAS[Kontra(int(params['kontra']))]} ×{params['factor']}"
    return str(
        {
            "deduction": gettext("6:5:0: the undoubled base is deducted"),
            "won": ENDED[Arrivazs.WON],
            "lost": ENDED[Arrivazs.LOST],
            "idegen": gettext("idegen arrivázs: no trump in the last three"),
        }[line.code]
    )


def sum_of(lines: Sequence[ScoreLine], points: int) -> str:
    """Return the count as one line of arithmetic: '(4 + 2) × 2 − 4 = 8'."""
    text = (_item(lines, "game") + _item(lines, "arrivazs")).removeprefix(" + ")
    if text.startswith(" − "):
        text = "−" + text.removeprefix(" − ")
    return text if text == minus(points) else f"{text} = {minus(points)}"


def _item(lines: Sequence[ScoreLine], item: str) -> str:
    of_item = {line.code: line for line in lines if line.item == item}
    counted = [line for code, line in of_item.items() if code not in ("kontra", "deduction")]
    if not counted:
        return ""
    sign = " − " if counted[0].amount < 0 else " + "
    text = " + ".join(str(abs(line.amount)) for line in counted)
    if "kontra" in of_item:
        text = f"({text})" if len(counted) > 1 else text
        text += f" × {of_item['kontra'].params['factor']}"
    elif sign == " − " and len(counted) > 1:
        text = f"({text})"
    if "deduction" in of_item:
        text += f" − {abs(of_item['deduction'].amount)}"
    return sign + text


# --- Marks on the sheet ---


#: The letters of the marks, for a reader of the sheet.
LETTERS: Final[tuple[tuple[str, Words], ...]] = (
    *((f"{mark}×{level.factor}", KONTRAS[level]) for level, mark in KONTRA_MARKS.items() if level),
    *((ARRIVAZS_MARKS[ended], words) for ended, words in ENDED.items()),
)


def marks_of(deal: Deal, players: Sequence[str], before: str) -> Marks:
    """Return the marks of a hand. They do not depend on the standing before it."""
    kontra, arrivazs = kontra_words(deal.game_kontra), arrivazs_words(deal)
    marks = [
        Mark(kontra_mark(deal.game_kontra), kontra, kontra),
        Mark("6:5:0", "6:5:0", "6:5:0") if is_six_five_nil(deal) else Mark("", ""),
        Mark(arrivazs_mark(deal), arrivazs, arrivazs),
    ]
    return marks_beside([mark for mark in marks if mark.text], *players[:1], str(CONTRACTS[deal.contract]))


# --- Measures and feats ---


SIGNS: Final[dict[Trump, Words]] = {**SUITS, Trump.NONE: pgettext_lazy("short", "NT")}
_KEYS: Final = {
    contract + trump: format_lazy("{} {}", CONTRACTS[CONTRACT_LETTERS[contract]], SIGNS[TRUMP_LETTERS[trump]])
    for contract, trump in product(CONTRACT_LETTERS, TRUMP_LETTERS)
}
_LEVELS: Final = {str(level.value): KONTRAS[level] for level in Kontra}

_BY_KONTRA: Final = MeasureWords("kontra", _("Declared"), _("Hands declared, by the kontra of the game."))

MEASURES: Final = MeasureFace(
    _("A hand is made if the declarer takes at least six tricks."),
    (
        MeasureSection(
            _("By contract and trumps"),
            tables=(by_contract(_KEYS),),
        ),
        MeasureSection(
            _("Tricks and arrivázs"),
            (
                MeasureWords("overtricks", _("Overtricks"), _("Tricks above six in hands made."), FigureFormat.SUM),
                MeasureWords(
                    "arrivazs_won", _("Arrivázs won"), _("Of the hands declared with an arrivázs, those that won it.")
                ),
                MeasureWords(
                    "arrivazs_lost",
                    _("Arrivázs lost"),
                    _("Of the hands declared with an arrivázs, those that lost it."),
                ),
                MeasureWords(
                    "arrivazs_idegen",
                    _("Idegen"),
                    _("Of the hands declared with an arrivázs, those that won it idegen."),
                ),
                MeasureWords(
                    "six_five_nil",
                    "6 : 5 : 0",
                    _("Hands made with exactly six tricks from which the base was taken off."),
                ),
            ),
        ),
        MeasureSection(
            _("By kontra"),
            tables=(
                KeyTable(
                    _("Kontra"),
                    _LEVELS,
                    (
                        _BY_KONTRA,
                        MeasureWords(
                            "kontra_points",
                            pgettext_lazy("statistics", "Points"),
                            _("The points of these hands."),
                            FigureFormat.POINTS,
                        ),
                    ),
                    Bars(_("Declared, by kontra"), _BY_KONTRA),
                ),
            ),
        ),
    ),
)


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "kontra":
            return kontra_words(Kontra(feat.number))
        case "overtricks":
            return ngettext("%(many)d overtrick", "%(many)d overtricks", feat.number) % {"many": feat.number}
        case "arrivazs_won":
            return gettext("arrivázs won")
        case "arrivazs_idegen":
            return gettext("idegen arrivázs")
    return "6 : 5 : 0"
