"""The interface of a face: the looks and the words of one game.

Everything else in the web layer is the same for every game. A face's templates are in templates/games/<key>/, its
template tags in its module `tags`, loaded by the game's key. The common pages include these partials of its
`face.html`, with this context:

- `hand_fields`: the rows of the hand form (`form`, `editing`)
- `count`: the live sentence (`count`, `names`)
- `emblem`: its mark, a drawing beside its name
- `deal`, `sheet_deal`: a deal in full, and in its row of the sheet (`deal`, `players`; in a row also `room`, its
  marks by the form's `marks_of`)
- `explained`: a recorded deal on its hand's page (`row`, `counted`, `names`)
- `revision`: a deal as an earlier revision had it (`row`, `names`)
- of a game with sample hands: `sample_hand`, the last of them on the card of home's drawing, as SVG (`table`)
- of a game with a page of rules: `rules` (`values`); `count_lines`, the steps of a count (`deal`, `counted`, `names`,
  `players`); `worked`, the amounts of a worked hand (`hand`)
- of a game with a blank sheet for paper: `blank_sheet`, which extends components/blank_sheet.html (`seats`, `rows`,
  `values`)
- of a game whose entries are not payments between seats: `changed_entries`, the entries of a hand that a
  correction changes (`entries`, `names`)
- of a game whose players draw their sheet: `drawn`, above the list of hands (`drawn`)
- of a game whose table view shows more than balances: `table_side`, under a player's balance (`table_figures`, `seat`),
  and `table_next`, while nothing is announced (`table_figures`)
- of a game that explains its debts: `debt`, for one payment (`transfer`)
- of a game with a referee: `hand_in_play_line` and, unfolded, `in_play` for the evening's bar, `table_hand` for the
  table view, `referee` for the page of that name (`in_play`, `hand`, `names`, `evening`); `so_far` and `replaced`,
  the notes before an announcement and those that were replaced (`hand`, `names`); `reading`, one of two conflicting
  versions (`reading`, `names`)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.template import Library

from scorekeeper.games.measures import Feat
from sessions_app.faces.agreed_form import AgreedForm
from sessions_app.faces.hand_form import HandForm
from sessions_app.faces.house_words import HouseWords
from sessions_app.faces.measure_words import FeatLabel, MeasureFace
from sessions_app.faces.referee import RefereeFace
from sessions_app.faces.sample_evening import SampleHands
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.evening.sheets import Written
from sessions_app.readers.money.settling import Explain
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


#: Takes the entries, the seats and the house rules; returns the drawn sheet, a frozen value without language.
type Drawn = Callable[[Written, Sequence[SeatView], Any], Any]


#: Takes an evening and its number of columns; returns the context of `table_side` and `table_next`.
type TableFigures = Callable[[Evening, int], Any]


def _no_tables(evening: Evening, columns: int) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Face:
    """The user interface of one game. A part is None, or left out, if the game has no such part.

    `name` is the game's name, `form` its hand form, `house_words` the words of its house rules, `measures` the words of
    its own figures in the statistics. `feat_words` returns a feat in a few words, without its players; `boldest_feat`
    is the feat whose highest number is the boldest hand of a year.
    """

    key: str
    name: Words
    form: type[HandForm]
    house_words: HouseWords
    measures: MeasureFace
    feat_words: Callable[[Feat], str]
    boldest_feat: FeatLabel | None = None
    #: None if the game notes nothing before a hand is over.
    referee: RefereeFace | None = None
    #: The contents of the game's page of rules.
    rules_page: RulesPage | None = None
    #: Whether the game has the template `blank_sheet`.
    has_blank_sheet: bool = False
    #: The form of agreed entries, which come of no hand.
    entries_form: type[AgreedForm] | None = None
    #: The form that corrects agreed entries from a paper book, of a game that has no form to record any.
    balances_form: type[AgreedForm] | None = None
    #: The hands of the evening that home draws for a first visit.
    sample_hands: SampleHands | None = None
    #: Builds the drawn sheet for the template `drawn`; None if the list of hands is the sheet.
    drawn: Drawn | None = None
    #: Builds the further figures of the table view; None if it shows balances only.
    table_figures: TableFigures | None = None
    #: Explains a debt term by term, for the template `debt`; None if the payments between the two explain it.
    debt_terms: Explain | None = None
    #: Returns the lookup tables by which provisional.js counts an unsent hand; None if it does not.
    provisional_tables: Callable[[Evening, int], Mapping[str, Any] | None] = _no_tables

    @property
    def agreed_form(self) -> type[AgreedForm] | None:
        """Return the form that corrects agreed entries."""
        return self.entries_form or self.balances_form

    @property
    def corrects_agreed(self) -> bool:
        """Return whether agreed entries have a form: those that came in from elsewhere may have none."""
        return self.agreed_form is not None or self.form.TAKES_AGREED


def word_filters(register: Library, **tables: Mapping[Any, Words]) -> None:
    """Register a template filter for each table, by its name: it returns the words of a value."""
    for name, table in tables.items():
        register.filter(name, _words_in(table))


def _words_in(table: Mapping[Any, Words]) -> Callable[[Any], Words]:
    return lambda value: table[value]
