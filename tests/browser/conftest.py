"""A phone with a browser in it, whose test fails when the page complains or sends a request to another host."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils.safestring import SafeString
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from scorekeeper.db.cache import LRUCache
from sessions_app import cached_templates
from sessions_app.models import Evening, User
from sessions_app.readers.verify.evenings import evening_faults
from tests.browser import axe, nu, phones
from tests.browser.gallery import Screen
from tests.browser.phones import Phones
from tests.serving import prepared

# Playwright's synchronous interface runs in an event loop of its own; Django would take that for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

#: Milliseconds in which a page does what is expected of it: a busy machine takes many times what a phone does.
LONGEST = 30_000
expect.set_options(timeout=LONGEST)

WIDTH, HEIGHT = 390, 844
LOCALES = {"en": "en-GB", "hu": "hu-HU"}


def served_static() -> dict[str, Any]:
    """Return the settings by which static files are as they are served, not as they are written: hashed, in bundles."""
    storages = settings.STORAGES | {"staticfiles": {"BACKEND": "scorekeeper.http.bundles.Storage"}}
    return {"STORAGES": storages, "STATIC_ROOT": str(prepared() / "static")}


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    """The program with WhiteNoise before it, as it is served: an open page asks again for nothing that it has."""
    with override_settings(**served_static()):
        server = LiveServer("localhost", start=False)
        server.thread.static_handler = lambda application: application
        server.start()
    yield server
    server.stop()


@pytest.fixture
def served(live_server: LiveServer) -> Iterator[list[str]]:
    """Every HTML answer, as it is served."""
    server = live_server.thread.httpd
    application = server.get_app()
    ear = nu.Ear(application)
    server.set_app(ear)
    yield ear.heard
    server.set_app(application)


@pytest.fixture(scope="session")
def rendered() -> LRUCache[SafeString]:
    """The rendered parts of pages of this process's browser tests: they name other files than those of other tests."""
    return LRUCache()


@pytest.fixture(autouse=True)
def static_files(rendered: LRUCache[SafeString], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cached_templates, "_rendered", rendered)
    with override_settings(**served_static()):
        yield


@pytest.fixture(scope="session")
def base_url() -> None:
    """None: each phone is told its server. (The plugin's own fixture is one that pytest 9 warns of.)"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    found = {"executable_path": named} if named else {}
    is_root = hasattr(os, "getuid") and os.getuid() == 0
    camera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    hosts = ["--host-resolver-rules=MAP laptop.test 127.0.0.1"]  # a server that is reached without HTTPS
    return {**browser_type_launch_args, **found, "args": [*camera, *hosts], "chromium_sandbox": not is_root}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    viewport = {"width": WIDTH, "height": HEIGHT}
    phone = {"viewport": viewport, "is_mobile": True, "has_touch": True, "locale": "en-GB"}
    return {**browser_context_args, **phone, "timezone_id": "Europe/Budapest", "reduced_motion": "reduce"}


@pytest.fixture
def expected() -> set[str]:
    """Messages that the browser may write to its log in this test: the status of an answer, or a network error."""
    return set()


@pytest.fixture
def new_phone(
    browser: Browser, browser_context_args: dict[str, Any], live_server: Any, expected: set[str]
) -> Iterator[Phones]:
    """Pages of new phones, each with cookies of its own. At the end none of them has complained."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(said(message.text, what) for what in expected):
            complaints.append(f"{message.type}: {message.text}")

    def asked(request: Request) -> None:
        if not request.url.startswith((live_server.url + "/", "data:", "blob:")):
            complaints.append(f"asked a stranger: {request.url}")

    def phone(waits_for_scripts: bool = True, **context_args: Any) -> Page:
        context = browser.new_context(**{**browser_context_args, **context_args}, base_url=live_server.url)
        contexts.append(context)
        context.set_default_timeout(LONGEST)
        context.on("console", heard)
        context.on("weberror", lambda error: complaints.append(f"script: {error.error}"))
        context.on("request", asked)
        if waits_for_scripts and context_args.get("java_script_enabled", True):
            context.add_init_script(UNTOUCHED)
        return context.new_page()

    yield phone
    for context in contexts:
        context.close()
    assert complaints == []


#: Nothing can be tapped before a page's scripts have run: a thumb is seldom as quick as a test, which would send each
#: form by itself. test_hand_form.py touches pages from their first paint on.
UNTOUCHED = """{
    const untouched = new CSSStyleSheet();
    untouched.replaceSync("* { pointer-events: none !important }");
    document.adoptedStyleSheets = [untouched];
    document.addEventListener("DOMContentLoaded", () => { document.adoptedStyleSheets = []; });
}"""

#: A phone of a test that wants no service worker.
BLOCKED = "Service Worker registration blocked by Playwright"


def said(text: str, what: str) -> bool:
    """Return whether a line of the log is about this status or network error, and about nothing else."""
    if what.startswith("ERR_"):
        # The browser logs the last when it looks for a newer service worker without network.
        return text in (f"Failed to load resource: net::{what}", "An unknown error occurred when fetching the script.")
    return text.startswith((f"Failed to load resource: the server responded with a status of {what} ", BLOCKED))


@pytest.fixture(autouse=True)
def verified(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check after each test that every hand counts as it was played, and that no history is lost."""
    has_evenings = request.node.get_closest_marker("django_db") and not request.node.get_closest_marker("made_up")
    if has_evenings:
        request.getfixturevalue("transactional_db")
    yield
    if has_evenings:
        assert [str(fault) for evening in Evening.objects.all() for fault in evening_faults(evening)] == []


@pytest.fixture
def page(new_phone: Phones) -> Page:
    return new_phone()


@pytest.fixture
def sign_in(live_server: Any) -> Callable[[Page, User | None], None]:
    """Make a phone the phone of this user; None: of a stranger."""

    def become(page: Page, user: User | None) -> None:
        page.context.clear_cookies()
        if user is not None:
            client = Client()
            client.force_login(user)
            host = urlsplit(live_server.url).hostname
            cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": host, "path": "/"}
            page.context.add_cookies([cookie])  # type: ignore[list-item]

    return become


#: Each screen finds the phone as it was: before a page's own scripts open the outbox, its entries are deleted. A page
#: that no other one led to finds no half-filled form either.
EMPTY = """if (origin !== "null") {
    if (!document.referrer) sessionStorage.removeItem("half-filled");
    const opening = indexedDB.open("outbox", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("entries", { keyPath: "token" });
    opening.onsuccess = () => opening.result.transaction("entries", "readwrite").objectStore("entries").clear();
}"""


@pytest.fixture
def walk(
    new_phone: Phones, sign_in: Callable[..., None], expected: set[str]
) -> Callable[..., Iterator[tuple[str, Page]]]:
    """Go through screens on one phone with axe on it; yields each screen's name when it is shown."""

    def steps(screens: Sequence[Screen], **context_args: Any) -> Iterator[tuple[str, Page]]:
        expected.update(("400", "403", "404", "405", "409", "410", "413", "422", "429", "500", "503"))
        # The page's resources come from the server each time, not from the phone's cache.
        page = new_phone(**{"service_workers": "block", "is_mobile": False, **context_args})
        page.add_init_script(EMPTY)
        axe.lay_by(page)
        before = None
        for screen in screens:
            if screen.user is None or screen.user != before:
                # The screen before would see that its user has gone, and load itself anew in the midst of this.
                page.goto("about:blank")
                sign_in(page, screen.user)
            before = screen.user
            visit(page, screen)
            yield screen.name, page

    return steps


def visit(page: Page, screen: Screen) -> None:
    answer = page.goto(screen.path)
    assert answer is not None
    assert answer.status == screen.status, screen.name
    screen.show(page)
    page.wait_for_load_state()  # with its styles: the measuring test comes next


@pytest.fixture
def phone_of(new_phone: Phones, sign_in: Callable[..., None]) -> Phones:
    """A phone of this user, with a page open on it; the scripts run before each page's own."""

    def phone(user: User | None, path: str, *scripts: str, **context_args: Any) -> Page:
        page = new_phone(**context_args)
        for script in scripts:
            page.add_init_script(script)
        sign_in(page, user)
        page.goto(path)
        return page

    return phone


@pytest.fixture
def kept_phone(phone_of: Phones, expected: set[str]) -> Phones:
    """A phone of this user on the evening's sheet, whose service worker has cached its pages."""
    expected.update((phones.NO_NETWORK, "409", "422"))

    def phone(user: User, evening: Evening, **context_args: Any) -> Page:
        page = phone_of(user, phones.url(evening), **context_args)
        phones.kept(page)
        return page

    return phone
