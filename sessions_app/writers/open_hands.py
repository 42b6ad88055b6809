"""The only writer of the open hand: what is called, announced, doubled and played before the hand is recorded.

Each is one short transaction that holds the evening, as the ledger's are. A writer says what he has `seen`; what was
changed since then is not overwritten. The open hand's version is the evening's at its latest change, so that no two
states of any hand of an evening share one. What is not legal is refused by the rules themselves (`IllegalMove`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID, uuid4

from django.utils import timezone

from scorekeeper.games.asszorti import deal_to_text, playing_seats
from scorekeeper.games.asszorti.auction import Auction
from scorekeeper.games.asszorti.claims import Play
from scorekeeper.games.asszorti.doubling import Doubling
from scorekeeper.games.asszorti.in_play import Announced, InPlay
from scorekeeper.games.asszorti.moves import IllegalMove
from scorekeeper.games.asszorti.referee import Announcement
from sessions_app.models import GameSession, Hand, OpenHand, User
from sessions_app.readers import queries
from sessions_app.writers import ledger
from sessions_app.writers.ledger import EveningEnded, Facts, Stale
from sessions_app.writers.writing import hold_evening, writing


class Replaces(ledger.LedgerError):
    """What is announced would pass over what the referee has noted, `hand`, and nobody has said that it shall."""

    def __init__(self, hand: InPlay) -> None:
        super().__init__("the referee has begun with this hand")
        self.hand = hand


class Seen(NamedTuple):
    """What the writer's page showed: the hand's number, and the open hand's version (0: there was none)."""

    number: int
    version: int


def latest(evening: GameSession) -> OpenHand | None:
    """The evening's open hand, or None: one query."""
    return OpenHand.objects.filter(game_session=evening.pk).first()


def read(row: OpenHand) -> InPlay:
    """What a row's state stands for."""
    return InPlay.from_state(row.dealer, row.state)


@writing
def let_deal(evening_id: int, dealer: int, *, seen: Seen, by: User) -> None:
    """Correct who deals. Raises EveningEnded, Stale, and IllegalMove: `later_first` once something was called."""
    with _changing(evening_id, seen, by) as held:
        if held.hand.has_begun:
            raise IllegalMove("later_first")
        held.playing_at(dealer)
        held.hand = InPlay(dealer)


@writing
def bid(evening_id: int, move: Callable[[Auction], Auction], *, seen: Seen, by: User) -> None:
    """Make or take back a call. Raises EveningEnded, Stale, IllegalMove."""
    with _changing(evening_id, seen, by) as held:
        auction = held.hand.auction or Auction(held.playing)
        held.hand = held.hand.after_auction(move(auction))


@writing
def let_play(evening_id: int, declarer: int | None, *, seen: Seen, by: User) -> None:
    """Note who plays, without an auction (None: take that back). Raises as `bid`."""
    with _changing(evening_id, seen, by) as held:
        if declarer is not None and declarer not in held.playing:
            raise IllegalMove("not_playing", seat=declarer)
        held.hand = held.hand.passed_over(declarer)


@writing
def name(evening_id: int, announcement: Announcement, *, seen: Seen, by: User) -> None:
    """Let the declarer name what he plays. Raises as `bid`."""
    with _changing(evening_id, seen, by) as held:
        held.hand = held.hand.named(announcement, held.playing)


@writing
def unname(evening_id: int, *, seen: Seen, by: User) -> None:
    """Take back what the declarer named. Raises as `bid`."""
    with _changing(evening_id, seen, by) as held:
        held.hand = held.hand.unnamed()


@writing
def announce(
    evening_id: int, said: Announced, *, seen: Seen, by: User, token: UUID, replace: int | None = None
) -> None:
    """Note all that the table announces, or correct it: what is said here wins over what was noted before.

    `token` is of the form that said it, under which the hand will be recorded. Announcing what is already noted
    changes nothing, whoever noted it. An auction is passed over only by who says so: `replace` is the version of the
    open hand that he was shown. What gives way is kept, to be put back. Raises EveningEnded, Stale, Replaces,
    IllegalMove.
    """
    try:
        with _changing(evening_id, seen, by) as held:
            before = held.hand
            held.hand = before.announced(said, held.playing_at(said.dealer))
            if _passes_over(before, held.hand) and replace != held.row.version:
                raise Replaces(before)
            if _gives_way(before, held.hand):
                held.row.replaced = {"dealer": before.dealer, "state": before.to_state()}
            # A form that has recorded a hand of this evening lends its token to no other.
            if not held.row.pk and not Hand.objects.filter(game_session=evening_id, token=token).exists():
                held.row.token = token
    except Stale:
        noted = OpenHand.objects.filter(game_session=evening_id, number=seen.number).first()
        if noted is None or read(noted).summary != said:
            raise


def _passes_over(before: InPlay, after: InPlay) -> bool:
    """Whether what the referee has noted of an auction, or of who plays, gives way to an announcement."""
    if before.announcement or not before.has_begun:
        return False
    return (before.auction, before.declarer) != (after.auction, after.declarer)


def _gives_way(before: InPlay, after: InPlay) -> bool:
    return _passes_over(before, after) or before.summary not in (None, after.summary)


@writing
def put_back(evening_id: int, *, seen: Seen, by: User) -> None:
    """Put back what the latest announcement replaced. Raises EveningEnded, Stale, IllegalMove `nothing_to_undo`."""
    with _changing(evening_id, seen, by) as held:
        if not held.row.replaced:
            raise IllegalMove("nothing_to_undo")
        held.hand = InPlay.from_state(**held.row.replaced)
        held.row.replaced = None


@writing
def double(evening_id: int, move: Callable[[Doubling], Doubling], *, seen: Seen, by: User) -> None:
    """Say the next step of a ladder, or take the latest back. Raises as `bid`."""
    with _changing(evening_id, seen, by) as held:
        if not held.hand.doubling:
            raise IllegalMove("not_announced")
        held.hand = held.hand.after_doubling(move(held.hand.doubling))


@writing
def play(evening_id: int, move: Callable[[Play], Play], *, seen: Seen, by: User) -> None:
    """Note a trick, a claim or an answer to it, or take the latest back. Raises as `bid`."""
    with _changing(evening_id, seen, by) as held:
        if not held.hand.played:
            raise IllegalMove("not_announced")
        held.hand = held.hand.after_play(move(held.hand.played))


@writing
def take_back(evening_id: int, *, seen: Seen) -> None:
    """Forget the open hand altogether. Raises EveningEnded, Stale."""
    with _holding(evening_id, seen) as (evening, row):
        if row:
            row.delete()
            _renew(evening)


@writing
def finish(
    evening_id: int, *, seen: Seen, token: UUID, by: User, left: int | None = None, idegen: bool | None = None
) -> Hand:
    """Record the hand that was played, and return it; a token that is known returns the hand it made.

    `left` (the left opponent's of the tricks) and `idegen` answer what only the table can tell, None where it is not
    asked. Raises as `bid`.
    """
    evening = hold_evening(evening_id)
    known = evening.hands.filter(token=token).first()
    if known:
        return known
    with _holding(evening_id, seen) as (_evening, row):
        if row is None:
            raise IllegalMove("not_announced")
        hand = read(row)
        deal = hand.finished(left=left, idegen=idegen)
        facts = Facts(row.dealer, hand.declarer, deal_to_text(deal))
        # All phones have followed how it was played: it is no second writing of the hand before.
        return ledger.record(evening_id, token=row.token, number=row.number, facts=facts, by=by, another=True)


@dataclass(slots=True)
class _Held:
    """The open hand of an evening that is held: its row, and the hand, which the writer replaces."""

    row: OpenHand
    hand: InPlay
    seats: tuple[int, ...]

    @property
    def playing(self) -> tuple[int, int, int]:
        return self.playing_at(self.hand.dealer)

    def playing_at(self, dealer: int) -> tuple[int, int, int]:
        """The three who play when this seat deals. Raises IllegalMove `not_playing`."""
        if dealer not in self.seats:
            raise IllegalMove("not_playing", seat=dealer)
        first, second, third = playing_seats(self.seats, dealer)
        return first, second, third


@contextmanager
def _holding(evening_id: int, seen: Seen) -> Iterator[tuple[GameSession, OpenHand | None]]:
    """Hold the evening for a writer who has seen the open hand as it is. Raises EveningEnded, Stale."""
    evening = hold_evening(evening_id)
    if evening.has_ended:
        raise EveningEnded
    row = latest(evening)
    if seen != Seen(evening.last_number + 1, row.version if row else 0):
        raise Stale
    yield evening, row


@contextmanager
def _changing(evening_id: int, seen: Seen, by: User) -> Iterator[_Held]:
    """Let the writer replace the open hand, begun if there is none, and write it if that changes anything."""
    with _holding(evening_id, seen) as (evening, row):
        if row is None:
            dealer = queries.turn(evening).dealer
            row = OpenHand(game_session=evening, number=seen.number, token=uuid4(), dealer=dealer)
        held = _Held(row, read(row), evening.sitting)
        before, replaced = held.hand, row.replaced
        yield held
        if row.pk and held.hand == before:
            return
        # Only the latest word can be unsaid so: who notes anything else builds on it.
        if row.replaced == replaced:
            row.replaced = None
        _renew(evening)
        row.dealer, row.state = held.hand.dealer, held.hand.to_state()
        row.version, row.changed_at, row.changed_by = evening.version, timezone.now(), by
        row.save()


def _renew(evening: GameSession) -> None:
    evening.version += 1
    evening.save(update_fields=["version"])
