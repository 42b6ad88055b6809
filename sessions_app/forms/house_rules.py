"""The part of a new evening's form that chooses the game and its house rules: by profiles and by controls."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from scorekeeper.games import DEFAULT, GAMES
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidRules
from scorekeeper.games.house_rules import Switch
from sessions_app.base_forms import BoundedForm
from sessions_app.faces import FACES, house_rules
from sessions_app.faces.house_words import HouseWords
from sessions_app.models import Evening
from sessions_app.readers.people.circles import SavedProfile
from sessions_app.words.wording import Words, whole_number

#: A control with more choices is a drop-down list.
IN_SIGHT: Final = 6


@dataclass(frozen=True, slots=True)
class Control:
    """A switch as the form shows it, with its current `value`, '' for the book's number.

    An invalid number stays as it was typed. `usual` are the numbers offered as buttons, `unsaid` is the one that counts
    if none is given.
    """

    name: str
    label: Words
    explanation: Words
    choices: tuple[tuple[str, Any], ...]
    value: str
    errors: tuple[str, ...]
    usual: tuple[str, ...] = ()
    unsaid: str = ""

    @property
    def is_list(self) -> bool:
        return len(self.choices) > IN_SIGHT

    @property
    def typed(self) -> str:
        """The current number, '' if it has a button."""
        return "" if self.value in self.usual else self.value


@dataclass(frozen=True, slots=True)
class Profile:
    """Named house rules, chosen as a whole: the game's, or the circle's own."""

    key: str
    name: Words
    explanation: Words
    rules: Any
    is_own: bool = False


class HouseRulesForm(BoundedForm):
    """The `game` and its house rules: a field for each switch, or one line `rules`, which wins.

    A switch without a value is as in `profile`, or as in the book if the game has no profiles. Values posted while
    another game was shown (`shown_game`) are dropped, since its rules may have the same names. A switch that every
    circle sets has a field of its own name, which counts unless the line names it. If the profile is not the one that
    was shown (`shown_profile`), only the values changed since (`shown_rules`) are kept.

    `own` finds the circle's profiles for a game when they are needed. `line` is the one spelling of valid rules.
    """

    game = forms.CharField(required=False, error_messages={"max_length": _("Choose one of the games offered.")})
    shown_game = forms.CharField(required=False, widget=forms.HiddenInput)
    profile = forms.CharField(required=False)
    shown_profile = forms.CharField(required=False, widget=forms.HiddenInput)
    shown_rules = forms.CharField(required=False, widget=forms.HiddenInput)
    rules = forms.CharField(
        required=False,
        max_length=Evening._meta.get_field("rules").max_length,
        error_messages={"max_length": _("A line of house rules has at most %(limit_value)s characters.")},
    )

    def __init__(self, *args: Any, own: Callable[[str], Sequence[SavedProfile]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._find_own = own
        self.game_key = self._given("game") if self._given("game") in GAMES else DEFAULT
        for switch in self.switches:
            for name in self._names_of(switch):
                self.fields[name] = forms.CharField(required=False)

    @property
    def playing(self) -> Game[Any, Any, Any]:
        return GAMES[self.game_key]

    @property
    def switches(self) -> tuple[Switch, ...]:
        return self.playing.SWITCHES

    @property
    def words(self) -> HouseWords:
        return FACES[self.game_key].house_words

    def field_of(self, switch: Switch) -> str:
        return switch.name if self.words.switches[switch.name].usual else f"rules_{switch.name}"

    def _names_of(self, switch: Switch) -> tuple[str, ...]:
        """Return the fields of a switch: a number may be tapped or typed."""
        name = self.field_of(switch)
        return (name, f"{name}_typed") if self.words.switches[switch.name].usual else (name,)

    @property
    def games(self) -> tuple[tuple[str, Words], ...]:
        """The games to choose from; empty if there is only one."""
        return tuple((key, FACES[key].name) for key in GAMES) if len(GAMES) > 1 else ()

    @property
    def is_of_another(self) -> bool:
        """True if another game was chosen since its house rules were shown."""
        return self._given("shown_game") not in ("", self.game_key)

    @property
    def line(self) -> str:
        """The house rules in their one spelling; of a valid form only."""
        return self.playing.rules_to_text(self.playing.rules_from_text(self._said()))

    def clean_game(self) -> str:
        if self.cleaned_data["game"] not in ("", *GAMES):
            raise forms.ValidationError(_("Choose one of the games offered."), code="invalid_choice")
        return self.game_key

    def check_house(self) -> None:
        """Add the errors of the house rules, beside the line or else beside each control.

        The controls are checked together, since the values allowed in one may depend on another.
        """
        if "rules" in self.errors:
            return
        typed = self._given("rules")
        is_gone = self._profile is None and not self.is_of_another and bool(self._given("profile"))
        if is_gone and not typed:
            gone = _("These saved rules no longer exist: choose others.")
            self.add_error("profile", forms.ValidationError(gone, code="profile_gone"))
            return
        try:
            self.playing.rules_from_text(self._said())
        except InvalidRules as refused:
            controls = {each.name: self.field_of(each) for each in self.switches}
            beside = {each: each for each in self._beside_the_line()} if typed else controls
            too_long = {
                each.name
                for each in self.switches
                if any(self.has_error(name, "max_length") for name in self._names_of(each))
            }
            for name, message in refused.errors.items():
                field, sentence = beside.get(name, "rules"), house_rules.refusal(self.game_key, name, message)
                if name not in too_long and sentence not in self.errors.get(field, ()):
                    self.add_error(field, forms.ValidationError(sentence, code=message.code))

    # --- Profiles ---

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """The profiles to choose from, the circle's own first; empty if there is only the book."""
        found = (*self._own.values(), *self._of_game.values())
        return found if len(found) > 1 else ()

    @cached_property
    def chosen(self) -> Profile:
        """The profile that the current rules are compared with.

        It is the posted one, even if every control was changed since. Without one, or if a line wins, it is the one
        with the fewest differences, of several the posted one.
        """
        if self._profile and not self._line_wins:
            return self._profile
        rules, given = self._standing, self._profile
        profiles = self.profiles or tuple(self._of_game.values())
        return min(profiles, key=lambda one: (len(self.playing.differences(rules, one.rules)), one is not given))

    @property
    def said(self) -> house_rules.RulesDescription:
        """The current rules in words, compared with the chosen profile."""
        rules = self._standing
        return house_rules.RulesDescription(
            str(self.chosen.name) if self.chosen.is_own or self.chosen.rules != self._book else "",
            house_rules.fixed(self.game_key, rules),
            house_rules.changes(self.game_key, rules, self.chosen.rules),
            self.differing,
        )

    @property
    def shown_line(self) -> str:
        """The current rules as a line, which the form posts as `shown_rules`."""
        return self.playing.rules_to_text(self._standing)

    def taken_over(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Return the form's fields with the values of its profile in the controls.

        The switches that every circle sets keep their values, unless the profile is the circle's own.
        """
        if self._profile is None:
            return dict(fields)
        values = house_rules.values_of(self.game_key, self._profile.rules)
        stay = () if self._profile.is_own else self._fixed_names
        taken = {self.field_of(switch): values[switch.name] for switch in self.switches if switch.name not in stay}
        dropped = ("rules", "shown_profile", "shown_rules")
        return {name: value for name, value in fields.items() if name not in dropped} | taken

    def without_rules(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Return the form's fields without all that says house rules."""
        switches = (name for switch in self.switches for name in self._names_of(switch))
        dropped = {"rules", "profile", "shown_profile", "shown_rules", *switches}
        return {name: value for name, value in fields.items() if name not in dropped}

    # --- Shown values ---

    @property
    def differing(self) -> tuple[str, ...]:
        """The differences of the current rules from the book, in words, without invalid values."""
        return house_rules.differing(self.game_key, self._standing)

    @property
    def typed(self) -> str:
        """The typed line while it is invalid; the controls show a valid one."""
        return "" if self._line_wins else self._given("rules")

    @property
    def asks_profile_first(self) -> bool:
        """True if the profiles are above the folded rules."""
        return self.words.asks_profile_first and bool(self.profiles)

    @property
    def has_house_errors(self) -> bool:
        return any(name in ("rules", "profile", "keep_as") or name.startswith("rules_") for name in self.errors)

    @property
    def controls(self) -> tuple[Control, ...]:
        return tuple(self._controls.values())

    @property
    def fixed(self) -> tuple[Control, ...]:
        """The controls that every circle sets, shown first."""
        return tuple(control for control in self.controls if control.usual)

    @property
    def groups(self) -> list[dict[str, Any]]:
        """All other controls under their headings, '' for none, and how many of them differ from the profile."""
        changed = {each.switch for each in self.playing.differences(self._standing, self.chosen.rules)}
        asked: dict[Words, dict[str, Control]] = {}
        for name, control in self._controls.items():
            if not control.usual:
                asked.setdefault(self.words.switches[name].group, {})[name] = control
        return [
            {
                "heading": heading,
                "controls": controls.values(),
                "changed": len(changed & controls.keys()),
                "has_errors": any(control.errors for control in controls.values()),
            }
            for heading, controls in asked.items()
        ]

    @cached_property
    def _controls(self) -> dict[str, Control]:
        """The controls by switch, without switches of one value."""
        standing = house_rules.values_of(self.game_key, self._standing)
        given = {} if self._line_wins else self._chosen_values()
        return {
            switch.name: self._control(switch, given.get(switch.name, ""), standing[switch.name])
            for switch in self.switches
            if len(switch.values) != 1
        }

    def _control(self, switch: Switch, given: str, standing: str) -> Control:
        name, words = self.field_of(switch), self.words.switches[switch.name]
        errors = tuple(str(error) for each in self._names_of(switch) for error in self.errors.get(each, ()))
        value = given or standing
        if words.values and value not in words.values:
            value = standing
        elif not (given or words.values or self.words.profiles) and value == switch.book:
            value = ""
        choices, unsaid = tuple(words.values.items()), house_rules.values_of(self.game_key, self._base)[switch.name]
        return Control(name, words.label, words.explanation, choices, value, errors, words.usual, unsaid)

    # --- Posted values ---

    @property
    def _book(self) -> Any:
        return next(iter(self.playing.PROFILES.values()))

    @property
    def _of_game(self) -> Mapping[str, Profile]:
        """The game's profiles by key, the book's first; the book's alone if the game has no words for profiles."""
        rules, named = self.playing.PROFILES, self.words.profiles
        if not named:
            key = next(iter(rules))
            return {key: Profile(key, _("By the book"), "", rules[key])}
        return {key: Profile(key, each.name, each.explanation, rules[key]) for key, each in named.items()}

    @cached_property
    def _own(self) -> Mapping[str, Profile]:
        """The circle's readable profiles by key, each explained by its differences from the book."""
        found = {}
        for each in self._find_own(self.game_key) if self._find_own else ():
            if each.rules is not None:
                key = f"own:{each.id}"  # no key of a game's profile
                explanation = house_rules.describe(self.game_key, each.rules).line or _("As in the book.")
                found[key] = Profile(key, each.name, explanation, each.rules, is_own=True)
        return found

    @cached_property
    def _profile(self) -> Profile | None:
        """The posted profile. The circle's own are queried only if the game has none of that key."""
        key = "" if self.is_of_another else self._given("profile")
        return (self._of_game.get(key) or self._own.get(key)) if key else None

    @property
    def _is_taken(self) -> bool:
        """True if the profile was chosen after the controls were shown, which have the values of another."""
        return self._profile is not None and self._given("shown_profile") not in ("", self._profile.key)

    @property
    def _base(self) -> Any:
        """The rules that supply the values missing in the controls."""
        if self._profile and (self.words.profiles or self._is_taken):
            return self._profile.rules
        return self._book

    def _chosen_values(self) -> dict[str, str]:
        """Return the values of the controls by switch, without empty ones."""
        if self.is_of_another:
            return {}
        given = {switch.name: self._value_of(switch) for switch in self.switches}
        if self._is_taken:
            shown = house_rules.values_of(self.game_key, self._read(self._given("shown_rules")) or self._book)
            stay = () if self._profile and self._profile.is_own else self._fixed_names
            given = {name: value for name, value in given.items() if name in stay or value != shown[name]}
        return {name: value for name, value in given.items() if value}

    def _value_of(self, switch: Switch) -> str:
        field = self.field_of(switch)
        value = self._given(field) or (self._given(f"{field}_typed") if switch.name in self._fixed_names else "")
        number = whole_number(value)  # people type leading zeros
        return value if number is None else str(number)

    @property
    def _fixed_names(self) -> tuple[str, ...]:
        return tuple(name for name, words in self.words.switches.items() if words.usual)

    def _beside_the_line(self) -> dict[str, str]:
        """Return the switches that every circle sets and the line does not name, without fields of another game."""
        said = {word.partition("=")[0] for word in self._given("rules").split()}
        shown = FACES.get(self._given("shown_game"))
        others = {name for name, words in shown.house_words.switches.items() if words.usual} if shown else set()
        meant = set(self._fixed_names) - said - (others if self.is_of_another else set())
        values = {switch.name: self._value_of(switch) for switch in self.switches if switch.name in meant}
        return {name: value for name, value in values.items() if value}

    def _said(self) -> str:
        """Return the line of all posted rules together."""
        if typed := self._given("rules"):
            return " ".join((typed, _line(self._beside_the_line())))
        return self._with_base(self._chosen_values())

    def _with_base(self, values: Mapping[str, str]) -> str:
        base = {each.switch: each.value for each in self.playing.differences(self._base)}
        return _line(base | dict(values))

    @property
    def _line_wins(self) -> bool:
        return bool(self._given("rules")) and self._read(self._said()) is not None

    @cached_property
    def _standing(self) -> Any:
        """The current rules, without invalid values."""
        if self._line_wins:
            return self._read(self._said())
        values = self._chosen_values()
        while True:
            try:
                return self.playing.rules_from_text(self._with_base(values))
            except InvalidRules as refused:
                rest = {name: value for name, value in values.items() if name not in refused.errors}
                values = rest if len(rest) < len(values) else {}

    def _read(self, line: str) -> Any:
        """Return the rules of a line, None if it is invalid."""
        try:
            return self.playing.rules_from_text(line)
        except InvalidRules:
            return None


def _line(values: Mapping[str, str]) -> str:
    """Return these values as a line. Spaces become underscores, so that a value of several words stays one."""
    return " ".join(f"{name}={'_'.join(value.split())}" for name, value in values.items())
