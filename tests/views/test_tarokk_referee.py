"""The referee of Tarokk: auction, próba, announcements, honours, and the way to the form."""

from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay
from tests.views.page import HUNGARIAN, Page, filled
from tests.views.refereeing import ANNOUNCED, HTMX_REFEREE, Phone, announce, bar, calls, form_of, of_evening


@pytest.fixture
def phone(owners: Client, tarokk: Evening) -> Phone:
    return Phone(owners, tarokk)


def say(phone: Phone, *said: str) -> None:
    """The words of the seats whose turn it is, as they are offered."""
    for word in said:
        form = phone.page.one("form", id="turn")
        assert word in [node.attrs["value"] for node in form.nodes() if node.tag == "button"]
        response = phone.post("say", HTMX_REFEREE, seat=filled(form)["seat"], word=word)
        assert response.status_code == 200, word
        phone.page = Page.of(response)


def partner(phone: Phone, **said: str) -> None:
    response = phone.post("partner", HTMX_REFEREE, **said)
    assert response.status_code == 200
    phone.page = Page.of(response)


def test_hand_that_was_thrown_in_is_saved_once_unless_a_pass_was_taken_back_meanwhile(phone: Phone, tarokk: Evening):
    calls(phone, "pass", "pass", "pass", "pass")
    slower, again = Phone(phone.client, tarokk), Phone(phone.client, tarokk)
    phone.tap("uncall")
    assert slower.tap("finish").status_code == 409
    assert "The hand has changed meanwhile" in slower.text
    assert slower.offers("call")
    phone.open()
    refused = phone.post("finish", token=str(uuid4()))
    assert refused.status_code == 422, "nor does a post that the page does not offer"
    assert not Hand.objects.exists()
    calls(phone, "pass")
    again.open()
    assert phone.tap("finish").headers["HX-Redirect"] == of_evening(tarokk, "?saved=1")
    hand = Hand.objects.get()
    assert (hand.deal, hand.dealer, hand.declarer, hand.deal_stays) == ("", 0, None, True)
    assert not HandInPlay.objects.exists()
    # The same tap once more makes no other hand, whether the answer was lost or another phone was slower.
    again.tap("finish")
    assert Hand.objects.count() == 1


def test_proba_is_asked_at_once_whether_the_talon_brought_an_honour(phone: Phone, tarokk: Evening):
    calls(phone, "pass", "pass", "pass", "3?")
    assert "Próba: did the talon bring Anna an honour?" in phone.text
    # Three may still be raised; nothing else is asked before the answer.
    assert phone.offered("call", "call") == ["2", "1"]
    assert [phone.offers(verb) for verb in ("honour", "finish", "say", "close")] == [True, True, False, False]
    phone.tap("honour")
    assert HandInPlay.objects.get().state["honour"] == 1
    assert [phone.offers(verb) for verb in ("honour", "finish", "say", "call")] == [False, False, True, False]
    assert phone.post("finish", proba="1", token=str(uuid4())).status_code == 422
    assert phone.post("call", seat="0", call="2").status_code == 422
    phone.tap("unhonour")
    phone.tap("call", call="2")
    phone.tap("honour")
    say(phone, "mehet", "mehet", "mehet", "mehet")
    form = form_of(phone.client, tarokk)
    assert (form["declarer"], form["contract"], form.get("proba")) == ("0", "2", None)


def test_the_referee_follows_announcements_in_turn_to_the_form(phone: Phone, owners: Client, tarokk: Evening):
    calls(phone, "pass", "pass", "2", "pass")
    say(phone, "T", "mehet", "K", "mehet", "R")
    # Dóra has said rekontra to the declarers' game: she is the partner.
    assert "2 (Dóra)" in phone.text
    assert "kontra" in bar(owners, tarokk).text
    say(phone, "mehet", "mehet", "mehet", "mehet")
    assert phone.page.one("a", href=phone.url.replace("referee", "hands/new"))
    form = form_of(owners, tarokk)
    assert (form["partner"], form["game_kontra"], form["d_trull"]) == ("3", "2", "on")


def test_the_partner_is_known_to_all_once_it_is_tapped(phone: Phone, cast: dict[str, Client], tarokk: Evening):
    calls(phone, "pass", "pass", "2", "pass")
    partner(phone, seat="2")
    assert "2 (Cili)" in bar(cast["viewer"], tarokk).text
    assert form_of(cast["keeper"], tarokk)["partner"] == "2"
    partner(phone, partner="alone")
    assert "2 alone" in bar(cast["viewer"], tarokk).text
    partner(phone, partner="unknown")
    assert "2+?" in bar(cast["viewer"], tarokk).text
    assert phone.post("partner", seat="1").status_code == 422
    assert phone.post("partner").status_code == 400


def test_kontras_are_said_by_anybody_to_what_a_form_has_noted(phone: Phone, owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    phone.open()
    response = phone.post("say", HTMX_REFEREE, seat="3", word="-TK")
    phone.page = Page.of(response)
    assert HandInPlay.objects.get().state["announcing"] == "1-0-3-2 NK -T 8@1 / 3:-TK"
    assert "2 (Dóra)" in phone.text
    phone.tap("close")
    assert "Finish hand 1" in phone.text
    phone.tap("unsay")
    assert "No more announcements" in phone.text


def test_honours_and_kings_are_taken_to_the_form(phone: Phone, owners: Client, tarokk: Evening):
    calls(phone, "pass", "pass", "2", "pass")
    say(phone, "mehet", "mehet", "mehet", "mehet")
    for what, value in (("xxi", "D!"), ("kings", "0"), ("last", "d_won")):
        response = phone.post("take", HTMX_REFEREE, what=what, value=value)
        assert response.status_code == 200
        phone.page = Page.of(response)
    form = form_of(owners, tarokk)
    assert [form.get(name) for name in ("trull", "kings", "xxi", "pagat")] == ["d", "o", "d", "d_won"]
    for wrong in ({"what": "king"}, {"what": "kings", "value": "5"}, {"what": "xxi", "value": "E"}):
        assert phone.post("take", **wrong).status_code == 400


def test_every_page_shows_the_hand_in_play_in_hungarian(owners: Client, tarokk: Evening, phone: Phone):
    calls(phone, "3", "2", "pass", "pass", "pass")
    say(phone, "T", "8", "mehet", "K")
    for path, status in (("", 200), ("table/", 200), ("referee/", 200), ("announce/back/", 404), ("hands/new/", 200)):
        assert owners.get(of_evening(tarokk, path), headers=HUNGARIAN).status_code == status, path
