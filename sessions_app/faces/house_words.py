"""What the words of a game's house rules are: for each switch, and for what the rules say of an evening's end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scorekeeper.games.base import Difference, Message
from sessions_app.wording import Words


@dataclass(frozen=True, slots=True)
class SwitchWords:
    """A switch as a house talks of it.

    `explanation` says in one line what it is and what the book has. `values` are the words of each value as it is
    written, in the order of the choices; none for a number that is typed. `differing` is a phrase for a value that is
    not the book's, as it stands in a list. Where there are many switches, `group` is the heading under which it is
    folded. `usual` are the numbers of which every table chooses one, whatever its profile: it is asked first. `idle_at`
    is another switch with a value, not the book's, at which this one makes no difference.
    """

    label: Words
    explanation: Words
    differing: Callable[[str], str]
    values: Mapping[str, Words] = field(default_factory=dict)
    group: Words = ""
    usual: tuple[str, ...] = ()
    idle_at: tuple[str, str] | None = None

    def as_in_book(self, value: str) -> str:
        """A phrase for the book's value, for who holds it against a profile that has another."""
        rule = {"rule": self.label, "value": self.values.get(value, value)}
        return _("%(rule)s: %(value)s") % rule if self.values else _("%(rule)s: as in the book") % rule


@dataclass(frozen=True, slots=True)
class ProfileWords:
    """A profile of house rules as a house talks of it: its name, and a sentence that says what kind of game it is."""

    name: Words
    explanation: Words


class NextHand(NamedTuple):
    """What the hands before make of the next one: as a mark, '×2', and in words, '×2, three deals left'."""

    mark: str
    words: str


def _no_note(message: Message) -> NextHand:
    return NextHand("", "")


def _no_objection(message: Message, names: Sequence[str]) -> str:
    return ""


def _nothing(rules: Any, is_over: bool) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class HouseWords:
    """The words of a game's house rules.

    `refusal` is a sentence for what a house rule forbids, in a deal or of the other rules; `reminder` one for the end
    that was agreed on, by the names of the seats; `objection` is a phrase for why an agreed entry could not be recorded
    any more, by these names too. `settled` is what it means by these rules that an evening is settled,
    at its end or before it; '' where a game has none of its own. `profiles` are the game's by their keys, the book's
    first; none where there is but the book. `asks_profile_first`: the choice of a profile stands beside what every
    table fixes, not in the fold of the other rules. `next_hand` are the words of what the rules say of the next hand.
    """

    switches: Mapping[str, SwitchWords]
    refusal: Callable[[Message], str]
    reminder: Callable[[Message, Sequence[str]], str]
    settled: Callable[[Any, bool], str] = _nothing
    profiles: Mapping[str, ProfileWords] = field(default_factory=dict)
    objection: Callable[[Message, Sequence[str]], str] = _no_objection
    asks_profile_first: bool = False
    next_hand: Callable[[Message], NextHand] = _no_note


def phrases(switches: Mapping[str, SwitchWords], differences: Iterable[Difference]) -> tuple[str, ...]:
    """What is otherwise than in the book and makes a difference, a phrase each."""
    values = {each.switch: each.value for each in differences}
    return tuple(
        switches[name].differing(value) for name, value in values.items() if not is_idle(switches[name], values)
    )


def is_idle(words: SwitchWords, values: Mapping[str, str]) -> bool:
    """Whether a switch makes no difference beside what else is otherwise than in the book."""
    return words.idle_at is not None and words.idle_at in values.items()


def always(phrase: Words) -> Callable[[str], str]:
    """The phrase of a switch that has but one value besides the book's."""
    return lambda value: str(phrase)


def by_value(phrases: Mapping[str, Words]) -> Callable[[str], str]:
    """A phrase for each of the few values that are not the book's."""
    return lambda value: str(phrases[value])


def numbered(phrase: Words) -> Callable[[str], str]:
    """A phrase that says the value itself, as `%(number)s`."""
    return lambda value: str(phrase) % {"number": value}
