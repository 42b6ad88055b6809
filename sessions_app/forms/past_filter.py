"""The form that filters past evenings, and the addresses of its pages."""

from collections.abc import Hashable, Mapping, Sequence
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.text.names import words_of
from sessions_app.bounded_form import USUAL
from sessions_app.faces import FACES
from sessions_app.forms.fields import DayField, DaysForm, LineField
from sessions_app.readers.book.lists import Cursor, Filter, State
from sessions_app.readers.people.circles import CircleChoice, open_ones

#: Each word is looked for in every text, so their number is bounded.
MOST_WORDS: Final = 8


class CursorField(DayField):
    """A cursor, as the links of the pages write it, or a day to jump to."""

    def to_python(self, value: Any) -> date | None:
        return None if Cursor.from_text(value or "") else super().to_python(value)

    def clean(self, value: Any) -> Cursor | None:
        day = super().clean(value)
        return Cursor.after_day(day) if day else Cursor.from_text(value or "")


class PastFilterForm(DaysForm):
    """Words, circle, game, player, days, state, and the cursor of the page: those of the address.

    `circles` are the user's own; closed ones are searched only when they are chosen. Players are offered of one
    circle: the chosen one, the player's, or the only one.
    """

    day_names = ("from", "to", "after")

    q = LineField(label=_("Search"), max_length=USUAL, required=False)
    circle = forms.ChoiceField(
        label=_("Circle"), required=False, error_messages={"invalid_choice": _("Choose one of your circles.")}
    )
    game = forms.ChoiceField(
        label=_("Game"), required=False, error_messages={"invalid_choice": _("Choose one of the games offered.")}
    )
    player = forms.ChoiceField(
        label=_("Player"), required=False, error_messages={"invalid_choice": _("Choose one of the players offered.")}
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            (State.ENDED.value, pgettext_lazy("sessions", "ended")),
            (State.RUNNING.value, pgettext_lazy("sessions", "running")),
            (State.ALL.value, pgettext_lazy("sessions", "ended and running")),
        ],
        error_messages={"invalid_choice": _("Choose one of the states offered.")},
    )
    after = CursorField(label=_("Jump to a date"))
    before = CursorField(widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, str], *, circles: Sequence[CircleChoice]) -> None:
        # An old address may have the number of a name that was merged since: filter by the person.
        super().__init__(dict(data.items()) | {"player": _person(circles, data.get("player", ""))})
        self.circles = circles
        self.chosen_circle = _chosen_circle(circles, self.data.get("circle", ""), self.data.get("player", ""))
        choices = {
            "circle": [
                (str(each.id), _("%(circle)s (archived)") % {"circle": each.name} if each.is_closed else each.name)
                for each in sorted(circles, key=lambda circle: circle.is_closed)
            ],
            "game": [(face.key, str(face.name)) for face in FACES.values()],
            "player": [(str(pk), name) for pk, name in (self.chosen_circle.players if self.chosen_circle else ())],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]

    def clean_q(self) -> str:
        written: str = self.cleaned_data["q"]
        self.words = words_of(written)
        if len(self.words) > MOST_WORDS:
            raise ValidationError(_("Search for at most %(most)s words."), params={"most": MOST_WORDS})
        return written

    @property
    def wanted(self) -> Filter:
        """The evenings that the valid form asks for."""
        cleaned = self.cleaned_data
        return Filter(
            self.words,
            cleaned["game"],
            int(cleaned["player"]) if cleaned["player"] else None,
            cleaned["from"],
            cleaned["to"],
            State(cleaned["state"] or State.ENDED),
        )

    @property
    def searched(self) -> Sequence[CircleChoice]:
        """The circles that the valid form asks for; a player is of one alone."""
        is_chosen = self.cleaned_data["circle"] or self.cleaned_data["player"]
        return [self.chosen_circle] if is_chosen and self.chosen_circle else open_ones(self.circles)

    @property
    def has_folded_errors(self) -> bool:
        return bool(self.errors.keys() - {"q", "before"})

    @property
    def shown(self) -> tuple[Hashable, ...]:
        """All that the drawn fields of the valid form show."""
        offered = (tuple(self.fields[name].choices) for name in ("circle", "player"))  # type: ignore[attr-defined]
        return (*offered, *(self.data.get(name, "") for name in self.fields))

    def query(self, *without: str, **changed: object) -> str:
        """Return the query of an address with the valid form's filters, `without` some, `changed` in others."""
        written = {name: _written(value) for name, value in self.cleaned_data.items() if name not in without}
        asked = written | {name: _written(value) for name, value in changed.items()}
        return urlencode({name: value for name, value in asked.items() if value})


def _person(circles: Sequence[CircleChoice], player: str) -> str:
    """Return the number of the person that a merged player is, any other text as it is."""
    return next((str(person) for each in circles for pk, person in each.merged.items() if str(pk) == player), player)


def _chosen_circle(circles: Sequence[CircleChoice], circle: str, player: str) -> CircleChoice | None:
    """Return the circle of this number, else that of this player, else the only one."""
    named = [each for each in circles if str(each.id) == circle]
    of_player = [each for each in circles if any(str(pk) == player for pk, _name in each.players)]
    return next(iter(named or of_player or (circles if len(circles) == 1 else [])), None)


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value or "")
