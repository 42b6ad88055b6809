"""The fields of Preference's hand form, and the choices that make each row appear.

Without a declarer the rows are those of a raspasovka, with one those of a contract.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from django import forms
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scorekeeper.db.cache import LRUCache
from scorekeeper.games import preference
from scorekeeper.games.base import Game
from scorekeeper.games.preference import Rules, participants, places
from scorekeeper.games.preference.deal import ALL_TRICKS, LEVELS, TALON_TRICKS
from scorekeeper.games.preference.seating import PLAYERS
from sessions_app.faces import hand_form as hand
from sessions_app.faces.choices import Choices
from sessions_app.faces.preference import rows, words
from sessions_app.faces.preference.rows import MIZER_ROW
from sessions_app.faces.shallow_fields import ShallowFieldsMetaclass
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.words.wording import isolated

TAKEN = tuple(rows.taken_by(seat) for seat in range(MOST_SEATS))
_NOT_OFFERED = {"invalid_choice": gettext_lazy("Choose one of the options.")}
_NO_TRICKS = {"invalid_choice": gettext_lazy("There are ten tricks: a number from 0 to 10.")}
_answers: LRUCache[Choices] = LRUCache()


def _number(label: Any, row: str) -> forms.TypedChoiceField:
    offered: Any = rows.rows()[row]
    return forms.TypedChoiceField(
        label=label, coerce=int, required=False, empty_value=None, choices=offered, error_messages=_NO_TRICKS
    )


def _asked(label: Any, row: str) -> forms.ChoiceField:
    offered: Any = rows.rows()[row]
    return forms.ChoiceField(label=label, required=False, choices=offered, error_messages=_NOT_OFFERED)


#: Built by name, as the fields are alike.
_Raspasovka: Any = ShallowFieldsMetaclass(
    "_Raspasovka", (hand.HandForm,), {name: _number(gettext_lazy("Tricks of"), "taken") for name in TAKEN}
)


class Fields(_Raspasovka):  # type: ignore[misc]
    """The fields, and when each of their rows is asked.

    A raspasovka asks for the tricks of all but the last player, who has the rest.
    """

    level = _asked(gettext_lazy("Contract"), "level")
    answers = forms.ChoiceField(label=gettext_lazy("Who whists?"), required=False, error_messages=_NOT_OFFERED)
    tricks = _number(rows.TRICKS_LABEL, "tricks")
    first_tricks = _number(gettext_lazy("Tricks of"), "first_tricks")
    strain = _asked(gettext_lazy("Trumps (optional)"), "strain")

    GAME: ClassVar[Game[Any, Any, Any]] = preference.GAME
    ALL_TRICKS = ALL_TRICKS
    FIELDS = ("level", "answers", "tricks", "first_tricks", "strain", *TAKEN)
    NEEDED = ()
    SAYS = ("declarer", "level", "strain", "answers", "tricks", "first_tricks", *TAKEN)
    OF_PEOPLE = ("declarer", "answers", "first_tricks", *TAKEN)
    BY_PLACE = "first_tricks"
    SITS_OUT = gettext_lazy("With four players the dealer sits out and cannot be declarer.")
    HEADLINE = ("declarer", "level", "strain")
    HAS_DECLARER = False
    NOBODY = gettext_lazy("all pass")
    UNDECLARED = words.RASPASOVKA
    EXAMPLE = "6S wp 7"
    LETTERS_ON_SHEET = words.LETTERS_ON_SHEET
    marks_of = staticmethod(words.marks_of)
    STAYS_WITH = "="
    PRESETS = MappingProxyType({"declarer": ""})
    #: The rules' codes of errors that the generic form finds in seats.
    CODES: ClassVar[Mapping[tuple[str, str], str]] = MappingProxyType(
        {
            ("dealer", "invalid_choice"): "dealer_unknown",
            ("dealer", "required"): "dealer_unknown",
            ("declarer", "invalid_choice"): "declarer_unknown",
            ("declarer", "sits_out"): "declarer_sits_out",
            ("declarer", "nobody"): "declarer_extra",
        }
    )

    rules: Rules

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = (self.rules.half_whist, bool(self.rules.give_up), self.rules.ten, self.rules.stalingrad)
        key = (tuple(self.names), self.sitting, offered, get_language())
        for seat in self.sitting:
            taken: Any = self.fields[TAKEN[seat]]
            taken.label, taken.called = isolated(self.names[seat]), rows.tricks_of(self.names[seat])
        if self.asks_strain:
            self.fields["strain"].label = gettext_lazy("Trumps (needed at six)")
        for name, called in rows.CALLED.items():
            asked: Any = self.fields[name]
            asked.called = called
        self._choices("answers").choices = _answers.get_or_make(
            key, lambda: rows.answers(self.names, self.sitting, self.rules)
        )

    # --- Rows ---

    @property
    def at_somebody(self) -> str:
        """The declarers with whom a contract is asked for."""
        return " ".join(f"declarer={seat}" for seat in self.sitting)

    @property
    def at_levels(self) -> str:
        """The contracts that the opponents answer."""
        # They are shown before a contract is chosen, too: but a mizer has an answer.
        return " ".join((rows.answered_at(self.rules), *(() if self.at_given_up else ("level=",))))

    @property
    def unless_answered(self) -> str:
        """The contracts that nobody answers; '' if one of them may be given up: see `at_given_up`."""
        return "" if self.at_given_up else " ".join((f"level={MIZER_ROW}", *rows.unasked(self.rules)))

    @property
    def at_given_up(self) -> str:
        """The contracts with an answer row, if it is shown for giving up where nobody answers; else ''."""
        is_offered = self.rules.give_up and rows.unasked(self.rules)
        return " ".join(f"level={level}" for level in LEVELS) if is_offered else ""

    @property
    def at_play(self) -> str:
        return rows.played_at(self.sitting, self.rules)

    @property
    def at_two(self) -> str:
        return rows.of_two_at(self.rules)

    @property
    def asks_strain(self) -> bool:
        """True if the strain counts by these rules: only for a six, under Stalingrad."""
        return self.rules.stalingrad

    @property
    def all_taken(self) -> str:
        """The fields of a raspasovka's tricks, which add up to ten at most."""
        return " ".join(TAKEN[seat] for seat in sorted(self.sitting))

    @property
    def least_taken(self) -> int:
        """The fewest tricks of the others: a dealer among four can take those that the talon leads."""
        part = participants(self.sitting, self.sitting[0], talon=self.rules.raspasy_dealer)
        return ALL_TRICKS - TALON_TRICKS if len(part) > PLAYERS else 0

    @property
    def raspasovka_rows(self) -> Iterator[tuple[str, str, forms.BoundField]]:
        """A row for each seat: its name, the dealers with whom no tricks are asked, and the field of tricks."""
        for seat in sorted(self.sitting):
            yield (
                isolated(self.names[seat]),
                " ".join(rows.not_asked(seat, self.sitting, self.rules)),
                self[TAKEN[seat]],
            )

    def hint_of(self, dealer: int, declarer: int) -> str:
        """Return the name of the first opponent, whose tricks are asked for where both played."""
        playing = self.GAME.playing_seats(self.sitting, dealer)
        return isolated(self.names[places(self.sitting, dealer, declarer)[1]]) if declarer in playing else ""

    @property
    def first_hint(self) -> str:
        return self.asked_of or _("declarer's left")

    def asks_by_place(self, cleaned: Mapping[str, Any]) -> bool:
        level = f"level={cleaned.get('level')}"
        said = {f"answers={cleaned.get('answers')}", level, f"{level}&strain={cleaned.get('strain')}"}
        is_of_two = cleaned.get("declarer") is not None and not said.isdisjoint(self.at_two.split())
        return is_of_two and "answers=g" not in said and cleaned.get("tricks") != ALL_TRICKS
