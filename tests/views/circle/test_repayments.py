"""The page of a circle's payments: booked by a form or an outbox, asked about, refused with a sentence, taken back."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.errors import RepaymentRefused
from sessions_app.models import Circle, Evening, Repayment, User
from sessions_app.writers import evenings, repayments
from tests.factories import evening_of, record
from tests.full_circle import pay
from tests.ledger.books import assert_verified, everything
from tests.views.page import Page, filled

HTMX_FORM = {"HX-Request": "true", "HX-Target": "form#repayment-form"}
JSON = {"Accept": "application/json"}


def url(evening: Evening, rest: str = "") -> str:
    return f"/circles/{evening.circle_id}/repayments/{rest}"


def key(evening: Evening, seat: int) -> int:
    return evening.seats.get(position=seat).player_id


def said(at: Evening, **fields: Any) -> dict[str, Any]:
    """Béla has paid Anna 60 forints."""
    plain = {"token": uuid4(), "payer": key(at, 1), "payee": key(at, 0), "amount": "60", "currency": "HUF"}
    return plain | fields


def form_of(page: Page) -> dict[str, str]:
    return filled(page.one("form", id="repayment-form"))


def listed(page: Page) -> list[str]:
    return [row.text for row in page.all("li") if "data-repayment" in row.attrs]


@pytest.fixture
def euros(owner: User) -> Evening:
    """Béla and Cili owe Anna 3 euros each."""
    evening = evening_of(owner, stake=Decimal("0.5"), currency="EUR")
    record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    return evening


def test_payment_is_booked_and_listed_with_its_sessions(owners: Client, played: Evening):
    answer = owners.post(url(played), said(played, amount="1 000,-", note="in the car", **{"for": played.pk}))
    row = Repayment.objects.get()
    assert (row.payer.name, row.payee.name, row.units, row.currency, row.note) == (
        *("Béla", "Anna", 1000, "HUF"),
        "in the car",
    )
    assert answer.url == f"{url(played)}?booked={row.pk}#open"
    page = Page.of(owners.get(answer.url))
    (booked,) = listed(page)
    assert page.of_class("told-payment")[0].text == "Béla paid Anna HUF 1,000 Take back"
    assert "Béla →pays Anna HUF 1,000" in booked
    assert "in the car" in booked
    assert "Asszorti" in booked, "the session that it is for"
    assert "HUF 60" not in booked, "what it closed is not said"


def test_bad_value_is_refused_beside_its_field_and_what_was_typed_is_kept(owners: Client, played: Evening):
    before = everything()
    for fields, field, sentence in (
        ({"payer": ""}, "payer", "Choose a player."),
        ({"payee": "9" * 30}, "payee", "This player is not in this circle."),
        ({"payee": str(key(played, 1))}, "payee", "Nobody pays themselves: choose two players."),
        ({"amount": "1e3"}, "amount", "Enter an amount, such as 500."),
        ({"amount": "0"}, "amount", "The amount must be more than zero."),
        ({"amount": "1000000000001"}, "amount", "That is too much: at most HUF 1,000,000,000,000."),
        ({"amount": "€5"}, "amount", "You typed EUR, but HUF is selected here. Which is it?"),
        ({"currency": ""}, "currency", "In which currency?"),
        ({"currency": "EUR"}, "currency", "This circle has never played in this currency."),
        ({"for": "x"}, "for", "Choose one of the sessions offered."),
        ({"kind": "gift"}, "kind", "Choose one of the options."),
        ({"note": "x" * 201}, "note", "This is too long: 200 characters at most."),
    ):
        posted = said(played, note="at home") | fields
        for headers in ({}, HTMX_FORM):
            page = Page.of(owners.post(url(played), posted, headers=headers), 422)
            assert page.is_whole is (not headers)
            assert page.error(field) == sentence
            kept = form_of(page)
            for name in {"amount", "note"} - fields.keys():
                assert kept[name] == posted[name]
            assert field == "payer" or kept["payer"] == str(posted["payer"])
        refused = owners.post(url(played), posted, headers=JSON)
        assert (refused.status_code, refused.json()["sentence"].replace("\xa0", " ")) == (422, sentence)
    assert everything() == before


REFUSALS = [
    (RepaymentRefused("himself", "payee"), "Nobody pays themselves: choose two players."),
    (RepaymentRefused("no_player", "payer"), "This player is not in this circle."),
    (RepaymentRefused("evening", "for"), "Choose a session of this circle with a hand on its sheet."),
    (RepaymentRefused("chips", "for"), "That session was paid in chips: nothing is to be paid for it."),
    (RepaymentRefused("no_result", "for"), "That session has not ended yet. A payment is for sessions that have."),
    (RepaymentRefused("two_currencies", "for"), "These sessions are in two currencies: book a payment for each."),
    (
        RepaymentRefused("not_its_currency", "currency", "points:asszorti"),
        "A payment for that session is in its currency: Asszorti, in points.",
    ),
    (RepaymentRefused("not_there", "payee"), "This player did not sit in that session."),
]


@pytest.mark.parametrize(("refused", "sentence"), REFUSALS, ids=[refused.code for refused, _sentence in REFUSALS])
def test_refusal_of_a_payment_is_said_beside_its_field(
    owners: Client, played: Evening, monkeypatch: pytest.MonkeyPatch, refused: RepaymentRefused, sentence: str
):
    monkeypatch.setattr(repayments, "book", Mock(side_effect=refused))
    page = Page.of(owners.post(url(played), said(played)), 422)
    assert page.error(refused.field) == sentence
    answer = owners.post(url(played), said(played), headers=JSON)
    assert (answer.status_code, answer.json()["sentence"]) == (422, sentence)


def test_paper_debt_in_a_currency_that_is_not_offered_is_typed_by_its_code_and_is_for_no_session(
    owners: Client, played: Evening
):
    assert Page.of(owners.get(url(played))).of_class("when-owed")[0].text == "Who owes"
    typed = {"kind": "opening", "amount": "12,50 SEK", "note": "the blue book", "for": played.pk}
    owners.post(url(played), said(played, **typed))
    row = Repayment.objects.get()
    assert (row.kind, row.units, row.currency, row.evenings.count()) == ("opening", 1250, "SEK", 0)
    page = Page.of(owners.get(url(played)))
    assert "Béla owed Anna SEK 12.50 the blue book From a paper book" in listed(page)[0]
    assert "SEK" in options(page, "currency")
    assert filled(page.form(url(played, "coins/")))["coin_HUF"] == ""
    for coins, kept in (
        ({"coin_SEK": "100", "coin_HUF": "7", "coin_JPY": "5"}, {"SEK": 100}),
        ({"coin_HUF": "5"}, {"HUF": 5}),
        ({"coin_HUF": "7", "coin_XYZ": "5"}, {}),
    ):
        assert owners.post(url(played, "coins/"), coins).status_code == 302
        assert Circle.objects.get(pk=played.circle_id).cash_coins == kept
        shown = filled(Page.of(owners.get(url(played))).form(url(played, "coins/")))
        assert shown["coin_HUF"] == str(kept.get("HUF", ""))
    assert_verified()


def options(page: Page, name: str) -> dict[str, str]:
    return {option.text: option.attrs["value"] for option in page.one("select", name=name).all("option")}


def test_form_offers_sessions_by_game_day_and_hour_and_the_currency_last_played_for(
    owners: Client, owner: User, played: Evening, euros: Evening
):
    running = evening_of(owner, stake=Decimal("0.5"), currency="EUR")
    record(running, owner)
    at = {played: datetime(2025, 3, 7, 18, 5, tzinfo=UTC), euros: datetime(2025, 3, 7, 21, tzinfo=UTC)}
    for each, begun in at.items():
        Evening.objects.filter(pk=each.pk).update(started_at=begun)
    page = Page.of(owners.get(url(played)))
    assert options(page, "for") == {
        "no session: everything together": "",
        "Asszorti, 7 Mar 2025, 22:00 · EUR": str(euros.pk),
        "Asszorti, 7 Mar 2025, 19:05 · HUF": str(played.pk),
    }
    assert list(options(page, "currency"))[:2] == ["EUR", "HUF"]
    assert form_of(page)["currency"] == "EUR"
    brought = form_of(Page.of(owners.get(f"{url(played)}?for={played.pk}")))
    assert (brought["for"], brought["currency"]) == (str(played.pk), "HUF")
    Evening.objects.filter(pk=euros.pk).update(currency="HUF", result_currency="HUF")
    page = Page.of(owners.get(f"{url(played)}?for={played.pk}&for={euros.pk}"))
    several = [field.attrs["value"] for field in page.all("input", name="for")]
    assert several == [str(played.pk), str(euros.pk)]
    owners.post(url(played), said(played, **{"for": several}))
    assert [each.pk for each in Repayment.objects.get().evenings.order_by("pk")] == [played.pk, euros.pk]


def test_payment_taken_back_stays_in_the_list(owners: Client, keepers: Client, outsiders: Client, played: Evening):
    owners.post(url(played), said(played))
    page = Page.of(keepers.get(url(played)))
    (form,) = [each for each in page.all("form") if each.attrs.get("action", "").endswith("/undo/")]
    own = Evening.objects.exclude(circle=played.circle).get()
    for number in (Repayment.objects.get().pk, 0, 2**63, 10**30):
        assert outsiders.post(url(own, f"{number}/undo/")).status_code == 404, "a payment of another circle"
    assert keepers.post(form.attrs["action"], filled(form)).url == f"{url(played)}#open"
    page = Page.of(owners.get(url(played)))
    (row,) = page.of_class("repayment")
    assert "undone" in row.attrs["class"]
    assert "Taken back" in row.text
    assert "on another phone" in row.text
    assert not row.all("form")
    told = Page.of(owners.get(f"{url(played)}?booked={Repayment.objects.get().pk}")).of_class("told-payment")[0]
    assert told.text == "Taken back: nothing is booked. Béla paid Anna HUF 60"
    assert told.all("p")[1].attrs["class"] == "undone"


def test_many_payments_are_listed_page_by_page(owners: Client, owner: User, played: Evening):
    for _ in range(31):
        pay(played, owner, 1)
    page = Page.of(owners.get(url(played)))
    assert len(listed(page)) == 30
    assert len(listed(Page.of(owners.get(url(played, page.links["Earlier payments"].partition("#")[0]))))) == 1


def test_ambiguous_amount_is_asked_about_with_its_readings(owners: Client, euros: Evening):
    posted = said(euros, currency="EUR", amount="1,500", note="at home")
    for headers in ({}, HTMX_FORM):
        page = Page.of(owners.post(url(euros), posted, headers=headers), 422)
        assert page.error("amount") == "Is it €1,500.00 or €1.50?"
        kept = form_of(page)
        assert (kept["amount"], kept["note"], kept["currency"]) == ("1,500", "at home", "EUR")
        buttons = {button.text: button.attrs["value"] for button in page.all("button", name="meant")}
        assert buttons == {"€1,500.00": "1500.00", "€1.50": "1.50"}
    for value, units in (("1500.00", 150_000), ("1.50", 150)):
        assert owners.post(url(euros), kept | {"token": str(uuid4()), "meant": value}).status_code == 302
        assert Repayment.objects.latest("pk").units == units
    posted = said(euros, currency="EUR", amount="1.500")
    answer = owners.post(url(euros), posted, headers=JSON)
    found = answer.json()
    assert (answer.status_code, found["sentence"]) == (422, "Is it €1,500.00 or €1.50?")
    assert [each["words"] for each in found["answers"]] == ["€1,500.00", "€1.50"]
    assert [each["label"] for each in found["answers"]] == ["Béla → Anna €1,500.00", "Béla → Anna €1.50"]
    meant = found["answers"][1]["fields"]
    assert owners.post(url(euros), posted | meant, headers=JSON).json()["number"]
    assert Repayment.objects.latest("pk").units == 150


def test_amount_that_no_table_plays_for_is_confirmed_once(owners: Client, played: Evening):
    answer = owners.post(url(played), said(played, amount="1000000000"))
    page = Page.of(answer)
    question = "HUF 1,000,000,000: is that right? Then press Book again."
    assert (answer.status_code, page.error("amount")) == (422, question)
    kept = form_of(page)
    assert owners.post(url(played), kept | {"amount": "2000000000"}).status_code == 422, "another amount is asked about"
    assert owners.post(url(played), kept).status_code == 302
    posted = said(played, amount="3000000000")
    sure = owners.post(url(played), posted, headers=JSON).json()["answers"][0]["fields"]
    assert owners.post(url(played), posted | sure, headers=JSON).json()["number"]
    assert list(Repayment.objects.values_list("units", flat=True)) == [10**9, 3 * 10**9]


def test_confirmed_amount_stays_confirmed_beside_another_question(owners: Client, keepers: Client, played: Evening):
    form = form_of(Page.of(keepers.get(url(played))))
    much = said(played, amount="1000000000", sure="1000000000")
    owners.post(url(played), much)
    typed = {name: str(value) for name, value in much.items() if name != "token"}
    again = Page.of(keepers.post(url(played), form | typed))
    assert "Is this another one?" in again.of_class("notice")[0].text
    assert keepers.post(url(played), form_of(again)).status_code == 302
    assert Repayment.objects.count() == 2


def test_same_form_sent_again_books_once_and_another_phone_that_sends_it_is_told(
    owners: Client, keepers: Client, played: Evening
):
    fields = said(played)
    first, again = (owners.post(url(played), fields) for _ in range(2))
    assert first.url == again.url
    told = owners.post(url(played), fields, headers=JSON)
    assert (told.status_code, told.json()) == (200, {"number": Repayment.objects.get().pk})
    sentence = "Another phone has already booked this. It is booked once."
    assert sentence in Page.of(keepers.get(keepers.post(url(played), fields).url)).of_class("notice")[0].text
    answer = keepers.post(url(played), fields, headers=JSON)
    assert answer.json() == {"number": Repayment.objects.get().pk, "sentence": sentence}


def test_equal_payment_by_another_phone_since_is_asked_about(owners: Client, keepers: Client, played: Evening):
    form = form_of(Page.of(keepers.get(url(played))))
    owners.post(url(played), said(played))
    posted = form | {name: str(value) for name, value in said(played).items()}
    for headers in ({}, HTMX_FORM):
        page = Page.of(keepers.post(url(played), posted, headers=headers), 409)
        assert page.is_whole is (not headers)
        assert "Is this another one?" in page.of_class("notice")[0].text
    assert keepers.post(url(played), posted, headers=JSON).json()["another"] is True
    assert Repayment.objects.count() == 1
    assert keepers.post(url(played), form_of(page)).status_code == 302
    assert Repayment.objects.count() == 2


@pytest.fixture
def stale(owners: Client, owner: User, played: Evening) -> dict[str, str]:
    """The form of Béla's 60 on a page that was opened before he paid 20."""
    page = Page.of(owners.get(f"/circles/{played.circle_id}/"))
    forms = [filled(each) for each in page.all("form") if "data-repay" in each.attrs]
    form = next(each for each in forms if each["payer"] == str(key(played, 1)))
    pay(played, owner, 20)
    return form


def booked() -> list[int]:
    return list(Repayment.objects.values_list("units", flat=True))


def test_stale_line_is_asked_about_with_an_answer_a_tap(owners: Client, played: Evening, stale: dict[str, str]):
    page = Page.of(owners.post(url(played), stale), 409)
    (question,) = page.of_class("stale-payment")
    asked = "Béla has paid HUF 20 of it since: book HUF 40, HUF 60 all the same, or nothing?"
    assert question.one("p").text == asked
    forms = {form.one("button").text: filled(form) for form in question.all("form")}
    assert list(forms) == ["Book HUF 40", "HUF 60 all the same"]
    assert question.one("a").attrs["href"] == f"/circles/{played.circle_id}/#open"
    assert booked() == [20]
    for words, units in (("Book HUF 40", [20, 40]), ("HUF 60 all the same", [20, 40, 60])):
        for _tap in range(2):
            assert owners.post(url(played), forms[words]).status_code == 302
        assert booked() == units


def test_stale_line_of_an_outbox_is_asked_about_with_its_answers(
    owners: Client, keepers: Client, played: Evening, stale: dict[str, str]
):
    answer = owners.post(url(played), stale, headers=JSON)
    said = answer.json()
    assert (answer.status_code, booked()) == (409, [20])
    assert said["sentence"].startswith("Béla has paid HUF\xa020 of it since")
    rest, everything = said["answers"]
    assert (rest["label"], everything["label"]) == ("Béla → Anna HUF\xa040", "Béla → Anna HUF\xa060")
    fresh = Page.of(keepers.get(f"/circles/{played.circle_id}/"))
    assert rest["fields"]["token"] in {
        filled(form)["token"] for form in fresh.all("form") if "data-repay" in form.attrs
    }
    for client in (owners, keepers):
        assert client.post(url(played), stale | rest["fields"], headers=JSON).json()["number"]
    assert booked() == [20, 40], "as the line of a page that is current"
    nothing = owners.post(url(played), stale, headers=JSON).json()
    assert nothing["sentence"] == "Béla has paid it since: book HUF\xa060 all the same, or nothing?"
    assert owners.post(url(played), stale | nothing["answers"][0]["fields"], headers=JSON).json()["number"]
    assert booked() == [20, 40, 60]
