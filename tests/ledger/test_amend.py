from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from sessions_app.errors import StaleHand
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import ledger
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import (
    ANY_REFUSAL,
    IMPOSSIBLE,
    UNKNOWN_TO_THE_GAME,
    assert_books_balance,
    history_of,
    nothing_written,
    pair_totals,
    payments_of,
)

PLAIN, OTHER = Facts(0, 1, "2H 7"), Facts(0, 2, "1N 5")


@pytest.fixture
def hand(evening: Evening, owner: User) -> Hand:
    """Béla's 6 points; two more hands come after it."""
    first = record(evening, owner)
    record(evening, owner, "3S 8")
    record(evening, owner, "2C 6-5-0")
    return first


def test_corrected_hand_has_its_new_facts_and_the_totals_move_with_it(
    evening: Evening, owner: User, hand: Hand
) -> None:
    evening.refresh_from_db()
    before, hand_then, version = pair_totals(evening), (hand.token, hand.number, hand.recorded_at), evening.version
    amended = ledger.amend(evening.pk, 1, facts=OTHER, by=owner)
    hand.refresh_from_db()
    evening.refresh_from_db()
    assert amended == hand
    assert (hand.dealer, hand.declarer, hand.deal) == (0, 2, "1N 5")
    assert (hand.token, hand.number, hand.recorded_at) == hand_then
    assert payments_of(hand) == {(2, 0, 12), (2, 1, 12)}
    # Hand 2 was Cili's 4 points, hand 3 worth nothing.
    assert before == {(0, 1): (6, 1), (2, 1): (6, 1), (0, 2): (4, 1), (1, 2): (4, 1)}
    assert pair_totals(evening) == {(2, 0): (12, 1), (2, 1): (12, 1), (0, 2): (4, 1), (1, 2): (4, 1)}
    assert (evening.last_number, evening.hand_count, evening.version) == (3, 3, version + 1)
    assert_books_balance(evening)


def test_history_says_who_corrected_what_when_and_in_which_order(evening: Evening, owner: User, hand: Hand) -> None:
    bela, cili = UserFactory(), UserFactory()
    times = [datetime(2025, 1, 1, 20, minute, tzinfo=UTC) for minute in (5, 3)]
    ledger.amend(evening.pk, 1, facts=OTHER, by=bela, at=times[0])
    ledger.amend(evening.pk, 1, facts=Facts(1, 1, "2H 6-5-0"), by=cili, at=times[1])
    revisions = hand.revisions.all()
    assert [(revision.number, revision.action, revision.made_by) for revision in revisions] == [
        (1, "record", owner),
        (2, "amend", bela),
        (3, "amend", cili),
    ]
    assert [revision.made_at for revision in revisions[1:]] == times
    first, second, third = (
        {"facts": facts, "is_void": False, "entries": [["paid", *paid, "points"] for paid in payments]}
        for facts, payments in [
            ({"dealer": 0, "declarer": 1, "deal": "2H 7", "deal_stays": False}, [[0, 1, 6], [2, 1, 6]]),
            ({"dealer": 0, "declarer": 2, "deal": "1N 5", "deal_stays": False}, [[2, 0, 12], [2, 1, 12]]),
            ({"dealer": 1, "declarer": 1, "deal": "2H 6-5-0", "deal_stays": False}, []),
        ]
    )
    assert [(revision.before, revision.after) for revision in revisions] == [
        (None, first),
        (first, second),
        (second, third),
    ]
    hand.refresh_from_db()
    assert hand.revision_count == 3


def test_correction_is_made_at_the_current_time(evening: Evening, owner: User, hand: Hand) -> None:
    begin = timezone.now()
    ledger.amend(evening.pk, 1, facts=OTHER, by=owner)
    assert begin <= hand.revisions.get(number=2).made_at <= timezone.now()


def test_correction_to_the_same_facts_writes_nothing(evening: Evening, owner: User, hand: Hand) -> None:
    for seen in (None, 1, 99):
        with nothing_written():
            assert ledger.amend(evening.pk, 1, facts=PLAIN, by=owner, seen=seen) == hand


def test_correction_of_a_hand_that_changed_since_it_was_shown_is_refused(
    evening: Evening, owner: User, hand: Hand
) -> None:
    ledger.amend(evening.pk, 1, facts=OTHER, by=owner, seen=1)
    for seen in (0, 1, 3):
        with nothing_written(), pytest.raises(StaleHand):
            ledger.amend(evening.pk, 1, facts=Facts(0, 0, "2H 7"), by=owner, seen=seen)
    ledger.amend(evening.pk, 1, facts=Facts(0, 0, "2H 7"), by=owner, seen=2)
    assert history_of(hand) == [(1, "record"), (2, "amend"), (3, "amend")]


def test_correction_of_a_hand_that_was_voided_since_it_was_shown_is_refused(
    evening: Evening, owner: User, hand: Hand
) -> None:
    ledger.void(evening.pk, 1, by=owner)
    with nothing_written(), pytest.raises(StaleHand):
        ledger.amend(evening.pk, 1, facts=OTHER, by=owner, seen=1)


@pytest.mark.parametrize(("facts", "error"), UNKNOWN_TO_THE_GAME[-4:])
def test_correction_that_the_game_does_not_know_is_refused(
    evening: Evening, owner: User, hand: Hand, facts: Facts, error: type[Exception]
) -> None:
    with nothing_written(), pytest.raises(error):
        ledger.amend(evening.pk, 1, facts=facts, by=owner)


@pytest.mark.parametrize("facts", IMPOSSIBLE[:3])
def test_correction_that_no_table_has_is_refused(evening: Evening, owner: User, hand: Hand, facts: Facts) -> None:
    with nothing_written(), pytest.raises(ANY_REFUSAL):
        ledger.amend(evening.pk, 1, facts=facts, by=owner)


@pytest.mark.parametrize("number", [-1, 0, 4])
def test_a_hand_that_is_not_there_cannot_be_corrected(evening: Evening, owner: User, hand: Hand, number: int) -> None:
    with nothing_written(), pytest.raises(Hand.DoesNotExist):
        ledger.amend(evening.pk, number, facts=OTHER, by=owner)


@pytest.mark.parametrize("looks", [0, 1])
def test_correction_that_others_outran_each_time_is_written_while_it_holds_the_evening(
    evening: Evening, owner: User, hand: Hand, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    claims = iter([False] * looks)
    claim = ledger.claim
    monkeypatch.setattr(ledger, "claim", lambda *args: next(claims, True) and claim(*args))
    monkeypatch.setattr(ledger, "LOOKS", looks)
    ledger.amend(evening.pk, 1, facts=OTHER, by=owner)
    assert Hand.objects.get(number=1).revision_count == 2
    assert_books_balance(evening)


# --- void_restore ---


BOTH = pytest.mark.parametrize("verb", [ledger.void, ledger.restore])


@pytest.fixture
def restore_hand(evening: Evening, owner: User) -> Hand:
    """Béla's 6 points, and after it Cili's 4."""
    first = record(evening, owner)
    record(evening, owner, "3S 8")
    return first


def test_a_void_hand_keeps_all_but_its_weight(evening: Evening, owner: User, restore_hand: Hand) -> None:
    assert ledger.void(evening.pk, 1, by=owner) == restore_hand
    restore_hand.refresh_from_db()
    evening.refresh_from_db()
    assert restore_hand.is_void
    assert (restore_hand.number, restore_hand.dealer, restore_hand.declarer, restore_hand.deal) == (1, 0, 1, "2H 7")
    assert payments_of(restore_hand) == {(0, 1, 6), (2, 1, 6)}
    assert pair_totals(evening) == {(0, 2): (4, 1), (1, 2): (4, 1)}
    assert (evening.last_number, evening.hand_count, evening.version) == (2, 1, 4)
    assert_books_balance(evening)


def test_history_says_who_voided_and_restored_when(evening: Evening, restore_hand: Hand) -> None:
    bela, cili = UserFactory(), UserFactory()
    nine, ten = datetime(2025, 1, 1, 21, tzinfo=UTC), datetime(2025, 1, 1, 22, tzinfo=UTC)
    ledger.void(evening.pk, 1, by=bela, at=nine)
    ledger.restore(evening.pk, 1, by=cili, at=ten)
    recorded, voided, restored = restore_hand.revisions.all()
    assert (voided.action, voided.made_by, voided.made_at) == ("void", bela, nine)
    assert (restored.action, restored.made_by, restored.made_at) == ("restore", cili, ten)
    assert voided.before == restored.after == recorded.after
    assert voided.after == restored.before == recorded.after | {"is_void": True}


def test_voiding_a_void_hand_writes_nothing(evening: Evening, owner: User, restore_hand: Hand) -> None:
    with nothing_written():
        ledger.restore(evening.pk, 1, by=owner)
    ledger.void(evening.pk, 1, by=owner)
    with nothing_written():
        ledger.void(evening.pk, 1, by=owner)
    assert history_of(restore_hand) == [(1, "record"), (2, "void")]


@BOTH
@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_hand_that_is_not_there_is_not_changed(
    evening: Evening, owner: User, restore_hand: Hand, verb: Callable[..., Hand], number: int
) -> None:
    with nothing_written(), pytest.raises(Hand.DoesNotExist):
        verb(evening.pk, number, by=owner)


def test_voiding_touches_its_own_evening_only(evening: Evening, owner: User, restore_hand: Hand) -> None:
    other = evening_of(owner)
    record(other, owner)
    totals = pair_totals(other)
    ledger.void(evening.pk, 1, by=owner)
    assert pair_totals(other) == totals
    assert_books_balance(other)
