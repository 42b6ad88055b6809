"""The words of Asszorti's measures and feats."""

from itertools import product
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext as gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from scorekeeper.games.asszorti import Kontra, Trump
from scorekeeper.games.asszorti.deal import CONTRACTS as CONTRACT_LETTERS
from scorekeeper.games.asszorti.deal import TRUMPS as TRUMP_LETTERS
from scorekeeper.games.measures import Feat
from sessions_app.faces.asszorti.provisional import SUITS
from sessions_app.faces.asszorti.words import CONTRACTS
from sessions_app.faces.kontra_words import KONTRAS, kontra_words
from sessions_app.faces.measure_words import (
    DECLARED,
    DECLARED_WON,
    Bars,
    FigureFormat,
    KeyTable,
    MeasureSection,
    MeasureWords,
)
from sessions_app.words.wording import Words

SIGNS: Final[dict[Trump, Words]] = {**SUITS, Trump.NONE: pgettext_lazy("short", "NT")}
_KEYS: Final = {
    contract + trump: format_lazy("{} {}", CONTRACTS[CONTRACT_LETTERS[contract]], SIGNS[TRUMP_LETTERS[trump]])
    for contract, trump in product(CONTRACT_LETTERS, TRUMP_LETTERS)
}
_LEVELS: Final = {str(level.value): KONTRAS[level] for level in Kontra}

_BY_KONTRA: Final = MeasureWords("kontra", _("Declared"), _("Hands declared, by the kontra of the game."))

made: Final = _("A hand is made if the declarer takes at least six tricks.")
sections: Final = (
    MeasureSection(
        _("By contract and trumps"),
        tables=(
            KeyTable(
                _("Contract"),
                _KEYS,
                (DECLARED, DECLARED_WON),
                Bars(_("Declared and made, by contract"), DECLARED, DECLARED_WON),
            ),
        ),
    ),
    MeasureSection(
        _("Tricks and arrivázs"),
        (
            MeasureWords("overtricks", _("Overtricks"), _("Tricks above six in hands made."), FigureFormat.SUM),
            MeasureWords(
                "arrivazs_won", _("Arrivázs won"), _("Of the hands declared with an arrivázs, those that won it.")
            ),
            MeasureWords(
                "arrivazs_lost", _("Arrivázs lost"), _("Of the hands declared with an arrivázs, those that lost it.")
            ),
            MeasureWords(
                "arrivazs_idegen", _("Idegen"), _("Of the hands declared with an arrivázs, those that won it idegen.")
            ),
            MeasureWords(
                "six_five_nil", "6 : 5 : 0", _("Hands made with exactly six tricks from which the base was taken off.")
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
)


# --- Feats ---


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
