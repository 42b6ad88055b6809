"""The face of Hungarian Tarokk."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from sessions_app.faces.base import Face
from sessions_app.faces.hand_words import BOLDEST
from sessions_app.faces.tarokk import rules_page, words
from sessions_app.faces.tarokk.hand_form import BalancesForm, HandForm
from sessions_app.faces.tarokk.house_words import WORDS
from sessions_app.faces.tarokk.referee import Referee

#: It has no provisional tables: a count is no product of table values, so it waits for the server.
FACE: Final = Face(
    key="tarokk",
    name=_("Tarokk"),
    form=HandForm,
    house_words=WORDS,
    measures=words.MEASURES,
    feat_words=words.feat_words,
    boldest_feat=BOLDEST,
    referee=Referee(),
    rules_page=rules_page,
    has_blank_sheet=True,
    balances_form=BalancesForm,
)
