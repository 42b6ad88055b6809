"""The words of Tarokk's measures and feats."""

from typing import Final

from django.utils.translation import gettext as gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.games.measures import Feat
from scorekeeper.games.tarokk import Bonus, Kontra
from sessions_app.faces.kontra_words import kontra_words
from sessions_app.faces.measure_words import DECLARED, DECLARED_WON, Bars, KeyTable, MeasureSection, MeasureWords
from sessions_app.faces.tarokk.words import BONUSES, CONTRACTS, MARKS, TAROKKS

_ANNOUNCED: Final = MeasureWords(
    "announced", pgettext_lazy("bonus", "Announced"), _("Hands in which the player's side announced it.")
)
_ANNOUNCED_MADE: Final = MeasureWords(
    "announced_made",
    pgettext_lazy("bonus", "Made"),
    _("Of the hands in which the player's side announced it, those that made it."),
)

made: Final = _("A game is made if the declarers win it by card points, or take all tricks; bonuses do not matter.")
sections: Final = (
    MeasureSection(
        _("By contract"),
        tables=(
            KeyTable(
                _("Contract"),
                {contract.value: words for contract, words in CONTRACTS.items()},
                (DECLARED, DECLARED_WON),
                Bars(_("Declared and made, by contract"), DECLARED, DECLARED_WON),
            ),
        ),
    ),
    MeasureSection(
        _("Alone and as partner"),
        (
            MeasureWords("alone", _("Alone"), _("Hands declared without a partner.")),
            MeasureWords("alone_won", _("Made alone"), _("Of the hands declared without a partner, those made.")),
            MeasureWords("partner", _("As partner"), _("Hands played as the declarer's partner.")),
            MeasureWords("partner_won", _("Made as partner"), _("Of the hands played as partner, those made.")),
        ),
    ),
    MeasureSection(
        _("Bonuses"),
        (
            MeasureWords("xxi_caught", _("XXI caught"), _("Hands in which the player's side caught the XXI.")),
            MeasureWords("xxi_lost", _("XXI lost"), _("Hands in which the player's side lost the XXI.")),
        ),
        (
            KeyTable(
                _("Bonus"),
                {MARKS[bonus]: words for bonus, words in BONUSES.items()},
                (
                    _ANNOUNCED,
                    _ANNOUNCED_MADE,
                    MeasureWords(
                        "silent_made",
                        pgettext_lazy("bonus", "Silent"),
                        _("Hands in which the player's side made it without announcing it."),
                    ),
                ),
                Bars(_("Announced and made, by bonus"), _ANNOUNCED, _ANNOUNCED_MADE),
            ),
            KeyTable(
                _("Tarokks in hand"),
                {str(number): words for number, words in TAROKKS.items()},
                (MeasureWords("tarokks", _("Shown"), _("Hands in which the player showed this number of tarokks.")),),
            ),
        ),
    ),
)


# --- Feats ---


_BONUSES: Final = {"volat": Bonus.VOLAT, "ultimo": Bonus.ULTIMO}


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "kontra":
            return kontra_words(Kontra(feat.number))
        case "tarokks":
            return str(TAROKKS[feat.number])
        case "xxi_caught":
            return str(BONUSES[Bonus.XXI])
        case "solo":
            return gettext("szóló made")
    words = {"bonus": BONUSES[_BONUSES[feat.code]]}
    return (gettext("%(bonus)s announced and made") if feat.number else gettext("silent %(bonus)s")) % words
