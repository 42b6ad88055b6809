"""Balances, lists, nights and statements against a paper book, in whatever order sessions and payments happen."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from unittest.mock import patch
from uuid import uuid4

import pytest
from hypothesis.stateful import invariant

from scorekeeper.games.amounts import Amount
from sessions_app.models import Circle, Evening, Player, Repayment, Seat
from sessions_app.readers.money import lists
from sessions_app.readers.money.lists import PaymentList
from sessions_app.readers.money.statement import Place, Statement, statement
from tests.ledger.money_machine import Books
from tests.ledger.paper_book import Paper
from tests.machines import run_in_transactions

pytestmark = pytest.mark.django_db

AT_ONCE = datetime(2026, 11, 20, 18, tzinfo=UTC)


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


@pytest.mark.parametrize("size", [1, 3])
def test_rows_of_one_moment_stand_once_each_on_the_pages_of_a_statement(size: int) -> None:
    circle = Circle.objects.create()
    anna, bela = (Player.objects.create(circle=circle, name=name) for name in ("Anna", "Béla"))
    places = []
    for _row in range(3):
        evening = Evening.objects.create(
            circle=circle, token=uuid4(), first_dealer=0, started_at=AT_ONCE, ended_at=AT_ONCE, result_currency="HUF"
        )
        Seat.objects.create(evening=evening, position=0, player=anna, result=7, result_parts=1)
        sides = {"payer": bela, "payee": anna, "units": 2, "currency": "HUF"}
        paid = Repayment.objects.create(circle=circle, token=uuid4(), made_at=AT_ONCE, **sides)
        places += [Place(AT_ONCE, False, evening.pk), Place(AT_ONCE, True, paid.pk)]
    found = list(pages(anna, "HUF", size))
    assert [row.place for page in found for row in page.rows] == sorted(places, reverse=True)
    assert {page.balance for page in found} == {3 * (7 - 2)}


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
        """Each player's rows, the latest first, are those of all his names, and add up to his balance."""
        if not hasattr(self, "circle"):
            return
        paper = self.paper.balances()
        on_paper = [*self.paper.sessions.values(), *self.paper.rows.values()]
        for player in Player.objects.filter(merged_into=None):
            theirs = {row.counts_in for row in on_paper if player.name in map(self.paper.person, row.names)}
            assert {*statement(player).currencies} == theirs - {""}
            for currency in statement(player).currencies:
                found = [row for page in pages(player, currency, size=2) for row in page.rows]
                left = paper[currency][player.name]
                for row in found:
                    assert row.balance_after == left
                    left -= row.amount  # type: ignore[assignment]
                assert left == 0
                assert sorted((row.id, row.kind == "session") for row in found) == sorted(
                    [
                        (pk, is_session)
                        for is_session, rows in ((True, self.paper.sessions), (False, self.paper.rows))
                        for pk, row in rows.items()
                        if row.counts_in == currency and player.name in map(self.paper.person, row.names)
                    ]
                )
                assert found == sorted(found, key=lambda row: row.place, reverse=True)


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
