"""Helpers of the tests of payments: end a session, book a payment by the names of its players."""

from typing import Any
from uuid import UUID, uuid4

from sessions_app.models import Circle, Evening, Player, Repayment, User
from sessions_app.writers import evenings, repayments
from sessions_app.writers.repayments import Booked, Wanted
from tests.factories import record


def ended(evening: Evening, by: User, declarer: int | None = None) -> None:
    record(evening, by, declarer=declarer)
    evenings.end(evening.pk)


def key(name: str) -> int:
    return Player.objects.get(name=name).pk


def wanted(payer: str = "Anna", payee: str = "Béla", units: int = 100, currency: str = "HUF", **more: Any) -> Wanted:
    return Wanted(key(payer), key(payee), units, currency, **more)


def book(evening: Evening, by: User, wants: Wanted | None = None, token: UUID | None = None, **said: Any) -> Booked:
    return repayments.book(evening.circle_id, wants or wanted(), token=token or uuid4(), by=by, **said)


def version_of(evening: Evening) -> int:
    return Circle.objects.get(pk=evening.circle_id).repayment_version


def payers_and_payees() -> list[tuple[str, str]]:
    return [(row.payer.name, row.payee.name) for row in Repayment.objects.order_by("pk")]
