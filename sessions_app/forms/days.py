"""Days that are typed: one alone, and a period from one to another."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, ClassVar, Final

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import BoundedForm
from sessions_app.words.periods import ChosenPeriod, Period

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
