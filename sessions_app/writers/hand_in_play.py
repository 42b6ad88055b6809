"""The only writer of the hand in play: the notes of a hand before it is recorded.

Each write is one short transaction that locks the evening. `seen` is the state that the caller read; a later change is
never overwritten. The hand in play's version is the evening's at its latest change, so that no two states of any hand
of an evening share one. The game itself refuses illegal moves (`IllegalMove`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from scorekeeper.games.errors import IllegalMove
from sessions_app.errors import EveningEnded, ReplacesHandInPlay, SeatsSwapped, StaleHand, TokenSpent
from sessions_app.hand_facts import Facts, FormState, Seen
from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.readers.evening.recount import reads_as
from sessions_app.readers.evening.seating import facts_at_end, read_in_play, referee_of, row_in_play, turn
from sessions_app.transactions import hold_evening, raise_version, writing
from sessions_app.writers import ledger

#: A move: called with the hand in play, the seats at the table and the house rules, it returns the hand after it.
type Move = Callable[[Any, tuple[int, ...], Any], Any]


@writing
def let_deal(evening_id: int, dealer: int, *, seen: Seen, by: User) -> None:
    """Change the dealer.

    Raise EveningEnded, StaleHand, and IllegalMove: `later_first` once anything is noted, `not_playing` (seat).
    """
    with _changing(evening_id, seen, by) as held:
        if held.hand.has_begun:
            raise IllegalMove("later_first")
        if dealer not in held.evening.sitting:
            raise IllegalMove("not_playing", seat=dealer)
        held.hand = referee_of(held.evening).state(dealer)


@writing
def change(evening_id: int, move: Move, *, seen: Seen, by: User) -> None:
    """Make a move of the game, or take one back. Raise EveningEnded, StaleHand, IllegalMove."""
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
    """Note a whole announcement, or correct it: it replaces the earlier notes.

    `token` is that of the form, under which the hand will be recorded. Announcing the same again changes nothing, from
    any member. Other notes than announcements are replaced only if `replace` is the version of the hand in play that
    the caller was shown. `put_back` restores the replaced notes. `seating` is the evening's as the caller read it
    (None: the current one). Raise EveningEnded, SeatsSwapped, StaleHand, ReplacesHandInPlay, IllegalMove.
    """
    try:
        with _changing(evening_id, seen, by, seating) as held:
            game, before = referee_of(held.evening), held.hand
            held.hand = game.announce(before, said, held.evening.sitting, held.evening.house)
            if game.passes_over(before, held.hand) and replace != held.row.version:
                raise ReplacesHandInPlay
            if game.gives_way(before, held.hand):
                held.row.replaced = {"dealer": before.dealer, "state": before.to_state()}
            # The token of a form that has recorded a hand of this evening cannot record another.
            if not held.row.pk and not Hand.objects.filter(evening=evening_id, token=token).exists():
                held.row.token = token
    except StaleHand:
        noted = HandInPlay.objects.filter(evening=evening_id, number=seen.number).select_related("evening")
        row = noted.first()
        if row is None or read_in_play(row.evening, row).summary != said:
            raise


@writing
def put_back(evening_id: int, *, seen: Seen, by: User) -> None:
    """Restore the notes that the latest announcement replaced. Raise EveningEnded, StaleHand, IllegalMove
    `nothing_to_undo`.
    """
    with _changing(evening_id, seen, by) as held:
        if not held.row.replaced:
            raise IllegalMove("nothing_to_undo")
        held.hand = referee_of(held.evening).state.from_state(**held.row.replaced)
        held.row.replaced = None


@writing
def take_back(evening_id: int, *, seen: Seen) -> None:
    """Delete the hand in play. Raise EveningEnded, StaleHand."""
    with _holding(evening_id, seen) as (evening, row):
        if row:
            row.delete()
            raise_version(evening)


@writing
def finish(evening_id: int, *, seen: Seen, token: UUID, by: User, shown: Facts | None = None, **answers: Any) -> Hand:
    """Record the hand that was played, or thrown in, and return it; a known token returns the hand that it recorded.

    `answers` are those to the game's questions at the end of the hand, if it asks any. `shown` is what the caller's
    page made of them (None: not known). Raise as `change`, TokenSpent if the token has recorded another hand than is
    `shown`, and InvalidDeal for a deal that is impossible, or may not follow the hands before it.
    """
    evening = hold_evening(evening_id)
    known = evening.hands.filter(token=token).first()
    if known:
        recorded = ledger.recorded_facts(known)
        if shown and not (recorded.dealer == shown.dealer and reads_as(evening, recorded, shown)):
            raise TokenSpent(known)
        return known
    with _holding(evening_id, seen) as (_evening, row):
        if row is None:
            raise IllegalMove("not_announced")
        facts = facts_at_end(evening, read_in_play(evening, row), answers)
        # All phones have followed the play: it cannot be the previous hand, recorded twice.
        state = FormState(another=True)
        return ledger.record(evening_id, token=row.token, number=row.number, facts=facts, by=by, form_state=state)


@dataclass(slots=True)
class _Held:
    """The hand in play of a locked evening: its row, and the hand, which the caller replaces."""

    evening: Evening
    row: HandInPlay
    hand: Any


@contextmanager
def _holding(evening_id: int, seen: Seen, seating: int | None = None) -> Iterator[tuple[Evening, HandInPlay | None]]:
    """Lock the evening for a caller that has read the current hand in play.

    Raise EveningEnded, SeatsSwapped, StaleHand.
    """
    evening = hold_evening(evening_id)
    if evening.has_ended:
        raise EveningEnded
    if seating is not None and seating != evening.seating:
        raise SeatsSwapped
    row = row_in_play(evening)
    if seen != Seen(evening.last_number + 1, row.version if row else 0):
        raise StaleHand
    yield evening, row


@contextmanager
def _changing(evening_id: int, seen: Seen, by: User, seating: int | None = None) -> Iterator[_Held]:
    """Yield the hand in play, a new one if there is none, for the caller to replace; write it if it has changed."""
    with _holding(evening_id, seen, seating) as (evening, row):
        if row is None:
            dealer = turn(evening).dealer
            row = HandInPlay(evening=evening, number=seen.number, token=uuid4(), dealer=dealer)
        held = _Held(evening, row, read_in_play(evening, row))
        before, replaced = held.hand, row.replaced
        yield held
        if row.pk and held.hand == before:
            return
        # Only the latest announcement can be undone by `put_back`: any later change builds on it.
        if row.replaced == replaced:
            row.replaced = None
        raise_version(evening)
        row.dealer, row.state = held.hand.dealer, held.hand.to_state()
        row.version, row.changed_at, row.changed_by = evening.version, timezone.now(), by
        row.save()
