"""What a face says of its game's rules, on the page for that.

Of the words that explain a game its template `rules` has the most; what a number is worth comes from the rules
themselves, and the hands that show it are counted by them while they are drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sessions_app.wording import Words


@dataclass(frozen=True, slots=True)
class WorkedHand:
    """A hand that shows a rule: as its game writes it, and what is to be seen in it.

    `rules` are those it is counted by, '' the book's, and `before` the standing that it is counted after, '' that of
    the first hand, both as the game writes them. `seats` are at the table, 0 for as few as can play. The first in order
    of play declares, or where nobody does, speaks first.
    """

    line: str
    why: Words
    rules: str = ""
    before: str = ""
    seats: int = 0
    has_declarer: bool = True


class RulesPage(Protocol):
    def worked_hands(self, rules: Any) -> Sequence[WorkedHand]:
        """The hands that show the rules: all by the book, or all by these house rules, as far as they can be there."""

    def values(self, rules: Any) -> Any:
        """What the template `rules` shows of house rules: values alone, equal only as long as all of them are."""
