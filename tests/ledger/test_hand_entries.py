"""The entries of an evening's hands, as a face that draws the sheet reads them."""

from dataclasses import asdict
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from scorekeeper.games import preference
from scorekeeper.games.asszorti import deal_from_text
from scorekeeper.games.base import Sheet
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, User
from sessions_app.readers.evening import hand_history
from sessions_app.readers.evening.seating import sums_of
from sessions_app.readers.evening.sheets import MOST_WRITTEN, HandWritten, Written, written
from sessions_app.writers import evenings, ledger
from tests.factories import UserFactory, strike_out
from tests.ledger.reading import NAMES, as_it_is, grow

#: Two raspasovkas in a row, of which the second is dearer, and a game: each with its entries.
HANDS = (
    (Facts(2, None, "R 4-4-2"), "D0+4 D1+4 D2+2"),
    (Facts(0, None, "R 0-3-7"), "D0+14 D2+6"),
    (Facts(1, 2, "7D pw 8"), "P2+4 B1>2+8"),
)


@pytest.fixture
def pulka(owner: User) -> Evening:
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 2, game_key=preference.GAME.key)
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for number, (facts, _writes) in enumerate(HANDS, 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    return evening


def of(text: str) -> Sheet:
    return preference.sheet_from_text(text)


def read(evening: Evening) -> Written:
    return written(as_it_is(evening))


def test_each_hand_says_what_it_writes_the_oldest_first(pulka: Evening) -> None:
    found = read(pulka)
    assert [hand.number for hand in found.hands] == [1, 2, 3]
    assert [hand.amounts for hand in found.hands] == [of(writes) for _facts, writes in HANDS]
    assert {(hand.is_void, hand.was, hand.changed) for hand in found.hands} == {(False, None, 0)}
    assert [hand.recorded for hand in found.hands] == [2, 3, 4]
    assert (found.before, found.standing) == ({}, "P0,0,4")


def test_amended_hand_says_what_it_had_written_before_its_latest_change(pulka: Evening, owner: User) -> None:
    ledger.record(pulka.pk, token=uuid4(), number=4, facts=Facts(2, 0, "8H wp 7"), by=owner)
    assert read(pulka).hands[-1].amounts == of("D0+6 B1>0+24 B2>0+6"), "Béla's tricks and consolation are two entries"
    ledger.record(pulka.pk, token=uuid4(), number=5, facts=Facts(2, deal_stays=True), by=owner)
    assert [hand.number for hand in read(pulka).hands] == [1, 2, 3, 4], "nothing is written for a deal thrown in"
    written_first = of("P2+4 B1>2+8")
    for deal, now, was in (
        ("7H pw 8", written_first, None),
        ("7D pw 9", of("P2+4 B2>1+4"), written_first),
        ("7D ph", of("P2+4 B1>2+4"), of("P2+4 B2>1+4")),
    ):
        ledger.amend(pulka.pk, 3, facts=Facts(1, 2, deal), by=owner)
        hand = read(pulka).hands[2]
        assert (hand.amounts, hand.was) == (now, was)
    ledger.amend(pulka.pk, 3, facts=Facts(1, deal_stays=True), by=owner)
    assert read(pulka).hands[2] == HandWritten(3, False, {}, of("P2+4 B1>2+4"), 4, 10)


def test_a_void_hand_keeps_its_entries_and_what_it_changes_says_what_that_had_written(
    pulka: Evening, owner: User
) -> None:
    strike_out(pulka, 1, owner)
    void, recounted, untouched = read(pulka).hands
    assert void == HandWritten(1, True, of("D0+4 D1+4 D2+2"), of("D0+4 D1+4 D2+2"), 2, 5)
    assert recounted == HandWritten(2, False, of("D0+7 D2+3"), of("D0+14 D2+6"), 3, 5)
    assert (untouched.changed, untouched.was) == (0, None)
    ledger.restore(pulka.pk, 1, by=owner)
    restored, again, _untouched = read(pulka).hands
    assert restored == HandWritten(1, False, of("D0+4 D1+4 D2+2"), None, 2, 6)
    assert again == HandWritten(2, False, of("D0+14 D2+6"), None, 3, 6), "it was a slip"


def test_a_hand_undone_is_not_among_them_until_it_is_restored(pulka: Evening, owner: User) -> None:
    ledger.void(pulka.pk, 3, by=owner)
    assert [hand.number for hand in read(pulka).hands] == [1, 2]
    ledger.amend(pulka.pk, 3, facts=Facts(1, 2, "7D ph"), by=owner)
    assert read(pulka).hands[-1].was is None, "a void hand that is corrected counts as little as before"
    ledger.restore(pulka.pk, 3, by=owner)
    assert [hand.number for hand in read(pulka).hands] == [1, 2, 3]


@pytest.mark.parametrize("hands", [MOST_WRITTEN, MOST_WRITTEN + 1])
def test_hands_before_the_newest_are_in_the_sheet_they_began_from(evening: Evening, owner: User, hands: int) -> None:
    grow(evening, owner, hands)
    strike_out(evening, hands - 5, owner)
    found = read(evening)
    assert [hand.number for hand in found.hands] == [*range(max(1, hands - MOST_WRITTEN + 1), hands + 1)]
    sums = dict(found.before)
    for hand in found.hands:
        for account, amount in hand.counted.items():
            sums[account] = sums.get(account, 0) + amount
    assert sums == sums_of(as_it_is(evening))
    assert bool(found.before) == (hands > MOST_WRITTEN)


@pytest.mark.parametrize("hands", [3, 300])
def test_it_asks_two_queries_whatever_the_length_of_the_evening(
    evening: Evening, owner: User, django_assert_num_queries: DjangoAssertNumQueries, hands: int
) -> None:
    grow(evening, owner, hands)
    for number in range(max(1, hands - 9), hands + 1):
        ledger.void(evening.pk, number, by=owner)
    now = as_it_is(evening)
    written(now)  # facts on the database that are cached for good
    with django_assert_num_queries(2):
        written(now)


# --- hand_history ---


def test_a_history_tells_the_latest_first_with_what_was_paid_before_and_after(
    three_hands: Evening, owner: User
) -> None:
    bela = UserFactory()
    when = datetime(2025, 1, 1, 21, tzinfo=UTC)
    ledger.amend(three_hands.pk, 1, facts=Facts(0, 1, "2H 5"), by=bela, at=when)
    ledger.void(three_hands.pk, 1, by=bela)
    hand = three_hands.hands.get(number=1)
    voided, amended, recorded = hand_history.history_of(three_hands, hand, NAMES, {}, bela).entries
    assert [entry.action for entry in (voided, amended, recorded)] == ["void", "amend", "record"]
    assert [entry.by_me for entry in (voided, amended, recorded)] == [True, True, False]
    assert amended.made_at == when
    assert recorded.before is None
    assert amended.before == recorded.after
    assert voided.before == amended.after
    assert recorded.after.amounts == (-6, 12, -6)
    assert amended.after.amounts == (4, -8, 4)
    assert (amended.after.is_void, voided.after.is_void) == (False, True)
    assert amended.after.deal == deal_from_text("2H 5")


def test_a_history_tells_of_a_hand_that_was_thrown_in(three_hands: Evening, owner: User) -> None:
    ledger.amend(three_hands.pk, 1, facts=Facts(2, deal_stays=True), by=owner)
    hand = three_hands.hands.get(number=1)
    amended, recorded = hand_history.history_of(three_hands, hand, NAMES, {}, owner).entries
    assert (amended.after.dealer, amended.after.deal, amended.after.deal_stays) == ("Cili", None, True)
    assert (recorded.after.kind, amended.after.kind) == (Hand.Kind.PLAYED, Hand.Kind.THROWN_IN)


def test_a_history_tells_of_an_agreed_entry_that_was_a_hand(owner: User) -> None:
    """The facts that are kept there do not name the kind."""
    evening = evenings.start(evenings.Opening(NAMES, 0, game_key="preference"), token=uuid4(), by=owner)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, None, "R 4-3-3"), by=owner)
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+5", deal_stays=True), by=owner)
    hand = evening.hands.get()
    amended, recorded = hand_history.history_of(evening, hand, NAMES, {}, owner).entries
    assert (recorded.after.kind, amended.before, amended.after.kind) == ("played", recorded.after, "agreed")
    assert (hand.kind, {*hand.revisions.get(number=2).after["facts"]}) == ("agreed", {*asdict(Facts(0))})
