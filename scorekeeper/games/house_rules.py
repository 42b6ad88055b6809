"""House rules as one line of text: `profile switch=value`, a profile's key and the differences from it.

The rules of a game are a frozen dataclass with the book's values as defaults. Each field is made by `one_of`, `yes_no`
or `number`, which define its text. Every set of rules has one spelling; '' is the book.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, NamedTuple, cast

from scorekeeper.games.errors import InvalidRules, Message

_WRITTEN: Final = "written"


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule: its name, and its possible values as text; for a number none, but its lowest and highest.

    `book` is the value in the book, as text.
    """

    name: str
    values: tuple[str, ...]
    low: int = 0
    high: int = 0
    book: str = ""


class Difference(NamedTuple):
    """A switch whose value differs between two sets of rules, with both values as text."""

    switch: str
    value: str
    base: str


def one_of[Value](**values: Value) -> Value:
    """Make a switch with a few values, by their words; the book's value first."""
    return field(default=next(iter(values.values())), metadata={_WRITTEN: _Values(values)})


def yes_no(default: bool) -> bool:
    """Make a switch that is written `yes` or `no`."""
    return one_of(yes=True, no=False) if default else one_of(no=False, yes=True)


def number(default: int, low: int, high: int) -> int:
    """Make a switch that is a whole number from `low` to `high`."""
    return field(default=default, metadata={_WRITTEN: _Values({}, low, high)})


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a switch by their words; without any it is a whole number from `low` to `high`."""

    words: Mapping[str, Any]
    low: int = 0
    high: int = 0

    def read(self, text: str) -> Any:
        """Return the value, or None for any other text."""
        if self.words:
            return self.words.get(text)
        # One spelling only, and no longer than the highest: int() of a very long text is slow.
        written = text.isascii() and text.isdigit() and len(text) <= len(str(self.high)) and str(int(text)) == text
        return int(text) if written and self.low <= int(text) <= self.high else None

    def write(self, value: Any) -> str:
        return next(text for text, meant in self.words.items() if meant == value) if self.words else str(value)


class HouseRules[Rules]:
    """The profiles and switches of one game's house rules, and their text; `profiles` by key, the book's first."""

    def __init__(self, profiles: Mapping[str, Rules]) -> None:
        self.profiles = profiles
        self._book = next(iter(profiles.values()))
        self._written: dict[str, _Values] = {
            each.name: each.metadata[_WRITTEN] for each in fields(cast(Any, self._book))
        }
        self.switches: tuple[Switch, ...] = tuple(
            Switch(name, tuple(written.words), written.low, written.high, self._text(name, self._book))
            for name, written in self._written.items()
        )

    def read(self, text: str) -> Rules:
        """Read the text. Raise InvalidRules.

        Its codes: `unknown_profile` (profile) under "", and by switch `unknown_switch`, `unknown_value` (value) and
        `twice`.
        """
        words = text.split()
        rules = self._book
        if words and "=" not in words[0]:
            profile = words.pop(0)
            if profile not in self.profiles:
                raise InvalidRules({"": Message("unknown_profile", {"profile": profile})})
            rules = self.profiles[profile]
        changed: dict[str, Any] = {}
        errors: dict[str, Message] = {}
        for word in words:
            name, _equals, value = word.partition("=")
            error = self._error(name, value, changed)
            if error:
                errors[name] = error
            else:
                changed[name] = self._written[name].read(value)
        if errors:
            raise InvalidRules(errors)
        return cast(Rules, replace(cast(Any, rules), **changed))

    def write(self, rules: Rules) -> str:
        """Write the text by the profile with the fewest differences; of several the first."""
        by_profile = [(key, self._differing(profile, rules)) for key, profile in self.profiles.items()]
        key, differing = min(by_profile, key=lambda each: len(each[1]))
        named = [] if self.profiles[key] is self._book else [key]
        return " ".join([*named, *(f"{each.switch}={each.value}" for each in differing)])

    def differences(self, rules: Rules, base: Rules | None = None) -> tuple[Difference, ...]:
        """Return the differences from `base`, or from the book if that is None, in the order of the switches."""
        return self._differing(self._book if base is None else base, rules)

    def _error(self, name: str, value: str, known: Mapping[str, Any]) -> Message | None:
        if name not in self._written:
            return Message("unknown_switch", {"switch": name})
        if name in known:
            return Message("twice", {"switch": name})
        if self._written[name].read(value) is None:
            return Message("unknown_value", {"switch": name, "value": value})
        return None

    def _differing(self, base: Rules, rules: Rules) -> tuple[Difference, ...]:
        return tuple(
            Difference(name, self._text(name, rules), self._text(name, base))
            for name in self._written
            if getattr(rules, name) != getattr(base, name)
        )

    def _text(self, name: str, rules: Rules) -> str:
        return self._written[name].write(getattr(rules, name))
