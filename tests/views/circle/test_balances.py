"""Balances on the circle's page, home and a player's page: the same amounts, and one list of suggested payments."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Member, Player, Role, User
from sessions_app.views import circle
from sessions_app.writers import evenings, ledger, repayments
from tests.factories import MemberFactory, evening_of, record
from tests.views.page import HUNGARIAN, Page, filled


def shown(client: Client, evening: Evening, **headers: str) -> Page:
    return Page.of(client.get(f"/circles/{evening.circle_id}/", headers=headers))


def player_page(client: Client, evening: Evening, name: str) -> Page:
    player = Player.objects.get(name=name).pk
    return Page.of(client.get(f"/circles/{evening.circle_id}/players/{player}/"))


def marked(page: Page) -> dict[str, Fraction]:
    names = {str(pk): name for pk, name in Player.objects.values_list("pk", "name")}
    rows = [node.attrs for node in page.nodes() if "data-open" in node.attrs]
    return {f"{names[row['data-player']]} {row['data-currency']}": Fraction(row["data-open"]) for row in rows}


def lines(page: Page) -> list[tuple[str, str, str]]:
    rows = [node.attrs for node in page.nodes() if "data-units" in node.attrs]
    return [(row["data-payer"], row["data-payee"], row["data-units"]) for row in rows]


def pay_all(client: Client, evening: Evening) -> None:
    """Tap the first line until none is left."""
    while forms := [form for form in shown(client, evening).all("form") if "data-repay" in form.attrs]:
        assert client.post(f"/circles/{evening.circle_id}/repayments/", filled(forms[0])).status_code == 302


def test_running_session_owes_nobody_anything_until_it_ends(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    assert marked(shown(owners, evening)) == {}
    evenings.end(evening.pk)
    assert marked(shown(owners, evening)) == {"Anna HUF": 120, "Béla HUF": -60, "Cili HUF": -60}
    evenings.reopen(evening.pk)
    ledger.void(evening.pk, 1, by=owner)
    assert marked(shown(owners, evening))["Anna HUF"] == 120, "it counts as it ended while it is corrected"


def test_circle_home_and_player_say_the_same_amounts(
    owners: Client, client_of: Callable[..., Client], owner: User, played: Evening
):
    Member.objects.filter(user=owner).update(player=Player.objects.get(name="Anna"))
    bela = client_of(MemberFactory(circle=played.circle, role=Role.VIEWER, player=Player.objects.get(name="Béla")).user)
    page = shown(owners, played)
    (scope,) = [node for node in page.nodes() if "data-scope" in node.attrs]
    assert (scope.attrs["data-scope"], scope.attrs["data-currency"]) == ("everything", "HUF")
    assert [units for _payer, _payee, units in lines(page)] == ["60", "60"]
    assert marked(page) == {"Anna HUF": 120, "Béla HUF": -60, "Cili HUF": -60}
    phones = ((owners, "Anna", 120, "You are owed HUF 120"), (bela, "Béla", -60, "You owe HUF 60"))
    for client, name, amount, words in phones:
        home = Page.of(client.get("/"))
        assert marked(home) == marked(player_page(owners, played, name)) == {f"{name} HUF": amount}
        assert words in home.text
    assert "Owes HUF 60" in player_page(owners, played, "Cili").text
    for shows in (Page.of(owners.get("/")), page, player_page(owners, played, "Anna")):
        anna = Player.objects.get(name="Anna").pk
        statement = f"/circles/{played.circle_id}/players/{anna}/statement/?currency=HUF"
        assert statement in [link.attrs["href"] for link in shows.all("a")]


@pytest.mark.parametrize(("language", "square"), [("en", "All square"), ("hu", "Mindenki kvitt")])
def test_list_paid_line_by_line_ends_all_square_and_asks_nobody(
    owners: Client, owner: User, played: Evening, language: str, square: str
):
    record(later := evening_of(owner), owner, "2H 7 K", declarer=1)
    evenings.end(later.pk)
    assert "A reminder to share" in shown(owners, played).text
    pay_all(owners, played)
    page = shown(owners, played, **(HUNGARIAN if language == "hu" else {}))
    assert (marked(page), lines(page)) == ({}, [])
    assert len([node for node in page.nodes() if "data-even" in node.attrs]) == 1
    assert square in page.text
    assert not page.all("textarea")
    assert marked(player_page(owners, played, "Anna")) == {}


def test_thirds_of_a_forint_are_rounded_where_they_are_paid_and_folded_exactly(owners: Client, owner: User):
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, Decimal(1), "HUF", "preference")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    facts = Facts(0, None, "= D2+2", deal_stays=True)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=facts, by=owner)
    evenings.end(evening.pk)
    page = shown(owners, evening)
    assert {abs(amount) for amount in marked(page).values()} == {Fraction(40, 3), Fraction(20, 3)}
    assert "Exact balances" in page.text
    assert "⅓" not in page.of_class("open-balances")[0].text
    pay_all(owners, evening)
    page = shown(owners, evening)
    assert {abs(amount) for amount in marked(page).values()} == {Fraction(1, 3), Fraction(2, 3)}
    assert "Still open" not in page.text, "a list of zeros"
    assert len([node for node in page.nodes() if "data-even" in node.attrs]) == 1


def test_demo_owes_nobody_anything(owners: Client, owner: User, evening: Evening):
    Circle.objects.update(is_demo=True)
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    anna, bela, _cili = evening.seats.values_list("player", flat=True)
    repayments.book(evening.circle_id, repayments.Wanted(bela, anna, 60, "HUF"), token=uuid4(), by=owner)
    assert marked(shown(owners, evening)) == {}


def test_many_open_balances_are_listed_one_currency_at_a_time(
    owners: Client, owner: User, played: Evening, monkeypatch: pytest.MonkeyPatch
):
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, Decimal(1), "EUR", "asszorti")
    record(later := evenings.start(opening, token=uuid4(), by=owner, circle=played.circle), owner, "2H 7", declarer=0)
    evenings.end(later.pk)
    assert len(marked(shown(owners, played))) == 6, "few balances are all listed"
    monkeypatch.setattr(circle, "MOST_BALANCES", 5)
    page = shown(owners, played)
    assert {mark.split()[1] for mark in marked(page)} == {"EUR"}, "the currency last played for"
    switch = {link.text: link.attrs["href"] for link in page.of_class("switch")[0].all("a")}
    assert list(switch) == ["EUR", "HUF"]
    forints = Page.of(owners.get(switch["HUF"]))
    assert marked(forints) == {"Anna HUF": 120, "Béla HUF": -60, "Cili HUF": -60}
    live = forints.one("div", id="open").attrs["data-live"]
    assert marked(Page.of(owners.get(live))) == marked(forints)
    form = next(form for form in forints.all("form") if "data-repay" in form.attrs)
    answer = owners.post(form.attrs["action"], filled(form))
    assert len(lines(Page.of(owners.get(answer.headers["Location"])))) == 1
