"""The error pages, in both languages, with a way to go on; a form whose CSRF check failed comes back filled in."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.utils import override_settings

from sessions_app.models import Evening, Hand, Seat, User
from tests.factories import hand_fields, record
from tests.ledger.books import everything
from tests.views.agreed_entries import pulka
from tests.views.page import ENGLISH, HTMX_HAND_FORM, HUNGARIAN, Page, filled, hand_form, session_form

in_both_languages = pytest.mark.parametrize("headers", [ENGLISH, HUNGARIAN], ids=["en", "hu"])


def stale(response: Any) -> Page:
    """Return the page of a post whose CSRF token was refused, and which can be sent again."""
    assert response["X-Stale-Token"] == "1"
    return Page.of(response, 403)


def error_page(response: Any, status: int, headers: dict[str, str]) -> Page:
    """Return the page of a response of this status; it is whole, styled, in the language asked for, with a way home."""
    page = Page.of(response, status)
    assert page.language == headers["Accept-Language"]
    assert page.is_whole
    assert page.all("link", rel="stylesheet")
    assert page.one("h1").text
    assert "/" in page.links.values(), "a way home"
    return page


@in_both_languages
def test_refused_request_gets_a_page_of_ours(
    owners: Client, viewers: Client, evening: Evening, headers: dict[str, str]
):
    form = f"/sessions/{evening.pk}/hands/new/"
    too_many = {f"field{n}": "x" for n in range(1100)}
    unknown = ("/nowhere/", "/sessions/987654/", "/sessions/x/", "/admin/", "/%00", "/é/")
    for response, status, said in (
        *((viewers.get(path, headers=headers), 404, "Page not found") for path in unknown),
        (viewers.get(form, headers=headers), 403, "This phone can only watch."),
        (owners.post(form, too_many, headers=headers), 400, "Nothing was changed."),
        (Client().get("/", headers=headers | {"Host": "example.com"}), 400, ""),
    ):
        page = error_page(response, status, headers)
        assert (said in page.text) is (headers == ENGLISH or not said)
        assert not re.search(r"django|python|traceback|example\.com", page.html, re.I)


@in_both_languages
@override_settings(DEBUG=False)
def test_exception_gets_the_500_page_without_internals(
    owners: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
):
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise Seat.DoesNotExist("a secret of the inside")  # no row that the address names: that would be a 404

    monkeypatch.setattr("sessions_app.views.evening.seats_of", fail)
    owners.raise_request_exception = False
    htmx = {"HX-Request": "true", "HX-Target": "div#state"}
    for rest, sent in (("", headers), ("", headers | htmx), ("live/?v=0", headers | htmx)):
        response = owners.get(f"/sessions/{evening.pk}/{rest}", headers=sent)
        assert "default-src 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"
        page = error_page(response, 500, headers)
        assert ("This is our fault, not yours." in page.text) is (headers == ENGLISH)
        assert not re.search(r"secret|traceback|django|python", page.html, re.I)
        assert "safe" not in page.html, "who knows"


@pytest.fixture
def strict(owner: User) -> Client:
    """The owner's phone, whose forms are checked for CSRF tokens as in production."""
    client = Client(enforce_csrf_checks=True, headers=ENGLISH)
    client.force_login(owner)
    return client


def without_token(fields: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}


@pytest.mark.parametrize("lost", ["cookie", "field", "both", "mismatch"])
def test_a_hand_whose_check_failed_comes_back_filled_in_and_the_next_tap_saves_it(
    strict: Client, evening: Evening, lost: str
):
    address = f"/sessions/{evening.pk}/hands/new/"
    form = hand_form(Page.of(strict.get(address)))
    posted = form | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "6", "opponent_tricks": "5"}
    if lost in ("cookie", "both"):
        strict.cookies.pop("csrftoken")
    if lost in ("field", "both"):
        posted = without_token(posted)
    if lost == "mismatch":
        posted["csrfmiddlewaretoken"] = "x" * 64
    for headers in ({}, HTMX_HAND_FORM, {"Sec-Fetch-Site": "same-origin"}):
        page = stale(strict.post(address, posted, headers=headers))
        assert page.is_whole is not ("HX-Request" in headers)
        assert "Nothing was lost" in page.text
    assert not Hand.objects.exists()
    again = hand_form(page)
    # The row of the split is there with six tricks, and the server names its players.
    drawn = {"note_split": "on", "tapped_for": "Cili : Anna"}
    assert without_token(again) == without_token(posted) | drawn
    assert strict.post(address, again).status_code == 302
    hand = Hand.objects.get()
    assert (str(hand.token), hand.deal) == (posted["token"], "2H 6-5-0")
    correction = f"/sessions/{evening.pk}/hands/1/edit/"
    posted = hand_form(Page.of(strict.get(correction))) | {"trump": "clubs"}
    strict.cookies.pop("csrftoken", None)
    page = Page.of(strict.post(correction, posted))
    assert page.one("form", id="hand-form").attrs["action"] == correction
    assert "Save hand 1" in page.buttons
    strict.post(correction, hand_form(page))
    assert Hand.objects.get().deal == "2C 6-5-0"
    Evening.objects.filter(pk=evening.pk).update(ended_at=evening.started_at)
    assert "This session has ended." in Page.of(strict.post(address, hand_fields(evening))).text


def test_form_whose_check_failed_comes_back_with_what_was_typed(strict: Client, owner: User, evening: Evening):
    of_evening, entries = f"/sessions/{evening.pk}/", f"/sessions/{pulka(owner).pk}/entries/new/"
    before = everything()
    typed: dict[str, str]
    for path, typed in (
        (f"{of_evening}edit/", {"title": "Zoé's <b>"}),
        (entries, {"rows": "1", "account_0": "dump", "amount_0": "77"}),
        (f"{of_evening}announce/", {"declarer": "1", "contract": "2"}),
        (f"{of_evening}lineup/", {"name": "Zoé <b>"}),
        (f"/circles/{evening.circle_id}/repayments/", {"amount": "12 345", "note": "at <Anna>'s"}),
        ("/join/", {"link": "https://example.com/join/abc"}),
        ("/sessions/new/", {"player_1": "Zoé <b>", "player_2": "مريم", "player_3": "👩‍👩‍👧", "first_dealer": "3"}),
        *(("/demo/", {"key": name}) for name in ("Évi & Ödön", '"><script>alert(1)</script>', "שלום", "👍🏽")),
    ):
        page = stale(strict.post(path, typed))
        form = hand_form(page) if path.endswith("announce/") else filled(page.form(path))
        assert form.items() >= typed.items()
        assert "<script>alert" not in page.html
    stranger = Client(enforce_csrf_checks=True, headers=ENGLISH).post("/sessions/new/", {"player_1": "Zoé <b>"})
    assert session_form(Page.of(stranger, 403))["player_1"] == "Zoé <b>"
    page = stale(strict.post(f"{of_evening}referee/declarer/", {"seat": "1", "number": "1", "seen": "0"}))
    assert "Nothing was saved: tap again." in page.text
    assert page.one(id="referee")
    assert everything() == before


@in_both_languages
def test_any_other_form_whose_check_failed_can_be_sent_again_from_a_page_of_ours(
    strict: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    record(evening, owner, "2H 7")
    address = f"/sessions/{evening.pk}/hands/1/void/"
    response = strict.post(address, {"sheet": "1"}, headers=headers)
    page = error_page(response, 403, headers)
    assert ("nothing was changed yet" in page.text) is (headers == ENGLISH)
    assert not Hand.objects.get().is_void
    form = page.form(address)
    assert without_token(filled(form)) == {"sheet": "1"}
    assert strict.post(address, filled(form), headers=headers)["Location"] == f"/sessions/{evening.pk}/?saved=1"
    assert Hand.objects.get().is_void


def test_another_site_gets_nothing_filled_in_and_nothing_to_press(strict: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    before = everything()
    posts = {
        "hands/new/": hand_fields(evening),
        "hands/1/edit/": hand_fields(evening, tricks="9"),
        "hands/preview/": hand_fields(evening),
        "hands/1/void/": {"sheet": "1"},
        "end/": {},
    }
    sites = [{"Sec-Fetch-Site": site} for site in ("cross-site", "same-site")]
    sites += [{"Origin": origin} for origin in ("https://example.com", "null")]
    for (rest, posted), site, htmx in product(posts.items(), sites, ({}, HTMX_HAND_FORM)):
        response = strict.post(f"/sessions/{evening.pk}/{rest}", posted, headers=site | htmx)
        page = Page.of(response, 403)
        assert "X-Stale-Token" not in response
        assert "hand-form" not in page.html
        assert [form.attrs["action"] for form in page.all("form")] == ["/language/"]
        assert "This did not come from one of our pages" in page.text
        assert "Anna" not in page.text
    assert everything() == before


SCRIPT = {"X-Act": "1"}


def test_script_is_told_by_a_header_where_the_form_leads_and_a_browser_is_led_there(
    owners: Client, strangers: Client, evening: Evening, owner: User
):
    record(evening, owner, "2H 7", declarer=1)
    path = f"/sessions/{evening.pk}/hands/1/"
    response = owners.post(f"{path}void/", headers=SCRIPT)
    assert (response.status_code, response["X-Location"], response.content) == (200, path, b"")
    assert "Location" not in response
    response = owners.post(f"/sessions/{evening.pk}/end/")
    assert response.status_code == 302
    assert "X-Location" not in response
    key = Page.of(strangers.get("/demo/")).one("input", name="key").attrs["value"]
    response = strangers.post("/demo/", {"key": key}, headers=SCRIPT)
    assert response["X-Location"].startswith("/sessions/")
    assert response.cookies["sessionid"].value, "the demo makes it a guest"


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
