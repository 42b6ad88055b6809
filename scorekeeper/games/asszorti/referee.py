"""Build the deal from the announcement, the kontras and the play."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from scorekeeper.games.asszorti.claims import Outcome, Play
from scorekeeper.games.asszorti.deal import Deal
from scorekeeper.games.asszorti.doubling import ANNOUNCED, Doubling, Item
from scorekeeper.games.asszorti.enums import Arrivazs, Contract, Trump
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.asszorti.play import idegen_can_be_asked
from scorekeeper.games.asszorti.sides import IllegalMove, MalformedState


class Question(StrEnum):
    """A question to the players once the hand is played."""

    SPLIT = "split"
    IDEGEN = "idegen"


@dataclass(frozen=True, slots=True)
class Announcement:
    """The declarer's announcement."""

    contract: Contract
    trump: Trump
    arrivazs: bool = False

    def to_text(self) -> str:
        """Write `2 hearts announced`: contract, trumps, and whether arrivázs was announced."""
        return " ".join((self.contract, self.trump, *([ANNOUNCED] if self.arrivazs else ())))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState."""
        match text.split(" "):
            case [contract, trump, *rest] if contract in Contract and trump in Trump:
                if rest in ([], [ANNOUNCED]):
                    return cls(Contract(contract), Trump(trump), bool(rest))
        raise MalformedState(text)


def questions(announcement: Announcement, play: Play, rules: Rules = BOOK) -> tuple[Question, ...]:
    """Return the questions to the players before the deal is known; none during the play."""
    outcome = play.outcome
    if outcome is None:
        return ()
    asked = {
        Question.SPLIT: outcome.must_ask_split and rules.six_five_nil,
        Question.IDEGEN: _asks_idegen(announcement, outcome),
    }
    return tuple(question for question, needed in asked.items() if needed)


def finished_deal(
    announcement: Announcement,
    doubling: Doubling,
    play: Play,
    *,
    split: int | tuple[int, int] | None = None,
    idegen: bool | None = None,
    rules: Rules = BOOK,
) -> Deal:
    """Return the deal that was played. `split` is as for `Outcome.with_split`, `idegen` whether the arrivázs was one.

    Raise IllegalMove `claim_open`, `hand_unfinished` (tricks), `split_unanswered`, `idegen_unanswered`,
    `idegen_not_asked` (only to a yes), `different_hands`, and what `Outcome.with_split` raises.
    """
    if doubling.sides != play.sides or doubling.arrivazs_announced != announcement.arrivazs:
        raise IllegalMove("different_hands")
    outcome = _finished(play, split, rules)
    return Deal(
        contract=announcement.contract,
        trump=announcement.trump,
        tricks=outcome.tricks,
        game_kontra=doubling.level(Item.GAME),
        arrivazs=_arrivazs(announcement, outcome, idegen),
        arrivazs_kontra=doubling.level(Item.ARRIVAZS),
        rules=rules,
    )


def _finished(play: Play, split: int | tuple[int, int] | None, rules: Rules) -> Outcome:
    if play.may_answer:
        raise IllegalMove("claim_open")
    if play.outcome is None:
        raise IllegalMove("hand_unfinished", tricks=play.tricks.played)
    if split is not None:
        return play.outcome.with_split(split)
    if play.outcome.must_ask_split and rules.six_five_nil:
        raise IllegalMove("split_unanswered")
    return play.outcome


def _arrivazs(announcement: Announcement, outcome: Outcome, idegen: bool | None) -> Arrivazs:
    if not _asks_idegen(announcement, outcome):
        if idegen:
            raise IllegalMove("idegen_not_asked")
        return outcome.arrivazs if announcement.arrivazs else Arrivazs.NONE
    if idegen is None:
        raise IllegalMove("idegen_unanswered")
    return Arrivazs.IDEGEN if idegen else outcome.arrivazs


def _asks_idegen(announcement: Announcement, outcome: Outcome) -> bool:
    return idegen_can_be_asked(outcome.arrivazs, announcement.trump, announced=announcement.arrivazs)
