"""The form of a player who joins an evening: a name, and the seat."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import BoundedForm
from sessions_app.forms.fields import NameField
from sessions_app.readers.evening.lineup import Lineup


class SitDownForm(BoundedForm):
    """Seat a player after another one; `seen` is the evening's seating that the form was opened with."""

    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    name = NameField(label=_("Name"), error_messages={"required": _("Enter a name.")})
    after = forms.TypedChoiceField(
        label=_("Where"),
        coerce=int,
        error_messages={"required": _("Where at the table?"), "invalid_choice": _("Nobody sits there now.")},
    )

    def __init__(self, *args: Any, lineup: Lineup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        where = _("after %(name)s, before %(next)s")
        after = self.fields["after"]
        assert isinstance(after, forms.ChoiceField)  # noqa: S101  for the types
        after.choices = [
            (str(sitter.seat), where % {"name": sitter.name, "next": sitter.next_name}) for sitter in lineup.sitting
        ]
