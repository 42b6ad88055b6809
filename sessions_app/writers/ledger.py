"""The only writer of hands: record, amend, void, restore.

Reading, parsing and counting are done without a lock. Then one short transaction claims the evening, by an update that
matches only the version that was read, and writes the hand, its history, its entries, the sheet and the evening's new
version together, or nothing. If another writer has raised the version first, the evening is read and counted again.
`amend`, `void` and `restore` count forward from the hand (readers/evening/recount.py). History is append-only; a
void hand keeps its number and its facts. `at` is the time at which it happened at the table (None: now).
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, insert, loaded
from scorekeeper.games.errors import GameError
from scorekeeper.ops import metrics
from sessions_app.errors import (
    EveningEnded,
    LedgerError,
    NumberTaken,
    SameHand,
    SeatsSwapped,
    StaleHand,
    TokenSpent,
    UnseenHandInPlay,
)
from sessions_app.hand_facts import NO_FORM, Facts, FormState
from sessions_app.models import Action, Evening, Hand, HandEntry, HandInPlay, Revision, User
from sessions_app.readers.evening.recount import (
    Change,
    EveningSums,
    count_forward,
    counted,
    facts_of,
    reads_as,
    state_of,
)
from sessions_app.readers.evening.seating import evening_of, read_in_play, referee_of, row_in_play
from sessions_app.transactions import claim, hold_evening, writing

#: Within this time after another member's hand, an equal one may be the same hand, recorded twice.
SAME_HAND_WITHIN: Final = timedelta(minutes=2)
#: Attempts to write without locking the evening first; after that it is locked.
LOOKS: Final = 3


def record(
    evening_id: int,
    *,
    token: UUID,
    number: int,
    facts: Facts,
    by: User,
    at: datetime | None = None,
    form_state: FormState = NO_FORM,
    looked: Evening | None = None,
) -> Hand:
    """Write a new hand and return it; a known token returns the hand that it recorded.

    `number` is the next hand's as the caller read it, `form_state` what else of the evening the caller's form was
    filled in with, to detect writes of other phones. `looked` is the evening if it was just read.
    Raise EveningEnded, NumberTaken, SeatsSwapped, TokenSpent, SameHand, UnseenHandInPlay, and games.errors.GameError
    for facts that the game does not know.
    """
    is_played_now, at = at is None, at or timezone.now()

    def look(evening: Evening) -> _Recording | Hand:
        speaks_against = _against_next(evening, number, form_state.seating)
        known = speaks_against and _made_by(evening, token, facts)
        if known:
            return known
        if speaks_against:
            raise speaks_against
        if not form_state.another:
            _require_another(evening, form_state.meant or number, facts, by, at)
        in_play = row_in_play(evening)
        if form_state.seen is not None:
            _require_agreement(evening, in_play, form_state.seen, facts)
        hand = Hand(evening=evening, number=number, token=token, recorded_at=at, **asdict(facts))
        hand.lineup = evening.lineup
        try:
            count = counted(evening, hand, evening.standing, is_new=True)
        except (GameError, ValueError):
            # It may have been recorded while it was possible: the dealer has gone home since, or the game is over.
            known = _made_by(evening, token, facts)
            if known is None:
                raise
            return known
        hand.standing, hand.kind = count.standing, count.kind
        sums = EveningSums.of(evening).with_hand(hand, count.entries, 1)
        sums = replace(sums, standing=count.standing)
        return _Recording(hand, count.entries, sums, by, in_play, is_played_now)

    try:
        return _write(evening_id, look, looked)
    except _TokenKnown as taken:
        # The token's hand may have another number than the one sent this time.
        known = _made_by(Evening.objects.get(pk=evening_id), token, facts)
        if known is None:
            raise cast(IntegrityError, taken.__cause__) from None
        return known


def amend(
    evening_id: int, number: int, *, facts: Facts, by: User, seen: int | None = None, at: datetime | None = None
) -> Hand:
    """Replace a hand's facts and return the hand. Equal facts change nothing and leave no revision.

    `seen` is the hand's revision_count as the caller read it. Raise EveningEnded, StaleHand, Hand.DoesNotExist, and
    games.errors.GameError.
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
    """Strike a hand through: it keeps its number and facts and is not counted. Raise as `amend`."""
    return _set_void(evening_id, number, True, by, at)


def restore(evening_id: int, number: int, *, by: User, at: datetime | None = None) -> Hand:
    """Count a void hand again. Raise as `amend`."""
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
    """The token has already recorded a hand."""


class _Outrun(Exception):
    """Another writer has changed the evening since it was read."""


@dataclass(frozen=True, slots=True)
class _Recording:
    """A new hand to write: its entries, and the evening's sums with it."""

    hand: Hand
    entries: tuple[HandEntry, ...]
    sums: EveningSums
    by: User
    in_play: HandInPlay | None
    is_played_now: bool

    @property
    def claims(self) -> dict[str, Any]:
        return {"last_number": self.hand.number, **self.sums.columns}

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
            entry.hand = self.hand  # whose key is set by now
        insert(self.entries)
        if self.in_play and self.in_play.number <= self.hand.number:
            self._pass(self.in_play, version)
        if self.is_played_now:
            transaction.on_commit(partial(metrics.count_hand, self.hand.evening.game_key))
        return self.hand

    def _pass(self, in_play: HandInPlay, version: int) -> None:
        """Delete the hand in play: it has become this hand, by any writer. After agreed entries, renumber it."""
        if self.hand.is_agreed:
            in_play.number, in_play.version = self.hand.number + 1, version
            in_play.save(update_fields=["number", "version"])
        else:
            in_play.delete()


@dataclass(frozen=True, slots=True)
class _Correction:
    """A changed hand to write, and the later hands that are recounted because of it."""

    forward: tuple[EveningSums, tuple[Change, ...]]
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
    """Write the plan of `look` for the evening if its version is still the one read; else read and plan again.

    `looked` is the evening for the first attempt, if the caller has just read it.
    """
    for _look in range(LOOKS):
        evening, looked = looked or evening_of(evening_id), None
        try:
            found = look(evening)
        except (EveningEnded, NumberTaken, SeatsSwapped, TokenSpent):
            raise  # holds for the evening as read; a hand that this token recorded since would have been found
        except LedgerError:
            # The obstacle may have been written after the evening was read: then read the evening again.
            if Evening.objects.filter(pk=evening_id, version=evening.version).exists():
                raise
            continue
        if isinstance(found, Hand):
            return found
        with suppress(_Outrun):
            return _written(evening, found)
    return _held(evening_id, look)


@writing
def _held[Plan: (_Recording, _Correction)](evening_id: int, look: Callable[[Evening], Plan | Hand]) -> Hand:
    found = look(evening := hold_evening(evening_id))
    return found if isinstance(found, Hand) else _written(evening, found)


@writing
def _written(evening: Evening, plan: _Recording | _Correction) -> Hand:
    """Claim the evening, write the plan and return the hand. Raise _Outrun if the evening's version has changed."""
    if not claim(evening, plan.claims):
        raise _Outrun
    return plan.write(evening.version + 1)


# --- Refusals ---


def _require_running(evening: Evening) -> None:
    if evening.has_ended:
        raise EveningEnded


def _against_next(evening: Evening, number: int, seating: int | None) -> LedgerError | None:
    """Return the error for a hand of that number, with any facts; None if it may be recorded."""
    if evening.has_ended:
        return EveningEnded()
    if seating is not None and seating != evening.seating:
        return SeatsSwapped()
    return None if number == evening.last_number + 1 else NumberTaken(evening.last_number + 1)


def _require_agreement(evening: Evening, in_play: HandInPlay | None, seen: int, facts: Facts) -> None:
    """Raise UnseenHandInPlay if the hand in play is not of the version `seen`, and says something else than the facts.

    If it was taken back, only a hand thrown in agrees. So no form overwrites notes that its member has not seen.
    """
    if seen == (in_play.version if in_play else 0):
        return
    deal = evening.game.deal_from_text(facts.deal, evening.house) if facts.deal else None
    if in_play is None:
        agrees = deal is None
    else:
        agrees = referee_of(evening).agrees(read_in_play(evening, in_play), facts.dealer, facts.declarer, deal)
    if not agrees:
        raise UnseenHandInPlay(in_play)


def _made_by(evening: Evening, token: UUID, facts: Facts) -> Hand | None:
    """Return the hand that this token has recorded, or None. Raise TokenSpent if its facts were others."""
    known = evening.hands.filter(token=token).first()
    if known and recorded_facts(known) != facts:
        raise TokenSpent(known)
    return known


def recorded_facts(hand: Hand) -> Facts:
    """Return the facts of a hand as it was recorded, before any correction."""
    return Facts(**hand.revisions.earliest("number").after["facts"])


def _require_another(evening: Evening, meant: int, facts: Facts, by: User, at: datetime) -> None:
    """Raise SameHand for an equal hand by another member: number `meant` or later, or the last, just before `at`."""
    last = evening.last_number
    recorded = _recorded.ask(
        evening=evening.pk, first=min(meant, last), meant=meant, last=last, since=at - SAME_HAND_WITHIN
    )
    for made_by, *columns_of_hand in recorded:
        if made_by == by.pk:
            continue
        hand = loaded(Hand, columns(Hand), columns_of_hand)
        if hand.declarer == facts.declarer and reads_as(evening, facts_of(hand), facts):
            raise SameHand(hand)


@compiled
def _recorded(evening: Slot, first: Slot, meant: Slot, last: Slot, since: Slot) -> QuerySet[Revision, Any]:
    """Query the hands from number `meant` on, and the `last` if recorded after `since`, with users; newest first.

    `first` is the lesser of the two numbers: by it the index finds the hands, however many stand before them.
    """
    return (
        Revision.objects.filter(
            Q(hand__number__gte=meant) | Q(hand__number=last, made_at__gt=since),
            hand__evening=evening,
            hand__number__gte=first,
            hand__is_void=False,
            number=1,
        )
        .order_by("-hand__number")
        .values_list("made_by_id", *(f"hand__{name}" for name in columns(Hand)))
    )
