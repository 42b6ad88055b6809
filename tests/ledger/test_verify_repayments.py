"""The faults of payments that 'manage.py verify' names, and that it finds none in sound ones."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from sessions_app.models import Circle, Evening, Player, Repayment, RepaymentEvening, User
from sessions_app.readers import verify
from sessions_app.readers.money.open_debts import OpenDebts
from sessions_app.readers.verify import repayments as verify_repayments
from sessions_app.writers import players, repayments
from tests.factories import UserFactory, evening_of, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def paid(evening: Evening, owner: User) -> Repayment:
    """Béla has paid Anna for an evening; there are an opening balance, one taken back, and a merged name."""
    record(evening, owner, "2H 7", declarer=0)
    anna, bela, cili = evening.seats.values_list("player", flat=True)
    row = book(evening, owner, bela, anna, evenings=(evening.pk,))
    book(evening, owner, cili, anna, kind="opening")
    repayments.undo(evening.circle_id, book(evening, owner, cili, bela).pk, by=owner)
    other = Player.objects.create(circle=evening.circle, name="Cilike")
    book(evening, owner, other.pk, anna)
    players.merge(evening.circle_id, cili, other.pk, by=owner)
    return row


def book(evening: Evening, by: User, payer: int, payee: int, **more: Any) -> Repayment:
    wanted = repayments.Wanted(payer, payee, 20, "HUF", **more)
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row


def faults() -> list[str]:
    found: list[verify.Fault] = []
    verify.verify(found.append)
    return [str(fault) for fault in found]


def test_sound_payments_have_none(paid: Repayment) -> None:
    assert faults() == []


def strange() -> Evening:
    """An evening of another circle, with a hand."""
    owner = UserFactory()
    found = evening_of(owner, names=("Xénia", "Ypszilon", "Zoé"))
    record(found, owner)
    return found


def of_another_circle(row: Repayment) -> str:
    other = strange().seats.earliest("position").player_id
    Repayment.objects.filter(pk=row.pk).update(payer=other)
    return f"has player {other} of another circle as its payer"


def in_a_strange_currency(row: Repayment) -> str:
    Repayment.objects.filter(pk=row.pk).update(currency="points:bridge")
    return "is in 'points:bridge', which cannot be read"


def for_a_strange_evening(row: Repayment) -> str:
    other = strange()
    RepaymentEvening.objects.update(evening=other)
    return f"is for session {other.pk} of another circle"


def for_an_evening_without_a_hand(row: Repayment) -> str:
    empty = evening_of(row.made_by)  # type: ignore[arg-type]
    RepaymentEvening.objects.update(evening=empty)
    return f"is for session {empty.pk}, which has no hand"


def of_a_merged_player(row: Repayment) -> str:
    name = Player.objects.get(name="Cilike")
    Repayment.objects.filter(pk=row.pk).update(payer=name)
    return f"has player {name.pk} as its payer, who is merged into player {name.merged_into_id}"


def by_a_name_that_is_not_merged(row: Repayment) -> str:
    name = Player.objects.get(name="Cili")
    Repayment.objects.filter(pk=row.pk).update(payee_as=name)
    return f"has player {row.payee_id} as its payee by the name of player {name.pk}, who is not merged into him"


def taken_back_too_early(row: Repayment) -> str:
    early = row.made_at - timedelta(seconds=1)
    Repayment.objects.filter(pk=row.pk).update(undone_at=early)
    return f"was taken back at {early}, before it was booked at {row.made_at}"


@pytest.mark.parametrize(
    "plant",
    [
        of_another_circle,
        in_a_strange_currency,
        for_a_strange_evening,
        for_an_evening_without_a_hand,
        of_a_merged_player,
        by_a_name_that_is_not_merged,
        taken_back_too_early,
    ],
)
def test_a_planted_fault_is_named(paid: Repayment, plant: Callable[[Repayment], str]) -> None:
    what = plant(paid)
    assert faults() == [f"circle {paid.circle_id}: payment {paid.pk} {what}"]


def test_an_opening_balance_for_a_session_is_named(paid: Repayment, evening: Evening) -> None:
    opening = Repayment.objects.get(kind="opening")
    RepaymentEvening.objects.create(repayment=opening, evening=evening)
    assert faults() == [f"circle {paid.circle_id}: opening balance {opening.pk} is for a session"]


def test_a_standing_that_is_not_what_was_paid_is_named(paid: Repayment, monkeypatch: pytest.MonkeyPatch) -> None:
    count = verify_repayments.counted_debts

    def without_the_first(circle: Circle) -> OpenDebts:
        debts = count(circle)
        return replace(debts, rows=debts.rows[1:])

    monkeypatch.setattr(verify_repayments, "counted_debts", without_the_first)
    found = f"circle {paid.circle_id}: player {paid.payee_id} owes player {paid.payer_id} -40 in HUF"
    assert f"{found}; sheets and payments say -60" in faults()
