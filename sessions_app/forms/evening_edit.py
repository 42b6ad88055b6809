"""The form of an evening that is mended: its players' names and places, and what is played for."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import localize_input
from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import OUT_OF_DATE
from sessions_app.forms.evening_new import SeatsForm
from sessions_app.forms.fields import NameField
from sessions_app.writers.evening_edit import Shape

CURRENCY_OFFERED = "HUF"


class EveningEditForm(SeatsForm):
    """What can be mended, in the fields of a new session; `who_1` … say which player each name is to be the name of.

    `seen` is the latest entry of the evening's history that this form was opened with. `shape` is what it comes to,
    once it is valid.
    """

    seen = forms.IntegerField(required=False, min_value=0, max_value=2**62, widget=forms.HiddenInput)

    def __init__(self, *args: Any, seats: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["token"]
        # Some may have gone home by now: an evening has more names than a table has seats.
        self.PLAYERS = self.seats = tuple(f"player_{seat + 1}" for seat in range(seats))
        for name in SeatsForm.PLAYERS[seats:]:
            del self.fields[name]
        for seat, name in enumerate(self.seats[len(SeatsForm.PLAYERS) :], len(SeatsForm.PLAYERS) + 1):
            self.fields[name] = NameField(label=_("Player %(seat)s") % {"seat": seat})
        for name in self.seats:
            self.fields[name].required = True
            self.fields[name].error_messages["required"] = _("Enter a name.")
            self.fields[who(name)] = forms.IntegerField(min_value=1, max_value=2**62, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        players = [cleaned.get(who(name)) for name in self.seats]
        if None in players or len(set(players)) < len(players) or "seen" in self.errors:
            raise ValidationError(OUT_OF_DATE)
        return cleaned

    @property
    def shape(self) -> Shape:
        cleaned = self.cleaned_data
        return Shape(
            tuple(cleaned[who(name)] for name in self.seats),
            tuple(cleaned[name] for name in self.seats),
            cleaned["first_dealer"] - 1,
            cleaned["stake"],
            cleaned["currency"],
        )

    def seat_of(self, player: int) -> str:
        """The name of the field in which this player's name stands; of a valid form only."""
        return next(name for name in self.seats if self.cleaned_data[who(name)] == player)


def who(name: str) -> str:
    """The field that says whose name stands in this one."""
    return name.replace("player", "who")


def values_of(shape: Shape, seen: int) -> dict[str, Any]:
    """The form's fields for an evening of this shape."""
    values: dict[str, Any] = {"seen": seen, "first_dealer": shape.first_dealer + 1}
    for seat, (player, written) in enumerate(zip(shape.players, shape.names, strict=True), 1):
        name = f"player_{seat}"
        values |= {name: written, who(name): player}
    values["stake"] = "" if shape.stake is None else localize_input(shape.stake.normalize() + 0)
    values["currency"] = shape.currency or CURRENCY_OFFERED
    return values
