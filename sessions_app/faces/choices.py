"""The choices of a form row, as its tiles show them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils.choices import BaseChoiceIterator

from sessions_app.words.wording import Words


@dataclass(frozen=True)
class Choice:
    """One choice of a row: its words, a smaller note, and the choices of other rows that it excludes.

    `template` draws a choice that shows more than words and a note; its context is `choice`. `line_words` are its words
    in the line of a hand that is not saved yet. `excluded` are values of other fields, as 'field=value'; several that
    exclude it only together are 'field=value&field=value'. `cleared_by` names a field that says the same more exactly:
    filling that in clears this choice. `key` is the key of a keyboard that chooses it. A dealer's `summary` names the
    dealer and the first to speak, and `next_dealer` the seat that deals next, for scripts that go on without the
    server. A declarer's `hint` is JSON: by dealer, the hint of another row for this declarer.
    """

    words: Words
    note: Words = ""
    other_note: Words = ""
    kind: str = ""
    template: str = ""
    line_words: Words = ""
    hint: str = ""
    summary: str = ""
    next_dealer: str = ""
    excluded: tuple[str, ...] = field(default=())
    cleared_by: str = ""
    key: str = ""

    @property
    def is_its_own_key(self) -> bool:
        """True if the tile shows its key already, as a figure."""
        return str(self) == self.key

    def __str__(self) -> str:
        return str(self.words)


def figure_key(figure: int) -> str:
    """Return the key of a figure up to 11: one key also where it has two digits, t for ten and e for eleven."""
    return "0123456789te"[figure]


class Choices(BaseChoiceIterator):
    """The choices of a row, shared by all forms that offer the same. They are compared by identity."""

    def __init__(self, choices: Iterable[tuple[str, Choice]]) -> None:
        self._choices = tuple(choices)

    def __iter__(self) -> Iterator[tuple[str, Choice]]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
