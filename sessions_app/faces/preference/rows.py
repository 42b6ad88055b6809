"""The choices of Preference's hand form by house rules, cached for all forms of the same seats."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scorekeeper.games.preference import Answers, Rules, Strain, participants, playing_seats
from scorekeeper.games.preference.deal import ALL_TRICKS, LEVELS, MIZER_VALUE, value
from scorekeeper.games.preference.house_rules import Ten
from scorekeeper.games.preference.validation import HIGHEST_HALF
from sessions_app.faces.choices import Choice, Choices, figure_key
from sessions_app.faces.preference.words import MIZER, SIGNS, STRAINS
from sessions_app.words.wording import isolated

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


def whister_of(value: str, sitting: Sequence[int]) -> int | None:
    """Return the seat of such a value, None for an answer that names nobody."""
    return next((seat for seat in sitting if whisted_by(seat) == value), None)


@cache
def rows() -> Mapping[str, Choices]:
    """Return the rows that are the same for every house and all seats."""
    return MappingProxyType(
        {
            "level": Choices((*((str(level), _level(level)) for level in LEVELS), (MIZER_ROW, _mizer()))),
            "strain": Choices((strain.value, _strain(strain)) for strain in Strain),
            "tricks": Choices((str(tricks), _tricks(tricks)) for tricks in range(ALL_TRICKS + 1)),
            "first_tricks": Choices((str(tricks), _named(tricks)) for tricks in range(ALL_TRICKS + 1)),
            "taken": Choices((str(tricks), _named(tricks)) for tricks in range(ALL_TRICKS + 1)),
        }
    )


def _level(level: int) -> Choice:
    return Choice(str(level), str(value(level)), line_words=str(level), key=figure_key(level))


def _mizer() -> Choice:
    return Choice(MIZER, str(MIZER_VALUE), kind="mizer", line_words=MIZER, key=MIZER_ROW.lower())


def _strain(strain: Strain) -> Choice:
    said = SIGNS.get(strain, STRAINS[strain])
    return Choice(
        STRAINS[strain],
        kind=strain.name.lower(),
        template="games/suit_key.html",
        key=strain.name[0].lower(),
        line_words=said,
    )


def _tricks(tricks: int) -> Choice:
    return Choice(str(tricks), line_words=_said_tricks(tricks), key=figure_key(tricks))


def _named(tricks: int) -> Choice:
    """Return a choice whose line words follow a name: 'Cili 3'."""
    return Choice(str(tricks), line_words=str(tricks), key=figure_key(tricks))


def _number_of_tricks(tricks: int) -> str:
    return ngettext("%(tricks)s trick", "%(tricks)s tricks", tricks) % {"tricks": tricks}


_said_tricks: Final = lazy(_number_of_tricks, str)


def taken_by(seat: int) -> str:
    """Return the field of a seat's tricks in a raspasovka."""
    return f"taken_{seat}"


def answers(names: Sequence[str], sitting: tuple[int, ...], rules: Rules) -> Choices:
    """Return the choices for the whisters, as far as the house has them: nobody, one by name, both, half, given up."""
    return Choices(_answers(names, sitting, rules))


def _answers(names: Sequence[str], sitting: tuple[int, ...], rules: Rules) -> Iterator[tuple[str, Choice]]:
    closed_at = unasked(rules)
    yield _nameless(Answers.PASSED, closed_at)
    for place, seat in enumerate(sorted(sitting), 1):
        excluded = (f"declarer={seat}", *sits_out(seat, sitting), *closed_at)
        whists = _("%(first)s whists") % {"first": isolated(names[seat])}
        yield (
            whisted_by(seat),
            Choice(names[seat], kind="name", line_words=whists, key=str(place), excluded=excluded),
        )
    yield _nameless(Answers.BOTH, closed_at)
    if rules.half_whist:
        no_half = (*_FROM_EIGHT, *must_be_whisted(rules))
        yield _nameless(Answers.HALF, no_half)
        yield _nameless(Answers.RETRIEVED, no_half)
    if rules.give_up:
        yield _nameless(Answers.GIVEN_UP)


def _nameless(said: Answers, excluded: tuple[str, ...] = ()) -> tuple[str, Choice]:
    return said.value, Choice(_WORDS[said], line_words=_SAID[said], key=_KEYS[said], excluded=excluded)


def sits_out(seat: int, sitting: tuple[int, ...]) -> Iterator[str]:
    """Return the dealers with whom a seat does not play, as 'field=value'."""
    return (f"dealer={dealer}" for dealer in sitting if seat not in playing_seats(sitting, dealer))


def not_asked(seat: int, sitting: tuple[int, ...], rules: Rules) -> Iterator[str]:
    """Yield the dealers with whom a seat's tricks in a raspasovka are not asked for.

    The seat does not play, or is the last, whose tricks follow from the others'.
    """
    for dealer in sitting:
        part = participants(sitting, dealer, talon=rules.raspasy_dealer)
        if seat not in part[:-1]:
            yield f"dealer={dealer}"


def played_at(sitting: Sequence[int], rules: Rules) -> str:
    """Return the choices with which the declarer's tricks are asked for."""
    whisted = (f"answers={whisted_by(seat)}" for seat in sitting)
    both = ("answers=ww", "answers=rh", f"level={MIZER_ROW}")
    return " ".join((*whisted, *both, *unasked(rules)))


def of_two_at(rules: Rules) -> str:
    """Return the choices with which the first opponent's tricks are asked for besides."""
    return " ".join(("answers=ww", *unasked(rules)))


def answered_at(rules: Rules) -> str:
    """Return the contracts that somebody answers."""
    said = (each for level in LEVELS for each in _contracts(level, rules))
    return " ".join(each for each in said if each not in unasked(rules))


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


TRICKS_LABEL: Final = gettext_lazy("Declarer's tricks")
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
