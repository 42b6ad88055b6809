"""Payments of a player with two names: they go along with a merged name, and come back with it."""

import pytest

from sessions_app.errors import MergeRefused, RepaymentRefused
from sessions_app.models import Evening, Repayment, User
from sessions_app.writers import players, repayments
from tests.factories import evening_of
from tests.ledger.books import assert_verified, nothing_written
from tests.ledger.payments import book, ended, key, payers_and_payees, version_of, wanted

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(played: Evening, owner: User) -> Evening:
    """An evening of the same circle, with Bela in the place of Béla."""
    found = evening_of(owner, names=("Anna", "Bela", "Cili"))
    ended(found, owner)
    return found


def merge(evening: Evening, into: str, name: str, by: User) -> None:
    players.merge(evening.circle_id, key(into), key(name), by=by)


def unmerge(evening: Evening, name: str, by: User) -> None:
    players.unmerge(evening.circle_id, key(name), by=by)


def test_payments_of_a_merged_name_are_the_persons_until_it_is_unmerged(
    played: Evening, other: Evening, owner: User
) -> None:
    book(other, owner, wanted("Bela", "Anna", evenings=(other.pk,)))
    book(other, owner, wanted("Cili", "Bela"))
    book(other, owner, wanted("Béla", "Cili"))
    was = Repayment.objects.order_by("pk").values()
    before, version = list(was), version_of(other)
    merge(other, "Béla", "Bela", owner)
    assert payers_and_payees() == [("Béla", "Anna"), ("Cili", "Béla"), ("Béla", "Cili")]
    assert version_of(other) == version + 1
    assert_verified()
    unmerge(other, "Bela", owner)
    assert list(was.all()) == before
    assert version_of(other) == version + 2
    assert_verified()


def test_payment_booked_while_merged_belongs_to_the_name_that_sat_there(
    played: Evening, other: Evening, owner: User
) -> None:
    merge(other, "Béla", "Bela", owner)
    book(other, owner, wanted("Béla", "Anna", evenings=(other.pk,)))
    book(other, owner, wanted("Béla", "Anna", evenings=(played.pk,)))
    book(other, owner, wanted("Béla", "Anna", evenings=(played.pk, other.pk)))
    book(other, owner, wanted("Bela", "Anna"))
    book(other, owner, wanted("Béla", "Anna"))
    assert {payer for payer, _payee in payers_and_payees()} == {"Béla"}
    assert_verified()
    unmerge(other, "Bela", owner)
    assert [payer for payer, _payee in payers_and_payees()] == ["Bela", "Béla", "Béla", "Bela", "Béla"]
    assert_verified()


def test_payment_of_a_merged_name_to_its_person_is_refused(played: Evening, other: Evening, owner: User) -> None:
    merge(other, "Béla", "Bela", owner)
    with nothing_written(), pytest.raises(RepaymentRefused, match="himself"):
        book(other, owner, wanted("Bela", "Béla"))


@pytest.mark.parametrize("kind", ["payment", "opening"])
@pytest.mark.parametrize("pair", [("Béla", "Bela"), ("Bela", "Béla")])
def test_players_who_paid_each_other_are_not_merged(
    played: Evening, other: Evening, owner: User, kind: str, pair: tuple[str, str]
) -> None:
    row, _new = book(other, owner, wanted(*pair, kind=kind))
    with nothing_written(), pytest.raises(MergeRefused) as refused:
        merge(other, "Béla", "Bela", owner)
    assert refused.value.code == "paid"
    repayments.undo(other.circle_id, row.pk, by=owner)
    merge(other, "Béla", "Bela", owner)
    assert payers_and_payees() == [("Béla", "Béla")]
    assert_verified()
    unmerge(other, "Bela", owner)
    assert payers_and_payees() == [pair]
    assert_verified()
