"""The referee of Asszorti and its moves: each notes one step of a hand that is being played.

`seats` are those at the table, clockwise; `rules` are the evening's. A move returns the hand after it, or raises
IllegalMove.
"""

from collections.abc import Callable
from typing import Any, Final

from scorekeeper.games.asszorti.announcing import Announcement, Auction, Doubling
from scorekeeper.games.asszorti.deal import SEATING, Arrivazs, Deal, Trump
from scorekeeper.games.asszorti.hand_in_play import Announced, HandState
from scorekeeper.games.asszorti.house_rules import Rules
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.referee import Referee

type Move = Callable[[HandState, tuple[int, ...], Rules], HandState]


class AsszortiReferee(Referee[HandState, Announced, Deal, Rules]):
    """Notes a hand of Asszorti that is being played."""

    state = HandState
    seating = SEATING

    def announce(self, hand: HandState, said: Announced, seats: tuple[int, ...], rules: Rules) -> HandState:
        """Raise IllegalMove `not_playing`, and as `_allowed`."""
        return _allowed(hand.announced(said, self.playing(said.dealer, seats)), rules)

    def is_continued(self, before: HandState, after: HandState) -> bool:
        return (before.auction, before.declarer) == (after.auction, after.declarer)

    def finish(self, hand: HandState, rules: Rules, **answers: Any) -> Deal:
        """Return the deal that was played, by the players' answers `left` and `idegen`, as `HandState.finished`."""
        return hand.finished(rules=rules, **answers)

    def agrees(self, hand: HandState, dealer: int, declarer: int | None, deal: Deal | None) -> bool:
        if not hand.has_begun:
            return dealer == hand.dealer
        if declarer is None or deal is None:
            return False
        if hand.summary is None:
            return (dealer, declarer) == (hand.dealer, hand.declarer)
        announcement = Announcement(deal.contract, deal.trump, deal.arrivazs is not Arrivazs.NONE)
        return hand.summary == Announced(dealer, declarer, announcement, deal.game_kontra, deal.arrivazs_kontra)


REFEREE: Final = AsszortiReferee()


def bid(move: Callable[[Auction], Auction]) -> Move:
    """Make a call, or take one back."""
    return lambda hand, seats, rules: hand.after_auction(
        move(hand.auction or Auction(REFEREE.playing(hand.dealer, seats)))
    )


let_play = REFEREE.let_play


def name(announcement: Announcement) -> Move:
    """Note the declarer's contract."""
    return lambda hand, seats, rules: _allowed(hand.named(announcement, REFEREE.playing(hand.dealer, seats)), rules)


def unname(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
    """Take back the declarer's contract."""
    return hand.unnamed()


def double(move: Callable[[Doubling], Doubling]) -> Move:
    """Note the next step of a ladder, or take back the latest. `not_announced`."""

    def noted(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
        if not hand.doubling:
            raise IllegalMove("not_announced")
        return _allowed(hand.after_doubling(move(hand.doubling)), rules)

    return noted


def play(move: Callable[[Play], Play]) -> Move:
    """Note a trick, a claim or an answer to it, or take back the latest. `not_announced`."""

    def noted(hand: HandState, seats: tuple[int, ...], rules: Rules) -> HandState:
        if not hand.played:
            raise IllegalMove("not_announced")
        return hand.after_play(move(hand.played))

    return noted


def _allowed(hand: HandState, rules: Rules) -> HandState:
    """Return a hand that the rules allow. Raise IllegalMove `arrivazs_no_trumps`, `kontra_too_high` (highest)."""
    said = hand.announcement
    if said and said.arrivazs and said.trump is Trump.NONE and not rules.no_trump_arrivazs:
        raise IllegalMove("arrivazs_no_trumps")
    if hand.doubling and any(hand.doubling.level(item) > rules.ladder for item in hand.doubling.items):
        raise IllegalMove("kontra_too_high", highest=rules.ladder)
    return hand
