"""The types of the words of a game's house rules: of each switch and profile, and of messages by the rules."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scorekeeper.games.errors import Message
from scorekeeper.games.house_rules import Difference
from sessions_app.words.wording import Words


@dataclass(frozen=True, slots=True)
class SwitchWords:
    """The words of a switch.

    `explanation` describes it and the book's value in one line. `values` are the words of each value as the game writes
    it, in the order of the choices; empty for a number that is typed. `differing` returns a phrase for a value that is
    not the book's, as part of a list. `group` is the heading under which the switch is folded, '' for none. `usual` are
    values that are offered first: every circle chooses one of them under any profile. `idle_at` is another switch and a
    value of it, not the book's, with which this switch makes no difference.
    """

    label: Words
    explanation: Words
    differing: Callable[[str], str]
    values: Mapping[str, Words] = field(default_factory=dict)
    group: Words = ""
    usual: tuple[str, ...] = ()
    idle_at: tuple[str, str] | None = None

    def as_in_book(self, value: str) -> str:
        """Return a phrase for the book's value, for a comparison with a profile that has another."""
        rule = {"rule": self.label, "value": self.values.get(value, value)}
        return _("%(rule)s: %(value)s") % rule if self.values else _("%(rule)s: as in the book") % rule


@dataclass(frozen=True, slots=True)
class ProfileWords:
    """The words of a profile of house rules: its name, and a sentence on the kind of game."""

    name: Words
    explanation: Words


class NextHand(NamedTuple):
    """The effect of earlier hands on the next one: as a mark, '×2', and in words, '×2, three deals left'."""

    mark: str
    words: str


def _no_note(message: Message) -> NextHand:
    return NextHand("", "")


def _no_words(message: Message, names: Sequence[str]) -> str:
    return ""


def _nothing(rules: Any, is_over: bool) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class HouseWords:
    """The words of a game's house rules.

    `refusal` returns a sentence for a deal or a rule that a house rule forbids; `reminder`, with the names by seat, a
    sentence for the agreed end; `objection`, with these names, a phrase for why an agreed entry could no longer be
    recorded; `settled` a sentence on settling an evening by these rules, at its end or before it, '' if a game has
    nothing to say. `profiles` are by the game's keys, the book's first; empty if the game has no others. With
    `asks_profile_first` the choice of a profile stands beside the usual switches, not in the fold of the others.
    `next_hand` returns the words of a message on the next hand.
    """

    switches: Mapping[str, SwitchWords]
    refusal: Callable[[Message], str]
    reminder: Callable[[Message, Sequence[str]], str] = _no_words
    settled: Callable[[Any, bool], str] = _nothing
    profiles: Mapping[str, ProfileWords] = field(default_factory=dict)
    objection: Callable[[Message, Sequence[str]], str] = _no_words
    asks_profile_first: bool = False
    next_hand: Callable[[Message], NextHand] = _no_note


def phrases(switches: Mapping[str, SwitchWords], differences: Iterable[Difference]) -> tuple[str, ...]:
    """Return a phrase for each difference from the book that has an effect."""
    values = {each.switch: each.value for each in differences}
    return tuple(
        switches[name].differing(value) for name, value in values.items() if not is_idle(switches[name], values)
    )


def is_idle(words: SwitchWords, values: Mapping[str, str]) -> bool:
    """Return whether a switch makes no difference beside the other values that differ from the book."""
    return words.idle_at is not None and words.idle_at in values.items()


def always(phrase: Words) -> Callable[[str], str]:
    """Return the phrase function of a switch with one value besides the book's."""
    return lambda value: str(phrase)


def by_value(phrases: Mapping[str, Words]) -> Callable[[str], str]:
    """Return the phrase function of a switch with a phrase for each value."""
    return lambda value: str(phrases[value])


def numbered(phrase: Words) -> Callable[[str], str]:
    """Return the phrase function of a switch whose phrase contains its value, as `%(number)s`."""
    return lambda value: str(phrase) % {"number": value}
