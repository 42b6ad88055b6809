"""Headers of every response: the content security policy, the cookies, the compression."""

import gzip
import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.test.utils import override_settings

from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import hand_fields, record
from tests.views.page import HTMX_HAND_FORM, Page, filled

PAGES = (
    *("/", "/games/asszorti/rules/", "/games/asszorti/worth/", "/sessions/", "/sessions/new/", "/demo/", "/nowhere/"),
    *("/sessions/{id}/", "/sessions/{id}/?saved=1", "/sessions/{id}/?before=2", "/sessions/{id}/live/?v=0"),
    *("/sessions/{id}/hands/new/", "/sessions/{id}/hands/1/", "/sessions/{id}/hands/1/edit/", "/sessions/{id}/settle/"),
)


@pytest.fixture
def full(owner: User, evening: Evening, play: Callable[..., Evening]) -> Evening:
    """An evening with something of everything in it, and an ended one beside it."""
    play(evening, 20)
    ledger.void(evening.pk, 2, by=owner)
    return evening


def answers(client: Client, evening: Evening) -> Iterator[tuple[str, Any]]:
    """Every page there is, by name."""
    for path in PAGES:
        address = path.format(id=evening.pk)
        yield address, client.get(address)
    yield "fragment", client.get(f"/sessions/{evening.pk}/hands/new/", headers=HTMX_HAND_FORM)
    evening.refresh_from_db()
    for name, fields in {"422": {"tricks": "12"}, "409": {"number": "99"}, "count": {"count": "1"}}.items():
        yield name, client.post(f"/sessions/{evening.pk}/hands/new/", hand_fields(evening, **fields))
    yield "session 422", client.post("/sessions/new/", {"player_1": "<b>"})
    strict = Client(enforce_csrf_checks=True)
    strict.cookies, strict.defaults = client.cookies, client.defaults
    yield "csrf", strict.post(f"/sessions/{evening.pk}/end/")
    evenings.end(evening.pk)
    yield "ended", client.post(f"/sessions/{evening.pk}/hands/1/void/")
    yield "ended page", client.get(f"/sessions/{evening.pk}/")
    yield "past", client.get("/sessions/")


#: All pages are asked for once, as the tests only look at them.
ANSWERED: list[tuple[str, Any]] = []


@pytest.fixture
def pages(request: pytest.FixtureRequest) -> list[tuple[str, Any]]:
    if not ANSWERED:
        ANSWERED.extend(answers(request.getfixturevalue("owners"), request.getfixturevalue("full")))
    return ANSWERED


def test_every_page_has_the_headers_that_let_in_nothing_but_our_own_files(pages: list[tuple[str, Any]]):
    for name, response in pages:
        policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
        assert {policy.pop(kind) for kind in ("default-src", "base-uri", "frame-ancestors")} == {"'none'"}, name
        assert policy.keys() >= {"script-src", "style-src", "img-src", "connect-src", "form-action"}, name
        assert set(policy.values()) == {"'self'"}, name
        assert "unsafe" not in response["Content-Security-Policy"]
        assert "Content-Security-Policy-Report-Only" not in response
        assert response["X-Content-Type-Options"] == "nosniff", name
        assert response["X-Frame-Options"] == "DENY", name
        assert response["Referrer-Policy"] == "same-origin", name
        assert response["Content-Type"] == "text/html; charset=utf-8", name
        assert response["X-Scorekeeper"] == "1", "the scripts believe no other answer"
        assert re.fullmatch("[0-9a-f]{8}", response["X-Request-ID"]), name
        assert not {"Server", "X-Powered-By", "Strict-Transport-Security"} & set(response.headers)
        assert "no-store" in response["Cache-Control"], name
        if response.status_code not in (403, 404):  # these have no part of their own
            varied = {header.strip() for header in response["Vary"].split(",")}
            assert varied >= {"HX-Request", "HX-Target", "Cookie", "Accept-Language"}, name


def test_no_page_holds_a_script_a_style_or_a_handler_or_names_a_host_or_a_file_that_is_not_there(
    pages: list[tuple[str, Any]],
):
    static = Path(settings.BASE_DIR) / "static"
    links = ("href", "src", "action", "srcset", "poster", "data", "formaction", "hx-get", "hx-post")
    for name, response in pages:
        page = Page.of(response)
        assert not re.search(r"https?:|(?<![:\w])//\w", page.html), name
        for node in page.nodes():
            assert node.tag != "style", name
            assert node.tag != "script" or ("src" in node.attrs and not node.element.text), name
            wrong = [attr for attr in node.attrs if attr == "style" or re.match(r"on|hx-on|hx-vals|hx-vars", attr)]
            assert wrong == [], f"{name}: {node.tag}"
            assert not any("javascript:" in value or value.startswith("js:") for value in node.attrs.values()), name
            # A filter in brackets is code that htmx would have to eval.
            assert "[" not in node.attrs.get("hx-trigger", ""), name
            assert not any(urlsplit(node.attrs.get(attr, "")).netloc for attr in links), name
            file = node.attrs.get("src") or (node.attrs.get("href", "") if node.tag == "link" else "")
            # The manifest and the scripts' messages are answers of their own.
            if file and node.attrs.get("rel") != "manifest" and not file.startswith("/messages/"):
                assert file.startswith("/static/")
                assert (static / file.removeprefix("/static/")).is_file()
    for path in [*static.rglob("css/**/*.css"), *static.rglob("js/*.js")]:
        assert not re.search(r"https?://|url\(\s*['\"]?//|@import", path.read_text()), path.name


def test_a_page_may_ask_a_phone_for_nothing_but_what_the_scripts_use(pages: list[tuple[str, Any]]):
    scripts = "".join(path.read_text() for path in (Path(settings.BASE_DIR) / "static/js").glob("*.js"))
    used = {"clipboard-write": "clipboard", "screen-wake-lock": "wakeLock"}
    for name, response in pages:
        policy = dict(part.strip().split("=") for part in response["Permissions-Policy"].split(","))
        assert {feature for feature, allowed in policy.items() if allowed != "()"} == set(used), name
        assert "web-share" not in policy, "the share sheet is open to a page unless it is denied"
        assert policy.keys() >= {"camera", "microphone", "geolocation", "payment", "usb"}, name
    assert all(call in scripts for call in used.values())


def test_camera_is_open_to_the_page_of_a_pasted_link_alone(strangers: Client):
    pasted, posted, other = strangers.get("/join/"), strangers.post("/join/"), strangers.get("/join/1-x/")
    for answer, allowed in ((pasted, "(self)"), (posted, "(self)"), (other, "()")):
        assert dict(part.split("=") for part in answer["Permissions-Policy"].split(", "))["camera"] == allowed


def test_every_page_says_what_it_is_to_who_finds_it_or_shares_it(pages: list[tuple[str, Any]], full: Evening):
    told: dict[str, set[str]] = {}
    for name, response in pages:
        page = Page.of(response)
        if page.is_whole:
            description = page.one("meta", name="description").attrs["content"]
            assert 20 < len(description) < 160, name
            assert not [seat for seat in full.seats.all() if seat.player.name in description], name
            told.setdefault(description, set()).add(page.title)
    # The title of the evening's page has its date; that of a hand's form, the hand's number.
    assert len(told) >= len({title for titles in told.values() for title in titles}) - 2


def cookies_of(client: Client, **extra: Any) -> dict[str, Any]:
    """The cookies that a phone gets in its life, by name: the sign-in, the form's check, the language."""
    client.get("/sessions/new/", **extra)
    client.post("/sessions/new/", {"player_1": "A", "player_2": "B", "player_3": "C", "first_dealer": "1"}, **extra)
    client.post("/language/", {"language": "hu", "next": "/"}, **extra)
    return dict(client.cookies)


def test_no_cookie_is_seen_by_scripts_or_sent_from_other_sites_and_looking_signs_nobody_in(strangers: Client):
    for path in ("/", "/sessions/", "/sessions/new/", "/demo/"):
        assert "sessionid" not in strangers.get(path).cookies
    cookies = cookies_of(strangers)
    assert set(cookies) == {"sessionid", "csrftoken", "django_language"}
    for name, cookie in cookies.items():
        assert cookie["httponly"] is True, name
        assert cookie["samesite"] == "Lax", name
        assert cookie["domain"] == "", name
        assert int(cookie["max-age"]) == 365 * 24 * 3600, name
        assert not cookie["secure"], f"{name}: over plain HTTP it would never come back"


def test_behind_https_every_cookie_is_secure_and_plain_http_is_sent_over_but_for_the_health_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, db: None
):
    monkeypatch.setenv("SCOREKEEPER_HTTPS", "true")
    monkeypatch.setenv("SCOREKEEPER_DATA", str(tmp_path))
    found = runpy.run_path(str(Path(settings.BASE_DIR) / "scorekeeper/settings.py"))
    prefixes = ("SECURE_", "SESSION_COOKIE", "CSRF_COOKIE", "LANGUAGE_COOKIE")
    with override_settings(**{name: value for name, value in found.items() if name.startswith(prefixes)}):
        cookies = cookies_of(Client(), secure=True)
        assert set(cookies) == {"__Host-sessionid", "__Host-csrftoken", "__Host-django_language"}
        for name, cookie in cookies.items():
            assert (cookie["path"], cookie["domain"]) == ("/", ""), name
            assert (cookie["secure"], cookie["httponly"]) == (True, True), name
        client = Client()
        response = client.get("/sessions/?page=2")
        assert (response.status_code, response["Location"]) == (301, "https://testserver/sessions/?page=2")
        assert client.get("/healthz").status_code == 200
        response = client.get("/", secure=True)
        assert response.status_code == 200
        assert response["Strict-Transport-Security"] == f"max-age={365 * 24 * 3600}", "of this host only"
        assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_answers_of_posts_are_not_cached(owners: Client, evening: Evening, owner: User):
    record(evening, owner, "2H 7")
    evening.refresh_from_db()
    for path, fields in {
        "/sessions/new/": {"player_1": "A", "player_2": "B", "player_3": "C", "first_dealer": "1"},
        f"/sessions/{evening.pk}/hands/new/": hand_fields(evening),
        f"/sessions/{evening.pk}/hands/1/void/": {},
        "/language/": {"language": "hu", "next": "/"},
    }.items():
        response = owners.post(path, fields)
        assert (response.status_code, response["Cache-Control"]) == (302, "private, no-store")


def test_answers_without_html_have_no_page_headers(owners: Client, evening: Evening):
    evening.refresh_from_db()
    poll = owners.get(f"/sessions/{evening.pk}/live/?v={evening.version}")
    assert poll.status_code == 204
    for response in (poll, owners.get("/token/"), owners.get("/manifest.webmanifest")):
        assert "Permissions-Policy" not in response
        assert response["X-Content-Type-Options"] == "nosniff"
    empty = owners.post(f"/sessions/{evening.pk}/hands/new/", hand_fields(evening))
    assert empty.status_code == 302
    for response in (poll, empty):
        assert "Content-Security-Policy" not in response, "nothing is there that it could be of"
    assert "default-src 'none'" in owners.get("/sw.js")["Content-Security-Policy"], "it is the worker's, too"


# --- Responses are compressed, and their length reveals no secret ---


ZIPPED = {"accept-encoding": "gzip, deflate, br, zstd"}


def unzipped(response: HttpResponse) -> Page:
    assert "Accept-Encoding" in response["Vary"]
    assert response["Content-Length"] == str(len(response.content))
    plain = HttpResponse(gzip.decompress(response.content))
    assert len(response.content) < len(plain.content) / 2
    return Page.of(plain)


def test_pages_parts_and_errors_are_gzipped_for_a_browser_that_accepts_it(owners: Client, full: Evening):
    for path in ("/", "/sessions/", "/sessions/{}/", "/sessions/{}/hands/new/", "/sessions/{}/settle/"):
        plain = owners.get(path.format(full.pk))
        assert "Content-Encoding" not in plain
        assert "Accept-Encoding" in plain["Vary"], "no cache may mix them up"
        zipped = owners.get(path.format(full.pk), headers=ZIPPED)
        assert zipped["Content-Encoding"] == "gzip"
        assert unzipped(zipped).title == Page.of(plain).title
        assert zipped["Cache-Control"] == plain["Cache-Control"]
    part = owners.get(f"/sessions/{full.pk}/hands/new/", headers={**HTMX_HAND_FORM, **ZIPPED})
    assert not unzipped(part).is_whole
    assert unzipped(owners.get("/nowhere/", headers=ZIPPED)).title
    assert "Content-Encoding" not in owners.get("/healthz", headers=ZIPPED), "it is short"


def test_length_and_form_token_of_a_page_change_each_time(owners: Client, full: Evening):
    page, live = f"/sessions/{full.pk}/settle/", f"/sessions/{full.pk}/live/?v=0"
    answers = [owners.get(page, headers=ZIPPED) for _time in range(20)]
    forms = [unzipped(answer).form("/language/") for answer in answers]
    assert len({filled(form)["csrfmiddlewaretoken"] for form in forms}) == len(answers)
    assert len({len(answer.content) for answer in answers}) > 5
    answers = [owners.get(live, headers=ZIPPED) for _time in range(20)]
    assert len({gzip.decompress(answer.content) for answer in answers}) == 1
    assert len({len(answer.content) for answer in answers}) > 5


def test_a_page_that_shows_a_link_to_the_table_is_not_compressed(owners: Client, evening: Evening):
    for role in ("keeper", "viewer"):
        owners.post(f"/sessions/{evening.pk}/invite/", {"role": role})
        response = owners.get(f"/sessions/{evening.pk}/invite/{role}/", headers=ZIPPED)
        assert "Content-Encoding" not in response
        assert "/join/" in response.content.decode()
