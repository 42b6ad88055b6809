"""The base of all forms: it checks the length of a value before its field reads it."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.http.middleware import MAX_CHARACTERS

#: Characters of a field without a `max_length`: a choice, a number.
USUAL: Final = 100
#: NFC makes one character of several: a letter typed in Vietnamese or Korean may have three.
CHARACTERS_OF_A_LETTER: Final = 4
LONGEST: Final = 1_000

_TOO_LONG: Final = _("This is too long: %(limit_value)s characters at most.")
_CUT: Final = _("Only the beginning is kept here.")

#: The error of a hidden field, which no user can correct.
OUT_OF_DATE: Final = _("This form is out of date. Go back to the session and open it again.")
#: Arguments of a hidden field.
HIDDEN_FIELD: Final[dict[str, Any]] = {
    "widget": forms.HiddenInput,
    "error_messages": dict.fromkeys(
        ("required", "invalid", "invalid_choice", "min_value", "max_value", "max_length"), OUT_OF_DATE
    ),
}


class BoundedForm(forms.Form):
    """A form that refuses a value longer than its field takes, before anything normalises, matches or parses it.

    scorekeeper.http.middleware has a wider bound for values that are no fields of a form. A hidden field is not
    refused here, since nobody could correct it: its cut value is invalid by itself.
    """

    def _given(self, name: str) -> str:
        """Return the posted value of a field, or the initial one of an unbound form."""
        source: Mapping[str, Any] = self.data if self.is_bound else self.initial
        return str(source.get(name) or "").strip()

    def _clean_fields(self) -> None:
        too_long = {name: refusal(self.fields[name], value) for name, value in self._too_long().items()}
        fields = self.fields
        self.fields = {name: field for name, field in fields.items() if name not in too_long}
        super()._clean_fields()  # type: ignore[misc]  # unknown to the stubs
        self.fields = fields
        for name, error in too_long.items():
            self.add_error(name, error)

    def _too_long(self) -> dict[str, str]:
        """Return the values that are longer than their fields take, by name."""
        # Few values are that long, and a form has dozens of fields.
        long = {name: value for name, value in self.data.items() if isinstance(value, str) and len(value) > USUAL}
        return {
            name: long[key]
            for name, field in (self.fields.items() if long else ())
            if (key := self.add_prefix(name)) in long and not field.widget.is_hidden and len(long[key]) > longest(field)
        }


def longest(field: forms.Field) -> int:
    """Return the number of characters of input that a field reads."""
    most = getattr(field, "max_length", None)
    return USUAL if most is None else max(USUAL, min(CHARACTERS_OF_A_LETTER * most, LONGEST))


def refusal(field: forms.Field, value: str) -> ValidationError:
    """Return the error of a value that is too long, in the field's own words if it has any; it says if it was cut."""
    if isinstance(field, forms.ChoiceField):
        words = {"value": value[:USUAL]}
        return ValidationError(field.error_messages["invalid_choice"], code="invalid_choice", params=words)
    said: Any = field.error_messages.get("max_length", _TOO_LONG)
    limit = getattr(field, "max_length", None) or longest(field)
    sentence = str(said % {"limit_value": limit})
    return ValidationError(f"{sentence} {_CUT}" if len(value) >= MAX_CHARACTERS else sentence, code="max_length")
