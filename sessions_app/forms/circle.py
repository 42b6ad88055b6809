"""The forms of a circle's name and of a player's."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import BoundedForm
from sessions_app.forms.fields import LineField, NameField
from sessions_app.models import CIRCLE_NAME_LENGTH


class CircleNameForm(BoundedForm):
    """The name of a circle."""

    name = LineField(max_length=CIRCLE_NAME_LENGTH)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].error_messages["required"] = _("Enter a name.")


class PlayerNameForm(CircleNameForm):
    """The name of a player."""

    name = NameField()
