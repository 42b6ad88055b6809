"""What a tap notes of a hand that is being played: the game's side of the referee and of announcing.

`seats` are those at the table, clockwise, `rules` the house's. Every move gives the hand as it then stands, or raises
IllegalMove. The exit ladder refuses nothing, and as it hangs on the hands before, no hand knows of it.

The codes, with their parameters, by who raises them. In every move that needs to know who plays, `not_playing` (seat).
call        `later_first`: somebody was let play; `auction_over`; `not_your_turn` (seat, turn); of a call that cannot be
            made, with the call and, if there is one, the bid: `not_higher` (call, bid), `mizer_first` (call, bid),
            `nothing_to_take` (call), `here_of_two` (call, bid), `here_by_earlier` (call, bid), `here_over_mizer`
            (call, bid)
let_play    `later_first`: somebody is let play already; `auction_over`
name        `auction_not_over`, `nobody_declares`, `mizer_bid`, `mizer_not_bid` (each: contract), `contract_too_low`
            (contract, least), `later_first`: it is named already; `strain_needed`
answer      `not_announced`; `nobody_asked`: a mizer, or a raspasovka; `given_up`; `not_defending` (seat): no opponent;
            `not_your_turn` (seat, turn); where nobody is asked `ten_checked`, `must_whist`; `answers_over`; of a half
            that cannot be, with the level: `half_off`, `half_level`, `half_second`, `half_after_pass` (each: level)
give_up     `give_up_off`; `not_announced`; `give_up_game`: a mizer, or a raspasovka; `given_up`: already;
            `nothing_played`: both passed, or half stands
take_back   `nothing_to_undo`
announce    what name, answer and give_up raise of what was said, but for whose turn it is
finish      `not_announced`; `answers_unanswered` (due: `first`, `second`); `tricks_unanswered`: none are said, or of a
            raspasovka too few; `split_unanswered`: the first's are not said, where each opponent has his own
from_state  MalformedState; what call, let_play, name, answer and give_up raise, and `calls_impossible` (calls)

`answers_impossible` (answers), and where it is said already `strain_needed`, come only where the house has changed its
rules during the hand. `contract` and `least` are written as `7H`, or `7` without its strain, and `M`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scorekeeper.games.base import IllegalMove, InvalidDeal, Message
from scorekeeper.games.preference.auction import Call
from scorekeeper.games.preference.deal import ALL_TRICKS, Answers, Contract, Deal, Mizer, Raspasovka
from scorekeeper.games.preference.declaration import Named
from scorekeeper.games.preference.hand_state import InPlay, Step, Summary
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.seating import PLAYERS, places, playing_seats, takes_part
from scorekeeper.games.preference.validation import check
from scorekeeper.games.preference.whisting import Answer, Defender, spoken
from scorekeeper.games.referee import Referee

type Move = Callable[[InPlay, tuple[int, ...], Rules], InPlay]


class PreferenceReferee(Referee[InPlay, Summary, Deal, Rules]):
    """Notes a hand of Preference that is being played."""

    def begin(self, dealer: int) -> InPlay:
        return InPlay(dealer)

    def from_state(self, dealer: int, state: Mapping[str, Any]) -> InPlay:
        """Raises MalformedState, or IllegalMove for what cannot have been noted."""
        return InPlay.from_state(dealer, state)

    def announce(self, hand: InPlay, said: Summary, seats: tuple[int, ...], rules: Rules) -> InPlay:
        """The hand as the table says it is. An auction stays that may have led there; what was answered does not."""
        playing = _playing(said.dealer, seats)
        if said.declarer is not None and said.declarer not in playing:
            raise IllegalMove("not_playing", seat=said.declarer)
        return hand.announced(said, playing, rules)

    def is_continued(self, before: InPlay, after: InPlay) -> bool:
        """Return whether it is the same auction, or more of it: two passes go on to three."""
        if before.let is not None or before.auction is None or after.auction is None:
            return (before.auction, before.let) == (after.auction, after.let)
        calls = before.auction.calls
        return after.auction.seats == before.auction.seats and after.auction.calls[: len(calls)] == calls

    def gives_way(self, before: InPlay, after: InPlay) -> bool:
        """Whether anything that was noted is noted no more: what was announced, but for what is only added to it."""
        if self.passes_over(before, after):
            return True
        was, now = before.summary, after.summary
        if was is None:
            return False
        if now is None or (was.dealer, was.declarer, was.contract) != (now.dealer, now.declarer, now.contract):
            return True
        return now.answers[: len(was.answers)] != was.answers or was.given_up > now.given_up

    def finish(self, hand: InPlay, rules: Rules, *, tricks: tuple[int, ...] = ()) -> Deal:
        """The deal that was played.

        `tricks` are those of the seats of `tricks_of`, in that order; of several, the last may be left out.
        Raises IllegalMove, and InvalidDeal for tricks that cannot be: `tricks_extra` where nothing is played too.
        """
        deal = _deal(hand, rules, tuple(tricks))
        check(deal, rules)
        return deal

    def agrees(self, hand: InPlay, dealer: int, declarer: int | None, deal: Deal | None) -> bool:
        """Whether a deal says of the hand what is noted of it.

        What is noted of the answers may go on to those of the deal. Nothing agrees with an auction in its course, and
        agreed entries with no hand that has begun.
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
#: The answers after which nothing is played.
_UNPLAYED: Final = tuple(spoken(each) for each in Answers if not each.is_played and each is not Answers.GIVEN_UP)


# --- Announcing ---


def answers_said(contract: Named, answers: Answers, rules: Rules) -> tuple[Answer, ...]:
    """What is said where the answers come to this, for a Summary: nothing where nobody is asked."""
    whisting = contract.whisting((), rules)
    return spoken(answers) if whisting and not whisting.is_over else ()


# --- The end ---


def _deal(hand: InPlay, rules: Rules, tricks: tuple[int, ...]) -> Deal:
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


def _raspasovka(hand: InPlay, rules: Rules, tricks: tuple[int, ...]) -> Raspasovka:
    """Raises InvalidDeal `raspasy_count` (count)."""
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
    """The tricks of so many, the last counted out; what is below zero then is refused with the deal."""
    if not tricks:
        raise IllegalMove("tricks_unanswered")
    if len(tricks) < count - 1:
        raise IllegalMove(otherwise)
    return (*tricks, ALL_TRICKS - sum(tricks)) if len(tricks) == count - 1 else tricks


def _may_come_to(hand: InPlay, deal: Contract | Mizer) -> bool:
    """Whether the declarer may play it after what is noted."""
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
    """A call of the auction."""
    return lambda hand, seats, rules: hand.called(seat, said, _playing(hand.dealer, seats))


def let_play(declarer: int) -> Move:
    """Who plays, without an auction or without the rest of it."""

    def noted(hand: InPlay, seats: tuple[int, ...], rules: Rules) -> InPlay:
        if declarer not in _playing(hand.dealer, seats):
            raise IllegalMove("not_playing", seat=declarer)
        return hand.let_play(declarer)

    return noted


def name(contract: Named) -> Move:
    """What the declarer names: his bid or higher. Who bid mizer plays it, and has nothing to name."""
    return lambda hand, seats, rules: hand.naming(contract, rules)


def answer(seat: int, said: Answer) -> Move:
    """What an opponent answers: first, second, and after a half the first again."""

    def noted(hand: InPlay, seats: tuple[int, ...], rules: Rules) -> InPlay:
        hand.asked(rules)
        defenders = _places(hand, seats)[1:]
        if seat not in defenders:
            raise IllegalMove("not_defending", seat=seat)
        turn = who_answers(hand, seats, rules)
        if turn is not None and turn != seat:
            raise IllegalMove("not_your_turn", seat=seat, turn=turn)
        return hand.answered(said, rules)

    return noted


def give_up(hand: InPlay, seats: tuple[int, ...], rules: Rules) -> InPlay:
    """The declarer concedes before the play."""
    return hand.conceded(rules)


def take_back(hand: InPlay, seats: tuple[int, ...], rules: Rules) -> InPlay:
    """The latest move is taken back: what was given up, an answer, the contract, who was let play, or a call."""
    return hand.taken_back()


# --- Who is asked ---


def who_answers(hand: InPlay, seats: tuple[int, ...], rules: Rules) -> int | None:
    """The seat whose answer it is; None where nobody is to answer."""
    if hand.step(rules) is not Step.ANSWERING:
        return None
    due = hand.asked(rules).to_answer
    return None if due is None else _places(hand, seats)[_PLACES[due]]


def tricks_of(hand: InPlay, seats: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    """The seats whose tricks `finish` asks for, in its order; empty until that is known, and where nothing is played.

    The declarer's; where each opponent has his own, the first's and the second's too. In a raspasovka, of all who take
    part in order of speaking.
    """
    if hand.step(rules) is not Step.TRICKS:
        return ()
    if hand.is_raspasovka:
        return takes_part(seats, hand.dealer, talon=rules.raspasy_dealer)
    result = hand.result(rules)
    return _places(hand, seats)[: PLAYERS if result and result.of_two else 1]


def _places(hand: InPlay, seats: tuple[int, ...]) -> tuple[int, ...]:
    """The declarer, the first, the second."""
    playing, declarer = _playing(hand.dealer, seats), hand.declarer
    if declarer is None:
        raise IllegalMove("not_announced")
    if declarer not in playing:
        raise IllegalMove("not_playing", seat=declarer)
    return places(seats, hand.dealer, declarer)


def _playing(dealer: int, seats: tuple[int, ...]) -> tuple[int, int, int]:
    """The three who play when this seat deals. Raises IllegalMove `not_playing`."""
    if dealer not in seats:
        raise IllegalMove("not_playing", seat=dealer)
    first, second, third = playing_seats(seats, dealer)
    return first, second, third
