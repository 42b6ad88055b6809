"""Open debts of a circle, against a recount on paper: by examples, and in whatever order things happen."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.games.amounts import Amount
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player, Repayment, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.readers.money.open_debts import counted_debts, open_debts
from sessions_app.readers.money.who_owes import WhoOwes
from sessions_app.readers.people.circles import players_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.writers import evening_edit, evenings, ledger, players, repayments
from tests.factories import evening_of, record, started

pytestmark = pytest.mark.django_db

type Named = dict[tuple[str, str], Amount]


def begun(
    by: User, game: str, names: tuple[str, ...], stake: int | str | None = None, currency: str = "HUF"
) -> Evening:
    opening = evenings.Opening(names, 0, None if stake is None else Decimal(stake), currency, game)
    return started(opening, by=by)


def agree(evening: Evening, by: User, line: str) -> None:
    """Agree on entries without cards, as Preference does."""
    number = Evening.objects.get(pk=evening.pk).last_number + 1
    ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(number % 3, None, line, deal_stays=True), by=by)


def key(name: str) -> int:
    return Player.objects.get(name=name).pk


def pay(evening: Evening, payer: str, payee: str, units: int, currency: str = "HUF", **more: Any) -> Repayment:
    wanted = repayments.Wanted(key(payer), key(payee), units, currency, **more)
    by = evening.circle.members.earliest("pk").user
    for each in more.get("evenings", ()):
        evenings.end(each)
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row


def fresh(evening: Evening) -> Circle:
    return Circle.objects.get(pk=evening.circle_id)


def who_owes(evening: Evening) -> WhoOwes:
    circle = fresh(evening)
    return WhoOwes(circle, open_debts(circle), players_of(circle))


def pairs(evening: Evening, currency: str = "HUF", evenings: tuple[int, ...] = ()) -> Named:
    found = who_owes(evening).open_in(currency, evenings)
    return {(pair.payer.name, pair.payee.name): pair.amount for pair in found.pairs}


def balances(evening: Evening, currency: str = "HUF") -> dict[str, Amount]:
    return {player.name: amount for player, amount in who_owes(evening).open_in(currency).players}


def test_open_debts_are_those_of_the_sheets_by_currency_and_game(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    euros = begun(owner, "asszorti", ("Anna", "Béla", "Dóra"), "0.05", "EUR")
    record(euros, owner, "2H 5", declarer=0)
    pulka = begun(owner, "preference", ("Anna", "Béla", "Cili"), 2)
    agree(pulka, owner, "= D2+1")
    tarokk = begun(owner, "tarokk", ("Anna", "Béla", "Cili", "Dóra"))
    record(tarokk, owner, "s= 66", declarer=1)
    points = begun(owner, "asszorti", ("Anna", "Béla", "Cili"))
    record(points, owner, "2H 7", declarer=2)
    assert list(open_debts(fresh(evening)).books) == ["EUR", "HUF", "points:asszorti", "points:tarokk"]
    assert pairs(evening) == {
        ("Béla", "Anna"): 60,
        ("Cili", "Anna"): 60 + Fraction(20, 3),
        ("Cili", "Béla"): Fraction(20, 3),
    }
    assert balances(evening) == {"Anna": Fraction(380, 3), "Béla": Fraction(-160, 3), "Cili": Fraction(-220, 3)}
    assert pairs(evening, "EUR") == {("Anna", "Béla"): 20, ("Anna", "Dóra"): 20}
    assert pairs(evening, "points:tarokk") == {(name, "Béla"): 4 for name in ("Anna", "Cili", "Dóra")}
    assert pairs(evening, "points:asszorti") == {("Anna", "Cili"): 6, ("Béla", "Cili"): 6}


def test_payments_and_opening_balances_are_taken_into_account(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    pay(evening, "Béla", "Anna", 25)
    pay(evening, "Cili", "Anna", 70)
    pay(evening, "Cili", "Béla", 500, kind="opening")
    gone = pay(evening, "Béla", "Cili", 10)
    repayments.undo(evening.circle_id, gone.pk, by=owner)
    assert pairs(evening) == {("Béla", "Anna"): 35, ("Anna", "Cili"): 10, ("Cili", "Béla"): 500}
    assert balances(evening) == {"Béla": 465, "Anna": 25, "Cili": -490}


def parts(evening: Evening, payer: str, payee: str) -> list[tuple[object, Amount]]:
    found = who_owes(evening).open_in("HUF").pairs
    (pair,) = (pair for pair in found if (pair.payer.name, pair.payee.name) == (payer, payee))
    return [
        (part.evening.id if part.evening else part.opening.note if part.opening else "ahead", part.amount)
        for part in pair.parts
    ]


@pytest.mark.parametrize(("evenings", "shown", "earlier"), [(12, 12, 0), (13, 12, 1), (15, 12, 3)])
def test_pair_with_many_debts_shows_the_latest_and_the_sum_of_the_others(
    owner: User, evening: Evening, evenings: int, shown: int, earlier: int
) -> None:
    pay(evening, "Béla", "Anna", 100, kind="opening")
    record(evening, owner, "2H 7", declarer=0)
    for _evening in range(evenings - 2):
        record(evening_of(owner), owner, "2H 7", declarer=0)
    [pair] = [each for each in who_owes(evening).open_in("HUF").pairs if each.payer.name == "Béla"]
    assert (len(pair.parts), pair.earlier) == (shown, earlier)
    assert pair.of_earlier == (100 + 60 * (earlier - 1) if earlier else 0), "the paper book is the oldest"
    assert pair.amount == 100 + 60 * (evenings - 1) == pair.of_earlier + sum(part.amount for part in pair.parts)


def test_a_pair_unfolds_to_what_is_open_the_oldest_first(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    later = evening_of(owner)
    record(later, owner, "2H 7", declarer=0)
    pay(evening, "Béla", "Anna", 100, kind="opening", note="the blue book")
    assert parts(evening, "Béla", "Anna") == [("the blue book", 100), (evening.pk, 60), (later.pk, 60)]
    pay(evening, "Béla", "Anna", 130)
    assert parts(evening, "Béla", "Anna") == [(evening.pk, 30), (later.pk, 60)]
    pay(evening, "Béla", "Anna", 50, evenings=(later.pk,))
    assert parts(evening, "Béla", "Anna") == [(evening.pk, 30), (later.pk, 10)]
    pay(evening, "Béla", "Anna", 50)
    assert parts(evening, "Anna", "Béla") == [("ahead", 10)]


def test_debts_of_this_evening_and_of_before_add_up(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    later = evening_of(owner)
    record(later, owner, "2H 7", declarer=1)
    pay(evening, "Béla", "Anna", 20, evenings=(evening.pk,))
    found = who_owes(later).open_in("HUF", (later.pk,))
    assert {(pair.payer.name, pair.payee.name): (pair.amount, pair.of_these, pair.before) for pair in found.pairs} == {
        ("Anna", "Béla"): (20, 60, -40),
        ("Cili", "Anna"): (60, 0, 60),
        ("Cili", "Béla"): (60, 60, 0),
    }
    assert found.is_of_two_times
    pay(evening, "Anna", "Béla", 20, evenings=(later.pk,))
    found = who_owes(later).open_in("HUF", (later.pk,))
    assert [(pair.payer.name, pair.amount, pair.of_these, pair.before) for pair in found.pairs][-1] == (
        *("Anna", 0, 40),
        -40,
    )


def test_a_ring_of_debts_leaves_all_balances_at_zero(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    record(evening, owner, "2H 5", declarer=1)
    for line in who_owes(evening).open_in("HUF").suggested.lines:
        pay(evening, line.payer.name, line.payee.name, line.units)
    found = who_owes(evening).open_in("HUF")
    assert found.is_even
    assert found.suggested.lines == ()
    assert found.pairs


def test_lines_are_the_same_on_every_phone_until_something_is_paid(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)

    def tokens() -> set[Any]:
        found = who_owes(evening)
        of_this = found.of_evenings("HUF", (evening.pk,))
        return {line.token for line in (*found.open_in("HUF").suggested.lines, *of_this.lines)}

    assert tokens() == tokens()
    assert len(tokens()) == 4
    row = pay(evening, "Béla", "Anna", 60)
    repayments.undo(evening.circle_id, row.pk, by=owner)
    assert len(tokens()) == 4
    cilis = {line.token for line in who_owes(evening).open_in("HUF").suggested.lines if line.payer.name == "Cili"}
    assert cilis < tokens()


def test_suggested_payments_are_rounded_to_the_coin_of_the_circle(owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7", declarer=0)
    evening_edit.edit(evening.pk, with_stake(evening, "1"), seen=0, by=owner)
    Circle.objects.update(cash_coins={"HUF": 5})
    found = who_owes(evening).open_in("HUF")
    assert [(line.payer.name, line.units) for line in found.suggested.lines] == [("Béla", 5), ("Cili", 5)]
    assert {each.player.name: each.amount for each in found.suggested.rounding} == {"Anna": -2, "Béla": 1, "Cili": 1}
    for line in found.suggested.lines:
        pay(evening, line.payer.name, line.payee.name, line.units)
    assert balances(evening) == {"Anna": 2, "Béla": -1, "Cili": -1}
    assert who_owes(evening).open_in("HUF").suggested.lines == ()


def with_stake(evening: Evening, stake: str | None, currency: str = "HUF") -> Any:
    return replace(shape_of(evening), stake=None if stake is None else Decimal(stake), currency=currency)


@pytest.mark.parametrize("count", [1, 6])
def test_open_debts_take_as_many_queries_however_much_was_played_and_paid(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., Any], count: int
) -> None:
    for _ in range(count):
        record(played := evening_of(owner), owner, "2H 7")
        evenings.end(played.pk)
        pay(played, "Anna", "Béla", 5, evenings=(played.pk,))
    circle = fresh(evening)
    with django_assert_num_queries(6):
        WhoOwes(circle, open_debts(circle), []).debts.book("HUF")


@pytest.mark.django_db(transaction=True)
def test_debts_cached_while_a_clock_was_ahead_are_counted_anew_after_the_next_end(
    owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = evening, evening_of(owner), evening_of(owner)
    for each, deal in ((first, "2H 7"), (second, "2H 8"), (third, "2H 7")):
        record(each, owner, deal, declarer=0)

    def is_right() -> bool:
        with snapshot():
            return open_debts(fresh(first)).books == counted_debts(fresh(first)).books

    with monkeypatch.context() as patched:
        patched.setattr(timezone, "now", lambda: datetime.now(UTC) + timedelta(days=1))
        evenings.end(third.pk)
    evenings.end(first.pk)
    assert is_right()
    evenings.reopen(first.pk)
    evenings.end(second.pk)
    assert is_right()


@pytest.mark.django_db(transaction=True)
def test_open_debts_are_cached_until_something_changes(
    owner: User, evening: Evening, django_assert_num_queries: Callable[..., Any]
) -> None:
    ended = evening_of(owner)
    record(ended, owner, "2H 7", declarer=0)
    evenings.end(ended.pk)

    def asked(queries: int) -> dict[str, Amount]:
        circle = fresh(evening)
        with django_assert_num_queries(queries), snapshot():
            found = open_debts(circle)
        names = {player.id: player.name for player in players_of(circle)}
        return {names[player]: amount for player, amount in found.book("HUF").balances.items()}

    assert asked(8)["Anna"] == 120
    assert asked(2)["Anna"] == 120
    record(evening, owner, "2H 7", declarer=0)
    assert asked(6)["Anna"] == 240
    row = pay(ended, "Béla", "Anna", 30)
    assert asked(6)["Anna"] == 210
    repayments.undo(ended.circle_id, row.pk, by=owner)
    assert asked(6)["Anna"] == 240
    players.merge(ended.circle_id, key("Anna"), Player.objects.create(circle=ended.circle, name="anna.").pk, by=owner)
    assert asked(2)["Anna"] == 240
    evening_edit.edit(ended.pk, with_stake(ended, "20"), seen=latest_change(ended), by=owner)
    assert asked(8)["Anna"] == 360
