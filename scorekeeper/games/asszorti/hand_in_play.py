"""The state of a hand of Asszorti in play, the moves on it, and the deal that it comes to."""

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from scorekeeper.games.asszorti.announcing import Announcement, Auction, Doubling, Item
from scorekeeper.games.asszorti.deal import Arrivazs, Deal, Sides, Trump
from scorekeeper.games.asszorti.house_rules import BOOK, Rules
from scorekeeper.games.asszorti.play import Outcome, Play
from scorekeeper.games.auction import AuctionedHand
from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.payment_game import Kontra


class Question(StrEnum):
    """A question to the players once the hand is played."""

    SPLIT = "split"
    IDEGEN = "idegen"


@dataclass(frozen=True, slots=True)
class Announced:
    """The announcements of a hand before it is played; of the kontras the level, not the speakers."""

    dealer: int
    declarer: int
    announcement: Announcement
    game_kontra: Kontra = Kontra.NONE
    arrivazs_kontra: Kontra = Kontra.NONE


@dataclass(frozen=True, slots=True)
class HandState(AuctionedHand[Auction, Announced]):
    """A hand at some point; a part that has not begun, or was skipped, is None.

    There is a declarer before there is an announcement, and a doubling as soon as there is one.
    """

    announcement: Announcement | None = None
    doubling: Doubling | None = None
    play: Play | None = None

    READERS = MappingProxyType(
        {
            "declarer": int,
            "auction": Auction.from_text,
            "announcement": Announcement.from_text,
            "doubling": Doubling.from_text,
            "play": Play.from_text,
        }
    )

    @property
    def sides(self) -> Sides | None:
        """The declarer and his opponents; None until the contract is announced."""
        return self.doubling.sides if self.doubling else None

    @property
    def played(self) -> Play | None:
        """The play so far, its start included; None until the contract is announced."""
        return self.play or (Play(self.sides) if self.sides else None)

    def after_auction(self, auction: Auction) -> Self:
        """Return the hand with its auction at this point.

        Raise IllegalMove: `auction_over`, `later_first` (the declarer was noted without one).
        """
        if self.announcement:
            raise IllegalMove("auction_over")
        if self.declarer is not None and self.auction is None:
            raise IllegalMove("later_first")
        return replace(self, auction=auction, declarer=auction.declarer)

    def after_doubling(self, doubling: Doubling) -> Self:
        """Return the hand with its kontras at this point."""
        return replace(self, doubling=doubling)

    def after_play(self, play: Play) -> Self:
        """Return the hand with its tricks at this point."""
        return replace(self, play=None if play == Play(play.sides) else play)

    def named(self, announcement: Announcement, playing: tuple[int, ...]) -> Self:
        """Return the hand with its declarer's contract.

        Raise IllegalMove: `later_first` (it is named already), `auction_not_over`, `contract_too_low`.
        """
        if self.announcement:
            raise IllegalMove("later_first")
        if self.auction:
            self.auction.check(announcement.contract)
        if self.declarer is None:
            raise IllegalMove("auction_not_over")
        return self.announced(Announced(self.dealer, self.declarer, announcement), playing)

    def unnamed(self) -> Self:
        """Return the hand before its announcement. Raise IllegalMove `later_first` if that was doubled or played."""
        if (self.doubling and self.doubling.said) or self.play:
            raise IllegalMove("later_first")
        return replace(self, announcement=None, doubling=None)

    def announced(self, said: Announced, playing: tuple[int, ...]) -> Self:
        """Return the hand once this was announced or corrected: parts that contradict it are removed.

        `playing` are the three seats that play when that dealer deals. Raise IllegalMove `not_playing`.
        """
        sides = Sides.of(playing, said.declarer)
        auction = self.auction
        if auction and (auction.seats, auction.declarer) != (playing, said.declarer):
            auction = None
        if auction and said.announcement.contract not in auction.contracts_allowed:
            auction = None
        return replace(
            self,
            dealer=said.dealer,
            declarer=said.declarer,
            auction=auction,
            announcement=said.announcement,
            doubling=_doubled(self.doubling if self.sides == sides else None, said, sides),
            play=_reseated(self.play, sides),
        )

    @property
    def summary(self) -> Announced | None:
        """The announcements so far, kontras included; None before the first."""
        if self.declarer is None or not self.announcement or not self.doubling:
            return None
        game, arrivazs = (self.doubling.level(item) for item in Item)
        return Announced(self.dealer, self.declarer, self.announcement, game, arrivazs)

    def asked(self, rules: Rules) -> tuple[Question, ...]:
        """Return the questions to the players before the deal is known, by these rules; none during the play."""
        outcome = self.play.outcome if self.play else None
        if outcome is None or self.announcement is None:
            return ()
        asked = {
            Question.SPLIT: outcome.must_ask_split and rules.six_five_nil,
            Question.IDEGEN: _asks_idegen(self.announcement, outcome),
        }
        return tuple(question for question, needed in asked.items() if needed)

    def finished(self, *, left: int | None = None, idegen: bool | None = None, rules: Rules = BOOK) -> Deal:
        """Return the deal that was played; `left` is the number of the left opponent's tricks, if that is asked.

        Raise IllegalMove `not_announced`, `claim_open`, `hand_unfinished` (tricks), `split_unanswered`,
        `idegen_unanswered`, `idegen_not_asked` (only to a yes), and what `Outcome.with_left` raises.
        """
        if not (self.announcement and self.doubling and self.played):
            raise IllegalMove("not_announced")
        outcome = _finished(self.played, left, rules)
        return Deal(
            contract=self.announcement.contract,
            trump=self.announcement.trump,
            tricks=outcome.tricks,
            game_kontra=self.doubling.level(Item.GAME),
            arrivazs=_arrivazs(self.announcement, outcome, idegen),
            arrivazs_kontra=self.doubling.level(Item.ARRIVAZS),
            rules=rules,
        )


def _finished(play: Play, left: int | None, rules: Rules) -> Outcome:
    if play.may_answer:
        raise IllegalMove("claim_open")
    if play.outcome is None:
        raise IllegalMove("hand_unfinished", tricks=len(play.winners))
    if left is not None:
        return play.outcome.with_left(left)
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
    """Return whether the declarer must be asked if a trump of his was in the last three tricks."""
    won = announcement.arrivazs and outcome.arrivazs is Arrivazs.WON
    return won and announcement.trump is not Trump.NONE


def _doubled(doubling: Doubling | None, said: Announced, sides: Sides) -> Doubling:
    """Return the doubling at the announced levels. Speakers are known only as far as they were noted before."""
    doubling = doubling or Doubling(sides)
    if not said.announcement.arrivazs:
        doubling = doubling.at_level(Item.ARRIVAZS, Kontra.NONE)
    doubling = replace(doubling, arrivazs_announced=said.announcement.arrivazs)
    return doubling.at_level(Item.GAME, said.game_kontra).at_level(Item.ARRIVAZS, said.arrivazs_kontra)


def _reseated(play: Play | None, sides: Sides) -> Play | None:
    """Return the play with these sides: tricks keep their winners, and a claim is dropped with another declarer."""
    if play is None or play.sides == sides:
        return play
    if set(play.sides) != set(sides):
        return None
    return Play(sides, play.winners)
