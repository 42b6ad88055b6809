"""A new hand that the standing before it forbids is refused; a recorded one stays when that standing changes."""

from uuid import uuid4

import pytest

from scorekeeper.games.base import Place
from scorekeeper.games.errors import InvalidDeal
from sessions_app.hand_facts import Facts
from sessions_app.models import Action, Evening, Hand, User
from sessions_app.readers.evening import hand_counts, seating
from sessions_app.readers.evening.hand_counts import facts_of
from sessions_app.writers import ledger
from tests.ledger.books import assert_verified, nothing_written
from tests.toy.game import GAME
from tests.toy.playing import record, toy_evening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

NOBODY_WON = Facts(0, 1, "0")
AGREED = Facts(0, None, "=3/0/0", deal_stays=True)


@pytest.fixture
def evening(owner: User) -> Evening:
    return toy_evening(owner)


def written(evening: Evening, number: int) -> dict[tuple[str, int, int | None], int]:
    entries = evening.hands.get(number=number).entries.all()
    return {(entry.account, entry.seat, entry.against): entry.amount for entry in entries}


def test_a_new_hand_that_may_not_follow_is_refused(evening: Evening, owner: User) -> None:
    record(evening, owner, "4/1/0")
    with nothing_written(), pytest.raises(InvalidDeal, match="nobody_won"):
        record(evening, owner, "0", 1)
    record(evening, owner, "+3", 1)
    record(evening, owner, "0", 1)
    assert_verified()


def test_a_hand_is_not_corrected_into_one_that_may_not_follow(evening: Evening, owner: User) -> None:
    record(evening, owner, "4/1/0")
    record(evening, owner, "+3", 1)
    with nothing_written(), pytest.raises(InvalidDeal, match="nobody_won"):
        ledger.amend(evening.pk, 2, facts=NOBODY_WON, by=owner)


def test_hand_that_was_possible_when_recorded_stays_and_may_be_corrected(evening: Evening, owner: User) -> None:
    record(evening, owner, "+1", 0)
    record(evening, owner, "0", 1)
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "4/1/0"), by=owner)
    hand = ledger.amend(evening.pk, 2, facts=Facts(0, 2, "0"), by=owner)
    assert hand.deal == "0"
    ledger.void(evening.pk, 2, by=owner)
    ledger.restore(evening.pk, 2, by=owner)
    assert_verified()


def test_the_count_of_what_is_tapped_is_refused_alike(evening: Evening, owner: User) -> None:
    record(evening, owner, "+1", 0)
    record(evening, owner, "0", 1)
    deal = GAME.deal_from_text("0")
    hand = evening.hands.get(number=2)
    place = Place(hand.sitting, 0, 1)
    evening.refresh_from_db()
    assert hand_counts.count(evening, deal, place, 3).entries == ()
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "4/1/0"), by=owner)
    evening.refresh_from_db()
    assert hand_counts.count(evening, deal, place, 3, evening.hands.get(number=2)).entries == ()
    with pytest.raises(InvalidDeal, match="nobody_won"):
        hand_counts.count(evening, deal, place, 3)


def test_agreed_entry_is_no_hand_and_leaves_the_deal(evening: Evening, owner: User) -> None:
    record(evening, owner, "4/1/0")
    evening.refresh_from_db()
    dealer = seating.turn(evening).dealer
    facts = Facts(dealer, None, "=3/0/0", deal_stays=True)
    hand = ledger.record(evening.pk, token=uuid4(), number=2, facts=facts, by=owner)
    evening.refresh_from_db()
    assert (hand.kind, hand.is_agreed, hand.is_played, hand.is_thrown_in) == (Hand.Kind.AGREED, True, False, False)
    assert (evening.hand_count, evening.last_number) == (1, 2)
    assert seating.turn(evening).dealer == dealer
    assert written(evening, 2) == {("marks", 0, None): 3}
    ledger.amend(evening.pk, 2, facts=Facts(dealer, None, "3/0/0"), by=owner)
    evening.refresh_from_db()
    assert (evening.hand_count, written(evening, 2)) == (2, {("marks", 0, None): 6})
    assert_verified()


@pytest.mark.parametrize(
    "facts",
    [
        Facts(0, None, "=3/0/0"),
        Facts(0, None, "3/0/0", deal_stays=True),
        Facts(0, 1, "+3", deal_stays=True),
        Facts(0, 1, deal_stays=True),
    ],
    ids=str,
)
def test_the_deal_stays_after_nothing_else(evening: Evening, owner: User, facts: Facts) -> None:
    with nothing_written(), pytest.raises(ValueError, match=r"same dealer deals again|no declarer"):
        ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner)


def test_correction_of_an_agreed_entry_is_in_its_history(evening: Evening, owner: User) -> None:
    ledger.record(evening.pk, token=uuid4(), number=1, facts=AGREED, by=owner)
    hand = ledger.amend(evening.pk, 1, facts=Facts(0, None, "=2/0/0", deal_stays=True), by=owner)
    assert facts_of(hand).deal == "=2/0/0"
    assert [revision.action for revision in hand.revisions.all()] == [Action.RECORD, Action.AMEND]
    assert_verified()
