"""Suggested payments as pages show them: a line is booked once, and asked about if it would now over-pay."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from sessions_app.errors import OverpaidSince, RepaymentTokenSpent, WriteRefused
from sessions_app.models import Circle, Evening, Repayment, User
from sessions_app.readers.money import lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import Line, night_of
from sessions_app.readers.people.circles import players_of
from sessions_app.writers import circles, repayments
from sessions_app.writers.repayments import Booked, Wanted
from tests.factories import UserFactory, evening_of
from tests.ledger.at_once import PHONES, at_once
from tests.ledger.books import nothing_written
from tests.ledger.payments import book, ended, key, wanted

pytestmark = pytest.mark.django_db


def suggested(evening: Evening, scope: str = "everything", payer: str = "Béla") -> Line:
    """The line of a payer on a page that shows the scope."""
    circle = Circle.objects.get(pk=evening.circle_id)
    found, people = balances(circle.pk), players_of(circle)
    night = night_of(Evening.objects.get(pk=evening.pk))
    assert night is not None
    by_scope = {"tonight": lists.tonight(circle, found, night, people), **lists.everything(circle, found, people)}
    shown = by_scope["tonight" if scope == "tonight" else "HUF"]
    return next(line for line in shown.lines if line.payer.name == payer)


def tap(evening: Evening, by: User, line: Line, **said: Any) -> Booked:
    wants = Wanted(line.payer.id, line.payee.id, line.units, line.currency, line.evenings)
    return book(evening, by, wants, line.token, **{"seen": line.seen} | said)


@pytest.fixture
def settled(evening: Evening, owner: User) -> Evening:
    """An ended session: Béla and Cili owe Anna 60 forints each."""
    ended(evening, owner, declarer=0)
    return evening


def test_line_that_two_pages_suggest_is_booked_once(settled: Evening, owner: User) -> None:
    of_night, of_circle = suggested(settled, "tonight"), suggested(settled)
    assert (of_night.evenings, of_circle.evenings) == ((settled.pk,), ())
    row, is_new = tap(settled, owner, of_night)
    assert is_new
    with nothing_written():
        assert tap(settled, UserFactory.build(), of_circle) == (row, False)
        with pytest.raises(RepaymentTokenSpent):
            tap(settled, owner, replace(of_circle, units=59))


def test_stale_line_that_would_overpay_is_asked_about(settled: Evening, owner: User) -> None:
    stale = suggested(settled)
    book(settled, owner, wanted("Béla", "Anna", 20))
    with nothing_written(), pytest.raises(OverpaidSince) as since:
        tap(settled, owner, stale)
    assert (since.value.payer.name, since.value.payee.name) == ("Béla", "Anna")
    assert (since.value.left, since.value.paid, since.value.seen) == (40, 20, 1)
    row, is_new = tap(settled, owner, stale, anyway=True)
    assert (row.units, is_new) == (60, True)
    assert tap(settled, UserFactory.build(), stale, anyway=True) == (row, False)
    with pytest.raises(OverpaidSince) as since:
        tap(settled, owner, replace(stale, token=uuid4()))
    assert since.value.left == 0


def test_stale_line_that_is_owed_still_is_booked(settled: Evening, owner: User) -> None:
    stale = suggested(settled)
    tap(settled, owner, suggested(settled, payer="Cili"))
    taken_back = book(settled, owner, wanted("Béla", "Anna", 60)).row
    repayments.undo(settled.circle_id, taken_back.pk, by=owner)
    assert tap(settled, owner, stale).is_new


def test_stale_line_above_the_debt_by_less_than_a_coin_is_booked(evening: Evening, owner: User) -> None:
    circles.set_cash_coins(evening.circle_id, {"HUF": 5})
    Evening.objects.filter(pk=evening.pk).update(stake=8)
    ended(evening, owner, declarer=0)
    stale = suggested(evening, payer="Cili")
    assert (stale.units, balances(evening.circle_id).of("HUF")[key("Cili")]) == (50, -48)
    tap(evening, owner, suggested(evening))
    assert tap(evening, owner, stale).is_new


def test_stale_line_of_a_night_is_held_against_the_night_while_that_is_offered(settled: Evening, owner: User) -> None:
    """Béla owes 60 of an old session besides; and a payment for none means that the night is paid with everything."""
    old = evening_of(owner)
    ended(old, owner, declarer=0)
    long_ago = timezone.now() - timedelta(days=7)
    Evening.objects.filter(pk=old.pk).update(started_at=long_ago, ended_at=long_ago)
    stale = suggested(settled, "tonight")
    book(settled, owner, wanted("Béla", "Anna", 20, evenings=(settled.pk,)))
    with pytest.raises(OverpaidSince) as since:
        tap(settled, owner, stale)
    assert since.value.left == 40
    book(settled, owner, wanted("Cili", "Anna", 1))
    assert tap(settled, owner, stale).is_new, "he owes 100 in all"


@pytest.mark.django_db(transaction=True)
def test_line_tapped_by_eight_phones_on_two_pages_at_once_is_booked_once(evening: Evening, owner: User) -> None:
    ended(evening, owner, declarer=0)
    taps = [suggested(evening, "tonight"), suggested(evening)] * (PHONES // 2)
    booked = at_once([lambda line=line: tap(evening, owner, line) for line in taps], WriteRefused)  # type: ignore[misc]
    row = Repayment.objects.get()
    assert {each.row for each in booked if isinstance(each, Booked)} == {row}
    assert len(booked) == PHONES
