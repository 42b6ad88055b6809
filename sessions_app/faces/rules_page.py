"""The interface of a game's page of rules.

Most of the text is in the game's template `rules`. The values of house rules come from the game itself, and the worked
hands are counted when the page is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sessions_app.words.wording import Words


@dataclass(frozen=True, slots=True)
class WorkedHand:
    """A hand that shows a rule: its line in the game's notation, and the words that explain it.

    `rules` are the house rules that it is counted by, '' for the book's, and `before` is the standing before it, '' for
    that of the first hand; both in the game's notation. `seats` is the number of players, 0 for the fewest that can
    play. The first in order of play declares; where nobody declares, that player speaks first.
    """

    line: str
    why: Words
    rules: str = ""
    before: str = ""
    seats: int = 0
    has_declarer: bool = True


class RulesPage(Protocol):
    def worked_hands(self, rules: Any) -> Sequence[WorkedHand]:
        """Return the hands that show the rules: all by the book, or all that can be by these house rules."""

    def values(self, rules: Any) -> Any:
        """Return the house rules as the template `rules` shows them: values that compare equal if all of them are
        equal.
        """
