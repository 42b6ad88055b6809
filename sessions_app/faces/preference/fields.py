"""The fields of Preference's hand form, their choices by house rules, and the choices that make each row appear.

Without a declarer the rows are those of a raspasovka, with one those of a contract.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.games import preference
from scorekeeper.games.base import Game
from scorekeeper.games.preference import Answers, Rules, Strain, participants, places
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    HIGHEST_HALF,
    LEVELS,
    MIZER_VALUE,
    PLAYERS,
    TALON_TRICKS,
    value,
)
from scorekeeper.games.preference.house_rules import Ten
from sessions_app.base_forms import Choice, Choices, ShallowFieldsMetaclass, choice_field, figure_key
from sessions_app.faces import hand_form as hand
from sessions_app.faces.hand_words import lazy_tricks_words
from sessions_app.faces.preference import words
from sessions_app.faces.preference.words import MIZER, SIGNS, STRAINS
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.words.wording import Words, isolated

# --- Choices ---


#: The value of a mizer in the row of contracts.
MIZER_ROW: Final = "M"
#: The answers that name no whister. A lone whister is chosen by seat.
NAMELESS: Final = {
    answers.value: answers
    for answers in (Answers.PASSED, Answers.BOTH, Answers.HALF, Answers.RETRIEVED, Answers.GIVEN_UP)
}
_WORDS: Final = {
    Answers.PASSED: pgettext_lazy("who whists", "nobody"),
    Answers.BOTH: pgettext_lazy("who whists", "both"),
    Answers.HALF: pgettext_lazy("who whists", "half"),
    Answers.RETRIEVED: pgettext_lazy("who whists", "half, then whist"),
    Answers.GIVEN_UP: pgettext_lazy("who whists", "given up"),
}
#: The same in the line of a hand that is not saved yet.
_SAID: Final = {
    Answers.PASSED: gettext_lazy("both pass"),
    Answers.BOTH: gettext_lazy("both whist"),
    Answers.HALF: gettext_lazy("half whist"),
    Answers.RETRIEVED: pgettext_lazy("who whists", "half, then whist"),
    Answers.GIVEN_UP: gettext_lazy("given up"),
}
#: The keys of a keyboard that choose them. No suit has one of these.
_KEYS: Final = {
    Answers.PASSED: "0",
    Answers.BOTH: "b",
    Answers.HALF: "f",
    Answers.RETRIEVED: "r",
    Answers.GIVEN_UP: "g",
}
_FROM_EIGHT: Final = tuple(f"level={level}" for level in LEVELS if level > HIGHEST_HALF)


def whisted_by(seat: int) -> str:
    """Return the value of `answers` for a seat that whisted alone."""
    return f"w{seat}"


@cache
def rows() -> Mapping[str, Choices]:
    """Return the rows that are the same for every house and all seats."""
    mizer = Choice(MIZER, str(MIZER_VALUE), kind="mizer", line_words=MIZER, key=MIZER_ROW.lower())
    return MappingProxyType(
        {
            "level": Choices((*((str(level), _level(level)) for level in LEVELS), (MIZER_ROW, mizer))),
            "strain": Choices((strain.value, _strain(strain)) for strain in Strain),
            "tricks": Choices(
                (str(tricks), _tricks(tricks, lazy_tricks_words(tricks))) for tricks in range(ALL_TRICKS + 1)
            ),
            # Their words follow a name: 'Cili 3'.
            "taken": Choices((str(tricks), _tricks(tricks, str(tricks))) for tricks in range(ALL_TRICKS + 1)),
        }
    )


def _level(level: int) -> Choice:
    return Choice(str(level), str(value(level)), line_words=str(level), key=figure_key(level))


def _strain(strain: Strain) -> Choice:
    said = SIGNS.get(strain, STRAINS[strain])
    return Choice(
        STRAINS[strain],
        kind=strain.name.lower(),
        template="games/suit_key.html",
        key=strain.name[0].lower(),
        line_words=said,
    )


def _tricks(tricks: int, line_words: Words) -> Choice:
    return Choice(str(tricks), line_words=line_words, key=figure_key(tricks))


def taken_by(seat: int) -> str:
    """Return the field of a seat's tricks in a raspasovka."""
    return f"taken_{seat}"


def _nameless(said: Answers, excluded: tuple[str, ...] = ()) -> tuple[str, Choice]:
    return said.value, Choice(_WORDS[said], line_words=_SAID[said], key=_KEYS[said], excluded=excluded)


def _contracts(level: int, rules: Rules) -> tuple[str, ...]:
    """Return the contracts of a level as form values, with the strain (or none yet) where it decides who is asked."""
    if rules.stalingrad and level == LEVELS[0]:
        return tuple(f"level={level}&strain={strain}" for strain in ("", *Strain))
    return (f"level={level}",)


def unasked(rules: Rules) -> tuple[str, ...]:
    """Return the contracts that nobody answers."""
    return *checked(rules), *must_be_whisted(rules)


def checked(rules: Rules) -> tuple[str, ...]:
    """Return the contract that nobody answers because it is played open."""
    return (f"level={LEVELS[-1]}",) if rules.ten is Ten.CHECKED else ()


def must_be_whisted(rules: Rules) -> tuple[str, ...]:
    """Return the contract that both must whist without being asked (Stalingrad)."""
    return (f"level={LEVELS[0]}&strain={Strain.SPADES.value}",) if rules.stalingrad else ()


#: The labels of rows in the list of empty rows.
CALLED: Final = {
    "level": gettext_lazy("the contract"),
    "answers": gettext_lazy("who whists"),
    "tricks": gettext_lazy("the declarer's tricks"),
    "first_tricks": gettext_lazy("the first opponent's tricks"),
    "strain": gettext_lazy("the trumps"),
}


def tricks_of(name: str) -> str:
    """Return the label of the row of somebody's tricks in the list of empty rows."""
    return _("the tricks of %(name)s") % {"name": isolated(name)}


# --- Fields ---


TAKEN = tuple(taken_by(seat) for seat in range(MOST_SEATS))


def _number(label: Words, row: str) -> forms.TypedChoiceField:
    wrong = gettext_lazy("There are ten tricks: a number from 0 to 10.")
    return choice_field(label, rows()[row], coerce=int, empty=None, wrong=wrong)


#: Built by name, as the fields are alike.
_Raspasovka: Any = ShallowFieldsMetaclass(
    "_Raspasovka", (hand.HandForm,), {name: _number(gettext_lazy("Tricks of"), "taken") for name in TAKEN}
)


class Fields(_Raspasovka):  # type: ignore[misc]
    """The fields, and when each of their rows is asked.

    A raspasovka asks for the tricks of all but the last player, who has the rest.
    """

    level = choice_field(gettext_lazy("Contract"), rows()["level"])
    answers = choice_field(gettext_lazy("Who whists?"))
    tricks = _number(gettext_lazy("Declarer's tricks"), "tricks")
    first_tricks = _number(gettext_lazy("Tricks of"), "taken")
    strain = choice_field(gettext_lazy("Trumps (optional)"), rows()["strain"])

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
        }
    )

    rules: Rules

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in self.sitting:
            taken: Any = self.fields[TAKEN[seat]]
            taken.label, taken.called = isolated(self.names[seat]), tricks_of(self.names[seat])
        if self.asks_strain:
            self.fields["strain"].label = gettext_lazy("Trumps (needed at six)")
        for name, called in CALLED.items():
            asked: Any = self.fields[name]
            asked.called = called

    def choices_of_people(self) -> dict[str, Choices]:
        choices: dict[str, Choices] = super().choices_of_people()
        return choices | {"answers": Choices(self._whisters())}

    def _whisters(self) -> Iterator[tuple[str, Choice]]:
        """Yield the choices for the whisters that the house has: nobody, one by name, both, half, given up."""
        closed_at = unasked(self.rules)
        yield _nameless(Answers.PASSED, closed_at)
        for seat in sorted(self.sitting):
            excluded = (f"declarer={seat}", *self.sits_out(seat), *closed_at)
            whists = _("%(first)s whists") % {"first": isolated(self.names[seat])}
            choice = Choice(self.names[seat], kind="name", line_words=whists, key=self._key(seat), excluded=excluded)
            yield whisted_by(seat), choice
        yield _nameless(Answers.BOTH, closed_at)
        if self.rules.half_whist:
            no_half = (*_FROM_EIGHT, *must_be_whisted(self.rules))
            yield _nameless(Answers.HALF, no_half)
            yield _nameless(Answers.RETRIEVED, no_half)
        if self.rules.give_up:
            yield _nameless(Answers.GIVEN_UP)

    # --- Rows ---

    @property
    def at_somebody(self) -> str:
        """The declarers with whom a contract is asked for."""
        return " ".join(f"declarer={seat}" for seat in self.sitting)

    @property
    def at_levels(self) -> str:
        """The contracts that the opponents answer."""
        said = (each for level in LEVELS for each in _contracts(level, self.rules))
        answered = (each for each in said if each not in unasked(self.rules))
        # They are shown before a contract is chosen, too: but a mizer has an answer.
        return " ".join((*answered, *(() if self.at_given_up else ("level=",))))

    @property
    def unless_answered(self) -> str:
        """The contracts that nobody answers; '' if one of them may be given up: see `at_given_up`."""
        return "" if self.at_given_up else " ".join((f"level={MIZER_ROW}", *unasked(self.rules)))

    @property
    def at_given_up(self) -> str:
        """The contracts with an answer row, if it is shown for giving up where nobody answers; else ''."""
        is_offered = self.rules.give_up and unasked(self.rules)
        return " ".join(f"level={level}" for level in LEVELS) if is_offered else ""

    @property
    def at_play(self) -> str:
        """The choices with which the declarer's tricks are asked for."""
        whisted = (f"answers={whisted_by(seat)}" for seat in self.sitting)
        both = ("answers=ww", "answers=rh", f"level={MIZER_ROW}")
        return " ".join((*whisted, *both, *unasked(self.rules)))

    @property
    def at_two(self) -> str:
        """The choices with which the first opponent's tricks are asked for besides."""
        return " ".join(("answers=ww", *unasked(self.rules)))

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
        """A row for each seat: its name, the dealers with whom no tricks are asked, and the field of tricks.

        They are not asked of a seat that does not play, nor of the last, whose tricks follow from the others'.
        """
        talon = self.rules.raspasy_dealer
        asked = {dealer: participants(self.sitting, dealer, talon=talon)[:-1] for dealer in self.sitting}
        for seat in sorted(self.sitting):
            unless = (f"dealer={dealer}" for dealer, seats in asked.items() if seat not in seats)
            yield isolated(self.names[seat]), " ".join(unless), self[TAKEN[seat]]

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
