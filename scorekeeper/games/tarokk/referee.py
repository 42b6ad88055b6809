"""The referee of Tarokk and its moves: each notes one step of a hand that is being played.

`seats` are those at the table, clockwise; `rules` are the evening's. A move returns the hand after it, or raises
IllegalMove.
"""

from collections.abc import Callable
from typing import Final

from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.referee import Referee
from scorekeeper.games.tarokk.announcing import ALONE, AnnouncedFacts, Announcing
from scorekeeper.games.tarokk.auction import Auction
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.enums import SEATING, Contract
from scorekeeper.games.tarokk.hand_in_play import HandState, Summary, Taken
from scorekeeper.games.tarokk.house_rules import Rules

type Move = Callable[[HandState, tuple[int, ...], Rules], HandState]


class TarokkReferee(Referee[HandState, Summary, Deal, Rules]):
    """Notes a hand of Tarokk that is being played."""

    state = HandState
    seating = SEATING

    def announce(self, hand: HandState, said: Summary, seats: tuple[int, ...], rules: Rules) -> HandState:
        """Return the announced hand. Raise IllegalMove `not_playing` (seat), `kontra_too_high` (highest)."""
        levels = (said.facts.game_kontra, *(each.kontra for each in said.facts.announced))
        if any(level > rules.ladder for level in levels):
            raise IllegalMove("kontra_too_high", highest=rules.ladder)
        return hand.announced(said, self.playing(said.dealer, seats))

    def is_continued(self, before: HandState, after: HandState) -> bool:
        return (before.auction, before.declarer) == (after.auction, after.declarer)

    def finish(self, hand: HandState, rules: Rules, *, proba: bool = False) -> Deal | None:
        """Return the deal of a hand that was not played: a lost próba, or None if all four have passed.

        With `proba` the fourth player found no honour in the talon. The hand form asks for the end of any other hand.
        Raise IllegalMove `not_announced`, `points_unanswered`, `no_proba`.
        """
        if hand.is_thrown_in and not proba:
            return None
        said = hand.summary
        if said is None:
            raise IllegalMove("not_announced")
        if not proba:
            raise IllegalMove("points_unanswered")
        played = hand.honour or (hand.auction and not hand.auction.is_proba)
        if said.contract is Contract.SOLO or said.facts != AnnouncedFacts() or played:
            raise IllegalMove("no_proba")
        return Deal(said.contract, is_proba=True, rules=rules)

    def agrees(self, hand: HandState, dealer: int, declarer: int | None, deal: Deal | None) -> bool:
        """Return whether a deal (None: thrown in) agrees with the notes of the hand."""
        if not hand.has_begun or deal is None:
            return dealer == hand.dealer and (not hand.has_begun or hand.is_thrown_in)
        if declarer is None:
            return False
        if hand.summary is None:
            return (dealer, declarer) == (hand.dealer, hand.declarer)
        if hand.partner is not None and not deal.is_proba and (deal.partner or ALONE) != hand.partner:
            return False
        if deal.is_proba and hand.honour:
            return False
        facts = AnnouncedFacts(deal.game_kontra, deal.announced, deal.tarokks)
        return hand.summary == Summary(dealer, declarer, deal.contract, facts)


REFEREE: Final = TarokkReferee()


def bid(move: Callable[[Auction], Auction]) -> Move:
    """Make a call, or take one back."""
    return lambda hand, seats, rules: hand.after_auction(
        move(hand.auction or Auction(REFEREE.playing(hand.dealer, seats)))
    )


def note_honour(*, found: bool) -> Move:
    """Note an honour in the talon of a próba, which is then played, or take that back. `no_proba`, `later_first`."""
    return lambda hand, seats, rules: hand.with_honour(found=found)


let_play = REFEREE.let_play


def name(contract: Contract | None) -> Move:
    """Note the declarer's contract without an auction; None takes that back."""
    return lambda hand, seats, rules: hand.named(contract, REFEREE.playing(hand.dealer, seats))


def say(seat: int, word: str) -> Move:
    """Note one word of a seat: see `announcing.Said`. Raise IllegalMove `not_announced`."""
    return lambda hand, seats, rules: hand.after_announcing(
        hand.begun.say(seat, word, ladder=rules.ladder, partner=hand.partner)
    )


def announce(change: Callable[[Announcing], Announcing]) -> Move:
    """Close the announcements, or take back the latest word. Raise IllegalMove `not_announced`."""
    return lambda hand, seats, rules: hand.after_announcing(change(hand.begun))


def know(partner: int | None) -> Move:
    """Note the partner's place as known to all, ALONE if there is none; None takes that back. `not_announced`."""
    return lambda hand, seats, rules: hand.known(partner)


def know_seat(seat: int) -> Move:
    """Note the partner's seat as known to all. Raise IllegalMove `not_announced`, `no_place`."""

    def noted(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
        if seat not in hand.begun.seats[1:]:
            raise IllegalMove("no_place")
        return hand.known(hand.begun.seats.index(seat))

    return noted


def take(change: Callable[[Taken], Taken]) -> Move:
    """Note the sides that took honours and kings. Raise IllegalMove `not_announced`."""
    return lambda hand, seats, rules: hand.after_play(change(hand.taken or Taken()))
