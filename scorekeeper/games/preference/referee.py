"""The referee of Preference and its moves: each notes one step of a hand in play, or announces it.

`seats` are those at the table, clockwise; `rules` are the evening's. A move returns the hand after it, or raises
IllegalMove. The exit ladder refuses nothing; it depends on earlier hands, so no hand in play holds it.

The codes and parameters, by function. Every move that needs to know the players raises `not_playing` (seat).
call        `later_first`: a declarer was noted already; `auction_over`; `not_your_turn` (seat, turn); for an illegal
            call, with the call and, if there is one, the bid: `not_higher` (call, bid), `mizer_first` (call, bid),
            `nothing_to_take` (call), `here_of_two` (call, bid), `here_by_earlier` (call, bid), `here_over_mizer`
            (call, bid)
let_play    `later_first`: a declarer was noted already; `auction_over`
name        `auction_not_over`, `nobody_declares`, `mizer_bid`, `mizer_not_bid` (each: contract), `contract_too_low`
            (contract, least), `later_first`: a contract is named already; `strain_needed`
answer      `not_announced`; `nobody_asked`: a mizer, or a raspasovka; `given_up`; `not_defending` (seat): not an
            opponent; `not_your_turn` (seat, turn); if nobody is asked `ten_checked`, `must_whist`; `answers_over`;
            for an illegal half `half_off`, `half_level`, `half_second`, `half_after_pass` (each: level)
give_up     `give_up_off`; `not_announced`; `give_up_game`: a mizer, or a raspasovka; `given_up`: already;
            `nothing_played`: both passed, or half stands
take_back   `nothing_to_undo`
announce    the codes of name, answer and give_up for the announcement, except those about the turn
finish      `not_announced`; `answers_unanswered` (due: `first`, `second`); `tricks_unanswered`: none are given, or of a
            raspasovka too few; `split_unanswered`: the first's are missing, where each opponent's are recorded

`answers_impossible` (answers), and `strain_needed` for a contract named already, come only if the house rules changed
during the hand. `contract` and `least` are written as `7H`, or `7` without its strain, and `M`.
"""

from collections.abc import Callable
from typing import Final

from scorekeeper.games.errors import IllegalMove, InvalidDeal, Message
from scorekeeper.games.preference.announcing import Answer, Defender, Named, spoken
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    PLAYERS,
    SEATING,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    participants,
)
from scorekeeper.games.preference.hand_in_play import HandState, Step, Summary
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.validation import check
from scorekeeper.games.referee import Referee, by_place

type Move = Callable[[HandState, tuple[int, ...], Rules], HandState]


class PreferenceReferee(Referee[HandState, Summary, Deal, Rules]):
    """Notes a hand of Preference that is being played."""

    state = HandState
    seating = SEATING

    def announce(self, hand: HandState, said: Summary, seats: tuple[int, ...], rules: Rules) -> HandState:
        """Return the hand as announced. An auction that may have led there is kept; answers noted before are not."""
        playing = self.playing(said.dealer, seats)
        if said.declarer is not None and said.declarer not in playing:
            raise IllegalMove("not_playing", seat=said.declarer)
        return hand.announced(said, playing, rules)

    def is_continued(self, before: HandState, after: HandState) -> bool:
        """Return whether the auction is the same or continued: two passes may become three."""
        if before.let is not None or before.auction is None or after.auction is None:
            return (before.auction, before.let) == (after.auction, after.let)
        calls = before.auction.calls
        return after.auction.seats == before.auction.seats and after.auction.calls[: len(calls)] == calls

    def gives_way(self, before: HandState, after: HandState) -> bool:
        """Return whether something noted before is lost. An announcement that is only added to loses nothing."""
        if self.passes_over(before, after):
            return True
        was, now = before.summary, after.summary
        if was is None:
            return False
        if now is None or (was.dealer, was.declarer, was.contract) != (now.dealer, now.declarer, now.contract):
            return True
        return now.answers[: len(was.answers)] != was.answers or was.given_up > now.given_up

    def finish(self, hand: HandState, rules: Rules, *, tricks: tuple[int, ...] = ()) -> Deal:
        """Return the deal that was played.

        `tricks` are those of the seats of `tricks_of`, in that order; of several, the last may be left out.
        Raise IllegalMove, and InvalidDeal for impossible tricks, also `tricks_extra` if nothing is played.
        """
        deal = _deal(hand, rules, tuple(tricks))
        check(deal, rules)
        return deal

    def agrees(self, hand: HandState, dealer: int, declarer: int | None, deal: Deal | None) -> bool:
        """Return whether the deal agrees with all that is noted of the hand.

        The answers noted may be the beginning of the deal's. Nothing agrees with an unfinished auction, and agreed
        entries agree with no hand that has begun.
        """
        if not hand.has_begun:
            return dealer == hand.dealer
        if (dealer, declarer) != (hand.dealer, hand.declarer):
            return False
        if isinstance(deal, Raspasovka):
            return hand.is_raspasovka
        return isinstance(deal, Contract | Mizer) and declarer is not None and _may_come_to(hand, deal)


REFEREE: Final = PreferenceReferee()


_PLACES: Final = {Defender.FIRST: 1, Defender.SECOND: 2}
#: The answers after which no trick is played.
_UNPLAYED: Final = tuple(spoken(each) for each in Answers if not each.is_played and each is not Answers.GIVEN_UP)


# --- Announcing ---


def answers_said(contract: Named, answers: Answers, rules: Rules) -> tuple[Answer, ...]:
    """Return the answers, one by one, that give this result, for a Summary; none if nobody is asked."""
    whisting = contract.whisting((), rules)
    return spoken(answers) if whisting and not whisting.is_over else ()


# --- The end ---


def _deal(hand: HandState, rules: Rules, tricks: tuple[int, ...]) -> Deal:
    if hand.is_raspasovka:
        return _raspasovka(hand, rules, tricks)
    contract = hand.contract
    if contract is None:
        raise IllegalMove("not_announced")
    if contract.level is None:
        return Mizer(_of_one(tricks)[0])
    result = hand.result(rules)
    if result is None:
        due = hand.asked(rules).to_answer or Defender.FIRST
        raise IllegalMove("answers_unanswered", due=due.value)
    if result.lone:
        tricks = _of_one(tricks)
    elif result.of_two:
        tricks = _of_several(tricks, PLAYERS, otherwise="split_unanswered")
    return Contract(contract.level, result, tricks, contract.strain)


def _raspasovka(hand: HandState, rules: Rules, tricks: tuple[int, ...]) -> Raspasovka:
    """Return the raspasovka with these tricks. Raise InvalidDeal `raspasy_count` (count)."""
    sits_out = hand.auction is not None and hand.dealer not in hand.auction.seats
    count = PLAYERS + 1 if sits_out and rules.raspasy_dealer else PLAYERS
    taken = _of_several(tricks, count, otherwise="tricks_unanswered")
    if len(taken) != count:
        raise InvalidDeal({"tricks": Message("raspasy_count", {"count": count})})
    return Raspasovka(taken)


def _of_one(tricks: tuple[int, ...]) -> tuple[int, ...]:
    if not tricks:
        raise IllegalMove("tricks_unanswered")
    if len(tricks) > 1:
        raise InvalidDeal({"tricks": Message("tricks_extra", {})})
    return tricks


def _of_several(tricks: tuple[int, ...], count: int, *, otherwise: str) -> tuple[int, ...]:
    """Return the tricks of `count` seats, a missing last one as the rest of ten; `check` refuses one below 0."""
    if not tricks:
        raise IllegalMove("tricks_unanswered")
    if len(tricks) < count - 1:
        raise IllegalMove(otherwise)
    return (*tricks, ALL_TRICKS - sum(tricks)) if len(tricks) == count - 1 else tricks


def _may_come_to(hand: HandState, deal: Contract | Mizer) -> bool:
    """Return whether the notes of the hand may still lead to this deal."""
    played, contract = Named.of(deal), hand.contract
    if contract is None:
        return played.highest in hand.contracts_allowed
    if not played.reads_as(contract):
        return False
    if isinstance(deal, Mizer):
        return True
    if deal.answers is Answers.GIVEN_UP:
        return hand.given_up or hand.answers not in _UNPLAYED
    return not hand.given_up and spoken(deal.answers)[: len(hand.answers)] == hand.answers


# --- Moves ---


def call(seat: int, said: Call) -> Move:
    """Make a call in the auction."""
    return lambda hand, seats, rules: hand.called(seat, said, REFEREE.playing(hand.dealer, seats))


let_play = REFEREE.let_play


def name(contract: Named) -> Move:
    """Note the declarer's contract: the bid or higher. After a bid of mizer there is nothing to name."""
    return lambda hand, seats, rules: hand.naming(contract, rules)


def answer(seat: int, said: Answer) -> Move:
    """Note an opponent's answer: first, second, and after a half the first again."""

    def noted(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
        hand.asked(rules)
        defenders = _places(hand, seats)[1:]
        if seat not in defenders:
            raise IllegalMove("not_defending", seat=seat)
        turn = who_answers(hand, seats, rules)
        if turn is not None and turn != seat:
            raise IllegalMove("not_your_turn", seat=seat, turn=turn)
        return hand.answered(said, rules)

    return noted


def give_up(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
    """Note that the declarer concedes before the play."""
    return hand.conceded(rules)


def take_back(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
    """Take back the latest move: giving up, an answer, the contract, the declarer noted, or a call."""
    return hand.taken_back()


# --- The seats to ask ---


def who_answers(hand: HandState, seats: tuple[int, ...], rules: Rules) -> int | None:
    """Return the seat whose turn it is to answer; None if no answer is awaited."""
    if hand.step(rules) is not Step.ANSWERING:
        return None
    due = hand.asked(rules).to_answer
    return None if due is None else _places(hand, seats)[_PLACES[due]]


def tricks_of(hand: HandState, seats: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    """Return the seats whose tricks `finish` takes, in its order; empty until known, and if nothing is played.

    They are the declarer's and, where each opponent's tricks are recorded, the first's and the second's. In a
    raspasovka they are those of all who take part, in order of speaking.
    """
    if hand.step(rules) is not Step.TRICKS:
        return ()
    if hand.is_raspasovka:
        return participants(seats, hand.dealer, talon=rules.raspasy_dealer)
    result = hand.result(rules)
    return _places(hand, seats)[: PLAYERS if result and result.of_two else 1]


def _places(hand: HandState, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats of declarer, first, second. Raise IllegalMove `not_announced`, `not_playing` (seat)."""
    playing = REFEREE.playing(hand.dealer, seats)
    if hand.declarer is None:
        raise IllegalMove("not_announced")
    return by_place(playing, hand.declarer)
