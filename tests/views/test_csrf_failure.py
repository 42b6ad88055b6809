"""A post whose CSRF check failed: the form comes back filled in, and another site gets nothing."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from sessions_app.models import Evening, Hand, User
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.agreed_entries import pulka
from tests.views.error_pages import LANGUAGES, error_page
from tests.views.page import (
    ENGLISH,
    HTMX_HAND_FORM,
    HTMX_SESSION_FORM,
    Page,
    filled,
    hand_form,
    session_form,
)

CROSS_SITE = [
    pytest.param({"Sec-Fetch-Site": "cross-site"}, id="cross-site"),
    pytest.param({"Sec-Fetch-Site": "same-site"}, id="same-site"),
    pytest.param({"Origin": "https://example.com"}, id="origin"),
    pytest.param({"Origin": "null"}, id="no origin"),
]


@pytest.fixture
def strict(owner: User) -> Client:
    """The owner's phone, whose forms are checked for CSRF tokens as in production."""
    client = Client(enforce_csrf_checks=True, headers=ENGLISH)
    client.force_login(owner)
    return client


def without_token(fields: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}


def lose_the_cookie(client: Client) -> None:
    if "csrftoken" in client.cookies:
        del client.cookies["csrftoken"]


@pytest.mark.parametrize("headers", first(4, [{}, HTMX_HAND_FORM, {"Sec-Fetch-Site": "same-origin"}]))
@pytest.mark.parametrize("lost", ["cookie", "field", "both", "mismatch"])
def test_a_hand_whose_check_failed_comes_back_filled_in_and_the_next_tap_saves_it(
    strict: Client,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    headers: dict[str, str],
    lost: str,
):
    address = f"/sessions/{evening.pk}/hands/new/"
    form = hand_form(Page.of(strict.get(address)))
    posted = form | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "6", "opponent_tricks": "5"}
    if lost in ("cookie", "both"):
        lose_the_cookie(strict)
    if lost in ("field", "both"):
        posted = without_token(posted)
    if lost == "mismatch":
        posted["csrfmiddlewaretoken"] = "x" * 64
    before = written()
    response = strict.post(address, posted, headers=headers)
    page = Page.of(response)
    assert response.status_code == 403
    assert page.is_whole is not ("HX-Request" in headers)
    assert "Nothing was lost" in page.text
    assert written() == before
    again = hand_form(page)
    # The row of the split is there with six tricks, and the server names its players.
    drawn = {"note_split": "on", "tapped_for": "Cili : Anna"}
    assert without_token(again) == without_token(posted) | drawn
    assert strict.post(address, again, headers=headers).status_code in (200, 302)
    hand = Hand.objects.get()
    assert (str(hand.token), hand.deal) == (posted["token"], "2H 6-5-0")


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]))
def test_a_correction_whose_check_failed_comes_back_filled_in_and_the_next_tap_saves_it(
    strict: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=1)
    address = f"/sessions/{evening.pk}/hands/1/edit/"
    posted = hand_form(Page.of(strict.get(address))) | {"tricks": "9"}
    lose_the_cookie(strict)
    response = strict.post(address, posted, headers=headers)
    page = Page.of(response)
    assert response.status_code == 403
    assert "Nothing was lost" in page.text
    assert Hand.objects.get().deal == "2H 7"
    assert page.one("form", id="hand-form").attrs["action"] == address
    assert "Save hand 1" in page.buttons
    strict.post(address, hand_form(page), headers=headers)
    assert Hand.objects.get().deal == "2H 9"


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_SESSION_FORM]))
@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_a_new_session_whose_check_failed_comes_back_filled_in_and_the_next_tap_starts_it(
    strict: Client, db: None, headers: dict[str, str], who: str
):
    client = strict if who == "owner" else Client(enforce_csrf_checks=True, headers=ENGLISH)
    posted = {
        "token": str(uuid4()),
        "player_1": "Zoé <b>",
        "player_2": "مريم",
        "player_3": "👩‍👩‍👧",
        "player_4": "",
        "first_dealer": "3",
        "stake": "0.5",
        "currency": "EUR",
    }
    users = User.objects.count()
    response = client.post("/sessions/new/", posted, headers=headers)
    page = Page.of(response)
    assert response.status_code == 403
    assert page.is_whole is not bool(headers)
    assert "Nothing was lost" in page.text
    assert without_token(session_form(page)).items() >= posted.items()
    assert not Evening.objects.exists()
    assert User.objects.count() == users
    client.post("/sessions/new/", session_form(page), headers=headers)
    assert [seat.player.name for seat in Evening.objects.get().seats.all()] == ["Zoé <b>", "مريم", "👩‍👩‍👧"]


@pytest.mark.parametrize(
    ("address", "typed"),
    [
        ("/sessions/{evening}/edit/", {"title": "Zoé's <b>"}),
        ("/sessions/{pulka}/entries/new/", {"rows": "1", "account_0": "dump", "amount_0": "77"}),
        ("/sessions/{evening}/announce/", {"declarer": "1", "contract": "2"}),
        ("/sessions/{evening}/lineup/", {"name": "Zoé <b>"}),
        ("/circles/{circle}/repayments/", {"amount": "12 345", "note": "at <Anna>'s"}),
        ("/join/", {"link": "https://example.com/join/abc"}),
    ],
)
def test_form_whose_check_failed_comes_back_with_what_was_typed(
    strict: Client,
    owner: User,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    address: str,
    typed: dict[str, str],
):
    path = address.format(evening=evening.pk, circle=evening.circle_id, pulka=pulka(owner).pk)
    before = written()
    response = strict.post(path, typed)
    page = Page.of(response)
    assert response.status_code == 403
    form = hand_form(page) if path.endswith("announce/") else filled(page.form(path))
    assert form.items() >= typed.items()
    assert written() == before


def test_referee_s_tap_whose_check_failed_is_asked_for_again_on_the_same_page(
    strict: Client, evening: Evening, written: Callable[[], dict[str, Any]]
):
    before = written()
    response = strict.post(f"/sessions/{evening.pk}/referee/declarer/", {"seat": "1", "number": "1", "seen": "0"})
    page = Page.of(response)
    assert response.status_code == 403
    assert "Nothing was saved: tap again." in page.text
    assert page.one(id="referee")
    assert written() == before


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
def test_any_other_form_whose_check_failed_can_be_sent_again_from_a_page_of_ours(
    strict: Client, owner: User, evening: Evening, headers: dict[str, str], language: str
):
    record(evening, owner, "2H 7")
    address = f"/sessions/{evening.pk}/hands/1/void/"
    response = strict.post(address, {"sheet": "1"}, headers=headers)
    page = error_page(response, 403, language)
    assert ("nothing was changed yet" in page.text) is (language == "en")
    assert not Hand.objects.get().is_void
    form = page.form(address)
    assert without_token(filled(form)) == {"sheet": "1"}
    assert strict.post(address, filled(form), headers=headers)["Location"] == f"/sessions/{evening.pk}/?saved=1"
    assert Hand.objects.get().is_void


@pytest.mark.parametrize("name", ["Évi & Ödön", '"><script>alert(1)</script>', "שלום", "👍🏽"])
def test_a_form_to_be_sent_again_carries_what_was_typed_unchanged_and_escaped(strict: Client, db: None, name: str):
    page = Page.of(strict.post("/demo/", {"key": name}))
    assert filled(page.form("/demo/"))["key"] == name
    assert "<script>alert" not in page.html


@pytest.mark.parametrize("headers", CROSS_SITE)
@pytest.mark.parametrize("htmx", first(1, [{}, HTMX_HAND_FORM]))
def test_another_site_gets_nothing_filled_in_and_nothing_to_press(
    strict: Client,
    owner: User,
    evening: Evening,
    written: Callable[[], dict[str, Any]],
    headers: dict[str, str],
    htmx: dict[str, str],
):
    record(evening, owner, "2H 7")
    before = written()
    posts = {
        "hands/new/": hand_fields(evening),
        "hands/1/edit/": hand_fields(evening, tricks="9"),
        "hands/preview/": hand_fields(evening),
        "hands/1/void/": {"sheet": "1"},
        "end/": {},
    }
    for rest, posted in posts.items():
        response = strict.post(f"/sessions/{evening.pk}/{rest}", posted, headers=headers | htmx)
        page = Page.of(response)
        assert response.status_code == 403
        assert "hand-form" not in page.html
        assert [form.attrs["action"] for form in page.all("form")] == ["/language/"]
        assert "This did not come from one of our pages" in page.text
        assert "Anna" not in page.text
    assert written() == before


def test_a_failed_check_of_an_ended_session_still_says_that_it_has_ended(strict: Client, evening: Evening):
    Evening.objects.filter(pk=evening.pk).update(ended_at=evening.started_at)
    page = Page.of(strict.post(f"/sessions/{evening.pk}/hands/new/", hand_fields(evening)))
    assert "This session has ended." in page.text


# --- The headers that tell a script where a form's answer leads, and whether only its token was stale ---


SCRIPT = {"X-Act": "1"}


def test_a_script_is_told_where_the_form_leads(owners: Client, evening: Evening, owner: User):
    record(evening, owner, "2H 7", declarer=1)
    path = f"/sessions/{evening.pk}/hands/1/"
    response = owners.post(f"{path}void/", headers=SCRIPT)
    assert (response.status_code, response["X-Location"], response.content) == (200, path, b"")
    assert "Location" not in response


def test_script_that_opens_the_demo_becomes_a_guest(strangers: Client, db: None):
    key = Page.of(strangers.get("/demo/")).one("input", name="key").attrs["value"]
    response = strangers.post("/demo/", {"key": key}, headers=SCRIPT)
    assert response["X-Location"].startswith("/sessions/")
    assert response.cookies["sessionid"].value


def test_without_a_script_the_browser_is_led_on(owners: Client, evening: Evening):
    response = owners.post(f"/sessions/{evening.pk}/end/")
    assert response.status_code == 302
    assert "X-Location" not in response


@pytest.mark.parametrize("path", ["hands/new/", "hands/preview/", "announce/", "referee/call/", "end/"])
def test_a_form_whose_token_is_old_is_marked_as_one_to_be_sent_again(strict: Client, evening: Evening, path: str):
    response = strict.post(f"/sessions/{evening.pk}/{path}")
    assert (response.status_code, response["X-Stale-Token"]) == (403, "1")


def test_cross_site_post_is_not_marked_as_a_stale_token(strict: Client, evening: Evening):
    response = strict.post(f"/sessions/{evening.pk}/end/", headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403
    assert "X-Stale-Token" not in response


# --- Every form that posts has a CSRF token, without which a phone without scripts is refused ---


TEMPLATES = Path(settings.BASE_DIR) / "templates"
FORM = re.compile(r'<form\b[^>]*\bmethod="post".*?</form>', re.DOTALL)
INCLUDED = re.compile(r'\{% (?:include|once) "([^"]+)"')


def has_token(text: str) -> bool:
    """Return whether the text has a token itself, or includes a template that has one."""
    return "csrf_token" in text or any(has_token((TEMPLATES / name).read_text()) for name in INCLUDED.findall(text))


def test_every_form_that_posts_has_its_token() -> None:
    forms = {path: FORM.findall(path.read_text()) for path in TEMPLATES.rglob("*.html")}
    assert sum(map(len, forms.values())) > 60
    assert [(path.name, form) for path, found in forms.items() for form in found if not has_token(form)] == []
