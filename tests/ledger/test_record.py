"""Hands recorded, corrected, made void and restored, each once and as its form meant it."""

from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from scorekeeper.games.errors import GameError, InvalidDeal, NotationError, NotPlaying
from sessions_app.errors import NumberTaken, SameHand, StaleHand, TokenSpent
from sessions_app.hand_facts import NO_FORM, Facts, FormState
from sessions_app.models import Evening, Hand, Revision, User
from sessions_app.writers import evenings, ledger
from sessions_app.writers.ledger import SAME_HAND_WITHIN
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import assert_verified, history_of, nothing_written, pair_totals, payments_of

PLAIN = Facts(0, 1, "2H 7")
ANY_REFUSAL = (GameError, ValueError, DatabaseError)


def test_a_hand_is_written_with_its_payments_totals_history_and_a_new_version(evening: Evening, owner: User) -> None:
    begin, token = timezone.now(), uuid4()
    hand = ledger.record(evening.pk, token=token, number=1, facts=PLAIN, by=owner)
    hand.refresh_from_db()
    assert begin <= hand.recorded_at == hand.revisions.get().made_at <= timezone.now()
    assert (hand.evening, hand.number, hand.token) == (evening, 1, token)
    assert (hand.dealer, hand.declarer, hand.deal, hand.deal_stays) == (0, 1, "2H 7", False)
    assert not hand.is_void
    assert not hand.is_thrown_in
    assert payments_of(hand) == {(0, 1, 6), (2, 1, 6)}
    assert pair_totals(evening) == {(0, 1): (6, 1), (2, 1): (6, 1)}
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count, evening.version) == (1, 1, 2)
    [revision] = hand.revisions.all()
    assert (revision.number, revision.action, revision.made_by, revision.before) == (1, "record", owner, None)
    assert revision.after == {
        "facts": {"dealer": 0, "declarer": 1, "deal": "2H 7", "deal_stays": False},
        "is_void": False,
        "entries": [["paid", 0, 1, 6, "points"], ["paid", 2, 1, 6, "points"]],
    }


def again(hand: Hand, facts: Facts = PLAIN, number: int = 1) -> Hand:
    return ledger.record(hand.evening_id, token=hand.token, number=number, facts=facts, by=UserFactory())


@pytest.fixture
def hand(evening: Evening, owner: User) -> Hand:
    return ledger.record(evening.pk, token=uuid4(), number=1, facts=PLAIN, by=owner)


def test_the_same_form_is_known_whatever_became_of_the_hand_and_at_its_own_evening_only(
    hand: Hand, owner: User
) -> None:
    evening, writer = hand.evening_id, UserFactory()
    with nothing_written():
        assert ledger.record(evening, token=hand.token, number=1, facts=PLAIN, by=writer) == hand
    assert again(hand, number=7) == hand
    assert ledger.record(evening, token=hand.token, number=2, facts=PLAIN, by=owner) == hand, "the next by now"
    record(hand.evening, owner)
    assert again(hand) == hand
    other = Facts(0, 2, "3S 4")
    ledger.amend(evening, 1, facts=other, by=owner)
    assert again(hand) == hand
    with nothing_written(), pytest.raises(TokenSpent):
        ledger.record(evening, token=hand.token, number=1, facts=other, by=owner)
    ledger.void(evening, 1, by=owner)
    assert again(hand) == hand
    evenings.end(evening)
    assert again(hand) == hand
    assert Hand.objects.count() == 2
    elsewhere = evening_of(owner)
    assert ledger.record(elsewhere.pk, token=hand.token, number=1, facts=PLAIN, by=owner).evening == elsewhere


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        pytest.param(Facts(0, 1, "2H 12"), InvalidDeal, id="12 tricks"),
        pytest.param(Facts(0, 1, "2N 7 A*"), InvalidDeal, id="idegen at no trumps"),
        pytest.param(Facts(0, 1, "2H  7"), NotationError, id="two spaces"),
        pytest.param(Facts(0, 1, "2H 7; DROP TABLE"), NotationError, id="more than a deal"),
        pytest.param(Facts(0, 4, "2H 7"), NotPlaying, id="declarer 4"),
    ],
)
def test_hand_that_the_game_does_not_know_is_refused(
    evening: Evening, owner: User, facts: Facts, error: type[Exception]
) -> None:
    with nothing_written(), pytest.raises(error):
        ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner)


def test_hand_that_no_table_has_is_refused(evening: Evening, evening_of_four: Evening, owner: User) -> None:
    impossible = (
        *(Facts(4, 1, "2H 7"), Facts(-1, 1, "2H 7"), Facts(0, -1, "2H 7"), Facts(4), Facts(-1), Facts(0, None, "2H 7")),
        *(Facts(0, 1, ""), Facts(0, 1, "2H 7", deal_stays=True), Facts(0, 1, "2H 7" + " " * 100)),
    )
    at_three = [(evening, facts) for facts in (Facts(0, 3, "2H 7"), Facts(3, 0, "2H 7"), Facts(3))]
    who_deals = [(evening_of_four, Facts(dealer, dealer, "2H 7")) for dealer in range(4)]
    for place, facts in [*((evening_of_four, facts) for facts in impossible), *at_three, *who_deals]:
        with nothing_written(), pytest.raises(ANY_REFUSAL), transaction.atomic():
            ledger.record(place.pk, token=uuid4(), number=1, facts=facts, by=owner)


@pytest.mark.parametrize("other", [Facts(1, 1, "2H 7"), Facts(0, 2, "2H 7"), Facts(0, 1, "2H 8"), Facts(0)])
def test_the_same_form_with_other_facts_is_refused(hand: Hand, owner: User, other: Facts) -> None:
    with nothing_written(), pytest.raises(TokenSpent) as refusal:
        ledger.record(hand.evening_id, token=hand.token, number=2, facts=other, by=owner)
    assert refusal.value.hand == hand


def test_number_that_is_not_the_next_is_refused_with_the_one_that_is(hand: Hand, owner: User) -> None:
    for number in (-1, 0, 1, 3, 1_000_000):
        with nothing_written(), pytest.raises(NumberTaken) as refusal:
            ledger.record(hand.evening_id, token=uuid4(), number=number, facts=PLAIN, by=owner)
        assert refusal.value.next_number == 2
    with nothing_written(), pytest.raises(Evening.DoesNotExist):
        ledger.record(0, token=uuid4(), number=1, facts=PLAIN, by=owner)


# --- The ledger asks before it records a hand that reads just like another member's ---


HAND_PLAIN = Facts(0, 1, "2H 7-3-1")


def next_hand(hand: Hand, facts: Facts, by: User | None = None, said: FormState = NO_FORM) -> Hand:
    return ledger.record(hand.evening_id, token=uuid4(), number=2, facts=facts, by=by or UserFactory(), form_state=said)


@pytest.mark.parametrize("facts", [HAND_PLAIN, Facts(1, 1, "2H 7-3-1"), Facts(1, 1, "2H 7"), Facts(1, 1, "2H 7-4-0")])
def test_equal_hand_is_refused_until_it_is_said_to_be_another(hand: Hand, facts: Facts) -> None:
    writer = UserFactory()
    with nothing_written(), pytest.raises(SameHand) as refusal:
        next_hand(hand, facts, by=writer)
    assert refusal.value.hand == hand
    assert next_hand(hand, facts, said=FormState(another=True)).number == 2


@pytest.mark.parametrize(
    "facts", [Facts(1, 2, "2H 7"), Facts(1, 1, "2H 8"), Facts(1, 1, "2H 7 K"), Facts(1), HAND_PLAIN]
)
def test_payment_that_differs_in_a_field_or_is_the_recorders_own_is_booked_without_a_question(
    hand: Hand, owner: User, facts: Facts
) -> None:
    assert next_hand(hand, facts, by=owner if facts == HAND_PLAIN else None).number == 2


@pytest.mark.parametrize(("age", "asked"), [(SAME_HAND_WITHIN - timedelta(seconds=5), True), (SAME_HAND_WITHIN, False)])
def test_an_older_one_is_asked_about_only_if_it_came_while_this_was_written(
    hand: Hand, age: timedelta, asked: bool
) -> None:
    Revision.objects.update(made_at=timezone.now() - age)
    with pytest.raises(SameHand):
        next_hand(hand, HAND_PLAIN, said=FormState(meant=1))
    if asked:
        with pytest.raises(SameHand):
            next_hand(hand, HAND_PLAIN)
    else:
        assert next_hand(hand, HAND_PLAIN).number == 2


OTHER = Facts(0, 2, "1N 5")


@pytest.fixture
def first_of_three(evening: Evening, owner: User) -> Hand:
    """Béla's 6 points; two more hands come after it."""
    first = record(evening, owner)
    record(evening, owner, "3S 8")
    record(evening, owner, "2C 6-5-0")
    return first


def test_history_says_who_corrected_what_when_and_in_which_order(
    evening: Evening, owner: User, first_of_three: Hand
) -> None:
    corrections = [
        (OTHER, UserFactory(), datetime(2025, 1, 1, 20, 5, tzinfo=UTC)),
        (Facts(1, 1, "2H 6-5-0"), UserFactory(), datetime(2025, 1, 1, 20, 3, tzinfo=UTC)),
    ]
    for facts, by, at in corrections:
        ledger.amend(evening.pk, 1, facts=facts, by=by, at=at)
        assert_verified()
    recorded, *amended = first_of_three.revisions.all()
    assert (recorded.action, recorded.made_by) == ("record", owner)
    assert [(each.action, each.made_by, each.made_at) for each in amended] == [
        ("amend", by, at) for _facts, by, at in corrections
    ]


def test_correction_of_a_hand_that_changed_since_it_was_shown_is_refused_and_of_no_fact_writes_nothing(
    evening: Evening, owner: User, first_of_three: Hand
) -> None:
    for seen in (None, 1, 99):
        with nothing_written():
            assert ledger.amend(evening.pk, 1, facts=PLAIN, by=owner, seen=seen) == first_of_three
    begin = timezone.now()
    ledger.amend(evening.pk, 1, facts=OTHER, by=owner, seen=1)
    assert begin <= first_of_three.revisions.get(number=2).made_at <= timezone.now()
    for seen in (0, 1, 3):
        with nothing_written(), pytest.raises(StaleHand):
            ledger.amend(evening.pk, 1, facts=Facts(0, 0, "2H 7"), by=owner, seen=seen)
    ledger.amend(evening.pk, 1, facts=Facts(0, 0, "2H 7"), by=owner, seen=2)
    assert history_of(first_of_three) == [(1, "record"), (2, "amend"), (3, "amend")]
    ledger.void(evening.pk, 1, by=owner)
    with nothing_written(), pytest.raises(StaleHand):
        ledger.amend(evening.pk, 1, facts=OTHER, by=owner, seen=3)


def test_impossible_correction_and_change_of_a_hand_that_is_not_there_are_refused(
    evening: Evening, owner: User, first_of_three: Hand
) -> None:
    for facts in (Facts(0, 1, "2H 7; DROP TABLE"), Facts(0, 4, "2H 7"), Facts(4, 1, "2H 7")):
        with nothing_written(), pytest.raises(ANY_REFUSAL):
            ledger.amend(evening.pk, 1, facts=facts, by=owner)
    for number in (-1, 0, 4):
        for write in (partial(ledger.amend, facts=OTHER), ledger.void, ledger.restore):
            with nothing_written(), pytest.raises(Hand.DoesNotExist):
                write(evening.pk, number, by=owner)


@pytest.mark.parametrize("looks", [0, 1])
def test_correction_that_others_outran_each_time_is_written_while_it_holds_the_evening(
    evening: Evening, owner: User, first_of_three: Hand, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    claims = iter([False] * looks)
    claim = ledger.claim
    monkeypatch.setattr(ledger, "claim", lambda *args: next(claims, True) and claim(*args))
    monkeypatch.setattr(ledger, "LOOKS", looks)
    ledger.amend(evening.pk, 1, facts=OTHER, by=owner)
    assert Hand.objects.get(number=1).revision_count == 2
    assert_verified()


def test_void_hand_keeps_all_but_its_weight_and_its_history_says_who_voided_and_restored_it_when(
    evening: Evening, owner: User, first_of_three: Hand
) -> None:
    other, bela, cili = evening_of(owner), UserFactory(), UserFactory()
    record(other, owner)
    elsewhere = pair_totals(other)
    nine, ten = datetime(2025, 1, 1, 21, tzinfo=UTC), datetime(2025, 1, 1, 22, tzinfo=UTC)
    with nothing_written():
        ledger.restore(evening.pk, 1, by=owner)
    assert ledger.void(evening.pk, 1, by=bela, at=nine) == first_of_three
    with nothing_written():
        ledger.void(evening.pk, 1, by=owner)
    first_of_three.refresh_from_db()
    assert first_of_three.is_void
    assert (first_of_three.number, first_of_three.dealer, first_of_three.declarer) == (1, 0, 1)
    assert first_of_three.deal == "2H 7"
    assert payments_of(first_of_three) == {(0, 1, 6), (2, 1, 6)}
    assert pair_totals(evening) == {(0, 2): (4, 1), (1, 2): (4, 1)}
    assert_verified()
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count, evening.version) == (3, 2, 5)
    ledger.restore(evening.pk, 1, by=cili, at=ten)
    assert_verified()
    _recorded, voided, restored = first_of_three.revisions.all()
    assert (voided.action, voided.made_by, voided.made_at) == ("void", bela, nine)
    assert (restored.action, restored.made_by, restored.made_at) == ("restore", cili, ten)
    assert pair_totals(other) == elsewhere
