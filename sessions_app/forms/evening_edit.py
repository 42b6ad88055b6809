"""The form that edits an evening: its players' names and seats, the stake, chips, title and note."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import localize_input
from django.utils.translation import gettext_lazy as _

from sessions_app.bounded_form import OUT_OF_DATE
from sessions_app.forms.evening_new import IN_CHIPS, SeatsForm
from sessions_app.forms.fields import LineField, NameField, NoteField
from sessions_app.models import NOTE_LENGTH, TITLE_LENGTH
from sessions_app.readers.evening.edit import Shape
from sessions_app.words.money import offered_currencies


class EveningEditForm(SeatsForm):
    """Edit the names, seats, stake, title and note of an evening; and the chips, if its game pays per hand.

    `who_1` … are the ids of the players named in `player_1` ….
    `seen` is the latest entry of the evening's history that the form was opened with. `shape` is the evening as the
    valid form describes it.
    """

    seen = forms.IntegerField(required=False, min_value=0, max_value=2**62, widget=forms.HiddenInput)
    title = LineField(label=_("Title"), max_length=TITLE_LENGTH, required=False)
    note = NoteField(label=_("Note"), max_length=NOTE_LENGTH, required=False)

    def __init__(self, *args: Any, seats: int, pays_per_hand: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["token"]
        if not pays_per_hand:
            del self.fields["in_chips"]
        # Players who went home keep their seats, so an evening may have more than a table does.
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
            cleaned["title"],
            cleaned["note"],
            cleaned.get("in_chips") == IN_CHIPS,
        )

    def seat_of(self, player: int) -> str:
        """Return the field that has this player's name; of a valid form only."""
        return next(name for name in self.seats if self.cleaned_data[who(name)] == player)


def who(name: str) -> str:
    """Return the field with the player's id for this name field."""
    return name.replace("player", "who")


def values_of(shape: Shape, seen: int) -> dict[str, Any]:
    """Return the form's initial values for an evening of this shape."""
    values: dict[str, Any] = {"seen": seen, "first_dealer": shape.first_dealer + 1}
    for seat, (player, written) in enumerate(zip(shape.players, shape.names, strict=True), 1):
        name = f"player_{seat}"
        values |= {name: written, who(name): player}
    values["stake"] = "" if shape.stake is None else localize_input(shape.stake.normalize() + 0)
    values["currency"] = shape.currency or offered_currencies()[0]
    values |= {"title": shape.title, "note": shape.note, "in_chips": IN_CHIPS if shape.in_chips else ""}
    return values
