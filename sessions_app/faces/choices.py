"""The face of a choice, as rows of tiles show it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils.choices import BaseChoiceIterator

from sessions_app.wording import Words


@dataclass(frozen=True)
class Offer:
    """The face of one choice: its words, a smaller note, and the choices that it cannot stand with.

    A face that has more to show than words and a note brings a `template` of its own (`offer`). `said` is how a hand
    that is not recorded yet says this choice. `excluded` are other fields' values, as 'field=value', or several that
    exclude it together as 'field=value&field=value'; `cleared_by` is a field that says the same more exactly: who fills
    that in takes the choice back. Of a dealer, `summary` says what follows when this seat deals, and `next_dealer`
    which seat deals after it: for a phone that goes on without the server. Of a declarer, `hint` is what other rows say
    of him, as JSON by who deals.
    """

    words: Words
    note: Words = ""
    other_note: Words = ""
    kind: str = ""
    template: str = ""
    said: Words = ""
    hint: str = ""
    summary: str = ""
    next_dealer: str = ""
    excluded: tuple[str, ...] = field(default=())
    cleared_by: str = ""

    def __str__(self) -> str:
        return str(self.words)


class Offers(BaseChoiceIterator):
    """The choices of a row, made once for all forms that offer the same. What equals them is the same object."""

    def __init__(self, choices: Iterable[tuple[str, Offer]]) -> None:
        self._choices = tuple(choices)

    def __iter__(self) -> Iterator[tuple[str, Offer]]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
