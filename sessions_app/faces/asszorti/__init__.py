"""The face of Asszorti."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from sessions_app.faces.asszorti import rules_page, words
from sessions_app.faces.asszorti.hand_form import BalancesForm, HandForm
from sessions_app.faces.asszorti.house_words import WORDS
from sessions_app.faces.asszorti.provisional import provisional_tables
from sessions_app.faces.asszorti.referee import Referee
from sessions_app.faces.base import Face
from sessions_app.faces.hand_words import BOLDEST
from sessions_app.faces.sample_evening import SampleHands

#: Plain hands, lost ones, and a kontra at the end.
_SAMPLE_HANDS: Final = (
    (0, "2S 7"),
    (2, "2H 5"),
    (1, "2C 7"),
    (0, "3S 8"),
    (1, "1C 5"),
    (2, "1D 6-3-2"),
    (0, "2D 7"),
    (1, "2H 7 K"),
)

FACE: Final = Face(
    key="asszorti",
    name=_("Asszorti"),
    form=HandForm,
    house_words=WORDS,
    measures=words.MEASURES,
    feat_words=words.feat_words,
    boldest_feat=BOLDEST,
    referee=Referee(),
    rules_page=rules_page,
    has_blank_sheet=True,
    balances_form=BalancesForm,
    sample_hands=SampleHands(1, _SAMPLE_HANDS, words.deal_words),
    provisional_tables=provisional_tables,
)
