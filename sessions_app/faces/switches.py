"""What the words of a game's house rules are: for each switch, and for what the rules say of an evening's end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.games.base import Message
from sessions_app.wording import Words


@dataclass(frozen=True, slots=True)
class SwitchWords:
    """A switch as a house talks of it.

    `explanation` says in one line what it is and what the book has. `values` are the words of each value as it is
    written, in the order of the choices; none for a number that is typed. `differing` is a phrase for a value that is
    not the book's, as it stands in a list.
    """

    label: Words
    explanation: Words
    differing: Callable[[str], str]
    values: Mapping[str, Words] = field(default_factory=dict)


def _nothing(rules: Any, is_over: bool) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class HouseWords:
    """The words of a game's house rules.

    `refusal` is a sentence for what a house rule forbids, in a deal or of the other rules; `reminder` one for the end
    that was agreed on, by the names of the seats. `settled` is what it means by these rules that an evening is settled,
    at its end or before it; '' where a game has none of its own.
    """

    switches: Mapping[str, SwitchWords]
    refusal: Callable[[Message], str]
    reminder: Callable[[Message, Sequence[str]], str]
    settled: Callable[[Any, bool], str] = _nothing


@dataclass(frozen=True, slots=True)
class ProfileWords:
    """A profile of house rules as a house talks of it: its name, and a sentence that says what kind of game it is."""

    name: Words
    explanation: Words


def always(phrase: Words) -> Callable[[str], str]:
    """The phrase of a switch that has but one value besides the book's."""
    return lambda value: str(phrase)


def by_value(phrases: Mapping[str, Words]) -> Callable[[str], str]:
    """A phrase for each of the few values that are not the book's."""
    return lambda value: str(phrases[value])


def numbered(phrase: Words) -> Callable[[str], str]:
    """A phrase that says the value itself, as `%(number)s`."""
    return lambda value: str(phrase) % {"number": value}
