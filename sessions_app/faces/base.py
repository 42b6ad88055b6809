"""What a face is: how one game looks and speaks.

The web layer is the same for every game but for this. A face's templates are in templates/games/<key>/, its template
tags in its module `tags`, loaded by the game's key. The parts that the common pages ask for:

- `hand_fields`: the rows of the hand form (`form`, `editing`)
- `count`: the live sentence (`count`, `names`)
- `deal`, `short`: a deal as players write it, whole and as a line of the sheet has it (`deal`, `players`; for `short`
  also `before`, the standing before it as the game writes it)
- `explained`: a recorded deal on its hand's page (`line`, `counted`, `names`)
- `state`: a deal as it stood at some time (`line`, `names`)
- and of a game that explains itself: `rules`, how it is counted (`values`); `lines`, the steps of a count (`deal`,
  `counted`, `names`, `players`); and `worked`, what a worked hand comes to, in short (`hand`)
- and of a game that writes elsewhere than from seat to seat: `rewritten`, what a hand would write otherwise (`entries`,
  `names`)
- and of a game whose players draw their sheet: `drawn`, above the list of hands (`drawn`)
- and of a game of which more is to be seen from across the table than balances: `table_side`, under a player's balance
  (`table_figures`, `seat`), and `table_next`, while nothing is announced (`table_figures`)
- and of a game that says itself why one owes another something: `owed`, of their payment (`transfer`)
- and of a game that notes a hand while it is played: `open_hand_line` and, unfolded, `open_hand` for the evening's
  bar, `table_hand` for the table view, `referee` for the page of that name (`open_hand`, `hand`, `names`, `evening`);
  `so_far` and `replaced`, what is noted or was (`hand`, `names`); `reading`, one of two readings (`reading`, `names`)
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from django.http import QueryDict

from scorekeeper.games.base import Message
from sessions_app.faces.entries_form import EntriesForm
from sessions_app.faces.hand_form import HandForm
from sessions_app.faces.house_words import HouseWords
from sessions_app.faces.rules_page import RulesPage
from sessions_app.models import Evening, OpenHand
from sessions_app.parsing import whole_number
from sessions_app.readers.hand_entries import Written
from sessions_app.readers.people import SeatView
from sessions_app.readers.settlements import Explain
from sessions_app.wording import Words

type Names = list[str]
#: What a tap does to the hand in play, at a table of these seats, by these house rules.
type Move = Callable[[Any, tuple[int, ...], Any], Any]


#: The sheet as players draw it, of what is written, the seats and the house rules: a frozen value, in no language.
type Drawn = Callable[[Written, Sequence[SeatView], Any], Any]


#: What the table view shows besides the balances of so many seats, for the templates `table_side` and `table_next`.
type TableFigures = Callable[[Evening, int], Any]


class Tap(NamedTuple):
    """What a tap in the referee says, and the seat that it names, if one."""

    data: QueryDict

    def seat(self) -> int:
        """Raises ValueError where it is none."""
        seat = whole_number(self.data.get("seat", ""))
        if seat is None:
            raise ValueError("seat is not a number")
        return seat


class RefereeFace(Protocol):
    """How a game looks while a hand of it is played; `row` is the open hand's, and knows its evening."""

    @property
    def announcement_form(self) -> type[HandForm]:
        """The hand form before the hand is played; `announcement` is what it comes to, once it is valid."""

    @property
    def moves(self) -> Mapping[str, Callable[[Tap], Move]]:
        """The taps of the referee by their verbs. ValueError for what no page of ours can have sent."""

    def view(self, row: OpenHand, evening: Evening, columns: int) -> Any:
        """The open hand as pages show it, the evening having so many columns.

        It has `number`, `version`, `token`, `hand`, `is_announced`, and whatever the face's templates want.
        """

    def step_form(self, row: OpenHand, evening: Evening, data: QueryDict | None) -> Any:
        """The form by which something is named in the referee, or how it ended, as it was filled in; else None."""

    def naming_move(self, evening: Evening, data: QueryDict) -> Move | None:
        """What was named; None where something is missing in the form, or wrong."""

    def end_answers(self, data: QueryDict) -> Mapping[str, Any]:
        """What the table says of a hand that is over. Raises ValueError."""

    def values_of(self, row: OpenHand) -> dict[str, Any]:
        """The open hand as fields of the hand form, to be finished or corrected there."""

    def with_noted(self, row: OpenHand, typed: Mapping[str, Any]) -> dict[str, Any]:
        """What was typed, but for what is noted of the hand: that holds."""

    def noted(self, hand: Any, names: Names) -> str:
        """What is noted of the hand, in one sentence."""

    def so_far(self, hand: Any, names: Names) -> str:
        """What is noted before anything is announced."""

    def announced_words(self, hand: Any, names: Names) -> str:
        """What was announced meanwhile, in as few words as a sentence about it needs; '' where nothing was."""

    def refusal(self, message: Message, names: Names) -> str:
        """Why a move is not allowed, as a sentence."""


class Face(Protocol):
    """How one game looks."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> Words:
        """The game's name."""

    @property
    def house_words(self) -> HouseWords:
        """The words of its house rules."""

    @property
    def form(self) -> type[HandForm]:
        """The hand form."""

    @property
    def entries_form(self) -> type[EntriesForm] | None:
        """The form of what a table agrees to write without a hand; None where the game has none."""

    @property
    def referee(self) -> RefereeFace | None:
        """What there is while a hand is played; None where the game notes none before it is over."""

    @property
    def rules_page(self) -> RulesPage | None:
        """What its page of rules shows; None where it has none."""

    @property
    def drawn(self) -> Drawn | None:
        """How its sheet is drawn, for the template `drawn`; None where the hands in a list are all there is."""

    @property
    def table_figures(self) -> TableFigures | None:
        """What the table view shows besides balances; None where these are all."""

    @property
    def debt_terms(self) -> Explain | None:
        """Why one owes another what he does, for the template `owed`; None where that is but what the two have paid."""

    def provisional_tables(self, evening: Evening, columns: int) -> Mapping[str, Any] | None:
        """By which a phone counts a hand that waits on it (provisional.js); None: it is counted when it is saved."""
