"""The words of Asszorti's feats."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.games.asszorti import Kontra
from scorekeeper.games.measures import Feat
from sessions_app.faces.kontra_words import kontra_words


def feat_words(feat: Feat) -> str:
    """Return the feat in a few words, without its players."""
    match feat.code:
        case "kontra":
            return kontra_words(Kontra(feat.number))
        case "overtricks":
            return ngettext("%(many)d overtrick", "%(many)d overtricks", feat.number) % {"many": feat.number}
        case "arrivazs_won":
            return _("arrivázs won")
        case "arrivazs_idegen":
            return _("idegen arrivázs")
    return "6 : 5 : 0"
