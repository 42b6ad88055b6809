"""The form of a new evening: players, seats, stake, chips and house rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.text.names import name_key
from sessions_app.forms.evening_circle import EveningCircleForm
from sessions_app.forms.fields import NameField, TokenField
from sessions_app.forms.house_rules import HouseRulesForm
from sessions_app.forms.stake import StakeForm
from sessions_app.readers.evening.lineup import deals_right
from sessions_app.words.parsing import KEY_DIGITS, whole_number
from sessions_app.writers.evenings import Opening

IN_CHIPS = "yes"


class SeatsForm(StakeForm):
    """The players in the order of their seats, the first dealer, the stake, and chips where the game pays per hand."""

    token = TokenField(widget=forms.HiddenInput, required=False)
    player_1 = NameField(label=_("First player"))
    player_2 = NameField(label=_("Second player"))
    player_3 = NameField(label=_("Third player"))
    # A phone has no room for a longer placeholder.
    player_4 = NameField(label=_("Fourth player"), widget=forms.TextInput({"placeholder": _("Fourth (if any)")}))
    player_5 = NameField(label=_("Fifth player"), widget=forms.TextInput({"placeholder": _("Fifth (if any)")}))
    first_dealer = forms.TypedChoiceField(
        label=_("Deals first"),
        coerce=int,
        choices=[(str(n), "") for n in range(1, 6)],
        error_messages={"required": _("Who deals first?"), "invalid_choice": _("Nobody sits there.")},
    )

    in_chips = forms.ChoiceField(
        label=pgettext_lazy("chips", "Paid"),
        required=False,
        choices=[
            ("", pgettext_lazy("paid", "at the end")),
            (IN_CHIPS, pgettext_lazy("paid", "in chips")),
        ],
        error_messages={"invalid_choice": _("Choose one of the two ways.")},
    )

    PLAYERS: tuple[str, ...] = ("player_1", "player_2", "player_3", "player_4", "player_5")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.PLAYERS:
            self.fields[name].error_messages["required"] = _("Enter a name.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self._check_names(cleaned)
        dealer = f"player_{cleaned.get('first_dealer')}"
        if dealer in self.PLAYERS and not (cleaned.get(dealer) or self.fields[dealer].required):
            self.add_error("first_dealer", _("Nobody sits there."))
        return cleaned

    def _check_names(self, cleaned: dict[str, Any]) -> None:
        seen: set[str] = set()
        for name in self.PLAYERS:
            written = name_key(cleaned.get(name, ""))
            if written and written in seen:
                self.add_error(name, _("Two players cannot have the same name: add a letter to one."))
            seen.add(written)


class NewEveningForm(SeatsForm, HouseRulesForm, EveningCircleForm):
    """A new evening: its circle, players and stake, the game and its house rules, and a name to save these under."""

    keep_as = NameField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.most = max(self.playing.seat_counts)
        if not self.playing.pays_per_hand:
            del self.fields["in_chips"]
        for name in self.PLAYERS[min(self.playing.seat_counts) :]:
            self.fields[name].required = False
        self.fields["first_dealer"].choices = [(str(n), "") for n in range(1, self.most + 1)]  # type: ignore[attr-defined]

    def seat_named(self, name: str) -> str:
        """Return the field that has this name; of a valid form only."""
        return next(field for field in self.PLAYERS if self.cleaned_data[field] == name)

    @property
    def offered(self) -> tuple[str, ...]:
        """The fields of the game's seats, and of any other seat that has a name in it."""
        return tuple(name for name in self.PLAYERS if self._has(name) or str(self[name].value() or "").strip())

    @property
    def after(self) -> int | None:
        """The id of the evening that the form was opened from, as posted: the caller must check access."""
        return whole_number(self._given("after"), KEY_DIGITS)

    @property
    def is_in_chips(self) -> bool:
        """True if chips are chosen, and offered."""
        return "in_chips" in self.fields and self["in_chips"].value() == IN_CHIPS

    @property
    def deals_right(self) -> bool:
        return deals_right(self.playing)

    @property
    def players(self) -> tuple[forms.BoundField, ...]:
        return tuple(self[name] for name in self.offered)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.check_house()
        for name in self.PLAYERS:
            if cleaned.get(name) and not self._has(name):
                self.add_error(name, _("Too many players for this game."))
        if not any(name in self.errors for name in self.PLAYERS):
            self._check_count([name for name in self.PLAYERS if cleaned[name]])
        return cleaned

    def _check_count(self, taken: list[str]) -> None:
        """Add an error if the game cannot be played by so many: some are for three or five, not four."""
        if len(taken) not in self.playing.seat_counts:
            self.add_error(taken[-1], _("Too many players for this game."))

    @property
    def names(self) -> list[str]:
        """The players' names in the order of their seats; of a valid form only."""
        return [self.cleaned_data[name] for name in self.PLAYERS if self.cleaned_data[name]]

    @property
    def opening(self) -> Opening:
        """The argument of `evenings.start`; of a valid form only."""
        cleaned = self.cleaned_data
        taken = [name for name in self.PLAYERS if cleaned[name]]
        return Opening(
            self.names,
            taken.index(f"player_{cleaned['first_dealer']}"),
            cleaned["stake"],
            cleaned["currency"],
            self.game_key,
            self.line,
            cleaned["keep_as"],
            cleaned.get("in_chips") == IN_CHIPS,
        )

    def _has(self, name: str) -> bool:
        return self.PLAYERS.index(name) < self.most
