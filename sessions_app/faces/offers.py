"""The face of a choice, as rows of tiles show it."""

from dataclasses import dataclass, field

from sessions_app.wording import Words


@dataclass(frozen=True)
class Offer:
    """The face of one choice: its words, a smaller note, and the choices that it cannot stand with.

    A face that has more to show than words and a note brings a `template` of its own (`offer`). `said` is how a hand
    that is not recorded yet says this choice. `excluded` are other fields' values, as 'field=value'. Of a dealer,
    `summary` says what follows when this seat deals, and `next_dealer` which seat deals after it: for a phone that goes
    on without the server. Of a declarer, `hint` is what other rows say of him.
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

    def __str__(self) -> str:
        return str(self.words)
