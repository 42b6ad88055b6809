"""The words of Preference's feats."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.games.measures import Feat


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "mizer_made":
            return _("mizer made")
        case "mizer_caught":
            tricks = {"tricks": feat.number}
            return ngettext("mizer with %(tricks)d trick", "mizer with %(tricks)d tricks", feat.number) % tricks
        case "level":
            return _("contract of %(level)d made") % {"level": feat.number}
    return _("clean raspasovka")
