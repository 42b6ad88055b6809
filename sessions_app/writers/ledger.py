"""The only writer of hands: record, amend, void, restore.

Each is one short transaction that holds the evening (SQLite: the database's write lock, PostgreSQL: the evening's row)
and writes the hand, its history, its payments, the totals and the evening's new version together, or nothing. History
is only ever added to; a void hand keeps its number and its facts. `at` is when it happened at the table, if not now.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from scorekeeper.games.base import Game
from sessions_app.models import Action, GameSession, Hand, HandPayment, OpenHand, PairTotal, Revision, User
from sessions_app.writers.writing import hold_evening, writing

#: So soon after another member's hand, an equal one may be the same hand written down twice.
SAME_HAND_WITHIN = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table says of one deal: seats as numbers, the deal in its game's notation; no declarer: thrown in."""

    dealer: int
    declarer: int | None = None
    deal: str = ""
    deal_stays: bool = False


class LedgerError(Exception):
    """The ledger refuses; nothing was written."""


class EveningEnded(LedgerError):
    """An ended evening takes no hand and no correction until it is reopened."""


class NumberTaken(LedgerError):
    """Somebody recorded in between: `next_number` is the one that is free now."""

    def __init__(self, next_number: int) -> None:
        super().__init__(f"the next hand is {next_number}")
        self.next_number = next_number


class TokenSpent(LedgerError):
    """This form has already recorded `hand`, with other facts."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(f"already recorded as hand {hand.number}")
        self.hand = hand


class SeatsSwapped(LedgerError):
    """The players changed places after the writer had looked: his seats may be other people's now."""


class SameHand(LedgerError):
    """Another member has just recorded `hand`, and it reads the same: it is asked whether this is another one."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(f"reads as hand {hand.number}")
        self.hand = hand


class Stale(LedgerError):
    """The hand was changed after the writer had looked at it."""


@writing
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
    unless: Callable[[GameSession], None] | None = None,
) -> Hand:
    """Write a new hand and return it; a token that is known returns the hand it made.

    `number` is the one the writer believed to be next, and `meant` the one it had when he began to write; `seating` is
    the evening's as he looked (None: as it is). `another` is his word that it is no hand that another member has
    recorded. `unless` is asked last, with the evening held, and raises what speaks against it. Raises EveningEnded,
    NumberTaken, SeatsSwapped, TokenSpent, SameHand, and games.base.GameError for facts the game does not know.
    """
    evening = hold_evening(evening_id)
    known = evening.hands.filter(token=token).first()
    if known:
        if known.revisions.earliest("number").after["facts"] != asdict(facts):
            raise TokenSpent(known)
        return known
    _require_next(evening, number, seating)
    at = at or timezone.now()
    if not another:
        _require_another(evening, meant or number, facts, by, at)
    if unless:
        unless(evening)
    hand = Hand(game_session=evening, number=number, token=token, recorded_at=at, **asdict(facts))
    evening.last_number = number
    hand.save()
    _replace_payments(evening, hand)
    _close(evening, hand, Action.RECORD, by, at, before=None)
    # What was announced of this hand has become it, whoever recorded it.
    OpenHand.objects.filter(game_session=evening, number__lte=number).delete()
    return hand


@writing
def amend(
    evening_id: int, number: int, *, facts: Facts, by: User, seen: int | None = None, at: datetime | None = None
) -> Hand:
    """Give a hand other facts, and return it. Facts it already has are no amendment and leave no trace.

    `seen` is the hand's revision_count the writer looked at. Raises EveningEnded, Stale, Hand.DoesNotExist, and
    games.base.GameError.
    """
    evening = hold_evening(evening_id)
    hand = evening.hands.get(number=number)
    _require_running(evening)
    if facts_of(hand) == facts:
        return hand
    if seen is not None and seen != hand.revision_count:
        raise Stale
    before = _state(hand)
    _count(evening, hand, -1)
    for name, value in asdict(facts).items():
        setattr(hand, name, value)
    _replace_payments(evening, hand)
    _close(evening, hand, Action.AMEND, by, at, before)
    return hand


def void(evening_id: int, number: int, *, by: User, at: datetime | None = None) -> Hand:
    """Strike a hand through: it keeps its number and facts and counts for nothing. Raises as `amend`."""
    return _set_void(evening_id, number, True, by, at)


def restore(evening_id: int, number: int, *, by: User, at: datetime | None = None) -> Hand:
    """Let a void hand count again. Raises as `amend`."""
    return _set_void(evening_id, number, False, by, at)


@writing
def _set_void(evening_id: int, number: int, is_void: bool, by: User, at: datetime | None) -> Hand:
    evening = hold_evening(evening_id)
    hand = evening.hands.get(number=number)
    _require_running(evening)
    if hand.is_void == is_void:
        return hand
    before = _state(hand)
    _count(evening, hand, -1)
    hand.is_void = is_void
    _close(evening, hand, Action.VOID if is_void else Action.RESTORE, by, at, before)
    return hand


def facts_of(hand: Hand) -> Facts:
    """What the hand says now."""
    return Facts(hand.dealer, hand.declarer, hand.deal, hand.deal_stays)


def reads_as(game: Game[Any], one: Facts, other: Facts) -> bool:
    """Whether both say the same of what was played, whoever dealt it; or both were thrown in alike."""
    if one.declarer is None or other.declarer is None:
        return (one.declarer, one.deal_stays) == (other.declarer, other.deal_stays)
    return one.declarer == other.declarer and game.reads_as(
        game.deal_from_text(one.deal), game.deal_from_text(other.deal)
    )


def _require_running(evening: GameSession) -> None:
    if evening.has_ended:
        raise EveningEnded


def _require_next(evening: GameSession, number: int, seating: int | None) -> None:
    """Raise what speaks against a hand of that number, whatever it says."""
    _require_running(evening)
    if seating is not None and seating != evening.seating:
        raise SeatsSwapped
    if number != evening.last_number + 1:
        raise NumberTaken(evening.last_number + 1)


def _require_another(evening: GameSession, meant: int, facts: Facts, by: User, at: datetime) -> None:
    """Raise SameHand for what another member recorded while this was being written, or as the last hand just before."""
    recorded = Revision.objects.filter(
        Q(hand__number__gte=meant) | Q(hand__number=evening.last_number, made_at__gt=at - SAME_HAND_WITHIN),
        hand__game_session=evening,
        hand__declarer=facts.declarer,
        hand__is_void=False,
        number=1,
    )
    for first in recorded.exclude(made_by=by).select_related("hand").order_by("-hand__number"):
        if reads_as(evening.game, facts_of(first.hand), facts):
            raise SameHand(first.hand)


def _state(hand: Hand) -> dict[str, Any]:
    """The hand as its history keeps it: a later change of the rules does not rewrite what was paid."""
    return {
        "facts": asdict(facts_of(hand)),
        "is_void": hand.is_void,
        "payments": [[payment.payer, payment.payee, payment.points] for payment in hand.payments.all()],
    }


def _replace_payments(evening: GameSession, hand: Hand) -> None:
    """Derive who pays whom from the hand's facts, by the game's rules. Raises GameError."""
    game, seats = evening.game, evening.seats.count()
    hand.payments.all().delete()
    if hand.declarer is None:
        game.playing_seats(seats, hand.dealer)
        return
    opponents = game.opponents(seats, hand.dealer, hand.declarer)
    payments = game.payments(game.deal_from_text(hand.deal), declarer=hand.declarer, opponents=opponents)
    HandPayment.objects.bulk_create(
        HandPayment(hand=hand, payer=payment.payer, payee=payment.payee, points=payment.points) for payment in payments
    )


def _count(evening: GameSession, hand: Hand, sign: int) -> None:
    """Put what the hand counts for into the evening's totals (sign 1), or take it out again (−1)."""
    if hand.is_void:
        return
    evening.hand_count += 0 if hand.thrown_in else sign
    for payment in hand.payments.all():
        PairTotal.objects.filter(game_session=evening, payer=payment.payer, payee=payment.payee).update(
            points=F("points") + sign * payment.points, hands=F("hands") + sign
        )


def _close(
    evening: GameSession, hand: Hand, action: Action, by: User, at: datetime | None, before: dict[str, Any] | None
) -> None:
    """The common end of every write: count the hand, add to its history, and give the evening a new version."""
    _count(evening, hand, 1)
    after = _state(hand)
    number = 1 if before is None else hand.revision_count + 1
    hand.revision_count = number
    hand.save()
    made = Revision(hand=hand, number=number, action=action, made_by=by, before=before, after=after)
    made.made_at = at or timezone.now()
    made.save()
    evening.version += 1
    evening.save(update_fields=["version", "last_number", "hand_count"])
