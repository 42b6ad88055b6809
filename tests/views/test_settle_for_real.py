"""Settling for real: paid by one tap, in part, taken back, carried over, with other games of the same evening."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player, Repayment, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record, started
from tests.views.page import HUNGARIAN, Node, Page, filled

type Open = dict[Any, Fraction]


@pytest.fixture
def played(evening: Evening, owner: User) -> Evening:
    """Béla and Cili owe Anna 60 forints each."""
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    return evening


@pytest.fixture
def later(played: Evening, owner: User) -> Evening:
    """The next evening: Anna and Cili owe Béla 120 forints each."""
    evenings.end(played.pk)
    found = evening_of(owner)
    record(found, owner, "2H 7 K", declarer=1)
    evenings.end(found.pk)
    return found


def settle(client: Client, evening: Evening, **headers: str) -> Page:
    return Page.of(client.get(f"/sessions/{evening.pk}/settle/", headers=headers))


def circle(client: Client, evening: Evening) -> Page:
    return Page.of(client.get(f"/circles/{evening.circle_id}/"))


def names() -> dict[str, str]:
    return {str(pk): name for pk, name in Player.objects.values_list("pk", "name")}


def players(page: Page) -> Open:
    """The open amount of each player, by name and currency, by the page's marks."""
    marked = [node for node in page.nodes() if "data-open" in node.attrs and "data-player" in node.attrs]
    return {
        (names()[node.attrs["data-player"]], node.attrs["data-currency"]): Fraction(node.attrs["data-open"])
        for node in marked
        if Fraction(node.attrs["data-open"])
    }


def pairs(page: Page) -> Open:
    marked = [node for node in page.nodes() if "data-open" in node.attrs and "data-payer" in node.attrs]
    return {
        (names()[node.attrs["data-payer"]], names()[node.attrs["data-payee"]], node.attrs["data-currency"]): Fraction(
            node.attrs["data-open"]
        )
        for node in marked
    }


def forms(page: Node) -> list[dict[str, Any]]:
    """The forms of the suggested payments, with all the evenings of each."""
    found = []
    for form in page.all("form"):
        if "data-repay" in form.attrs:
            several = [field.attrs["value"] for field in form.all("input", name="for")]
            found.append(filled(form) | {"for": several})
    return found


def pay(client: Client, evening: Evening, form: dict[str, Any], **changed: Any) -> str:
    answer = client.post(f"/circles/{evening.circle_id}/repayments/", form | changed)
    assert answer.status_code == 302
    return answer.url


def part(page: Page, name: str) -> Node:
    return page.one("section", aria_labelledby=name)


# --- One session ---


def test_a_line_is_paid_by_one_tap_and_the_rest_is_left(owners: Client, played: Evening):
    page = settle(owners, played)
    expected = {("Anna", "HUF"): 120, ("Béla", "HUF"): -60, ("Cili", "HUF"): -60}
    assert players(page) == expected
    assert pairs(page) == {("Béla", "Anna", "HUF"): 60, ("Cili", "Anna", "HUF"): 60}
    address = pay(owners, played, forms(page)[0])
    assert address.startswith(f"/sessions/{played.pk}/settle/?booked=")
    page = Page.of(owners.get(address))
    assert page.of_class("told-payment")[0].text == "Béla paid Anna HUF 60 Take back"
    assert players(page) == {("Anna", "HUF"): 60, ("Cili", "HUF"): -60}
    assert [form["amount"] for form in forms(part(page, "left"))] == ["60"]
    assert "Béla →pays Anna HUF 60" in part(page, "paid").text
    pay(owners, played, forms(part(page, "left"))[0])
    page = settle(owners, played)
    assert "Everything of this session is paid." in part(page, "left").text
    assert (players(page), pairs(page), forms(page)) == ({}, {}, [])
    evenings.end(played.pk)
    assert players(circle(owners, played)) == {}
    assert forms(circle(owners, played)) == []


def test_a_part_is_paid_by_the_other_amount_and_taken_back_by_one_tap(owners: Client, played: Evening):
    page = settle(owners, played)
    link = next(a.attrs["href"] for a in page.all("a") if a.text == "Other amount")
    form = filled(Page.of(owners.get(link.partition("#")[0])).one("form", id="repayment-form"))
    address = pay(owners, played, form, amount="25")
    page = Page.of(owners.get(address))
    assert [form["amount"] for form in forms(part(page, "left"))] == ["35", "60"]
    undo = next(form for form in page.all("form") if form.attrs["action"].endswith("/undo/"))
    assert owners.post(undo.attrs["action"], filled(undo)).url == f"/sessions/{played.pk}/settle/#open"
    page = settle(owners, played)
    assert not page.all("section", aria_labelledby="left"), "as before"
    assert "Taken back" in part(page, "paid").text
    assert len(forms(page)) == 2


def test_two_phones_that_tap_the_same_line_book_it_once(owners: Client, keepers: Client, played: Evening):
    ours, theirs = (forms(settle(client, played))[0] for client in (owners, keepers))
    assert ours["token"] == theirs["token"]
    pay(owners, played, ours)
    page = Page.of(keepers.get(pay(keepers, played, theirs)))
    assert Repayment.objects.count() == 1
    assert "Another phone has already booked this." in page.of_class("notice")[0].text


def test_a_correction_after_the_payment_is_open_again_and_the_session_says_why(
    owners: Client, owner: User, played: Evening
):
    for form in forms(settle(owners, played)):
        pay(owners, played, form)
    evenings.end(played.pk)
    evenings.reopen(played.pk)
    ledger.amend(played.pk, 1, facts=Facts(0, 0, "2H 8"), by=owner)
    evenings.end(played.pk)
    assert [row.units for row in Repayment.objects.all()] == [60, 60]
    page, book = settle(owners, played), circle(owners, played)
    assert players(page) == players(book) == {("Anna", "HUF"): 40, ("Béla", "HUF"): -20, ("Cili", "HUF"): -20}
    assert "Recorded or corrected after it was paid: Hand 1" in page.text
    assert [form["amount"] for form in forms(part(page, "left"))] == ["20", "20"]


# --- Before and now ---


def test_this_session_and_all_that_is_open_are_two_ways_apart(owners: Client, later: Evening):
    page = settle(owners, later)
    headings = [heading.text for heading in page.all("h2")]
    assert headings.index("This session only") < headings.index("All that is open")
    assert pairs(page) == {("Anna", "Béla", "HUF"): 60, ("Cili", "Anna", "HUF"): 60, ("Cili", "Béla", "HUF"): 120}
    assert "From this session: +HUF 120; from before: −HUF 60" in page.text
    this, everything = forms(part(page, "payments")), forms(part(page, "open"))
    assert [(form["amount"], form["for"]) for form in this] == [("120", [str(later.pk)])] * 2
    assert [(names()[form["payer"]], form["amount"], form["for"]) for form in everything] == [("Cili", "180", [])]


def test_paying_all_that_is_open_leaves_a_ring_at_most(owners: Client, later: Evening):
    for form in forms(part(settle(owners, later), "open")):
        pay(owners, later, form)
    page = settle(owners, later)
    assert players(page) == {}
    assert "All balances are zero" in page.text


@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_text_says_what_was_paid_what_is_left_and_what_was_before(owners: Client, later: Evening, language: str):
    pay(owners, later, forms(part(settle(owners, later), "payments"))[0], amount="20")
    headers = HUNGARIAN if language == "hu" else {}
    text = Page.of(owners.get(f"/sessions/{later.pk}/settle/", headers=headers)).one("textarea").text
    said = {
        "en": (
            "Paid so far: Anna → Béla: HUF 20",
            "Left of this session: Anna → Béla: HUF 100",
            "Still open from before:",
        ),
        "hu": ("Eddig kifizetve: Anna → Béla: 20 Ft", "Ebből a játszmából hátravan:", "Korábbról nyitva:"),
    }
    for words in said[language]:
        assert words in text


# --- Several games, stakes and coins ---


def begun(by: User, game: str, stake: int | None, ended: bool = True) -> Evening:
    worth = None if stake is None else Decimal(stake)
    opening = evenings.Opening(("Anna", "Béla", "Cili", "Dóra"), 0, worth, "HUF", game)
    return started(opening, by=by)


def three_games(by: User, stake: int | None = 10) -> list[Evening]:
    games = [begun(by, game, stake) for game in ("asszorti", "tarokk", "asszorti")]
    for game, deal in zip(games, ("2H 7", "s= 66", "2H 5"), strict=True):
        record(game, by, deal, declarer=1)
        evenings.end(game.pk)
    return games


def test_three_games_of_one_evening_are_settled_in_one(owners: Client, owner: User):
    *_before, last = three_games(owner)
    page = settle(owners, last)
    assert "Tonight: 3 games" in page.text
    found = forms(part(page, "same-evening"))
    assert {len(form["for"]) for form in found} == {3}
    for form in found:
        pay(owners, last, form)
    assert players(settle(owners, last)) == {}
    assert "Nothing is left to pay." in part(settle(owners, last), "same-evening").text


def test_payments_are_rounded_to_the_coin_and_who_gains_is_said(owners: Client, owner: User):
    evening = evening_of(owner, stake=Decimal(1))
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    Circle.objects.update(cash_coins={"HUF": 5})
    page = settle(owners, evening)
    assert [form["amount"] for form in forms(part(page, "left"))] == ["5", "5"]
    assert "Anna −HUF 2, Béla +HUF 1, Cili +HUF 1" in part(page, "left").text
    for form in forms(part(page, "left")):
        pay(owners, evening, form)
    page = settle(owners, evening)
    assert players(page) == {("Anna", "HUF"): 2, ("Béla", "HUF"): -1, ("Cili", "HUF"): -1}
    assert forms(page) == []
