"""Payments that are asked about before they are booked: an amount, an equal payment, a line of a stale page."""

from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Repayment, User
from sessions_app.writers import repayments
from tests.views.circle.payments import HTMX_FORM, JSON, form_of, key, said, url
from tests.views.page import Page, filled

# --- The amount ---


@pytest.mark.parametrize("headers", [{}, HTMX_FORM])
def test_ambiguous_amount_is_asked_about_beside_its_field(owners: Client, euros: Evening, headers: dict[str, str]):
    posted = said(euros, currency="EUR", amount="1,500", note="at home")
    answer = owners.post(url(euros), posted, headers=headers)
    page = Page.of(answer)
    assert (answer.status_code, page.error("amount")) == (422, "Is it €1,500.00 or €1.50?")
    kept = form_of(page)
    assert (kept["amount"], kept["note"], kept["currency"]) == ("1,500", "at home", "EUR")
    buttons = {button.text: button.attrs["value"] for button in page.all("button", name="meant")}
    assert buttons == {"€1,500.00": "1500.00", "€1.50": "1.50"}
    for value, units in (("1500.00", 150_000), ("1.50", 150)):
        assert owners.post(url(euros), kept | {"token": str(uuid4()), "meant": value}).status_code == 302
        assert Repayment.objects.latest("pk").units == units


def test_ambiguous_amount_of_an_outbox_is_asked_about_with_its_readings(owners: Client, euros: Evening):
    posted = said(euros, currency="EUR", amount="1.500")
    answer = owners.post(url(euros), posted, headers=JSON)
    found = answer.json()
    assert (answer.status_code, found["sentence"]) == (422, "Is it €1,500.00 or €1.50?")
    assert [each["words"] for each in found["answers"]] == ["€1,500.00", "€1.50"]
    assert [each["label"] for each in found["answers"]] == ["Béla → Anna €1,500.00", "Béla → Anna €1.50"]
    assert owners.post(url(euros), posted | found["answers"][1]["fields"], headers=JSON).json()["number"]
    assert Repayment.objects.get().units == 150


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


# --- The same payment twice ---


def test_same_form_sent_again_books_once(owners: Client, played: Evening):
    fields = said(played)
    first, again = (owners.post(url(played), fields) for _ in range(2))
    assert first.url == again.url
    assert Repayment.objects.count() == 1
    told = owners.post(url(played), fields, headers=JSON)
    assert (told.status_code, told.json()) == (200, {"number": Repayment.objects.get().pk})


def test_phone_that_sends_what_another_has_booked_is_told_so(owners: Client, keepers: Client, played: Evening):
    fields = said(played)
    owners.post(url(played), fields)
    page = Page.of(keepers.get(keepers.post(url(played), fields).url))
    assert "Another phone has already booked this. It is booked once." in page.of_class("notice")[0].text
    answer = keepers.post(url(played), fields, headers=JSON)
    sentence = "Another phone has already booked this. It is booked once."
    assert answer.json() == {"number": Repayment.objects.get().pk, "sentence": sentence}


@pytest.mark.parametrize("headers", [{}, HTMX_FORM])
def test_equal_payment_by_another_phone_since_is_asked_about(
    owners: Client, keepers: Client, played: Evening, headers: dict[str, str]
):
    form = form_of(Page.of(keepers.get(url(played))))
    owners.post(url(played), said(played))
    posted = form | {name: str(value) for name, value in said(played).items()}
    answer = keepers.post(url(played), posted, headers=headers)
    page = Page.of(answer)
    assert (answer.status_code, page.is_whole) == (409, not headers)
    assert "Is this another one?" in page.of_class("notice")[0].text
    assert keepers.post(url(played), posted, headers=JSON).json()["another"] is True
    assert Repayment.objects.count() == 1
    assert keepers.post(url(played), form_of(page)).status_code == 302
    assert Repayment.objects.count() == 2


# --- A suggested payment of a page that is no longer current ---


@pytest.fixture
def stale(owners: Client, owner: User, played: Evening) -> dict[str, str]:
    """The form of Béla's 60 on a page that was opened before he paid 20."""
    page = Page.of(owners.get(f"/circles/{played.circle_id}/"))
    forms = [filled(each) for each in page.all("form") if "data-repay" in each.attrs]
    form = next(each for each in forms if each["payer"] == str(key(played, 1)))
    wanted = repayments.Wanted(key(played, 1), key(played, 0), 20, "HUF")
    repayments.book(played.circle_id, wanted, token=uuid4(), by=owner)
    return form


def booked() -> list[int]:
    return list(Repayment.objects.values_list("units", flat=True))


def test_stale_line_is_asked_about_with_an_answer_a_tap(owners: Client, played: Evening, stale: dict[str, str]):
    answer = owners.post(url(played), stale)
    page = Page.of(answer)
    assert answer.status_code == 409
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
