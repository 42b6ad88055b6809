"""The part of a new session that chooses the game and its house rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.games import DEFAULT, GAMES
from scorekeeper.games.base import Game, InvalidRules, Switch
from sessions_app.faces import FACES, house
from sessions_app.models import GameSession
from sessions_app.wording import Words


@dataclass(frozen=True, slots=True)
class Control:
    """A switch as the form shows it; `value` is the one it stands at, '' for a number the book has.

    A number that cannot be is kept as it was typed.
    """

    name: str
    label: Words
    explanation: Words
    choices: tuple[tuple[str, Any], ...]
    value: str
    errors: tuple[str, ...]


class HouseForm(forms.Form):
    """`game`, and its house rules: `rules_…` for each switch, or `rules`, the one line, which wins.

    What is left out is as in the book; so is what was chosen while another game was shown (`shown_game`), whose rules
    may go by the same names. `line` is the rules' one spelling, once the form is valid.
    """

    LONGEST = GameSession._meta.get_field("rules").max_length

    game = forms.CharField(required=False)
    shown_game = forms.CharField(required=False)
    rules = forms.CharField(
        required=False,
        max_length=LONGEST,
        error_messages={"max_length": _("A line of house rules has at most %(limit_value)s characters.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game_key = self._given("game") if self._given("game") in GAMES else DEFAULT
        for switch in self.switches:
            self.fields[field_of(switch)] = forms.CharField(required=False)

    @property
    def playing(self) -> Game[Any, Any, Any]:
        return GAMES[self.game_key]

    @property
    def switches(self) -> tuple[Switch, ...]:
        return self.playing.SWITCHES

    @property
    def games(self) -> tuple[tuple[str, Words], ...]:
        """The games to choose from; none where there is no choice."""
        return tuple((key, FACES[key].name) for key in GAMES) if len(GAMES) > 1 else ()

    @property
    def is_of_another(self) -> bool:
        """Whether another game was chosen since its house rules were shown."""
        return self._given("shown_game") not in ("", self.game_key)

    @property
    def line(self) -> str:
        """The house rules in their one spelling; of a valid form only."""
        line: str = self.cleaned_data["rules"] or _line(self._values())
        return self.playing.rules_to_text(self.playing.rules_from_text(line))

    def clean_game(self) -> str:
        if self.cleaned_data["game"] not in ("", *GAMES):
            raise forms.ValidationError(_("This game is not among those offered."), code="invalid_choice")
        return self.game_key

    def check_house(self) -> None:
        """Say what cannot be of the house rules, beside the line or else beside each control.

        The controls are read as one line, for what one of them can be may hang on another.
        """
        if "rules" in self.errors:
            return
        typed = self.cleaned_data["rules"]
        try:
            self.playing.rules_from_text(typed or _line(self._values()))
        except InvalidRules as refused:
            beside = {} if typed else {switch.name: field_of(switch) for switch in self.switches}
            for name, message in refused.errors.items():
                field, sentence = beside.get(name, "rules"), house.refusal(self.game_key, name, message)
                if sentence not in self.errors.get(field, ()):
                    self.add_error(field, forms.ValidationError(sentence, code=message.code))

    # --- What is shown ---

    @property
    def differing(self) -> tuple[str, ...]:
        """What stands there otherwise than in the book, in words; what cannot be is left out."""
        return house.differing(self.game_key, self._standing())

    @property
    def typed(self) -> str:
        """The line as long as it has to be mended; one that is well stands in the controls."""
        typed = self._given("rules")
        return typed if self._read(typed) is None else ""

    @property
    def has_house_errors(self) -> bool:
        return any(name == "rules" or name.startswith("rules_") for name in self.errors)

    @property
    def controls(self) -> tuple[Control, ...]:
        given = self._values()
        if self._line_wins:
            differing = {each.switch: each.value for each in self.playing.differences(self._standing())}
            given = {switch: differing[switch.name] for switch in self.switches if switch.name in differing}
        # One value is no choice.
        asked = (switch for switch in self.switches if len(switch.values) != 1)
        return tuple(self._control(switch, given.get(switch, "")) for switch in asked)

    def _control(self, switch: Switch, value: str) -> Control:
        name, words = field_of(switch), FACES[self.game_key].house_words.switches[switch.name]
        errors = tuple(map(str, self.errors.get(name, ())))
        if words.values and value not in words.values:
            value = self._of_book(switch, words.values)
        return Control(name, words.label, words.explanation, tuple(words.values.items()), value, errors)

    def _of_book(self, switch: Switch, values: Iterable[str]) -> str:
        """The book's among these values, '' if there are none."""
        read = ((value, self._read(_line({switch: value}))) for value in values)
        return next((value for value, rules in read if rules is not None and not self.playing.differences(rules)), "")

    # --- What was given ---

    def _given(self, name: str) -> str:
        """What was posted, or else what the form began with."""
        source: Mapping[str, Any] = self.data if self.is_bound else self.initial
        return str(source.get(name) or "").strip()

    def _values(self) -> dict[Switch, str]:
        """What the controls say, as it is written; what they leave to the book is not there."""
        if self.is_of_another:
            return {}
        given = {switch: self._given(field_of(switch)) for switch in self.switches}
        return {switch: _number(value) for switch, value in given.items() if value}

    @property
    def _line_wins(self) -> bool:
        typed = self._given("rules")
        return bool(typed) and self._read(typed) is not None

    def _standing(self) -> Any:
        """The rules as they stand there, as far as they can be."""
        if self._line_wins:
            return self._read(self._given("rules"))
        values = self._values()
        while True:
            try:
                return self.playing.rules_from_text(_line(values))
            except InvalidRules as refused:
                rest = {switch: value for switch, value in values.items() if switch.name not in refused.errors}
                values = rest if len(rest) < len(values) else {}

    def _read(self, line: str) -> Any:
        """The rules by this line, None where it cannot be."""
        try:
            return self.playing.rules_from_text(line)
        except InvalidRules:
            return None


def field_of(switch: Switch) -> str:
    return f"rules_{switch.name}"


def _line(values: Mapping[Switch, str]) -> str:
    """The line that these come to; a value of several words is none, whatever they would say there."""
    return " ".join(f"{switch.name}={'_'.join(value.split())}" for switch, value in values.items())


def _number(value: str) -> str:
    """A number as it is written: people put noughts before it."""
    return str(int(value)) if value.isascii() and value.isdigit() and len(value) < 10 else value
