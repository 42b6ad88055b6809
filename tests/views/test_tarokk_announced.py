"""A hand of Tarokk announced from the form, and finished in it."""

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, filled
from tests.views.refereeing import of_evening
from tests.views.refereeing_tarokk import ANNOUNCED, announce, bar, finish_form

PLAIN: dict[str, str] = {}


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_HAND_FORM]))
def test_it_is_announced_without_a_partner_and_without_a_result(
    owners: Client, tarokk: Evening, headers: dict[str, str]
):
    response = announce(owners, tarokk, headers, **ANNOUNCED)
    assert (response.headers.get("Location") or response.headers.get("HX-Redirect")) == of_evening(tarokk)
    row = HandInPlay.objects.get()
    assert (row.dealer, row.state) == (0, {"declarer": 1, "contract": "2", "announcing": "1-0-3-2 NK -T 8@1 /"})
    assert not Hand.objects.exists()


def test_every_phone_sees_what_is_played_and_not_with_whom(cast: dict[str, Client], tarokk: Evening):
    announce(cast["owner"], tarokk, partner="3", **ANNOUNCED)
    for who in ("owner", "keeper", "viewer"):
        shown = bar(cast[who], tarokk)
        line = shown.one("summary").text
        assert "Béla" in line
        assert "2+?" in line
        assert "Dóra" not in line
        assert [mark.text for mark in shown.one("summary").of_class("mark")] != []
    assert cast["outsider"].get(of_evening(tarokk)).status_code == 404


def test_the_bar_says_what_each_item_is_worth_and_what_each_seat_would_get(owners: Client, tarokk: Evening):
    announce(owners, tarokk, game_kontra="1", **ANNOUNCED)
    text = bar(owners, tarokk).text
    for said in ("game kontra ×2 +4 −4", "négy király kontra ×2 +4 −4", "opponents: tuletroá +2 −2"):
        assert said in text, text
    assert "alone −4 +4 +12 −12 −4 +4 −4 +4" in text or "alone +12 −12 −4 +4 −4 +4 −4 +4" in text, text


def test_the_form_is_finished_with_all_that_was_announced_in_it(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    form = finish_form(owners, tarokk)
    assert {name: form.get(name) for name in ANNOUNCED} == ANNOUNCED
    assert (form["declarer"], form["contract"], form.get("partner")) == ("1", "2", None)
    url = of_evening(tarokk, "hands/new/")
    assert owners.post(url, {**form, "partner": "3", "result": "+"}).status_code == 422
    response = owners.post(url, {**form, "partner": "3", "result": "+", "kings": "d", "trull": "none"})
    assert response.status_code == 302, Page.of(response).text
    hand = Hand.objects.get()
    assert (hand.deal, hand.declarer, hand.dealer) == ("2+2 + NK -T n 8@1", 1, 0)
    assert not HandInPlay.objects.exists()


@pytest.mark.parametrize(
    ("fields", "name", "sentence"),
    [
        ({"contract": None}, "contract", "Which contract?"),
        ({"declarer": None}, "declarer", "Who plays?"),
        ({"proba": "on"}, "", "A próba that is lost at once is saved, not announced."),
        ({"tarokks_0": "8", "tarokks_1": "8", "tarokks_2": "9"}, "tarokks_0", "Of 22 tarokks at most two"),
    ],
)
def test_what_is_missing_or_wrong_is_said(
    owners: Client, tarokk: Evening, fields: dict[str, str | None], name: str, sentence: str
):
    response = announce(owners, tarokk, **fields)
    assert response.status_code == 422
    page = Page.of(response)
    assert sentence in (page.error(name) if name else page.text)
    assert not HandInPlay.objects.exists()


def test_announcing_again_corrects_it_and_says_so(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    again = announce(owners, tarokk, d_kings=None, d_kings_kontra=None, o_trull=None, game_kontra="2")
    assert again.status_code == 302
    assert HandInPlay.objects.get().state["announcing"] == "1-0-3-2 R 8@1 /"
    page = Page.of(owners.get(of_evening(tarokk)))
    replaced = page.one("form", action=of_evening(tarokk, "announce/put-back/"))
    said = "Béla, kettes, négy király kontra ×2, opponents: tuletroá, nyolc tarokk"
    assert replaced.text.startswith(f"This replaced: {said}")


def test_a_form_that_was_open_meanwhile_is_told_of_every_announcement(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    live = owners.get(of_evening(tarokk, "hands/new/live/?number=1&seen=0"))
    told = Page.of(live).text
    for said in ("négy király (declarers): announced", "tuletroá (opponents): announced", "kontra ×2"):
        assert said in told
    assert "nyolc tarokk" in told


def test_a_form_is_told_that_an_announcement_was_taken_back(owners: Client, tarokk: Evening):
    announce(owners, tarokk, **ANNOUNCED)
    page = Page.of(owners.get(of_evening(tarokk, "announce/back/")))
    action = of_evening(tarokk, "announce/back/")
    owners.post(action, filled(page.one("form", action=action)))
    told = Page.of(owners.get(of_evening(tarokk, "hands/new/live/?number=1&seen=2")))
    assert "taken back" in told.text
    assert "négy király (declarers): not announced" in told.text
    # Its fields are emptied, the partner too, without a sentence on a partner that nobody knew.
    noted = {tag.attrs["data-field"]: tag.attrs for tag in told.all("span") if "data-field" in tag.attrs}
    assert noted["partner"]["data-value"] == ""
    assert "data-untold" in noted["partner"]
    assert "data-untold" not in noted["d_kings"]
