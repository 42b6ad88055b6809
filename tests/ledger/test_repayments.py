"""Payments that were made or suggested: booked once for a token, refused for a reason, taken back."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from sessions_app.errors import OverpaidSince, RepaymentRefused, RepaymentTokenSpent, SameRepayment, WriteRefused
from sessions_app.models import MOST_UNITS, Circle, Evening, Player, Repayment, User
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import Line
from sessions_app.readers.money.repayments import currencies_played_for
from sessions_app.writers import circles, evening_edit, evenings, repayments
from sessions_app.writers.repayments import Booked, Wanted
from tests.factories import UserFactory, evening_of, record
from tests.ledger.books import (
    PHONES,
    assert_verified,
    at_once,
    book,
    edit,
    ended,
    everything,
    key,
    nothing_written,
    payers_and_payees,
    version_of,
    wanted,
)
from tests.ledger.test_payment_lists import both

pytestmark = pytest.mark.django_db


def test_booked_payment_is_a_row_of_its_own_and_changes_no_other(played: Evening, owner: User) -> None:
    was = everything()
    row, is_new = book(played, owner, wanted(evenings=(played.pk,), note="at the door"))
    assert is_new
    row.refresh_from_db()
    assert (row.payer.name, row.payee.name, row.units, row.currency) == ("Anna", "Béla", 100, "HUF")
    assert (row.kind, row.note, row.made_by, row.is_undone) == ("payment", "at the door", owner, False)
    assert list(row.evenings.all()) == [played]
    now = everything()
    changed = {"Repayment", "RepaymentEvening", "Circle"}
    assert {name: rows for name, rows in now.items() if name not in changed} == {
        name: rows for name, rows in was.items() if name not in changed
    }
    assert version_of(played) == 1
    assert_verified()


@pytest.mark.parametrize(
    "other",
    [
        {"units": 101},
        {"payer": "Béla", "payee": "Anna"},
        {"note": "again"},
        {"kind": "opening"},
        {"evenings": ()},
    ],
)
def test_token_of_a_booked_payment_is_refused_for_another(played: Evening, owner: User, other: dict[str, Any]) -> None:
    token = uuid4()
    row, _new = book(played, owner, wanted(evenings=(played.pk,)), token)
    with nothing_written(), pytest.raises(RepaymentTokenSpent) as spent:
        book(played, owner, wanted(**{"evenings": (played.pk,)} | other), token)
    assert spent.value.row == row


REFUSED: list[tuple[Callable[[], Wanted], str, str]] = [
    (lambda: wanted("Anna", "Anna"), "himself", "payee"),
    (lambda: wanted(units=0), "nothing", "amount"),
    (lambda: wanted(units=MOST_UNITS + 1), "too_much", "amount"),
    (lambda: wanted(currency="USD"), "currency", "currency"),
    (lambda: wanted(currency="points:tarokk"), "currency", "currency"),
    (lambda: wanted(currency=""), "currency", "currency"),
    (lambda: wanted(currency="x", kind="opening"), "currency", "currency"),
    (lambda: wanted(currency="points:bridge", kind="opening"), "currency", "currency"),
    (lambda: Wanted(0, key("Béla"), 1, "HUF"), "no_player", "payer"),
    (lambda: Wanted(key("Anna"), key("Zoé"), 1, "HUF"), "no_player", "payee"),
    (lambda: wanted(evenings=(0,)), "evening", "for"),
    (lambda: wanted(evenings=(Evening.objects.latest("pk").pk,)), "evening", "for"),
    (lambda: wanted(evenings=titled("fresh")), "evening", "for"),
    (lambda: wanted(evenings=titled("running")), "no_result", "for"),
    (lambda: wanted(evenings=titled("chips")), "chips", "for"),
    (lambda: wanted(evenings=titled("euros")), "not_its_currency", "currency"),
    (lambda: wanted(evenings=titled("points")), "not_its_currency", "currency"),
    (lambda: wanted(currency="EUR", evenings=titled("euros", "points")), "two_currencies", "for"),
    (lambda: wanted(evenings=(Evening.objects.earliest("pk").pk,), kind="opening"), "evening", "for"),
    (lambda: wanted("Anna", "Dóra", evenings=(Evening.objects.earliest("pk").pk,)), "not_there", "payee"),
    (lambda: wanted("Dóra", "Anna", evenings=(Evening.objects.earliest("pk").pk,)), "not_there", "payer"),
]


def test_impossible_payment_is_refused_with_its_reason(played: Evening, owner: User) -> None:
    table: dict[str, dict[str, Any]] = {
        "fresh": {"names": ("Anna", "Béla", "Dóra")},
        "running": {},
        "chips": {},
        "euros": {"stake": Decimal("0.5"), "currency": "EUR"},
        "points": {"stake": None, "currency": ""},
    }
    for title, opening in table.items():
        another = evening_of(owner, **opening)
        Evening.objects.filter(pk=another.pk).update(title=title, in_chips=title == "chips")
        if title != "fresh":
            record(another, owner)
        if title not in ("fresh", "running"):
            evenings.end(another.pk)
    evening_of(UserFactory(), names=("Xénia", "Ypszilon", "Zoé"), currency="EUR", stake=Decimal("0.5"))
    for wants, code, field in REFUSED:
        with nothing_written(), pytest.raises(RepaymentRefused) as refused:
            book(played, owner, wants())
        assert (refused.value.code, refused.value.field) == (code, field)


def titled(*titles: str) -> tuple[int, ...]:
    return tuple(Evening.objects.get(title=title).pk for title in titles)


def test_payment_for_a_session_of_a_demo_is_in_its_own_currency_and_in_no_balance(
    evening: Evening, owner: User
) -> None:
    """Nothing has a result there."""
    Circle.objects.update(is_demo=True)
    record(evening, owner)
    assert book(evening, owner, wanted(evenings=(evening.pk,))).is_new
    assert balances(evening.circle_id).by_currency == {}
    with pytest.raises(RepaymentRefused, match="not_its_currency"):
        book(evening, owner, wanted(currency="EUR", evenings=(evening.pk,)))


def test_possible_payments_are_booked(played: Evening, owner: User) -> None:
    for units in (1, MOST_UNITS):
        assert book(played, owner, wanted(units=units)).row.units == units
    evenings.reopen(played.pk)
    assert book(played, owner, wanted(evenings=(played.pk,))).is_new, "for a session that is reopened"
    without, later = evening_of(owner, stake=None), evening_of(owner, names=("Béla", "Cili", "Dóra"))
    for each in (without, later):
        ended(each, owner)
    assert book(played, owner, wanted(currency="points:asszorti", evenings=(without.pk,))).is_new
    row, _new = book(played, owner, wanted("Anna", "Dóra", evenings=(later.pk, played.pk, later.pk)))
    assert list(row.links.values_list("evening", flat=True)) == [played.pk, later.pk], "each of the two sat in one"
    for currency in ("EUR", "points:tarokk"):  # never played for
        assert book(played, owner, wanted(currency=currency, kind="opening")).is_new
        assert book(played, owner, wanted(currency=currency)).is_new
    assert currencies_played_for(played.circle) == ("EUR", "HUF", "points:asszorti", "points:tarokk")
    other, token = evening_of(UserFactory(), names=("Xénia", "Ypszilon", "Zoé")), row.token
    record(other, owner)
    assert book(other, owner, wanted("Xénia", "Zoé"), token).is_new, "a token is of one circle"


def test_currency_in_which_a_reopened_session_ended_can_still_be_paid(played: Evening, owner: User) -> None:
    evenings.reopen(played.pk)
    edit(played, owner, stake=Decimal("0.5"), currency="EUR")
    assert currencies_played_for(played.circle) == ("EUR", "HUF")
    assert book(played, owner, wanted()).is_new


def test_payment_is_undone_once_in_its_own_circle_and_not_booked_again_by_its_token(
    played: Evening, owner: User
) -> None:
    token, other, elsewhere = uuid4(), UserFactory(), Circle.objects.create()
    row, _new = book(played, owner, token=token)
    with nothing_written(), pytest.raises(Repayment.DoesNotExist):
        repayments.undo(elsewhere.pk, row.pk, by=owner)
    assert repayments.undo(played.circle_id, row.pk, by=other).undone_by == other
    assert version_of(played) == 2
    with nothing_written():
        assert repayments.undo(played.circle_id, row.pk, by=owner).undone_by == other
        found, is_new = book(played, owner, token=token)
    assert (found, found.is_undone, is_new) == (row, True, False)
    assert_verified()


def test_equal_payment_that_was_shown_own_or_undone_is_booked_without_a_question(played: Evening, owner: User) -> None:
    row, _new = book(played, UserFactory())
    assert book(played, owner, known=row.pk).is_new
    assert book(played, owner, known=row.pk).is_new
    for each in Repayment.objects.all():
        repayments.undo(played.circle_id, each.pk, by=owner)
    assert book(played, owner, known=0).is_new


@pytest.mark.django_db(transaction=True)
def test_same_form_sent_by_eight_phones_at_once_is_booked_once(evening: Evening, owner: User) -> None:
    ended(evening, owner)
    token, wants = uuid4(), wanted(evenings=(evening.pk,))
    booked = at_once([lambda: book(evening, owner, wants, token)] * PHONES, WriteRefused)
    row = Repayment.objects.get()
    assert sorted(booked, key=str) == sorted([Booked(row, True), *[Booked(row, False)] * (PHONES - 1)], key=str)
    assert row.links.count() == version_of(evening) == 1


@pytest.mark.django_db(transaction=True)
def test_equal_payments_of_two_members_at_once_are_booked_once_and_the_other_is_asked_about(
    evening: Evening, owner: User
) -> None:
    record(evening, owner)
    other, wants = UserFactory(), wanted()
    booked = at_once(
        [lambda: book(evening, owner, wants, known=0), lambda: book(evening, other, wants, known=0)], WriteRefused
    )
    assert {type(each) for each in booked} == {Booked, SameRepayment}
    assert Repayment.objects.count() == 1


def test_player_who_has_paid_is_kept_when_he_leaves_and_when_the_evening_is_removed(owner: User) -> None:
    evening = evening_of(owner)
    evening_edit.join_lineup(evening.pk, "Dóra", 2, seen=0, by=owner)
    book(evening, owner, wanted("Dóra", "Anna", kind="opening"))
    seat = evening.seats.get(player__name="Dóra").position
    evening_edit.leave_lineup(evening.pk, seat, seen=1, by=owner)
    assert Player.objects.filter(name="Dóra").exists()
    evenings.remove(evening.pk, by=owner)
    assert set(Player.objects.values_list("name", flat=True)) == {"Anna", "Dóra"}
    assert payers_and_payees() == [("Dóra", "Anna")]


def suggested(evening: Evening, scope: str = "everything", payer: str = "Béla") -> Line:
    """The line of a payer on a page that shows the scope."""
    of_night, of_circle = both(evening)
    shown = of_night if scope == "tonight" else of_circle
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
