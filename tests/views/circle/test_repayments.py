"""The page of a circle's payments: booked by a form or an outbox, refused with a sentence, taken back."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Circle, Evening, Repayment, User
from sessions_app.writers import evenings, repayments
from tests.factories import UserFactory, evening_of, record, started
from tests.ledger.books import assert_verified
from tests.views.circle.payments import HTMX_FORM, JSON, form_of, key, said, url
from tests.views.page import Page, filled


def listed(page: Page) -> list[str]:
    return [row.text for row in page.all("li") if "data-repayment" in row.attrs]


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


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"payer": ""}, "payer", "Choose a player."),
        ({"payee": "9" * 30}, "payee", "This player is not in this circle."),
        ({"amount": ""}, "amount", "Enter an amount."),
        ({"amount": "1e3"}, "amount", "Enter an amount, such as 500."),
        ({"amount": "0"}, "amount", "The amount must be more than zero."),
        (
            {"amount": "0.5"},
            "amount",
            "This currency has no small change. Enter a whole amount, such as HUF 1 or HUF 5.",
        ),
        ({"amount": "1000000000001"}, "amount", "That is too much: at most HUF 1,000,000,000,000."),
        ({"amount": "€5"}, "amount", "You typed EUR, but HUF is selected here. Which is it?"),
        ({"currency": ""}, "currency", "In which currency?"),
        ({"currency": "EUR"}, "currency", "This circle has never played in this currency."),
        ({"for": "x"}, "for", "Choose one of the sessions offered."),
        ({"kind": "gift"}, "kind", "Choose one of the options."),
        ({"note": "x" * 201}, "note", "This is too long: 200 characters at most."),
        ({"note": "\u202e"}, "note", "This contains characters that cannot be shown."),
    ],
)
def test_bad_value_is_refused_beside_its_field_and_what_was_typed_is_kept(
    owners: Client, played: Evening, written: Callable[[], Any], fields: dict[str, str], field: str, sentence: str
):
    before, posted = written(), said(played, note="at home") | fields
    for headers in ({}, HTMX_FORM):
        answer = owners.post(url(played), posted, headers=headers)
        page = Page.of(answer)
        assert (answer.status_code, page.is_whole) == (422, not headers)
        assert page.error(field) == sentence
        kept = form_of(page)
        for name in {"amount", "note"} - fields.keys():
            assert kept[name] == posted[name]
        if field != "payer":
            assert kept["payer"] == str(posted["payer"])
    refused = owners.post(url(played), posted, headers=JSON)
    assert (refused.status_code, refused.json()["sentence"].replace("\xa0", " ")) == (422, sentence)
    assert written() == before


def test_payment_to_oneself_or_a_stranger_or_for_another_table_is_refused(
    owners: Client, owner: User, played: Evening, written: Callable[[], Any]
):
    strange = evening_of(UserFactory(), names=("Xénia", "Ypszilon", "Zoé"))
    record(strange, owner)
    later = evening_of(owner, names=("Anna", "Béla", "Dóra"))
    before = written()
    for fields, field, sentence in (
        ({"payee": key(played, 1)}, "payee", "Nobody pays themselves: choose two players."),
        ({"payee": key(strange, 1)}, "payee", "This player is not in this circle."),
        ({"for": strange.pk}, "for", "Choose a session of this circle with a hand on its sheet."),
        ({"for": later.pk}, "for", "Choose a session of this circle with a hand on its sheet."),
        (
            {"payee": key(later, 2), "for": [later.pk, played.pk]},
            "for",
            "Choose a session of this circle with a hand on its sheet.",
        ),
        ({"payee": key(later, 2), "for": played.pk}, "payee", "This player did not sit in that session."),
    ):
        answer = owners.post(url(played), said(played, **fields))
        assert (answer.status_code, Page.of(answer).error(field)) == (422, sentence)
    assert written() == before


@pytest.mark.parametrize(
    ("opening", "field", "sentence"),
    [
        (
            {"stake": Decimal("0.5"), "currency": "EUR"},
            "currency",
            "A payment for that session is in its currency: EUR.",
        ),
        (
            {"stake": None, "currency": ""},
            "currency",
            "A payment for that session is in its currency: Asszorti, in points.",
        ),
        ({"in_chips": True}, "for", "That session was paid in chips: nothing is to be paid for it."),
    ],
)
def test_payment_in_forints_for_a_session_without_them_is_refused(
    owners: Client, owner: User, played: Evening, opening: dict[str, Any], field: str, sentence: str
):
    other = started(
        evenings.Opening(("Anna", "Béla", "Cili"), 0, **{"stake": Decimal(10), "currency": "HUF"} | opening), by=owner
    )
    record(other, owner)
    evenings.end(other.pk)
    for headers in ({}, JSON):
        answer = owners.post(url(played), said(played, **{"for": other.pk}), headers=headers)
        assert answer.status_code == 422
        assert (answer.json()["sentence"] if headers else Page.of(answer).error(field)) == sentence
    assert not Repayment.objects.exists()


def test_paper_debt_is_listed_with_its_note(owners: Client, played: Evening):
    owners.post(url(played), said(played, kind="opening", currency="EUR", amount="5", note="the blue book"))
    assert Repayment.objects.get().kind == "opening"
    (row,) = listed(Page.of(owners.get(url(played))))
    assert "Béla owed Anna €5.00 the blue book From a paper book" in row


def test_paper_debt_in_a_currency_that_is_not_offered_is_typed_by_its_code(owners: Client, played: Evening):
    owners.post(url(played), said(played, kind="opening", amount="12,50 SEK"))
    row = Repayment.objects.get()
    assert (row.units, row.currency) == (1250, "SEK")
    page = Page.of(owners.get(url(played)))
    assert "Béla owed Anna SEK 12.50" in listed(page)[0]
    assert "SEK" in options(page, "currency")
    owners.post(url(played, "coins/"), {"coin_SEK": "100", "coin_HUF": "7", "coin_JPY": "5"})
    assert Circle.objects.get(pk=played.circle_id).cash_coins == {"SEK": 100}
    assert_verified()


# --- The form ---


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
    assert form_of(Page.of(owners.get(f"{url(played)}?evening={played.pk}")))["for"] == "", "the name of before"


def test_link_to_the_form_brings_several_sessions(owners: Client, owner: User, played: Evening):
    other = evening_of(owner)
    record(other, owner)
    evenings.end(other.pk)
    page = Page.of(owners.get(f"{url(played)}?for={played.pk}&for={other.pk}"))
    brought = [field.attrs["value"] for field in page.all("input", name="for")]
    assert brought == [str(played.pk), str(other.pk)]
    owners.post(url(played), said(played, **{"for": brought}))
    assert [each.pk for each in Repayment.objects.get().evenings.order_by("pk")] == [played.pk, other.pk]


def test_paper_debt_is_booked_for_no_session_whatever_was_chosen_before(owners: Client, played: Evening):
    page = Page.of(owners.get(url(played)))
    assert page.of_class("when-owed")[0].text == "Who owes"
    owners.post(url(played), said(played, kind="opening", **{"for": played.pk}))
    row = Repayment.objects.get()
    assert (row.kind, row.evenings.count()) == ("opening", 0)


# --- Taking back ---


def test_payment_taken_back_stays_in_the_list(owners: Client, keepers: Client, played: Evening):
    owners.post(url(played), said(played))
    page = Page.of(keepers.get(url(played)))
    (form,) = [each for each in page.all("form") if each.attrs.get("action", "").endswith("/undo/")]
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


def test_payment_of_another_circle_is_not_found(owners: Client, owner: User, played: Evening):
    other = evening_of(UserFactory(), names=("Xénia", "Ypszilon", "Zoé"))
    record(other, owner)
    wanted = repayments.Wanted(key(other, 0), key(other, 1), 1, "HUF")
    row = repayments.book(other.circle_id, wanted, token=uuid4(), by=owner).row
    for number in (row.pk, 0, 2**63, 10**30):
        for headers in ({}, JSON):
            assert owners.post(url(played, f"{number}/undo/"), headers=headers).status_code == 404
    row.refresh_from_db()
    assert not row.is_undone


# --- Who sees what ---


def test_many_payments_are_listed_page_by_page(owners: Client, owner: User, played: Evening):
    wanted = repayments.Wanted(key(played, 1), key(played, 0), 1, "HUF")
    for _ in range(31):
        repayments.book(played.circle_id, wanted, token=uuid4(), by=owner)
    page = Page.of(owners.get(url(played)))
    assert len(listed(page)) == 30
    assert len(listed(Page.of(owners.get(url(played, page.links["Earlier payments"].partition("#")[0]))))) == 1


def test_coins_of_the_circle_are_kept(owners: Client, played: Evening):
    page = Page.of(owners.get(url(played)))
    form = page.form(url(played, "coins/"))
    assert filled(form)["coin_HUF"] == ""
    assert owners.post(url(played, "coins/"), filled(form) | {"coin_HUF": "5"}).status_code == 302
    assert Circle.objects.get(pk=played.circle_id).cash_coins == {"HUF": 5}
    assert filled(Page.of(owners.get(url(played))).form(url(played, "coins/")))["coin_HUF"] == "5"
    owners.post(url(played, "coins/"), {"coin_HUF": "7", "coin_XYZ": "5"})
    assert Circle.objects.get(pk=played.circle_id).cash_coins == {}
