"""The words of Tarokk's feats."""

from typing import Final

from django.utils.translation import gettext as _

from scorekeeper.games.measures import Feat
from scorekeeper.games.tarokk import Bonus, Kontra
from sessions_app.faces.kontra_words import kontra_words
from sessions_app.faces.tarokk.words import BONUSES, TAROKKS

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
            return _("szóló made")
    words = {"bonus": BONUSES[_BONUSES[feat.code]]}
    return (_("%(bonus)s announced and made") if feat.number else _("silent %(bonus)s")) % words
