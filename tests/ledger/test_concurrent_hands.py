"""Hands and evenings that several phones write at once."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from uuid import UUID, uuid4

import pytest

from sessions_app.errors import (
    EveningEnded,
    EveningUsed,
    NumberTaken,
    SeatsFixed,
    StaleEvening,
    WriteRefused,
)
from sessions_app.hand_facts import Facts, FormState
from sessions_app.models import Evening, EveningChange, Hand, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import evening_edit, evenings, ledger
from tests.factories import record
from tests.ledger.books import PHONES, assert_verified, at_once, history_of

pytestmark = pytest.mark.django_db(transaction=True)

DEALS = ("2H 7", "2H 5", "1N 7 S", "2C 6-5-0", "3S 9 A*", "hD 4 K", "3N 6-3-2 A-", "1C 11")


def insist(evening: Evening, token: UUID, facts: Facts, by: User) -> Hand:
    """Record as a phone does that is told each time which number is free now."""
    number = 1
    while True:
        try:
            return ledger.record(evening.pk, token=token, number=number, facts=facts, by=by)
        except NumberTaken as taken:
            number = taken.next_number


def test_eight_writers_lose_no_hand(evening: Evening, owner: User) -> None:
    facts = [[Facts(hand % 3, phone % 3, DEALS[phone]) for hand in range(3)] for phone in range(PHONES)]

    def phone(mine: list[Facts]) -> Callable[[], list[Hand]]:
        return lambda: [insist(evening, uuid4(), fact, owner) for fact in mine]

    written = at_once([phone(mine) for mine in facts])
    hands = [hand for hands in written for hand in hands]
    assert sorted(hand.number for hand in hands) == list(range(1, 25))
    for mine, kept in zip(facts, written, strict=True):
        assert [Facts(hand.dealer, hand.declarer, hand.deal) for hand in kept] == mine
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count, evening.version) == (24, 24, 25)
    assert_verified()


def test_the_same_form_from_eight_phones_is_one_hand(evening: Evening, owner: User) -> None:
    token, facts = uuid4(), Facts(0, 1, "2H 7")
    hands = at_once([lambda: ledger.record(evening.pk, token=token, number=1, facts=facts, by=owner)] * PHONES)
    assert hands == [Hand.objects.get()] * PHONES
    assert history_of(Hand.objects.get()) == [(1, "record")]
    assert_verified()
    evening.refresh_from_db()
    assert evening.version == 2


def test_corrections_and_voids_of_the_same_hands_keep_the_totals_right(evening: Evening, owner: User) -> None:
    for deal in DEALS:
        record(evening, owner, deal)

    amend, void, restore = (partial(each, evening.pk, by=owner) for each in (ledger.amend, ledger.void, ledger.restore))
    amends = [partial(amend, 1, facts=Facts(1, 2, deal)) for deal in ("3S 4", "hN 9 M")]
    of_second = [partial(amend, 2, facts=Facts(1, 2, "1D 8")), partial(void, 2)]
    results = at_once([*amends, partial(void, 1), partial(restore, 1), *of_second, partial(void, 3), partial(void, 3)])
    assert all(isinstance(result, Hand) for result in results)
    assert_verified()
    assert sorted(history_of(Hand.objects.get(number=3))) == [(1, "record"), (2, "void")]
    actions = [action for _number, action in history_of(Hand.objects.get(number=1))]
    assert sorted(set(actions) - {"restore"}) == ["amend", "record", "void"]
    assert actions.count("amend") == 2


def test_a_hand_is_written_before_the_end_or_not_at_all(evening: Evening, owner: User) -> None:
    def phone() -> Hand:
        return insist(evening, uuid4(), Facts(0, 1, "2H 7"), owner)

    results = at_once([phone, phone, phone, lambda: evenings.end(evening.pk), phone, phone, phone])
    written = [result for result in results if isinstance(result, Hand)]
    refused = [result for result in results if isinstance(result, EveningEnded)]
    assert len(written) + len(refused) == PHONES - 2
    assert_verified()
    evening.refresh_from_db()
    assert (evening.last_number, evening.has_ended) == (len(written), True)


def test_the_same_start_from_eight_phones_is_one_evening(owner: User) -> None:
    token = uuid4()
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0)
    started = at_once([lambda: evenings.start(opening, token=token, by=owner)] * PHONES)
    assert started == [Evening.objects.get()] * PHONES


def test_two_evenings_begun_at_once_share_the_circles_new_player(evening: Evening, owner: User) -> None:
    opening = evenings.Opening(("Anna", "Béla", "Dóra"), 0)
    circle = evening.circle
    first, second = at_once([lambda: evenings.start(opening, token=uuid4(), by=owner, circle=circle)] * 2)
    assert first != second
    assert evening.circle.players.filter(name="Dóra").count() == 1


def test_second_of_two_edits_at_once_is_refused(evening: Evening, owner: User) -> None:
    was = shape_of(evening)
    edits = [
        partial(evening_edit.edit, evening.pk, replace(was, stake=Decimal(20 + n)), seen=0, by=owner)
        for n in range(PHONES)
    ]
    said = at_once(edits, StaleEvening)
    assert sorted(type(each).__name__ for each in said) == ["NoneType"] + ["StaleEvening"] * (PHONES - 1)
    assert EveningChange.objects.count() == 1


def test_seats_are_swapped_before_the_first_hand_or_not_at_all(evening: Evening, owner: User) -> None:
    """With either first: the hand is booked to the player it was written down for."""
    was = shape_of(evening)
    anna, bela, cili = was.players
    swap = replace(was, players=(cili, anna, bela), names=("Cili", "Anna", "Béla"))

    def recording() -> Hand:
        facts, form = Facts(0, 1, "2H 7"), FormState(seating=0)  # Béla plays, as the form says that was opened before
        return ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner, form_state=form)

    swapping = partial(evening_edit.edit, evening.pk, swap, seen=0, by=owner)
    said, *recorded = at_once([swapping, recording, recording], WriteRefused)
    hands = [hand for hand in recorded if isinstance(hand, Hand)]
    assert said is None or isinstance(said, SeatsFixed)
    assert len(hands) == (0 if said is None else 1)
    assert [evening.seats.get(position=hand.declarer).player_id for hand in hands] == [bela] * len(hands)
    assert_verified()


def test_an_evening_is_taken_away_or_has_its_hand(evening: Evening, owner: User) -> None:
    recording = partial(ledger.record, evening.pk, token=uuid4(), number=1, facts=Facts(0, 1, "2H 7"), by=owner)
    gone, hand = at_once(
        [partial(evenings.remove, evening.pk, by=owner), recording], (EveningUsed, Evening.DoesNotExist)
    )
    assert isinstance(gone, EveningUsed) is isinstance(hand, Hand)
    assert Hand.objects.count() == Evening.objects.count()
