"""The only writer of hands: record, amend, void, restore.

All that can be read, parsed and counted is, with nothing locked. Then one short transaction claims the evening, by an
update that holds only if the evening is as it was looked at, and writes the hand, its history, its entries, the sheet
and the evening's new version together, or nothing. Whoever was quicker has made a new version: then it is looked at and
counted again. To amend, void or restore counts forward from that hand (replay.py). History is only ever added to; a
void hand keeps its number and its facts. `at` is when it happened at the table, if not now.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, insert, loaded
from scorekeeper.games.base import GameError
from sessions_app.errors import EveningEnded, LedgerError, NumberTaken, SameHand, SeatsSwapped, StaleHand, TokenSpent
from sessions_app.hand_facts import Facts
from sessions_app.models import Action, Evening, Hand, HandEntry, OpenHand, Revision, User
from sessions_app.readers.evening import evening_of
from sessions_app.readers.open_hands import latest
from sessions_app.readers.replay import Books, Change, count_forward, counted, facts_of, reads_as, state_of
from sessions_app.writers.evening_version import claim
from sessions_app.writers.transactions import hold_evening, writing

#: So soon after another member's hand, an equal one may be the same hand written down twice.
SAME_HAND_WITHIN: Final = timedelta(minutes=2)
#: So often an evening is looked at without being held; who was never quick enough holds it first.
LOOKS: Final = 3


#: What speaks against a hand is raised by this, of the evening and its open hand as they are.
type Unless = Callable[[Evening, OpenHand | None], None]


def record(
    evening_id: int,
    *,
    token: UUID,
    number: int,
    facts: Facts,
    by: User,
    at: datetime | None = None,
    seating: int | None = None,
    another: bool = False,
    meant: int | None = None,
    unless: Unless | None = None,
    looked: Evening | None = None,
) -> Hand:
    """Write a new hand and return it; a token that is known returns the hand it made.

    `number` is the one the writer believed to be next, and `meant` the one it had when he began to write; `seating` is
    the evening's as he looked (None: as it is). `another` is his word that it is no hand that another member has
    recorded. `unless` is asked last, and raises what speaks against it. `looked` is the evening if it was just read.
    Raises EveningEnded, NumberTaken, SeatsSwapped, TokenSpent, SameHand, and games.base.GameError for facts the game
    does not know.
    """
    at = at or timezone.now()

    def look(evening: Evening) -> _Recording | Hand:
        speaks_against = _against_next(evening, number, seating)
        known = speaks_against and _made_by(evening, token, facts)
        if known:
            return known
        if speaks_against:
            raise speaks_against
        if not another:
            _require_another(evening, meant or number, facts, by, at)
        open_hand = latest(evening)
        if unless:
            unless(evening, open_hand)
        hand = Hand(evening=evening, number=number, token=token, recorded_at=at, **asdict(facts))
        hand.lineup = evening.lineup
        try:
            count = counted(evening, hand, evening.standing, is_new=True)
        except (GameError, ValueError):
            # It may have been recorded when it could be: who dealt it has gone home since, or the game is over.
            known = _made_by(evening, token, facts)
            if known is None:
                raise
            return known
        hand.standing, hand.kind = count.standing, count.kind
        books = Books.of(evening).with_hand(hand, count.entries, 1)
        return _Recording(hand, count.entries, replace(books, standing=count.standing), by, open_hand)

    try:
        return _write(evening_id, look, looked)
    except _TokenKnown as taken:
        # Under another number than it was sent with this time.
        known = _made_by(Evening.objects.get(pk=evening_id), token, facts)
        if known is None:
            raise cast(IntegrityError, taken.__cause__) from None
        return known


def amend(
    evening_id: int, number: int, *, facts: Facts, by: User, seen: int | None = None, at: datetime | None = None
) -> Hand:
    """Give a hand other facts, and return it. Facts it already has are no amendment and leave no trace.

    `seen` is the hand's revision_count the writer looked at. Raises EveningEnded, StaleHand, Hand.DoesNotExist, and
    games.base.GameError.
    """

    def look(evening: Evening) -> _Correction | Hand:
        hand = evening.hands.prefetch_related("entries").get(number=number)
        _require_running(evening)
        if facts_of(hand) == facts:
            return hand
        if seen is not None and seen != hand.revision_count:
            raise StaleHand
        return _Correction(count_forward(evening, hand, facts=facts), Action.AMEND, by, at)

    return _write(evening_id, look)


def void(evening_id: int, number: int, *, by: User, at: datetime | None = None) -> Hand:
    """Strike a hand through: it keeps its number and facts and counts for nothing. Raises as `amend`."""
    return _set_void(evening_id, number, True, by, at)


def restore(evening_id: int, number: int, *, by: User, at: datetime | None = None) -> Hand:
    """Let a void hand count again. Raises as `amend`."""
    return _set_void(evening_id, number, False, by, at)


def _set_void(evening_id: int, number: int, is_void: bool, by: User, at: datetime | None) -> Hand:
    def look(evening: Evening) -> _Correction | Hand:
        hand = evening.hands.prefetch_related("entries").get(number=number)
        _require_running(evening)
        if hand.is_void == is_void:
            return hand
        forward = count_forward(evening, hand, is_void=is_void)
        return _Correction(forward, Action.VOID if is_void else Action.RESTORE, by, at)

    return _write(evening_id, look)


# --- One transaction ---


class _TokenKnown(Exception):
    """The token has recorded a hand already."""


@dataclass(frozen=True, slots=True)
class _Recording:
    """A new hand, counted, and the evening's books with it."""

    hand: Hand
    entries: tuple[HandEntry, ...]
    books: Books
    by: User
    open_hand: OpenHand | None

    @property
    def claims(self) -> dict[str, Any]:
        return {"last_number": self.hand.number, **self.books.columns}

    def write(self, version: int) -> Hand:
        try:
            insert([self.hand])
        except IntegrityError as taken:
            raise _TokenKnown from taken
        after = state_of(self.hand, self.entries)
        made = Revision(hand=self.hand, number=1, action=Action.RECORD, made_by=self.by, after=after, version=version)
        made.made_at = self.hand.recorded_at
        insert([made])
        for entry in self.entries:
            entry.hand = self.hand  # which has its key by now
        insert(self.entries)
        if self.open_hand and self.open_hand.number <= self.hand.number:
            self._pass(self.open_hand, version)
        return self.hand

    def _pass(self, open_hand: OpenHand, version: int) -> None:
        """What was announced of this hand has become it, whoever recorded it; beside agreed entries it goes on."""
        if self.hand.is_agreed:
            open_hand.number, open_hand.version = self.hand.number + 1, version
            open_hand.save(update_fields=["number", "version"])
        else:
            open_hand.delete()


@dataclass(frozen=True, slots=True)
class _Correction:
    """A hand that is changed, and the later ones that are counted anew because of it."""

    forward: tuple[Books, tuple[Change, ...]]
    action: Action
    by: User
    at: datetime | None

    @property
    def claims(self) -> dict[str, Any]:
        return self.forward[0].columns

    def write(self, version: int) -> Hand:
        first, *later = self.forward[1]
        cause = self._revise(first, self.action, version, None)
        cause.save(force_insert=True)
        told = [change for change in later if change.is_told]
        Revision.objects.bulk_create(self._revise(change, Action.RECOUNT, version, cause) for change in told)
        columns = ["kind", "dealer", "declarer", "deal", "deal_stays", "is_void", "standing", "revision_count"]
        first.hand.save(update_fields=columns)
        if later:
            Hand.objects.bulk_update((change.hand for change in later), ["standing", "revision_count"])
        renewed = [change for change in (first, *told) if change.has_other_entries]
        HandEntry.objects.filter(hand__in=[change.hand.pk for change in renewed]).delete()
        HandEntry.objects.bulk_create(entry for change in renewed for entry in change.entries)
        return first.hand

    def _revise(self, change: Change, action: Action, version: int, cause: Revision | None) -> Revision:
        hand = change.hand
        hand.revision_count += 1
        return Revision(
            hand=hand,
            number=hand.revision_count,
            action=action,
            made_by=self.by,
            made_at=self.at or timezone.now(),
            before=change.before,
            after=state_of(hand, change.entries),
            cause=cause,
            version=version,
        )


def _write[Plan: (_Recording, _Correction)](
    evening_id: int, look: Callable[[Evening], Plan | Hand], looked: Evening | None = None
) -> Hand:
    """Let `look` find out what is to be written, and write it if the evening is still as it was; else look again.

    The first time the evening may be as the writer has just `looked` at it.
    """
    for _look in range(LOOKS):
        evening, looked = looked or evening_of(evening_id), None
        try:
            found = look(evening)
        except (EveningEnded, NumberTaken, SeatsSwapped, TokenSpent):
            raise  # said of the evening as it was read, and a hand of this token would have been found after that
        except LedgerError:
            # What speaks against it may have been written after the evening was read: then it is as it is now.
            if Evening.objects.filter(pk=evening_id, version=evening.version).exists():
                raise
            continue
        if isinstance(found, Hand):
            return found
        written = _written(evening, found)
        if written:
            return written
    return _held(evening_id, look)


@writing
def _held[Plan: (_Recording, _Correction)](evening_id: int, look: Callable[[Evening], Plan | Hand]) -> Hand:
    found = look(evening := hold_evening(evening_id))
    if isinstance(found, Hand):
        return found
    written = _written(evening, found)
    if written is None:
        raise transaction.TransactionManagementError("another writer changed an evening that is locked")
    return written


@writing
def _written(evening: Evening, plan: _Recording | _Correction) -> Hand | None:
    """Claim the evening and write; None if it is no longer as it was looked at."""
    if not claim(evening, plan.claims):
        return None
    return plan.write(evening.version + 1)


# --- What speaks against it ---


def _require_running(evening: Evening) -> None:
    if evening.has_ended:
        raise EveningEnded


def _against_next(evening: Evening, number: int, seating: int | None) -> LedgerError | None:
    """What speaks against a hand of that number, whatever it says."""
    if evening.has_ended:
        return EveningEnded()
    if seating is not None and seating != evening.seating:
        return SeatsSwapped()
    return None if number == evening.last_number + 1 else NumberTaken(evening.last_number + 1)


def _made_by(evening: Evening, token: UUID, facts: Facts) -> Hand | None:
    """The hand that this token has recorded. Raises TokenSpent if it was with other facts."""
    known = evening.hands.filter(token=token).first()
    if known and known.revisions.earliest("number").after["facts"] != asdict(facts):
        raise TokenSpent(known)
    return known


def _require_another(evening: Evening, meant: int, facts: Facts, by: User, at: datetime) -> None:
    """Raise SameHand for what another member recorded while this was being written, or as the last hand just before."""
    recorded = _recorded.ask(evening=evening.pk, meant=meant, last=evening.last_number, since=at - SAME_HAND_WITHIN)
    for made_by, *columns_of_hand in recorded:
        if made_by == by.pk:
            continue
        hand = loaded(Hand, columns(Hand), columns_of_hand)
        if hand.declarer == facts.declarer and reads_as(evening, facts_of(hand), facts):
            raise SameHand(hand)


@compiled
def _recorded(evening: Slot, meant: Slot, last: Slot, since: Slot) -> QuerySet[Revision, Any]:
    """Who recorded which hands since one was meant to be next, or as the last one since a time; the latest first."""
    return (
        Revision.objects.filter(
            Q(hand__number__gte=meant) | Q(hand__number=last, made_at__gt=since),
            hand__evening=evening,
            hand__is_void=False,
            number=1,
        )
        .order_by("-hand__number")
        .values_list("made_by_id", *(f"hand__{name}" for name in columns(Hand)))
    )
