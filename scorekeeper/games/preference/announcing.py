"""The contract that a declarer names, and the answers to it (docs/rules/preference.md §3 and §4).

Nobody is asked if the house checks ten, or if 6♠ must be whisted. A mizer is not whisted and has no level. The share of
the second after a retrieved half belongs to the count and changes no answer.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.preference.auction import Auction, Call
from scorekeeper.games.preference.deal import HIGHEST_HALF, LEVELS, Answers, Contract, Mizer, Strain
from scorekeeper.games.preference.house_rules import BOOK, Rules


class Defender(StrEnum):
    """The opponents in order of answering: the declarer's left neighbour among the three, then the right one."""

    FIRST = "first"
    SECOND = "second"


class Answer(StrEnum):
    """An answer. Half is a share for the second after the first's pass, which the first may retrieve."""

    WHIST = "whist"
    HALF = "half"
    PASS = "pass"  # noqa: S105 (an answer, not a password)


_SPEAKERS: Final = (Defender.FIRST, Defender.SECOND, Defender.FIRST)
_RESULTS: Final = {
    (Answer.WHIST, Answer.WHIST): Answers.BOTH,
    (Answer.WHIST, Answer.PASS): Answers.FIRST,
    (Answer.PASS, Answer.WHIST): Answers.SECOND,
    (Answer.PASS, Answer.HALF, Answer.WHIST): Answers.RETRIEVED,
    (Answer.PASS, Answer.HALF, Answer.PASS): Answers.HALF,
    (Answer.PASS, Answer.PASS): Answers.PASSED,
}
#: The code that refuses an answer, by the result that needed none; None: all answers are given.
CLOSED: Final = {Answers.CHECKED: "ten_checked", Answers.BOTH: "must_whist", None: "answers_over"}


def spoken(result: str) -> tuple[Answer, ...]:
    """Return the answers, one by one, that give this result of the notation; none if nobody is asked."""
    return next((said for said, come_to in _RESULTS.items() if come_to == result), ())


@dataclass(frozen=True)
class Whisting:
    """The answers to a contract at some point, by the house rules.

    Raise IllegalMove `strain_needed` for a six whose strain decides whether the opponents are asked, and
    `answers_impossible` (answers) for answers that the rules exclude.
    """

    level: int
    strain: Strain | None
    answers: tuple[Answer, ...] = ()
    rules: Rules = BOOK

    def __post_init__(self) -> None:
        if self.rules.stalingrad and self.level == LEVELS[0] and self.strain is None:
            raise IllegalMove("strain_needed")
        if not self._endings:
            raise IllegalMove("answers_impossible", answers=" ".join(self.answers))

    @property
    def to_answer(self) -> Defender | None:
        """The opponent whose turn it is; None once all answers are given."""
        return None if self.is_over else _SPEAKERS[len(self.answers)]

    @property
    def legal_answers(self) -> tuple[Answer, ...]:
        """The legal answers of that opponent; empty once all answers are given."""
        at = len(self.answers)
        return () if self.is_over else tuple(dict.fromkeys(ending[at] for ending in self._endings))

    @property
    def is_over(self) -> bool:
        return self.result is not None

    @property
    def result(self) -> Answers | None:
        """The result; None until all answers are given."""
        return self._unasked or _RESULTS.get(self.answers)

    def answer(self, defender: Defender, answer: Answer) -> Self:
        """Return the answers with this one.

        Raise IllegalMove. If nobody is asked: `ten_checked`, `must_whist`. Else `answers_over`; `not_his_answer`
        (defender, due); and with the level, for an illegal half: `half_off` (the house has none), `half_level`
        (from eight up), `half_second` (by the first), `half_after_pass` (after a whist).
        """
        due = self.to_answer
        if due is None:
            raise IllegalMove(CLOSED[self._unasked])
        if defender != due:
            raise IllegalMove("not_his_answer", defender=defender.value, due=due.value)
        if answer not in self.legal_answers:
            raise IllegalMove(self._no_half, level=self.level)
        return replace(self, answers=(*self.answers, answer))

    @property
    def _unasked(self) -> Answers | None:
        return self.rules.unasked(self.level, self.strain)

    @property
    def _may_half(self) -> bool:
        return self.rules.half_whist and self.level <= HIGHEST_HALF

    @property
    def _endings(self) -> tuple[tuple[Answer, ...], ...]:
        """All complete series of answers that begin with the present ones."""
        if self._unasked:
            return () if self.answers else ((),)
        at = len(self.answers)
        allowed = (each for each in _RESULTS if self._may_half or Answer.HALF not in each)
        return tuple(each for each in allowed if each[:at] == self.answers)

    @property
    def _no_half(self) -> str:
        if not self.rules.half_whist:
            return "half_off"
        if not self._may_half:
            return "half_level"
        return "half_second" if self.to_answer is Defender.FIRST else "half_after_pass"


@dataclass(frozen=True, slots=True)
class Named:
    """A level of 6 … 10 and its strain, which may be left out; level None is a mizer. Raise ValueError for others."""

    level: int | None
    strain: Strain | None = None

    def __post_init__(self) -> None:
        if self.level not in (None, *LEVELS) or (self.is_mizer and self.strain):
            raise ValueError(f"{self.to_text()} is no contract")

    @classmethod
    def of(cls, deal: Contract | Mizer) -> Self:
        """Return the contract of this deal."""
        return cls(deal.level, deal.strain) if isinstance(deal, Contract) else cls(None)

    @property
    def is_mizer(self) -> bool:
        return self.level is None

    @property
    def highest(self) -> Call:
        """The highest bid that the contract may stand for: without a strain, the one at no trumps."""
        return Call.MIZER if self.is_mizer else Call(f"{self.level}{self.strain or Strain.NO_TRUMPS}")

    def reads_as(self, other: Self) -> bool:
        """Return whether both may record the same hand: they differ at most in whether the strain is noted."""
        return self.level == other.level and (self.strain == other.strain or None in (self.strain, other.strain))

    def check(self, auction: Auction) -> None:
        """Raise IllegalMove as `Auction.check` for a contract that the declarer may not name after this auction."""
        try:
            auction.check(self.highest)
        except IllegalMove as refused:
            code, params = refused.message
            raise IllegalMove(code, **{**params, "contract": self.to_text()}) from refused

    def whisting(self, answers: tuple[Answer, ...], rules: Rules) -> Whisting | None:
        """Return the answers to it by these rules; None for a mizer, never whisted. Raise IllegalMove as `Whisting`."""
        return None if self.level is None else Whisting(self.level, self.strain, answers, rules)

    def to_text(self) -> str:
        """Write `6S`, or `6` without its strain; `M`."""
        return Call.MIZER.value if self.is_mizer else f"{self.level}{self.strain or ''}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState for any other."""
        if text not in _NAMED:
            raise MalformedState(text)
        return cls(*_NAMED[text])


MIZER: Final = Named(None)
_NAMED: Final = {
    each.to_text(): (each.level, each.strain)
    for each in (MIZER, *(Named(level, strain) for level in LEVELS for strain in (None, *Strain)))
}
