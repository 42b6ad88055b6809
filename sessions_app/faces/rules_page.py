"""What a face says of its game's rules, on the page for that.

Of the words that explain a game its template `rules` has the most; what a number is worth comes from the rules
themselves, and the hands that show it are counted by them while they are drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sessions_app.wording import Words


@dataclass(frozen=True, slots=True)
class Worked:
    """A hand that shows a rule of the book: as its game writes it, and what is to be seen in it."""

    line: str
    why: Words


class RulesPage(Protocol):
    @property
    def WORKED(self) -> Sequence[Worked]:
        """The hands that show the rules; somebody declares in each of them."""

    def values(self, rules: Any) -> Any:
        """What the template `rules` shows of house rules: values alone, equal only as long as all of them are."""
