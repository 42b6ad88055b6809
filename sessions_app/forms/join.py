"""The form that takes an invite link as it was pasted."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import BoundedForm
from sessions_app.forms.fields import LineField
from sessions_app.readers.people.invitations import token_in


class PastedLinkForm(BoundedForm):
    """An invite link, or a message with one; its cleaned value is the token alone."""

    link = LineField(max_length=250, error_messages={"required": _("Paste the link here.")})

    def clean_link(self) -> str:
        token = token_in(self.cleaned_data["link"])
        if token is None:
            raise ValidationError(_("This is not an invite link. Paste all of it."), code="no_link")
        return token
