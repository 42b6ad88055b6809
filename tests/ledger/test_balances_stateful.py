"""Balances, lists, nights and statements against a paper book, in whatever order sessions and payments happen."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import invariant

from scorekeeper.games.amounts import Amount
from sessions_app.models import Circle, Evening, Player, Repayment, Seat
from sessions_app.readers.money import lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import PaymentList
from sessions_app.readers.money.statement import Place, Statement, statement
from tests.ledger.money_machine import Books
from tests.ledger.paper_book import Paper
from tests.machines import run_in_transactions

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
        with patch("sessions_app.readers.money.statement.ROWS_PER_PAGE", size):
            page = statement(player, currency, after)
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


class Readers(Books):
    """Books of which balances, lists, nights and statements are read after each step."""

    @invariant()
    def balances_and_lists_agree(self) -> None:
        if not hasattr(self, "circle"):
            return
        paper, circle = self.paper.balances(), Circle.objects.get()
        found = self.everything()
        assert found.keys() >= paper.keys()
        for currency, shown in found.items():
            assert sum(amount for _player, amount in shown.balances) == 0
            assert without_zeros(named(shown)) == without_zeros(paper[currency])
            assert_settles(shown, lists.coin_of(circle, currency))

    @invariant()
    def nights_agree(self) -> None:
        for pk, session in getattr(self, "paper", Paper()).sessions.items():
            found = self.tonight(pk)
            assert bool(found) == bool(session.result_currency)
            if found:
                (night, shown), (currency, sessions, on_paper, is_apart) = found, self.paper.night(pk)
                assert (night.currency, {*night.sessions}, night.is_offered) == (currency, sessions, is_apart)
                assert named(shown) == on_paper, "all who sat there and nobody else"
                assert_settles(shown, lists.coin_of(Circle.objects.get(), currency))

    @invariant()
    def statements_agree(self) -> None:
        """Each player's rows are the sessions and payments of all his names, and add up to his balance."""
        if not hasattr(self, "circle"):
            return
        paper = self.paper.balances()
        for player in Player.objects.filter(merged_into=None):
            for currency in statement(player).currencies:
                found = [row for page in pages(player, currency, size=2) for row in page.rows]
                left = paper[currency][player.name]
                for row in found:
                    assert row.balance_after == left
                    left -= row.amount  # type: ignore[assignment]
                assert left == 0
                assert sorted(row.id for row in found if row.kind == "session") == sorted(
                    pk
                    for pk, session in self.paper.sessions.items()
                    if session.result_currency == currency and player.name in map(self.paper.person, session.names)
                )


def named(shown: PaymentList) -> dict[str, Amount]:
    return {player.name: amount for player, amount in shown.balances}


def without_zeros(amounts: dict[str, Amount] | Counter[str]) -> dict[str, Amount]:
    return {name: amount for name, amount in amounts.items() if amount}


def assert_settles(shown: PaymentList, coin: int) -> None:
    """Assert that a list asks debtors to pay creditors, and that all are even once it is paid, and not before."""
    left, is_even = named(shown), all(-coin < amount < coin for _player, amount in shown.balances)
    assert is_even == shown.is_even == (not shown.lines)
    for line in shown.lines:
        assert left[line.payer.name] < 0 < left[line.payee.name]
        left[line.payer.name] += line.units
        left[line.payee.name] -= line.units
    assert all(-coin < amount < coin for amount in left.values())


@pytest.mark.django_db
def test_balances_and_lists_agree_with_paper_in_whatever_order_things_happen() -> None:
    run_in_transactions(Readers, steps=30)
