"""The form of a new session: who plays, in which order, for what."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from sessions_app.forms.house_rules import HouseForm
from sessions_app.forms.stake import StakeForm
from sessions_app.models import NAME_LENGTH
from sessions_app.readers.lineup import deals_right
from sessions_app.writers.evenings import Opening


class NameField(forms.CharField):
    """A player's name, 1–40 characters of any script, without what would disturb the line it stands in."""

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
        self.validators[0].message = self.error_messages["max_length"]  # type: ignore[attr-defined]

    def to_python(self, value: Any) -> str:
        return " ".join(unicodedata.normalize("NFC", super().to_python(value) or "").split())

    def validate(self, value: str) -> None:
        super().validate(value)
        # A zero width joiner (Cf) makes one emoji of several; what turns the direction of a whole line does not stay.
        if any(unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") or char in TURNING for char in value):
            raise ValidationError(self.error_messages["unprintable"], code="unprintable")
        if value and all(unicodedata.category(char)[0] in "ZCM" for char in value):
            raise ValidationError(self.error_messages["invisible"], code="invisible")


#: Unicode's embeddings, overrides and isolates (UAX #9).
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class TokenField(forms.UUIDField):
    """The token of a form; one that is none counts as missing, for it is not the user's to mend."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except ValidationError:
            return None


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


class SessionForm(SeatsForm, HouseForm):
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
        text = self._given("after")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None

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
