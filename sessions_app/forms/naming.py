"""The form by which house rules get a name."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import BoundedForm
from sessions_app.forms.evening_new import NameField


class NamingForm(BoundedForm):
    """`name`, as a player's may be."""

    name = NameField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].error_messages["required"] = _("Enter a name.")
