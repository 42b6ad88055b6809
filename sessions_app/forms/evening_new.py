"""The form of a new session: who plays, in which order, for what."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from sessions_app.forms.fields import NameField, TokenField
from sessions_app.forms.house_rules import HouseRulesForm
from sessions_app.forms.stake import StakeForm
from sessions_app.parsing import KEY_DIGITS, whole_number
from sessions_app.readers.lineup import deals_right
from sessions_app.writers.evenings import Opening


class SeatsForm(StakeForm):
    """Who plays, in which order, for what."""

    token = TokenField(widget=forms.HiddenInput, required=False)
    player_1 = NameField(label=_("First player"))
    player_2 = NameField(label=_("Second player"))
    player_3 = NameField(label=_("Third player"))
    # Where a game can do without, a phone has no room for more.
    player_4 = NameField(label=_("Fourth player"), widget=forms.TextInput({"placeholder": _("Fourth (if any)")}))
    player_5 = NameField(label=_("Fifth player"), widget=forms.TextInput({"placeholder": _("Fifth (if any)")}))
    first_dealer = forms.TypedChoiceField(
        label=_("Deals first"),
        coerce=int,
        choices=[(str(n), "") for n in range(1, 6)],
        error_messages={"required": _("Who deals first?"), "invalid_choice": _("Nobody sits there.")},
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
            written = cleaned.get(name, "").casefold()
            if written and written in seen:
                self.add_error(name, _("Two players cannot have the same name: add a letter to one."))
            seen.add(written)


class NewEveningForm(SeatsForm, HouseRulesForm):
    """A new session: besides who plays for what, the game and its house rules, and a name by which to keep these."""

    keep_as = NameField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.most = max(self.playing.seat_counts)
        for name in self.PLAYERS[min(self.playing.seat_counts) :]:
            self.fields[name].required = False
        self.fields["first_dealer"].choices = [(str(n), "") for n in range(1, self.most + 1)]  # type: ignore[attr-defined]

    @property
    def offered(self) -> tuple[str, ...]:
        """The seats that the game has, and one that it has not where somebody was put."""
        return tuple(name for name in self.PLAYERS if self._has(name) or str(self[name].value() or "").strip())

    @property
    def after(self) -> int | None:
        """The evening from which the form was opened, as it says itself; whose that is must be asked elsewhere."""
        return whole_number(self._given("after"), KEY_DIGITS)

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
        """There are games for three or five that four cannot play."""
        if len(taken) not in self.playing.seat_counts:
            self.add_error(taken[-1], _("Too many players for this game."))

    @property
    def opening(self) -> Opening:
        """What `evenings.start` takes; for a valid form only."""
        cleaned = self.cleaned_data
        taken = [name for name in self.PLAYERS if cleaned[name]]
        names, dealer = [cleaned[name] for name in taken], taken.index(f"player_{cleaned['first_dealer']}")
        return Opening(
            names, dealer, cleaned["stake"], cleaned["currency"], self.game_key, self.line, cleaned["keep_as"]
        )

    def _has(self, name: str) -> bool:
        return self.PLAYERS.index(name) < self.most
