from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from sessions_app.models import Evening, Hand, User
from sessions_app.writers import ledger
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import assert_books_balance, history_of, nothing_written, pair_totals, payments_of

BOTH = pytest.mark.parametrize("verb", [ledger.void, ledger.restore])


@pytest.fixture
def hand(evening: Evening, owner: User) -> Hand:
    """Béla's 6 points, and after it Cili's 4."""
    first = record(evening, owner)
    record(evening, owner, "3S 8")
    return first


def test_a_void_hand_keeps_all_but_its_weight(evening: Evening, owner: User, hand: Hand) -> None:
    assert ledger.void(evening.pk, 1, by=owner) == hand
    hand.refresh_from_db()
    evening.refresh_from_db()
    assert hand.is_void
    assert (hand.number, hand.dealer, hand.declarer, hand.deal) == (1, 0, 1, "2H 7")
    assert payments_of(hand) == {(0, 1, 6), (2, 1, 6)}
    assert pair_totals(evening) == {(0, 2): (4, 1), (1, 2): (4, 1)}
    assert (evening.last_number, evening.hand_count, evening.version) == (2, 1, 4)
    assert_books_balance(evening)


def test_history_says_who_voided_and_restored_when(evening: Evening, hand: Hand) -> None:
    bela, cili = UserFactory(), UserFactory()
    nine, ten = datetime(2025, 1, 1, 21, tzinfo=UTC), datetime(2025, 1, 1, 22, tzinfo=UTC)
    ledger.void(evening.pk, 1, by=bela, at=nine)
    ledger.restore(evening.pk, 1, by=cili, at=ten)
    recorded, voided, restored = hand.revisions.all()
    assert (voided.action, voided.made_by, voided.made_at) == ("void", bela, nine)
    assert (restored.action, restored.made_by, restored.made_at) == ("restore", cili, ten)
    assert voided.before == restored.after == recorded.after
    assert voided.after == restored.before == recorded.after | {"is_void": True}


def test_voiding_a_void_hand_writes_nothing(evening: Evening, owner: User, hand: Hand) -> None:
    with nothing_written():
        ledger.restore(evening.pk, 1, by=owner)
    ledger.void(evening.pk, 1, by=owner)
    with nothing_written():
        ledger.void(evening.pk, 1, by=owner)
    assert history_of(hand) == [(1, "record"), (2, "void")]


@BOTH
@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_hand_that_is_not_there_is_not_changed(
    evening: Evening, owner: User, hand: Hand, verb: Callable[..., Hand], number: int
) -> None:
    with nothing_written(), pytest.raises(Hand.DoesNotExist):
        verb(evening.pk, number, by=owner)


def test_voiding_touches_its_own_evening_only(evening: Evening, owner: User, hand: Hand) -> None:
    other = evening_of(owner)
    record(other, owner)
    totals = pair_totals(other)
    ledger.void(evening.pk, 1, by=owner)
    assert pair_totals(other) == totals
    assert_books_balance(other)
