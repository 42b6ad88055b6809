"""Changes of a session after the first payment for it."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Repayment, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.readers.money.repayments import ChangedResult, RepaymentRow, SincePaid, rows_among, since_paid
from sessions_app.writers import evening_edit, evenings, ledger, repayments
from tests.factories import evening_of, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(evening: Evening, owner: User) -> Evening:
    """Anna has won 60 forints of each."""
    return played(evening, owner)


def played(evening: Evening, owner: User) -> Evening:
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    return evening


def keys(evening: Evening) -> list[int]:
    return list(evening.seats.values_list("player", flat=True))


def pays(evening: Evening, by: User, units: int = 60, currency: str = "HUF", *others: Evening) -> Repayment:
    anna, bela, _cili = keys(evening)
    wanted = repayments.Wanted(bela, anna, units, currency, (evening.pk, *(other.pk for other in others)))
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row


def corrects(evening: Evening, owner: User, deal: str) -> None:
    evenings.reopen(evening.pk)
    ledger.amend(evening.pk, 1, facts=Facts(0, 0, deal), by=owner)
    evenings.end(evening.pk)


def edits(evening: Evening, owner: User, **values: Any) -> None:
    wanted = replace(shape_of(Evening.objects.get(pk=evening.pk)), **values)
    evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=owner)


def found(evening: Evening) -> SincePaid | None:
    return since_paid(Evening.objects.get(pk=evening.pk), paid_for(evening))


def paid_for(evening: Evening) -> tuple[RepaymentRow, ...]:
    return rows_among(Repayment.objects.filter(links__evening=evening.pk).order_by("-pk"))


def changed(evening: Evening) -> SincePaid:
    since = found(evening)
    assert since is not None
    return since


def test_session_that_nobody_paid_for_says_nothing(ended: Evening, owner: User) -> None:
    assert found(ended) is None
    repayments.undo(ended.circle_id, pays(ended, owner).pk, by=owner)
    anna, bela, _cili = keys(ended)
    at_large = repayments.Wanted(bela, anna, 60, "HUF")
    repayments.book(ended.circle_id, at_large, token=uuid4(), by=owner)
    corrects(ended, owner, "2H 8")
    assert found(ended) is None


def test_hands_and_results_are_those_changed_after_the_first_payment(ended: Evening, owner: User) -> None:
    corrects(ended, owner, "2H 8")
    corrects(ended, owner, "2H 7")
    pays(ended, owner)
    pays(ended, owner, 5)
    since = changed(ended)
    assert since == SincePaid("HUF", (), (), ())
    evenings.reopen(ended.pk)
    record(ended, owner, "2H 7", declarer=1)
    evenings.end(ended.pk)
    corrects(ended, owner, "2H 8")
    since = changed(ended)
    assert since.hands == (1, 2)
    assert since.results == (
        ChangedResult("Anna", 120, "HUF", 100),
        ChangedResult("Béla", -60, "HUF", 40),
        ChangedResult("Cili", -60, "HUF", -140),
    )
    assert since.strays == ()


def test_results_differ_once_the_session_ends_again_and_not_if_they_are_what_was_paid(
    ended: Evening, owner: User
) -> None:
    pays(ended, owner)
    corrects(ended, owner, "2H 8")
    corrects(ended, owner, "2H 7")
    since = changed(ended)
    assert (since.hands, since.results) == ((1,), ())
    evenings.reopen(ended.pk)
    ledger.void(ended.pk, 1, by=owner)
    since = changed(ended)
    assert (since.hands, since.results) == ((1,), ())
    evenings.end(ended.pk)
    since = changed(ended)
    assert [(each.was, each.now) for each in since.results] == [(120, None), (-60, None), (-60, None)]
    assert since.currency == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"stake": None, "currency": ""}, {"stake": Decimal(10), "currency": "HUF"}),
        ({"stake": Decimal(10), "currency": "HUF"}, {"stake": Decimal("0.05"), "currency": "EUR"}),
        ({"stake": Decimal(10), "currency": "HUF"}, {"in_chips": True}),
    ],
)
def test_payment_in_a_currency_of_before_is_to_be_handed_back(
    owner: User, before: dict[str, Any], after: dict[str, Any]
) -> None:
    evening = played(evening_of(owner, **before), owner)
    was_in = before["currency"] or "points:asszorti"
    paid = pays(evening, owner, 6, was_in)
    edits(evening, owner, **after)
    since = changed(evening)
    assert [(each.row.id, each.is_for_others) for each in since.strays] == [(paid.pk, False)]
    assert since.hands == ()
    assert {each.was_in for each in since.results} == {was_in}
    edits(evening, owner, **before | {"in_chips": False})
    since = changed(evening)
    assert (since.results, since.strays) == ((), ())


def test_payment_for_a_session_that_still_counts_in_its_currency_says_so(ended: Evening, owner: User) -> None:
    others = [played(evening_of(owner), owner) for _ in range(2)]
    paid = pays(ended, owner, 180, "HUF", *others)
    for each in (ended, others[0]):
        edits(each, owner, stake=Decimal("0.05"), currency="EUR")
    since = changed(ended)
    assert [(each.row.id, each.is_for_others) for each in since.strays] == [(paid.pk, True)]


def test_changes_take_three_queries(ended: Evening, owner: User, django_assert_num_queries: Callable[..., Any]) -> None:
    evening = Evening.objects.get(pk=ended.pk)
    with django_assert_num_queries(0):
        since_paid(evening, ())
    pays(ended, owner)
    edits(ended, owner, stake=Decimal("0.05"), currency="EUR")
    evening.refresh_from_db()
    paid = paid_for(ended)
    with django_assert_num_queries(3):
        since_paid(evening, paid)
