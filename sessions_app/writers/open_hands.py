"""The only writer of the open hand: what is noted of a hand before it is recorded.

Each is one short transaction that holds the evening. A writer says what he has `seen`; what was changed since then is
not overwritten. The open hand's version is the evening's at its latest change, so that no two states of any hand of an
evening share one. What is not legal is refused by the game itself (`IllegalMove`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from scorekeeper.games.base import IllegalMove
from sessions_app.errors import EveningEnded, ReplacesOpenHand, SeatsSwapped, StaleHand
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, Hand, OpenHand, User
from sessions_app.readers import next_deal
from sessions_app.readers.open_hands import latest, read, referee_of
from sessions_app.writers import ledger
from sessions_app.writers.evening_version import raise_version
from sessions_app.writers.transactions import hold_evening, writing

#: What a tap does to the hand in play, at a table of these seats, by these house rules.
type Move = Callable[[Any, tuple[int, ...], Any], Any]


@writing
def let_deal(evening_id: int, dealer: int, *, seen: Seen, by: User) -> None:
    """Correct who deals.

    Raises EveningEnded, StaleHand, and IllegalMove: `later_first` once anything is noted, `not_playing` (seat).
    """
    with _changing(evening_id, seen, by) as held:
        if held.hand.has_begun:
            raise IllegalMove("later_first")
        if dealer not in held.evening.sitting:
            raise IllegalMove("not_playing", seat=dealer)
        held.hand = referee_of(held.evening).begin(dealer)


@writing
def change(evening_id: int, move: Move, *, seen: Seen, by: User) -> None:
    """Make a move of the game's, or take one back. Raises EveningEnded, StaleHand, IllegalMove."""
    with _changing(evening_id, seen, by) as held:
        held.hand = move(held.hand, held.evening.sitting, held.evening.house)


@writing
def announce(
    evening_id: int,
    said: Any,
    *,
    seen: Seen,
    by: User,
    token: UUID,
    replace: int | None = None,
    seating: int | None = None,
) -> None:
    """Note all that the table announces, or correct it: what is said here wins over what was noted before.

    `token` is of the form that said it, under which the hand will be recorded. Announcing what is already noted
    changes nothing, whoever noted it. What nobody announced is passed over only by who says so: `replace` is the
    version of the open hand that he was shown. What gives way is kept, to be put back. `seating` is the evening's as
    he looked (None: as it is). Raises EveningEnded, SeatsSwapped, StaleHand, ReplacesOpenHand, IllegalMove.
    """
    try:
        with _changing(evening_id, seen, by, seating) as held:
            game, before = referee_of(held.evening), held.hand
            held.hand = game.announce(before, said, held.evening.sitting, held.evening.house)
            if game.passes_over(before, held.hand) and replace != held.row.version:
                raise ReplacesOpenHand(before)
            if game.gives_way(before, held.hand):
                held.row.replaced = {"dealer": before.dealer, "state": before.to_state()}
            # A form that has recorded a hand of this evening lends its token to no other.
            if not held.row.pk and not Hand.objects.filter(evening=evening_id, token=token).exists():
                held.row.token = token
    except StaleHand:
        noted = OpenHand.objects.filter(evening=evening_id, number=seen.number).select_related("evening")
        row = noted.first()
        if row is None or read(row.evening, row).summary != said:
            raise


@writing
def put_back(evening_id: int, *, seen: Seen, by: User) -> None:
    """Put back what the latest announcement replaced. Raises EveningEnded, StaleHand, IllegalMove `nothing_to_undo`."""
    with _changing(evening_id, seen, by) as held:
        if not held.row.replaced:
            raise IllegalMove("nothing_to_undo")
        held.hand = referee_of(held.evening).from_state(**held.row.replaced)
        held.row.replaced = None


@writing
def take_back(evening_id: int, *, seen: Seen) -> None:
    """Forget the open hand altogether. Raises EveningEnded, StaleHand."""
    with _holding(evening_id, seen) as (evening, row):
        if row:
            row.delete()
            raise_version(evening)


@writing
def finish(evening_id: int, *, seen: Seen, token: UUID, by: User, **answers: Any) -> Hand:
    """Record the hand that was played, or thrown in, and return it; a token that is known returns the hand it made.

    `answers` are the game's: what only the table can tell, where it is asked. Raises as `change`, and InvalidDeal for a
    deal that cannot be, or may not follow the hands before it.
    """
    evening = hold_evening(evening_id)
    known = evening.hands.filter(token=token).first()
    if known:
        return known
    with _holding(evening_id, seen) as (_evening, row):
        if row is None:
            raise IllegalMove("not_announced")
        hand = read(evening, row)
        deal = referee_of(evening).finish(hand, evening.house, **answers)
        if deal is None:
            facts = Facts(row.dealer, deal_stays=evening.game.redeals[0] == "stays")
        else:
            facts = Facts(row.dealer, hand.declarer, evening.game.deal_to_text(deal))
        # All phones have followed how it was played: it is no second writing of the hand before.
        return ledger.record(evening_id, token=row.token, number=row.number, facts=facts, by=by, another=True)


@dataclass(slots=True)
class _Held:
    """The open hand of an evening that is held: its row, and the hand, which the writer replaces."""

    evening: Evening
    row: OpenHand
    hand: Any


@contextmanager
def _holding(evening_id: int, seen: Seen, seating: int | None = None) -> Iterator[tuple[Evening, OpenHand | None]]:
    """Lock the evening for a caller that has read the open hand as it is.

    Raises EveningEnded, SeatsSwapped, StaleHand.
    """
    evening = hold_evening(evening_id)
    if evening.has_ended:
        raise EveningEnded
    if seating is not None and seating != evening.seating:
        raise SeatsSwapped
    row = latest(evening)
    if seen != Seen(evening.last_number + 1, row.version if row else 0):
        raise StaleHand
    yield evening, row


@contextmanager
def _changing(evening_id: int, seen: Seen, by: User, seating: int | None = None) -> Iterator[_Held]:
    """Let the writer replace the open hand, begun if there is none, and write it if that changes anything."""
    with _holding(evening_id, seen, seating) as (evening, row):
        if row is None:
            dealer = next_deal.turn(evening).dealer
            row = OpenHand(evening=evening, number=seen.number, token=uuid4(), dealer=dealer)
        held = _Held(evening, row, read(evening, row))
        before, replaced = held.hand, row.replaced
        yield held
        if row.pk and held.hand == before:
            return
        # Only the latest word can be unsaid so: who notes anything else builds on it.
        if row.replaced == replaced:
            row.replaced = None
        raise_version(evening)
        row.dealer, row.state = held.hand.dealer, held.hand.to_state()
        row.version, row.changed_at, row.changed_by = evening.version, timezone.now(), by
        row.save()
