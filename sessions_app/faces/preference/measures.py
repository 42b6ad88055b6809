"""The words of Preference's measures and feats."""

from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext as gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from scorekeeper.games.measures import Feat
from scorekeeper.games.preference import Strain
from scorekeeper.games.preference.announcing import MIZER as NAMED_MIZER
from scorekeeper.games.preference.deal import LEVELS
from sessions_app.faces.measure_words import (
    DECLARED,
    DECLARED_WON,
    Bars,
    FigureFormat,
    KeyTable,
    MeasureSection,
    MeasureWords,
)
from sessions_app.faces.preference.words import MIZER, SIGNS
from sessions_app.words.wording import Words

_SIGNS: Final[dict[str, Words]] = {strain.value: sign for strain, sign in SIGNS.items()}
_STRAINS: Final = {**_SIGNS, Strain.NO_TRUMPS.value: pgettext_lazy("short", "NT"), "": ""}
_KEYS: Final[dict[str, Words]] = {
    **{f"{level}{letter}": format_lazy("{} {}", level, sign) for level in LEVELS for letter, sign in _STRAINS.items()},
    NAMED_MIZER.to_text(): MIZER,
}

made: Final = _("A contract is made with its tricks, or if all pass or half is said; a mizer without a trick.")
sections: Final = (
    MeasureSection(
        _("By contract"),
        (
            MeasureWords(
                "missing", _("Missing tricks"), _("Tricks missing in contracts that failed."), FigureFormat.SUM
            ),
        ),
        (
            KeyTable(
                _("Contract"),
                _KEYS,
                (DECLARED, DECLARED_WON),
                Bars(_("Declared and made, by contract"), DECLARED, DECLARED_WON),
            ),
        ),
    ),
    MeasureSection(
        _("Mizers"),
        (
            MeasureWords("mizer", _("Mizers"), _("The hands declared that were mizers.")),
            MeasureWords("mizer_made", _("Mizers made"), _("Mizers without a trick.")),
            MeasureWords(
                "mizer_tricks", _("Tricks in mizers"), _("Tricks taken in all mizers declared."), FigureFormat.SUM
            ),
        ),
    ),
    MeasureSection(
        _("As whister"),
        (
            MeasureWords("whisted", _("Whisted"), _("Contracts of others that the player whisted in the end.")),
            MeasureWords("half", _("Half"), _("Contracts of others for which the player said half in the end.")),
            MeasureWords("passed", _("Passed"), _("Contracts of others on which the player passed in the end.")),
            MeasureWords(
                "short", _("Short"), _("Contracts whisted in which missing tricks were written to the player.")
            ),
        ),
    ),
    MeasureSection(
        _("Raspasovkas"),
        (
            MeasureWords(
                "raspasovka_tricks", _("Tricks in raspasovkas"), _("Tricks taken in raspasovkas."), FigureFormat.SUM
            ),
            MeasureWords("raspasovka_clean", _("Clean raspasovkas"), _("Raspasovkas without a trick.")),
        ),
    ),
)


# --- Feats ---


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "mizer_made":
            return gettext("mizer made")
        case "mizer_caught":
            tricks = {"tricks": feat.number}
            return ngettext("mizer with %(tricks)d trick", "mizer with %(tricks)d tricks", feat.number) % tricks
        case "level":
            return gettext("contract of %(level)d made") % {"level": feat.number}
    return gettext("clean raspasovka")
