"""The ledger asks before it records a hand that reads just like another member's."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from sessions_app.errors import SameHand
from sessions_app.hand_facts import NO_FORM, Facts, FormState
from sessions_app.models import Evening, Hand, Revision, User
from sessions_app.writers import ledger
from sessions_app.writers.ledger import SAME_HAND_WITHIN
from tests.factories import UserFactory
from tests.ledger.books import nothing_written

PLAIN = Facts(0, 1, "2H 7-3-1")


@pytest.fixture
def hand(evening: Evening, owner: User) -> Hand:
    return ledger.record(evening.pk, token=uuid4(), number=1, facts=PLAIN, by=owner)


def next_hand(hand: Hand, facts: Facts, by: User | None = None, said: FormState = NO_FORM) -> Hand:
    return ledger.record(hand.evening_id, token=uuid4(), number=2, facts=facts, by=by or UserFactory(), form_state=said)


@pytest.mark.parametrize("facts", [PLAIN, Facts(1, 1, "2H 7-3-1"), Facts(1, 1, "2H 7"), Facts(1, 1, "2H 7-4-0")])
def test_equal_hand_is_refused_until_it_is_said_to_be_another(hand: Hand, facts: Facts) -> None:
    writer = UserFactory()
    with nothing_written(), pytest.raises(SameHand) as refusal:
        next_hand(hand, facts, by=writer)
    assert refusal.value.hand == hand
    assert next_hand(hand, facts, said=FormState(another=True)).number == 2


@pytest.mark.parametrize("facts", [Facts(1, 2, "2H 7"), Facts(1, 1, "2H 8"), Facts(1, 1, "2H 7 K"), Facts(1)])
def test_payment_that_differs_in_a_field_is_booked_without_a_question(hand: Hand, facts: Facts) -> None:
    assert next_hand(hand, facts).number == 2


def test_recorder_of_the_same_hand_is_not_asked(hand: Hand, owner: User) -> None:
    assert next_hand(hand, PLAIN, by=owner).number == 2


@pytest.mark.parametrize(("age", "asked"), [(SAME_HAND_WITHIN - timedelta(seconds=5), True), (SAME_HAND_WITHIN, False)])
def test_an_older_one_is_asked_about_only_if_it_came_while_this_was_written(
    hand: Hand, age: timedelta, asked: bool
) -> None:
    Revision.objects.update(made_at=timezone.now() - age)
    with pytest.raises(SameHand):
        next_hand(hand, PLAIN, said=FormState(meant=1))
    if asked:
        with pytest.raises(SameHand):
            next_hand(hand, PLAIN)
    else:
        assert next_hand(hand, PLAIN).number == 2
