"""The referee on several phones: saving, stale taps, permissions, with and without htmx, and its queries."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, HandInPlay, User
from sessions_app.views.hand_form.referee import VERBS
from sessions_app.writers import evenings
from tests.factories import evening_of, record
from tests.selection import first
from tests.views.page import HTMX_BODY, Page
from tests.views.refereeing import HTMX_REFEREE, TWO_HEARTS, Phone, calls, finished, tricks, won

PLAIN: dict[str, str] = {}
EVERY_VERB = (*VERBS, "announce", "finish")


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/referee/{rest}"


# --- saving --------------------------------------------------------------------------------------------------


def test_the_count_is_explained_and_saving_leads_to_the_sheet(phone: Phone, evening: Evening):
    phone.tap("declarer", seat="1")
    phone.tap("announce", **TWO_HEARTS, announced="")
    finished(phone)
    assert "2, hearts +4 4 tricks above six, 2 each +8 Points +12 4 + 8 = 12." in phone.text
    assert "Save hand 1" in phone.page.buttons
    response = phone.tap("finish")
    assert response["HX-Redirect"] == f"/sessions/{evening.pk}/?saved=1"
    hand = Hand.objects.get()
    assert (hand.number, hand.dealer, hand.declarer, hand.deal) == (1, 0, 1, "2H 10-1-0")
    assert not HandInPlay.objects.exists()
    assert "Hand 2 Béla deals" in phone.open().text


def test_saving_twice_leads_both_to_the_one_hand(announced: Phone, evening: Evening):
    finished(announced)
    first, second = (
        announced.post("finish", token=token, idegen="0") for token in [HandInPlay.objects.get().token] * 2
    )
    assert first["Location"] == second["Location"] == f"/sessions/{evening.pk}/?saved=1"
    assert Hand.objects.count() == 1


def test_a_hand_that_is_not_over_is_not_saved(announced: Phone):
    response = announced.post("finish", token=str(HandInPlay.objects.get().token))
    assert response.status_code == 422
    assert "Only 0 of the eleven tricks are played." in Page.of(response).text


# --- other phones, other people ------------------------------------------------------------------------------


def test_a_tap_on_an_older_state_changes_nothing_and_shows_the_state_as_it_is(
    announced: Phone, keepers: Client, evening: Evening
):
    other = Phone(keepers, evening)
    announced.tap("trick", seat="1")
    before = list(HandInPlay.objects.values())
    response = other.tap("trick", seat="2")
    assert response.status_code == 409
    assert "The hand has changed meanwhile. This is how it is now." in other.text
    assert won(other) == ["1 Béla", "0 Cili", "0 Anna"]
    assert list(HandInPlay.objects.values()) == before
    assert other.tap("trick", seat="2").status_code == 200, "and from there it goes on"


def test_another_phone_goes_on_where_the_first_one_died(announced: Phone, keepers: Client, evening: Evening):
    tricks(announced, "1122")
    other = Phone(keepers, evening)
    tricks(other, "1111111")
    other.tap("finish", idegen="0")
    assert Hand.objects.get().deal == "2H 9-2-0 A+"


def test_a_hand_recorded_meanwhile_is_not_touched_by_an_old_tap(announced: Phone, owner: User, evening: Evening):
    record(evening, owner)
    response = announced.tap("trick", seat="1")
    assert response.status_code == 409
    assert "Hand 2 Béla deals" in announced.text
    assert not HandInPlay.objects.exists()


def test_an_ended_evening_says_so_and_takes_no_tap(announced: Phone, evening: Evening):
    evenings.end(evening.pk)
    response = announced.tap("trick", seat="1")
    assert response.status_code == 409
    assert "This session has ended." in announced.text
    assert HandInPlay.objects.get().state.get("play", "") == ""
    assert announced.open().all("form", action=f"{announced.url}trick/") == []


def test_a_viewer_sees_every_step_and_no_button(viewers: Client, phone: Phone, evening: Evening):
    def watched() -> str:
        page = Page.of(viewers.get(url(evening)))
        assert [form for form in page.all("form") if "/referee/" in form.attrs["action"]] == []
        return page.text.replace("\u2068", "").replace("\u2069", "")

    assert "Béla is to call." in watched()
    calls(phone, "3", "pass", "pass")
    assert "Béla plays: 3 or higher." in watched()
    phone.tap("announce", **TWO_HEARTS)
    phone.tap("say", item="game", seat="2")
    assert "×2 Cili kontra" in watched()
    finished(phone)
    assert "Béla claimed the rest" in watched()


@pytest.mark.parametrize("headers", first(1, [PLAIN, HTMX_REFEREE]))
@pytest.mark.parametrize(("who", "status"), [("viewer", 403), ("outsider", 404), ("stranger", 404)])
def test_nobody_else_taps(
    cast: dict[str, Client], announced: Phone, evening: Evening, who: str, status: int, headers: dict[str, str]
):
    before = list(HandInPlay.objects.values())
    for verb in EVERY_VERB:
        said = announced.shown | {"seat": "1", "item": "game", "call": "3"} | TWO_HEARTS
        response = cast[who].post(url(evening, f"{verb}/"), said, headers=headers)
        assert response.status_code == status, verb
    assert list(HandInPlay.objects.values()) == before


@pytest.mark.parametrize("who", ["outsider", "stranger"])
def test_nobody_else_sees_it(cast: dict[str, Client], evening: Evening, who: str):
    for path in ("", "live/", "live/?v=1"):
        assert cast[who].get(url(evening, path)).status_code == 404


def test_a_keeper_referees_as_the_owner_does(keepers: Client, evening: Evening):
    phone = Phone(keepers, evening)
    calls(phone, "3", "pass", "pass")
    phone.tap("announce", **TWO_HEARTS)
    finished(phone).tap("finish")
    assert Hand.objects.get().deal == "2H 10-1-0"


# --- with and without htmx -----------------------------------------------------------------------------------


def test_without_scripts_each_tap_leads_back_to_the_page(phone: Phone, evening: Evening):
    response = phone.post("call", call="3", seat="1")
    assert (response.status_code, response["Location"]) == (302, url(evening))
    assert "Cili is to call." in phone.open().text


def test_without_scripts_a_refusal_is_a_whole_page(phone: Phone):
    response = phone.post("call", call="2", seat="1")
    assert response.status_code == 422
    assert Page.of(response).is_whole


def test_for_htmx_each_tap_is_answered_with_the_part_that_changes(phone: Phone):
    response = phone.tap("call", call="3")
    assert response.status_code == 200
    assert not phone.page.is_whole
    assert "<html" not in phone.page.html
    assert phone.page.one("div", id="referee").attrs["data-version"] == "2"
    assert Page.of(phone.client.get(phone.url, headers=HTMX_BODY)).is_whole


def test_live_is_silent_while_nothing_is_new_and_gives_the_part_that_changes(phone: Phone, viewers: Client):
    assert viewers.get(phone.url + "live/?v=1").content == b""
    assert viewers.get(phone.url + "live/?v=1").status_code == 204
    calls(phone, "3")
    response = viewers.get(phone.url + "live/?v=1")
    page = Page.of(response)
    assert response.status_code == 200
    assert not page.is_whole
    assert "Cili is to call." in page.text
    assert viewers.get(phone.url + "live/?v=2").status_code == 204
    assert viewers.get(phone.url + "live/?v=x").status_code == 200
    assert viewers.get(phone.url + "live/").status_code == 200


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("call", {"call": "5", "seat": "1"}),
        ("call", {"call": "3"}),
        ("call", {"call": "3", "seat": "x"}),
        ("call", {"call": "3", "seat": "-1"}),
        ("call", {"call": "3", "seat": "9" * 5000}),
        ("call", {"call": "3", "seat": "1", "seen": ""}),
        ("call", {"call": "3", "seat": "1", "seen": "x"}),
        ("call", {"call": "3", "seat": "1", "number": "٣"}),
        ("say", {"item": "trick", "seat": "1"}),
        ("finish", {"token": "x"}),
        ("finish", {}),
        ("announce", {"number": "1e9"}),
    ],
)
def test_what_no_page_of_ours_sends_is_a_bad_request(phone: Phone, verb: str, said: dict[str, str]):
    assert phone.post(verb, **said).status_code == 400
    assert not HandInPlay.objects.exists()


@pytest.mark.parametrize("contract", ["4", "", "<b>", "x" * 10_000])
def test_an_unknown_contract_is_asked_for_again(phone: Phone, contract: str):
    phone.tap("declarer", seat="1")
    response = phone.post("announce", contract=contract, trump="hearts")
    assert response.status_code == 422
    assert Page.of(response).error("contract")


def test_a_page_whose_cookie_is_gone_comes_back_as_it_was(owner: User, evening: Evening):
    strict = Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)
    strict.force_login(owner)
    response = strict.post(url(evening, "call/"), {"number": "1", "seen": "0", "seat": "1", "call": "3"})
    page = Page.of(response)
    assert response.status_code == 403
    assert "Nothing was saved: tap again." in page.text
    assert page.all("form", action=url(evening, "call/"))
    assert not HandInPlay.objects.exists()


def test_names_are_escaped_in_every_step(owners: Client, owner: User):
    evening = evening_of(owner, names=("<b>A</b>", "B&amp;", "{{ c }}"))
    phone = Phone(owners, evening)
    calls(phone, "3", "2", "pass", "pass")
    phone.tap("announce", **TWO_HEARTS, announced="announced")
    phone.tap("say", item="game", seat="0")
    for html in (phone.page.html, Page.of(owners.get(f"/sessions/{evening.pk}/")).html):
        assert "<b>A</b>" not in html
        assert "&lt;b&gt;A&lt;/b&gt;" in html
        assert "{{ c }}" in html


@pytest.mark.parametrize("hands", [3, 100])
def test_it_asks_the_same_few_queries_however_long_the_evening_is(
    owners: Client,
    evening: Evening,
    play: Callable[..., Evening],
    django_assert_num_queries: Callable[..., object],
    hands: int,
):
    play(evening, hands)
    phone = Phone(owners, evening)
    with django_assert_num_queries(5):
        owners.get(phone.url)
    with django_assert_num_queries(1):
        owners.get(f"{phone.url}live/?v={evening.version}")
    with django_assert_num_queries(12):
        phone.tap("call", call="3")
    with django_assert_num_queries(4):
        owners.get(phone.url)
    with django_assert_num_queries(5):
        owners.get(f"{phone.url}live/?v=1")
    with django_assert_num_queries(11):
        phone.tap("call", call="2")
