"""Form fields that several forms share."""

import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from scorekeeper.text.names import visible
from sessions_app.models import NAME_LENGTH


class LineField(forms.CharField):
    """A line of a member's own words, of any script, without control characters."""

    default_error_messages = {
        "max_length": _("This is too long: %(limit_value)s characters at most."),
        "invisible": _("This has no visible characters."),
        "unprintable": _("This contains characters that cannot be shown."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.validators[0].message = self.error_messages["max_length"]  # type: ignore[attr-defined]

    def to_python(self, value: Any) -> str:
        return " ".join(unicodedata.normalize("NFC", super().to_python(value) or "").split())

    def validate(self, value: str) -> None:
        super().validate(value)
        # Other format characters (Cf) are allowed: a zero width joiner makes one emoji of several.
        if any(unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") or char in DIRECTIONAL for char in value):
            raise ValidationError(self.error_messages["unprintable"], code="unprintable")
        if value and all(unicodedata.category(char)[0] in "ZCM" for char in value):
            raise ValidationError(self.error_messages["invisible"], code="invisible")


class NameField(LineField):
    """A player's name, 1–40 characters."""

    default_error_messages = {
        "max_length": ngettext_lazy(
            "A name has at most %(limit_value)s character.",
            "A name has at most %(limit_value)s characters.",
            "limit_value",
        ),
        "invisible": _("This name has no visible characters."),
        "unprintable": _("This name contains characters that cannot be shown."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=NAME_LENGTH, **kwargs)

    def to_python(self, value: Any) -> str:
        """Return the name without invisible characters: they would make a second player of the same name."""
        typed = super().to_python(value)
        if DIRECTIONAL.intersection(typed):
            return typed  # refused by `validate`, as is a name of invisible characters alone
        return " ".join(unicodedata.normalize("NFC", visible(typed)).split()) or typed


class NoteField(LineField):
    """Several lines of a member's own words, at most one empty one between two."""

    def to_python(self, value: Any) -> str:
        lines = [super(NoteField, self).to_python(line) for line in str(value or "").splitlines()]
        return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()

    def validate(self, value: str) -> None:
        super().validate(value.replace("\n", " "))


#: Unicode's embeddings, overrides and isolates (UAX #9), which change the direction of the text around them.
DIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class TokenField(forms.UUIDField):
    """The token of a form. An invalid one counts as missing, since no user can correct it."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except ValidationError:
            return None
