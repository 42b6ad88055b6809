"""Form fields that several forms share: lines of words, names, notes, days and tokens."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from scorekeeper.text.names import visible
from sessions_app.base_forms import BoundedForm
from sessions_app.models import NAME_LENGTH
from sessions_app.words.periods import ChosenPeriod, Period


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


class NameForm(BoundedForm):
    """The new name of a player, or one for house rules."""

    name = NameField(error_messages={"required": _("Enter a name.")})


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


#: No evening is older; a day after the last one has no next day to compute with.
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2999, 12, 31)
_NO_DAY: Final = _("Enter a date, like 2026-11-23.")


class DayField(forms.DateField):
    """A day, as the phone's own date field sends it or as people type it in either language."""

    def __init__(self, **kwargs: Any) -> None:
        bounds = [MinValueValidator(FIRST_DAY, _NO_DAY), MaxValueValidator(LAST_DAY, _NO_DAY)]
        super().__init__(required=False, validators=bounds, error_messages={"invalid": _NO_DAY}, **kwargs)

    def to_python(self, value: Any) -> date | None:
        # Hungarians write a space after each full stop.
        return super().to_python(re.sub(r"\.\s+", ".", value.strip()) if isinstance(value, str) else value)


class DaysForm(BoundedForm):
    """The days `from` and `to`, both included; each may be left out."""

    #: The names of the fields of days.
    day_names: ClassVar[tuple[str, ...]] = ("from", "to")

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(data)
        self.fields |= {"from": DayField(label=_("From")), "to": DayField(label=_("To"))}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("from"), cleaned.get("to")
        if first and last and first > last:
            self.add_error("to", _("This is before the first day."))
        return cleaned

    @property
    def period(self) -> ChosenPeriod:
        """The period that the form asks for; one without days if it is refused."""
        if not self.is_valid():
            return ChosenPeriod("days", Period())
        first, last = self.cleaned_data["from"], self.cleaned_data["to"]
        return ChosenPeriod("days" if first or last else "", Period(first, last))

    @property
    def days(self) -> Iterator[tuple[forms.BoundField, str]]:
        """The fields of days, each with its value as a phone's date field takes it; one that is refused as typed."""
        for name in self.day_names:
            written = self.data.get(name, "")
            if name not in self.errors:
                day = self.fields[name].to_python(written)
                written = day.isoformat() if day else ""
            yield self[name], written
