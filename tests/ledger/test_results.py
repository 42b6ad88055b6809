"""Stored results of sessions: written by the end, kept while reopened, written anew by the next end or by an edit."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest

from sessions_app.errors import StakeTooHigh
from sessions_app.hand_facts import Facts
from sessions_app.models import LARGEST_RESULT, Circle, Evening, Seat, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.readers.money.balances import NO_RESULT, Result, balances, balances_by_circle, stored_result
from sessions_app.readers.verify.evenings import evening_faults
from sessions_app.writers import evening_edit, evenings, ledger, repayments
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import assert_verified, nothing_written

pytestmark = pytest.mark.django_db


def result(evening: Evening) -> Result:
    return stored_result(Evening.objects.get(pk=evening.pk))


def edit(evening: Evening, by: User, **changed: object) -> None:
    wanted = replace(shape_of(Evening.objects.get(pk=evening.pk)), **changed)  # type: ignore[arg-type]
    evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=by)


def test_result_is_written_by_the_end_and_kept_while_reopened_until_the_next(three_hands: Evening, owner: User) -> None:
    assert result(three_hands) == NO_RESULT
    evenings.end(three_hands.pk)
    ended = Result("HUF", {0: Fraction(100), 1: Fraction(220), 2: Fraction(-320)})
    assert result(three_hands) == ended
    evenings.reopen(three_hands.pk)
    ledger.void(three_hands.pk, 2, by=owner)
    edit(three_hands, owner, stake=Decimal("0.05"), currency="EUR")
    assert result(three_hands) == ended
    assert_verified()
    evenings.end(three_hands.pk)
    assert result(three_hands) == Result("EUR", {0: Fraction(-10), 1: Fraction(50), 2: Fraction(-40)})
    assert_verified()


def test_result_of_an_ended_session_follows_its_stake_currency_and_chips(three_hands: Evening, owner: User) -> None:
    evenings.end(three_hands.pk)
    edit(three_hands, owner, stake=Decimal(20))
    assert result(three_hands).amounts == {0: 200, 1: 440, 2: -640}
    edit(three_hands, owner, stake=None, currency="")
    assert result(three_hands) == Result("points:asszorti", {0: Fraction(10), 1: Fraction(22), 2: Fraction(-32)})
    edit(three_hands, owner, in_chips=True)
    assert result(three_hands) == NO_RESULT
    edit(three_hands, owner, in_chips=False)
    assert result(three_hands).amounts == {0: 10, 1: 22, 2: -32}
    assert_verified()


def test_result_that_cannot_be_stored_refuses_a_stake_but_ends_a_session_which_verify_names(
    three_hands: Evening, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_app.readers.money.balances.LARGEST_RESULT", 320)
    with pytest.raises(StakeTooHigh):
        edit(three_hands, owner, stake=Decimal(11))
    evenings.end(three_hands.pk)
    with nothing_written(), pytest.raises(StakeTooHigh):
        edit(three_hands, owner, stake=Decimal(11), note="dear")
    assert result(three_hands).amounts == {0: 100, 1: 220, 2: -320}
    assert_verified()
    monkeypatch.setattr("sessions_app.readers.money.balances.LARGEST_RESULT", 319)
    evenings.reopen(three_hands.pk)
    evenings.end(three_hands.pk)
    assert result(three_hands) == NO_RESULT
    faults = [fault.what for fault in evening_faults(Evening.objects.get(pk=three_hands.pk))]
    assert faults == ["its result is none in ''; the recount gives 100 220 -320 in 'HUF'"]


def test_session_without_a_hand_that_counts_or_in_a_demo_has_no_result(owner: User, evening: Evening) -> None:
    evenings.end(evening.pk)
    assert result(evening) == NO_RESULT
    evenings.reopen(evening.pk)
    record(evening, owner)
    ledger.void(evening.pk, 1, by=owner)
    evenings.end(evening.pk)
    assert result(evening) == NO_RESULT
    Circle.objects.update(is_demo=True)
    evenings.reopen(evening.pk)
    ledger.restore(evening.pk, 1, by=owner)
    evenings.end(evening.pk)
    assert result(evening) == NO_RESULT
    assert_verified()


def test_thirds_of_a_cent_are_stored_exactly(owner: User) -> None:
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, Decimal("0.01"), "EUR", "preference")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    facts = Facts(0, None, "= D2+1", deal_stays=True)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner)
    evenings.end(evening.pk)
    stored = result(evening)
    assert stored.currency == "EUR"
    assert {abs(amount) for amount in stored.amounts.values()} == {Fraction(10, 3), Fraction(20, 3)}
    assert balances(evening.circle_id).of("EUR") == {
        player: stored.amounts[position] for position, player in evening.seats.values_list("position", "player")
    }


def test_balances_of_a_circle_take_two_queries_and_add_up_what_sqlite_cannot(
    owner: User, django_assert_num_queries: Callable[..., Any]
) -> None:
    played = [evening_of(owner) for _ in range(12)]
    for evening in played:
        record(evening, owner, declarer=0)
        evenings.end(evening.pk)
    Seat.objects.filter(position=0).update(result=LARGEST_RESULT)
    Seat.objects.filter(position=1).update(result=-LARGEST_RESULT)
    Seat.objects.filter(position=2).update(result=0)
    anna, bela, cili = played[0].seats.values_list("player", flat=True)
    wanted = repayments.Wanted(bela, anna, 5, "HUF")
    repayments.book(played[0].circle_id, wanted, token=uuid4(), by=owner)
    undone = repayments.book(played[0].circle_id, wanted, token=uuid4(), by=owner).row
    repayments.undo(played[0].circle_id, undone.pk, by=owner)
    other = evening_of(UserFactory(), ("Xénia", "Ypszilon", "Zoé"))
    with django_assert_num_queries(2):
        found = balances_by_circle((played[0].circle_id, other.circle_id))
    most = 12 * LARGEST_RESULT
    assert found[played[0].circle_id].by_currency == {"HUF": {anna: most - 5, bela: 5 - most, cili: 0}}
    assert found[played[0].circle_id].rows == {"HUF": 2}, "a payment that was taken back is one of them"
    assert found[other.circle_id].by_currency == {}
