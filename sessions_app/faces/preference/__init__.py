"""The face of Russian Preference."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from sessions_app.faces.base import Face
from sessions_app.faces.preference import pulka, rules_page, words
from sessions_app.faces.preference.entries_form import EntriesForm
from sessions_app.faces.preference.hand_form import HandForm
from sessions_app.faces.preference.house_words import WORDS
from sessions_app.faces.preference.provisional import provisional_tables
from sessions_app.faces.preference.referee import Referee

#: It has no boldest feat: nobody doubles.
FACE: Final = Face(
    key="preference",
    name=_("Preference"),
    form=HandForm,
    house_words=WORDS,
    measures=words.MEASURES,
    feat_words=words.feat_words,
    referee=Referee(),
    rules_page=rules_page,
    has_blank_sheet=True,
    entries_form=EntriesForm,
    drawn=pulka.pulka,
    table_figures=pulka.table_figures,
    debt_terms=pulka.debt_terms,
    provisional_tables=provisional_tables,
)
