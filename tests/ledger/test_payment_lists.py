"""Lists of suggested payments: the sessions of a night, both scopes, tokens, and that a list paid leaves all even."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Hand, Repayment, User
from sessions_app.readers.money import lists
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import Night, PaymentList, night_of
from sessions_app.readers.money.repayments import ChangedResult, SincePaid, since_paid, with_sessions
from sessions_app.readers.people.circles import players_of
from sessions_app.writers import evenings, ledger, repayments
from tests.factories import record, started
from tests.ledger.books import book, edit, wanted

pytestmark = pytest.mark.django_db

SEVEN = datetime(2026, 1, 9, 19, tzinfo=UTC)
THREE_HOURS, SECOND = timedelta(hours=3), timedelta(seconds=1)
THREE, FOUR = ("Anna", "Béla", "Cili"), ("Anna", "Béla", "Cili", "Dóra")


def played(
    by: User, begun: datetime, names: tuple[str, ...] = THREE, game: str = "asszorti", declarer: int = 0, **more: Any
) -> Evening:
    """A session of one hour with one hand, in which Anna wins 60 of each unless said otherwise."""
    opening = {"stake": Decimal(10), "currency": "HUF"} | more
    evening = started(evenings.Opening(names, 0, game_key=game, **opening), by=by)
    record(evening, by, "s= 66" if game == "tarokk" else "2H 7", declarer=declarer)
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(started_at=begun, ended_at=begun + timedelta(hours=1))
    Hand.objects.filter(evening=evening).update(recorded_at=begun + timedelta(minutes=50))
    evening.refresh_from_db()
    return evening


def pay(evening: Evening, payer: str, payee: str, units: int, *sessions: Evening, **more: Any) -> Repayment:
    wants = wanted(payer, payee, units, evenings=tuple(each.pk for each in sessions), **more)
    return book(evening, evening.circle.members.earliest("pk").user, wants).row


def night(evening: Evening) -> Night:
    found = night_of(Evening.objects.get(pk=evening.pk))
    assert found is not None
    return found


def both(evening: Evening) -> tuple[PaymentList, PaymentList]:
    """The lists of the night and of everything."""
    circle = Circle.objects.get(pk=evening.circle_id)
    found, players = balances(circle.pk), players_of(circle)
    return lists.tonight(circle, found, night(evening), players), lists.everything(circle, found, players)["HUF"]


def lines(shown: PaymentList) -> dict[tuple[str, str], int]:
    return {(line.payer.name, line.payee.name): line.units for line in shown.lines}


@pytest.mark.parametrize(("late", "is_one"), [(-SECOND, True), (timedelta(), True), (SECOND, False)])
def test_session_begun_within_three_hours_of_the_end_of_another_is_of_the_same_night(
    owner: User, late: timedelta, is_one: bool
) -> None:
    first = played(owner, SEVEN)
    second = played(owner, SEVEN + timedelta(hours=1) + THREE_HOURS + late)
    third = played(owner, second.started_at + timedelta(hours=1))
    together = (first.pk, second.pk, third.pk)
    assert night(third).sessions == (together if is_one else together[1:])
    assert night(first).sessions == (together if is_one else together[:1])


def test_session_reopened_or_corrected_later_stays_in_its_night_alone(owner: User) -> None:
    first = played(owner, SEVEN)
    second = played(owner, SEVEN + timedelta(hours=2))
    evenings.reopen(first.pk)
    assert night(second).sessions == (first.pk, second.pk)
    evenings.end(first.pk)
    assert night(first).sessions == (first.pk, second.pk)
    next_day = played(owner, SEVEN + timedelta(days=1))
    Evening.objects.filter(pk=first.pk).update(ended_at=next_day.started_at - timedelta(minutes=5))
    assert night(next_day).sessions == (next_day.pk,)
    assert night(first).sessions == (first.pk, second.pk)


@pytest.mark.parametrize("last_hand", [None, 190, 300], ids=["ended late", "within three hours", "meanwhile"])
def test_night_joins_sessions_that_overlap(owner: User, last_hand: int | None) -> None:
    first = played(owner, SEVEN)
    second = played(owner, SEVEN + timedelta(hours=6))
    Evening.objects.filter(pk=first.pk).update(ended_at=SEVEN + timedelta(hours=9))
    if last_hand:
        Hand.objects.filter(evening=first).update(recorded_at=SEVEN + timedelta(minutes=last_hand))
    assert (night(second).sessions == (first.pk, second.pk)) == bool(last_hand)


def test_payment_for_a_session_of_the_night_is_taken_off_there_and_one_for_none_ends_the_night(owner: User) -> None:
    old = played(owner, SEVEN - timedelta(days=7), FOUR, "tarokk", declarer=3)
    tonight = played(owner, SEVEN)
    pay(tonight, "Béla", "Anna", 20, tonight)
    shown, everything = both(tonight)
    assert lines(shown) == {("Béla", "Anna"): 40, ("Cili", "Anna"): 60}
    assert {line.evenings for line in shown.lines} == {(tonight.pk,)}
    assert {line.evenings for line in everything.lines} == {()}
    balances_by_name = {player.name: amount for player, amount in everything.balances}
    assert balances_by_name == {"Anna": 60, "Béla": -80, "Cili": -100, "Dóra": 120}
    assert not shown.suggests_as(everything)
    assert night(tonight).is_offered
    taken_back = pay(tonight, "Béla", "Dóra", 100)
    assert not night(tonight).is_offered
    repayments.undo(tonight.circle_id, taken_back.pk, by=owner)
    assert night(tonight).is_offered
    pay(tonight, "Dóra", "Anna", 7, kind="opening")
    pay(tonight, "Dóra", "Béla", 40, old)
    assert night(tonight).is_offered, "a paper debt and a payment for another night leave it as it is"


def test_payment_for_sessions_of_two_nights_ends_both(owner: User) -> None:
    old, tonight = played(owner, SEVEN - timedelta(days=7)), played(owner, SEVEN)
    between = pay(tonight, "Béla", "Anna", 120, old, tonight)
    assert [night(each).is_offered for each in (old, tonight)] == [False, False], "neither night would say what is open"
    assert lines(both(tonight)[1]) == {("Cili", "Anna"): 120}
    repayments.undo(tonight.circle_id, between.pk, by=owner)
    again = played(owner, SEVEN + timedelta(hours=2))
    pay(tonight, "Béla", "Anna", 120, again, tonight)
    assert [night(each).is_offered for each in (old, tonight, again)] == [True] * 3


def test_token_of_a_line_is_one_on_all_pages_until_anything_is_paid_in_the_currency(owner: User) -> None:
    tonight = played(owner, SEVEN)
    shown, everything = both(tonight)
    tokens = {line.token for line in shown.lines}
    assert tokens == {line.token for line in everything.lines}
    assert shown.suggests_as(everything)
    row = pay(tonight, "Béla", "Anna", 60, tonight)
    assert not tokens & {line.token for line in both(tonight)[0].lines}
    repayments.undo(tonight.circle_id, row.pk, by=owner)
    again = {line.token for line in both(tonight)[0].lines}
    assert len(again) == 2
    assert not tokens & again


@pytest.mark.parametrize("count", [5, 20])
def test_balances_and_lists_take_as_many_queries_whatever_was_played_and_read_no_sheet(
    owner: User, count: int, django_assert_num_queries: Callable[..., Any]
) -> None:
    for nth in range(count):
        last = played(owner, SEVEN + timedelta(hours=nth), declarer=nth % 3)
        pay(last, "Béla", "Anna", 7, last)
    last, circle = Evening.objects.get(pk=last.pk), Circle.objects.get()
    players = players_of(circle)
    with django_assert_num_queries(8) as asked:
        found, of_night = balances(circle.pk), night_of(last)
        assert of_night is not None
        assert lists.everything(circle, found, players)["HUF"].lines
        assert lists.tonight(circle, found, of_night, players).lines
    assert len(of_night.sessions) > 4
    assert not any('"sheet"' in query["sql"] for query in asked.captured_queries)


def since(evening: Evening) -> SincePaid | None:
    paid = with_sessions(Repayment.objects.filter(links__evening=evening.pk).order_by("-pk"))
    return since_paid(Evening.objects.get(pk=evening.pk), paid)


def strays(evening: Evening) -> list[tuple[int, bool]]:
    found = since(evening)
    assert found
    return [(each.row.id, each.is_for_others) for each in found.strays]


def correct(evening: Evening, by: User, deal: str) -> None:
    evenings.reopen(evening.pk)
    ledger.amend(evening.pk, 1, facts=Facts(0, 0, deal), by=by)
    evenings.end(evening.pk)


def test_session_says_which_hands_and_results_have_changed_since_it_was_first_paid_for(owner: User) -> None:
    tonight = played(owner, SEVEN)
    assert since(tonight) is None
    repayments.undo(tonight.circle_id, pay(tonight, "Béla", "Anna", 60, tonight).pk, by=owner)
    pay(tonight, "Béla", "Anna", 60)
    correct(tonight, owner, "2H 8")
    assert since(tonight) is None, "nobody has paid for it"
    correct(tonight, owner, "2H 7")
    for units in (60, 5):
        pay(tonight, "Béla", "Anna", units, tonight)
    assert since(tonight) == SincePaid("HUF", (), (), ())
    correct(tonight, owner, "2H 8")
    correct(tonight, owner, "2H 7")
    assert since(tonight) == SincePaid("HUF", (1,), (), ()), "the result is again what was paid"
    evenings.reopen(tonight.pk)
    record(tonight, owner, "2H 7", declarer=1)
    assert since(tonight) == SincePaid("HUF", (1, 2), (), ()), "it has not changed until it ends"
    evenings.end(tonight.pk)
    correct(tonight, owner, "2H 8")
    results = (("Anna", 120, "HUF", 100), ("Béla", -60, "HUF", 40), ("Cili", -60, "HUF", -140))
    assert since(tonight) == SincePaid("HUF", (1, 2), tuple(ChangedResult(*each) for each in results), ())
    evenings.reopen(tonight.pk)
    for number in (1, 2):
        ledger.void(tonight.pk, number, by=owner)
    evenings.end(tonight.pk)
    found = since(tonight)
    assert found
    assert [(each.was, each.now) for each in found.results] == [(120, None), (-60, None), (-60, None)]
    assert found.currency == ""


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
    evening = played(owner, SEVEN, **before)
    was_in = before["currency"] or "points:asszorti"
    paid = pay(evening, "Béla", "Anna", 6, evening, currency=was_in)
    edit(evening, owner, **after)
    found = since(evening)
    assert found
    assert strays(evening) == [(paid.pk, False)]
    assert (found.hands, {each.was_in for each in found.results}) == ((), {was_in})
    edit(evening, owner, **before | {"in_chips": False})
    assert since(evening) == SincePaid(was_in, (), (), ())


def test_payment_for_a_session_that_still_counts_in_its_currency_says_so_by_three_queries(
    owner: User, django_assert_num_queries: Callable[..., Any]
) -> None:
    paid_for = [played(owner, SEVEN) for _ in range(3)]
    paid = pay(paid_for[0], "Béla", "Anna", 180, *paid_for)
    for each in paid_for[:2]:
        edit(each, owner, stake=Decimal("0.05"), currency="EUR")
    assert strays(paid_for[0]) == [(paid.pk, True)]
    evening, rows = Evening.objects.get(pk=paid_for[0].pk), list(with_sessions(Repayment.objects.all()))
    for queries, told in ((0, ()), (3, rows)):
        with django_assert_num_queries(queries):
            since_paid(evening, told)
