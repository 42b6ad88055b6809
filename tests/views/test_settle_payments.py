"""Payments on the settling page: one list, its scopes and ways, what was paid, and the same amounts everywhere."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Player, Repayment, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.writers import demo, evening_edit, evenings, ledger, repayments
from tests.factories import begun, evening_of, record
from tests.views.page import HUNGARIAN, Node, Page, filled

type Line = tuple[str, str, int]


@pytest.fixture
def tarokk(played: Evening, owner: User) -> Evening:
    """The next game of the night, of four: Anna, Cili and Dóra owe Béla 40 forints each."""
    names, stake = ("Anna", "Béla", "Cili", "Dóra"), {"stake": Decimal(10), "currency": "HUF"}
    found = begun(owner, "tarokk", names=names, circle=played.circle, **stake)
    record(found, owner, "s= 66", declarer=1)
    evenings.end(found.pk)
    return found


def settle(client: Client, evening: Evening, query: str = "", **headers: str) -> Page:
    return Page.of(client.get(f"/sessions/{evening.pk}/settle/{query}", headers=headers))


def circle(client: Client, evening: Evening) -> Page:
    return Page.of(client.get(f"/circles/{evening.circle_id}/"))


def names() -> dict[str, str]:
    return {str(pk): name for pk, name in Player.objects.values_list("pk", "name")}


def balances(page: Page) -> dict[str, Fraction]:
    """The exact balances by name, by the page's marks."""
    marked = [node for node in page.nodes() if "data-open" in node.attrs]
    found = {names()[node.attrs["data-player"]]: Fraction(node.attrs["data-open"]) for node in marked}
    return {name: amount for name, amount in found.items() if amount}


def scopes(page: Page) -> list[str]:
    return [node.attrs["data-scope"] for node in page.nodes() if "data-scope" in node.attrs]


def lines(page: Page) -> list[Line]:
    marked = [node.attrs for node in page.nodes() if "data-units" in node.attrs]
    return [(names()[line["data-payer"]], names()[line["data-payee"]], int(line["data-units"])) for line in marked]


def is_even(page: Page) -> bool:
    return any("data-even" in node.attrs for node in page.nodes())


def forms(page: Node) -> list[dict[str, Any]]:
    """The forms of the lines, with all the sessions of each."""
    found = [form for form in page.all("form") if "data-repay" in form.attrs]
    return [filled(form) | {"for": [field.attrs["value"] for field in form.all("input", name="for")]} for form in found]


def pay(client: Client, evening: Evening, form: dict[str, Any], **changed: Any) -> str:
    answer = client.post(f"/circles/{evening.circle_id}/repayments/", form | changed)
    assert answer.status_code == 302
    return answer.url


def pay_all(client: Client, evening: Evening, query: str = "") -> None:
    """Tap the first line until there is none."""
    for _tap in range(9):
        found = forms(settle(client, evening, query))
        if not found:
            return
        pay(client, evening, found[0])
    pytest.fail("the list never ends")


def test_running_session_or_a_demo_s_shows_what_it_would_come_to_and_books_nothing(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=0)
    page = settle(owners, evening)
    assert (scopes(page), lines(page), forms(page), balances(page)) == ([], [], [], {})
    assert "If the session ended now: Béla →pays Anna HUF 60 Cili →pays Anna HUF 60" in page.text
    assert balances(circle(owners, evening)) == {}
    page = settle(owners, demo.lay(owner).evenings.exclude(ended_at=None).first())
    assert (scopes(page), forms(page)) == ([], [])
    assert "A demo: this is what it would come to." in page.text


def test_line_is_paid_by_one_tap_said_above_the_rest_and_taken_back(owners: Client, viewers: Client, played: Evening):
    page = settle(owners, played)
    assert balances(page) == balances(circle(owners, played)) == {"Anna": 120, "Béla": -60, "Cili": -60}
    assert (scopes(page), lines(page)) == (["tonight"], [("Béla", "Anna", 60), ("Cili", "Anna", 60)])
    night, book = settle(viewers, played).one("div", id="money"), circle(viewers, played).one("div", id="open")

    def live(part: Node) -> Any:
        return viewers.get(f"{part.attrs['data-live']}?v={part.attrs['data-version']}")

    assert [live(part).status_code for part in (night, book)] == [204, 204]
    address = pay(owners, played, forms(page)[0])
    assert address.startswith(f"/sessions/{played.pk}/settle/?booked=")
    page = Page.of(owners.get(address))
    assert page.of_class("told-payment")[0].text == "Béla paid Anna HUF 60 Take back"
    followed = Page.of(live(night))
    assert followed.of_class("told-payment")[0].text == "Béla paid Anna HUF 60"
    assert live(followed.one("div", id="money")).status_code == 204
    for each in (page, followed, circle(owners, played)):
        assert lines(each) == [("Cili", "Anna", 60)]
        assert balances(each) == {"Anna": 60, "Cili": -60}, "the amounts of before stand nowhere on the page"
    assert lines(Page.of(live(book))) == [("Cili", "Anna", 60)]
    undo = page.of_class("told-payment")[0].all("form")[0]
    owners.post(undo.attrs["action"], filled(undo))
    page = settle(owners, played)
    assert lines(page) == [("Béla", "Anna", 60), ("Cili", "Anna", 60)]
    link = next(a.attrs["href"] for a in page.all("a") if a.text == "Other amount")
    form = filled(Page.of(owners.get(link.partition("#")[0])).one("form", id="repayment-form"))
    pay(owners, played, form, amount="25")
    assert lines(settle(owners, played)) == [("Béla", "Anna", 35), ("Cili", "Anna", 60)]
    for _line in range(2):
        pay(owners, played, forms(circle(owners, played))[0])
    page = settle(owners, played)
    assert (is_even(page), lines(page), forms(page), balances(page)) == (True, [], [], {})
    assert is_even(circle(owners, played))
    assert "All square: nothing is to be paid." in page.one("textarea").text
    for player in names():
        assert balances(Page.of(owners.get(f"/circles/{played.circle_id}/players/{player}/"))) == {}


def test_correction_after_the_payment_opens_the_difference(owners: Client, owner: User, played: Evening):
    pay_all(owners, played)
    evenings.reopen(played.pk)
    ledger.amend(played.pk, 1, facts=Facts(0, 0, "2H 8"), by=owner)
    assert is_even(settle(owners, played)), "it counts as it ended until it ends again"
    evenings.end(played.pk)
    page, book = settle(owners, played), circle(owners, played)
    assert balances(page) == balances(book) == {"Anna": 40, "Béla": -20, "Cili": -20}
    assert lines(page) == lines(book) == [("Béla", "Anna", 20), ("Cili", "Anna", 20)]
    said = page.of_class("since-paid")[0].text
    assert "Recorded or corrected after it was paid: Hand 1" in said
    assert "Anna: was +HUF 120, is +HUF 160 now" in said


def test_currency_changed_after_payments_says_which_of_them_are_to_be_handed_back(
    owners: Client, viewers: Client, owner: User, played: Evening, tarokk: Evening
):
    keys = {name: int(key) for key, name in names().items()}
    for payer, sessions in (("Béla", (played.pk,)), ("Cili", (played.pk, tarokk.pk))):
        wanted = repayments.Wanted(keys[payer], keys["Anna"], 60, "HUF", sessions)
        repayments.book(played.circle_id, wanted, token=uuid4(), by=owner)
    in_euros = replace(shape_of(Evening.objects.get(pk=played.pk)), stake=Decimal("0.05"), currency="EUR")
    evening_edit.edit(played.pk, in_euros, seen=0, by=owner)
    alone, wider = strays(settle(owners, played))
    assert "HUF 60 for this session, which does not count in that currency any more: it is to be" in alone.text
    assert "and for others that still do." in wider.text
    assert not any(stray.all("form") for stray in (wider, *strays(settle(viewers, played))))
    undo = alone.one("form")
    owners.post(undo.attrs["action"], filled(undo))
    assert [stray.text for stray in strays(settle(owners, played))] == [wider.text]


def strays(page: Page) -> list[Node]:
    return [node for node in page.nodes() if "data-stray" in node.attrs]


@pytest.fixture
def ring(evening: Evening, owner: User) -> Evening:
    """Cili owes Anna and Béla, Béla owes Anna: pair by pair three payments, two are enough."""
    for declarer in (0, 1, 0):
        record(evening, owner, "2H 7", declarer=declarer)
    evenings.end(evening.pk)
    return evening


PAIRS = "?way=pairs"


def test_session_is_paid_pair_by_pair_or_by_the_fewest_payments(owners: Client, ring: Evening):
    fewest, pairs = settle(owners, ring), settle(owners, ring, PAIRS)
    assert "Pair by pair" in fewest.links
    assert lines(fewest) == [("Cili", "Anna", 180)]
    assert lines(pairs) == [("Béla", "Anna", 60), ("Cili", "Anna", 120), ("Cili", "Béla", 60)]
    form = next(form for form in pairs.all("form") if "data-repay" in form.attrs)
    answer = owners.post(form.attrs["action"], filled(form))
    assert answer.url.startswith(f"/sessions/{ring.pk}/settle/?way=pairs&booked="), "the list that was shown"
    assert "Pair by pair" not in settle(owners, ring).links, "something of it has been paid"
    pay_all(owners, ring, PAIRS)
    page = settle(owners, ring)
    assert (is_even(page), balances(page)) == (True, {})


def test_session_that_is_being_corrected_is_not_paid_pair_by_pair(owners: Client, owner: User, ring: Evening):
    """Its sheet is not what it ended with."""
    evenings.reopen(ring.pk)
    ledger.amend(ring.pk, 1, facts=Facts(0, 0, "2H 9"), by=owner)
    page = settle(owners, ring, PAIRS)
    assert "Pair by pair" not in page.links
    assert lines(page) == [("Cili", "Anna", 180)]


def test_session_of_which_its_night_was_paid_is_not_paid_pair_by_pair(owners: Client, owner: User, played: Evening):
    """Payments for two sessions come to less than the pairs of one sheet owe."""
    lost = evening_of(owner, stake=Decimal(5))
    record(lost, owner, "2H 5", declarer=0)
    evenings.end(lost.pk)
    pay(owners, played, forms(settle(owners, played))[0])
    assert lines(settle(owners, played, PAIRS)) == lines(settle(owners, played)) == [("Cili", "Anna", 40)]
    pay_all(owners, played)
    assert is_even(settle(owners, played, PAIRS))


def test_text_of_a_session_in_chips_says_what_its_page_does_while_it_is_corrected(owners: Client, played: Evening):
    """It counts as it ended."""
    evenings.reopen(played.pk)
    Evening.objects.filter(pk=played.pk).update(in_chips=True)
    page = settle(owners, played)
    assert lines(page)
    assert page.one("textarea").text.count("→") == len(lines(page))


EVERYTHING = "?scope=everything"


def test_two_games_of_one_night_are_settled_by_one_list(owners: Client, played: Evening, tarokk: Evening):
    for page in (settle(owners, played), settle(owners, tarokk)):
        assert "Tonight: 2 games" in page.text
        assert scopes(page) == ["tonight"]
        assert lines(page) == [("Cili", "Anna", 80), ("Cili", "Béla", 20), ("Dóra", "Béla", 40)]
        assert "Everything" not in page.links, "both scopes suggest the same"
    pay_all(owners, played)
    assert {row.links.count() for row in Repayment.objects.all()} == {2}
    page = settle(owners, tarokk)
    assert is_even(page)
    for player in names():
        assert page.all("a", href=f"/circles/{played.circle_id}/players/{player}/statement/?currency=HUF")
    assert is_even(circle(owners, tarokk))


def test_older_debt_brings_a_switch_to_everything(owners: Client, owner: User, played: Evening):
    Evening.objects.update(started_at="2026-11-01T18:00:00Z", ended_at="2026-11-01T20:00:00Z")
    later = evening_of(owner)
    record(later, owner, "2H 7 K", declarer=1)
    evenings.end(later.pk)
    tonight, everything = settle(owners, later), settle(owners, later, EVERYTHING)
    assert scopes(tonight) == ["tonight"]
    assert lines(tonight) == [("Anna", "Béla", 120), ("Cili", "Béla", 120)]
    assert "This is not all that is open: see Everything." in tonight.text
    in_all = "Anna → Béla: HUF 120 Cili → Béla: HUF 120 In all: Cili → Béla: HUF 180"
    assert in_all in " ".join(tonight.one("textarea").text.split())
    assert "This is not all" not in everything.text
    assert scopes(everything) == ["everything"]
    assert lines(everything) == lines(circle(owners, later)) == [("Cili", "Béla", 180)]
    assert "That night" in settle(owners, played).links
    pay_all(owners, later, EVERYTHING)
    page = settle(owners, later)
    assert (scopes(page), is_even(page)) == (["everything"], True)
    assert "Paid together with everything else." in page.text
    assert "Everything" not in page.links


def test_text_says_what_is_to_be_paid_now_and_what_was_paid(owners: Client, played: Evening):
    pay(owners, played, forms(settle(owners, played))[0])
    for headers, said in (
        ({}, "Cili → Anna: HUF 60 Paid so far: Béla → Anna: HUF 60"),
        (HUNGARIAN, "Cili → Anna: 60 Ft Eddig kifizetve: Béla → Anna: 60 Ft"),
    ):
        text = settle(owners, played, **headers).one("textarea").text.replace("\xa0", " ")
        assert said in " ".join(text.split())
