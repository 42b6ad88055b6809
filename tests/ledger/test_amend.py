from datetime import UTC, datetime
from functools import partial

import pytest
from django.utils import timezone

from sessions_app.errors import StaleHand
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.writers import ledger
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import (
    ANY_REFUSAL,
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


def test_correction_of_a_hand_that_changed_since_it_was_shown_is_refused_and_of_no_fact_writes_nothing(
    evening: Evening, owner: User, hand: Hand
) -> None:
    for seen in (None, 1, 99):
        with nothing_written():
            assert ledger.amend(evening.pk, 1, facts=PLAIN, by=owner, seen=seen) == hand
    begin = timezone.now()
    ledger.amend(evening.pk, 1, facts=OTHER, by=owner, seen=1)
    assert begin <= hand.revisions.get(number=2).made_at <= timezone.now()
    for seen in (0, 1, 3):
        with nothing_written(), pytest.raises(StaleHand):
            ledger.amend(evening.pk, 1, facts=Facts(0, 0, "2H 7"), by=owner, seen=seen)
    ledger.amend(evening.pk, 1, facts=Facts(0, 0, "2H 7"), by=owner, seen=2)
    assert history_of(hand) == [(1, "record"), (2, "amend"), (3, "amend")]
    ledger.void(evening.pk, 1, by=owner)
    with nothing_written(), pytest.raises(StaleHand):
        ledger.amend(evening.pk, 1, facts=OTHER, by=owner, seen=3)


@pytest.mark.parametrize("facts", [Facts(0, 1, "2H 7; DROP TABLE"), Facts(0, 4, "2H 7"), Facts(4, 1, "2H 7")])
def test_impossible_correction_is_refused(evening: Evening, owner: User, hand: Hand, facts: Facts) -> None:
    with nothing_written(), pytest.raises(ANY_REFUSAL):
        ledger.amend(evening.pk, 1, facts=facts, by=owner)


def test_hand_that_is_not_there_is_not_changed(evening: Evening, owner: User, hand: Hand) -> None:
    for number in (-1, 0, 4):
        for write in (partial(ledger.amend, facts=OTHER), ledger.void, ledger.restore):
            with nothing_written(), pytest.raises(Hand.DoesNotExist):
                write(evening.pk, number, by=owner)


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


# --- Void and restored hands ---


def test_void_hand_keeps_all_but_its_weight_and_its_history_says_who_voided_and_restored_it_when(
    evening: Evening, owner: User, hand: Hand
) -> None:
    other, bela, cili = evening_of(owner), UserFactory(), UserFactory()
    record(other, owner)
    elsewhere = pair_totals(other)
    nine, ten = datetime(2025, 1, 1, 21, tzinfo=UTC), datetime(2025, 1, 1, 22, tzinfo=UTC)
    with nothing_written():
        ledger.restore(evening.pk, 1, by=owner)
    assert ledger.void(evening.pk, 1, by=bela, at=nine) == hand
    with nothing_written():
        ledger.void(evening.pk, 1, by=owner)
    hand.refresh_from_db()
    evening.refresh_from_db()
    assert hand.is_void
    assert (hand.number, hand.dealer, hand.declarer, hand.deal) == (1, 0, 1, "2H 7")
    assert payments_of(hand) == {(0, 1, 6), (2, 1, 6)}
    assert pair_totals(evening) == {(0, 2): (4, 1), (1, 2): (4, 1)}
    assert (evening.last_number, evening.hand_count, evening.version) == (3, 2, 5)
    assert_books_balance(evening)
    ledger.restore(evening.pk, 1, by=cili, at=ten)
    recorded, voided, restored = hand.revisions.all()
    assert (voided.action, voided.made_by, voided.made_at) == ("void", bela, nine)
    assert (restored.action, restored.made_by, restored.made_at) == ("restore", cili, ten)
    assert voided.before == restored.after == recorded.after
    assert voided.after == restored.before == recorded.after | {"is_void": True}
    assert pair_totals(other) == elsewhere
