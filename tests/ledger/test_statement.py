"""Statements of players against a recount on paper, page by page."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.models import Circle, Evening, Player, Repayment, Seat
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.statement import Place, Statement, statement

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 20, 18, tzinfo=UTC)


class Drawn(NamedTuple):
    """A row to be: its kind, the hour, what it comes to, and whether it is in another currency or was taken back."""

    kind: str
    hour: int
    amount: Fraction
    currency: str
    counts: bool


ROWS = st.builds(
    Drawn,
    st.sampled_from(["session", "payment", "paper"]),
    st.integers(0, 3),  # many at one moment
    st.fractions(-50, 50, max_denominator=3),
    st.sampled_from(["HUF", "HUF", "EUR"]),
    st.booleans() | st.just(True),
)


def pages(player: Player, currency: str, size: int) -> Iterator[Statement]:
    after = None
    while True:
        page = statement(player, currency, after, size)
        yield page
        if page.after is None:
            return
        after = Place.from_text(str(page.after))
        assert after == page.after


def written(row: Drawn, anna: Player, bela: Player) -> tuple[Place, str, Fraction] | None:
    """Store the row and return what Anna's statement should say of it, None for nothing."""
    at = START + timedelta(hours=row.hour)
    if row.kind == "session":
        currency = row.currency if row.counts else ""
        evening = Evening.objects.create(
            circle=anna.circle, first_dealer=0, started_at=at, ended_at=at, result_currency=currency
        )
        for position, (player, amount) in enumerate(((anna, row.amount), (bela, -row.amount))):
            result, parts = amount.as_integer_ratio() if row.counts else (None, 1)
            Seat.objects.create(evening=evening, position=position, player=player, result=result, result_parts=parts)
        return (Place(at, False, evening.pk), "session", row.amount) if row.counts else None
    units = abs(row.amount.numerator) or 1
    is_payer = row.amount > 0
    payment = Repayment.objects.create(
        circle=anna.circle,
        token=uuid4(),
        kind="payment" if row.kind == "payment" else "opening",
        payer=anna if is_payer else bela,
        payee=bela if is_payer else anna,
        units=units,
        currency=row.currency,
        made_at=at,
        undone_at=None if row.counts else at,
    )
    raises = is_payer == (row.kind == "payment")
    return (Place(at, True, payment.pk), row.kind, Fraction(units if raises else -units)) if row.counts else None


@given(drawn=st.lists(ROWS, max_size=12), size=st.integers(1, 4))
def test_pages_of_a_statement_hold_each_row_once_and_add_up_to_the_balance(drawn: list[Drawn], size: int) -> None:
    with transaction.atomic():
        circle = Circle.objects.create()
        anna, bela = (Player.objects.create(circle=circle, name=name) for name in ("Anna", "Béla"))
        said = [(row.currency, written(row, anna, bela)) for row in drawn]
        for currency in ("HUF", "EUR"):
            wanted = sorted((row for said_in, row in said if row and said_in == currency), reverse=True)
            found = list(pages(anna, currency, size))
            rows = [row for page in found for row in page.rows]
            assert [(row.place, row.kind, row.amount) for row in rows] == wanted
            left = balances(circle.pk).of(currency).get(anna.pk, 0)
            for row in rows:
                assert row.balance_after == left
                left -= row.amount
            assert left == 0
            assert {page.balance for page in found} == {balances(circle.pk).of(currency).get(anna.pk, 0)}
        assert set(statement(anna).currencies) == {currency for currency, row in said if row}
        transaction.set_rollback(True)
