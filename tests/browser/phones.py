"""Actions of several phones at one table: open, tap a hand in, lose the network, find it again."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Hand
from tests.browser import thumb

#: A fixture that opens pages on new phones.
type Phones = Callable[..., Page]
#: The browser's log message for each request that found no network.
NO_NETWORK = "ERR_INTERNET_DISCONNECTED"
#: A phone whose browser has no service worker, as by plain http.
NO_WORKER = "delete Navigator.prototype.serviceWorker"
#: A phone with a share sheet.
SHARE_SHEET = "navigator.share = async (what) => { window.shared = what; }"


def look_again(page: Page) -> None:
    """Let an open page hear at once what its next poll would tell it: it polls whenever the network comes back."""
    page.evaluate("dispatchEvent(new Event('online'))")


def quicker(*times: int) -> str:
    """Return a script on a page by which its waits of so many milliseconds take a tenth of that."""
    return f"""{{
        const plainly = window.setTimeout;
        const quick = (time) => {list(times)}.includes(time) ? time / 10 : time;
        window.setTimeout = (act, time, ...more) => plainly(act, quick(time), ...more);
    }}"""


def url(evening: Evening, path: str = "") -> str:
    return f"/sessions/{evening.pk}/{path}"


def tap_in(page: Page, declarer: str, contract: str = "2", trump: str = "hearts", tricks: int = 7, **rows: Any) -> None:
    """Tap a hand into the open form, by the form's own names and values; not the button that saves it."""
    page.locator(f"[name=declarer][data-said='{declarer}']").tap()
    tap(page, contract=contract, trump=trump, tricks=tricks, **rows)


def tap(page: Page, **fields: object) -> None:
    """Tap the keys of the open form with these names and values."""
    for name, value in fields.items():
        page.locator(f"[name={name}][value='{value}']").tap()


def viewport(size: tuple[int, int]) -> dict[str, int]:
    return dict(zip(("width", "height"), size, strict=True))


def stop_clock(page: Page) -> None:
    """Let the installed clock of a page stand still, a few seconds from now: it cannot go back."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 10"))


def type_line(page: Page, line: str) -> None:
    """Type the open form's hand as one line, on a screen as large as those that have the field for it."""
    page.set_viewport_size({"width": 1024, "height": 844})
    page.locator(".deal-head > summary").click()
    page.get_by_label("Type it as one line").press_sequentially(line)


def stop_following(page: Page) -> None:
    """Let a form hear nothing of the others. Before it is opened: it asks at once, and each request is answered."""
    page.context.route("**/hands/new/live/**", lambda route: route.fulfill(status=204))


def save(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Save hand {number}", exact=True).tap()


def save_without_network(page: Page, *declarers: str) -> None:
    """From the sheet: save these hands into nothing, and go back to the sheet."""
    page.context.set_offline(True)
    page.locator("[data-next-hand]").tap()
    for declarer in declarers:
        tap_in(page, declarer)
        page.locator("button.primary").tap()
        expect(page.locator("#hand-news")).to_contain_text("is waiting on this phone")
        expect(page.locator("[name=declarer]:checked")).to_have_count(0)
    page.get_by_role("link", name="The session").tap()
    expect(rows(page)).to_have_count(len(declarers))


def sign(page: Page, words: str) -> None:
    expect(page.locator("#sign")).to_have_text(words)


def rows(page: Page) -> Locator:
    """The hands that are on this phone only, the latest first."""
    return page.locator("#waiting .waiting-hand")


def kept(page: Page) -> None:
    """Wait until the service worker keeps the sheet and the form of the evening on the page, and the form's tables."""
    until(page, "navigator.serviceWorker.controller && (await pages()).length === 2 && (await hasTables())")


def kept_in_memory(page: Page, evening: Evening) -> None:
    """Wait until the page itself keeps the same, as by plain http."""
    for path in (url(evening), url(evening, "hands/new/")):
        page.wait_for_function("(path) => pages.keeps(path)", arg=path)
    tables_came(page)


def tables_came(page: Page) -> None:
    """Wait until this page has fetched the tables of a form."""
    page.wait_for_function("""() => performance.getEntriesByType("resource").some(
        ({ name, responseStatus }) => name.includes("/count-tables/") && responseStatus === 200)""")


def until(page: Page, true: str) -> None:
    """Wait until this is true of the phone's storage: `await stored()` are the addresses of all that is kept of an
    evening, `await pages()` those of pages; `await hasTables()` is whether the tables are those that the pages name.
    """
    page.evaluate(
        """async () => {
        const stored = async () => {
            const names = (await caches.keys()).filter((name) => name.startsWith("pages:"));
            const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
            return kept.flat().map((request) => new URL(request.url)).map(({ pathname, search }) => pathname + search);
        };
        const pages = async () => (await stored()).filter((address) => !address.includes("/count-tables/"));
        const hasTables = async () => {
            const texts = await Promise.all((await pages()).map(async (page) => (await caches.match(page))?.text()));
            const named = texts.flatMap((text) => text?.match(/(?<=data-tables=")[^"]+/) ?? []);
            return [...(await pages()), ...named].sort().join() === (await stored()).sort().join();
        };
        TEST
    }""".replace("TEST", WAIT % true)
    )


#: Waiting for the result of an asynchronous function: Playwright's own wait does not await one.
WAIT = """
    for (const deadline = Date.now() + 10000; !(%s); await new Promise((again) => setTimeout(again, 50))) {
        if (Date.now() > deadline) throw new Error(`in vain; kept are ${await pages()}`);
    }
"""


def outbox(page: Page) -> list[dict[str, Any]]:
    """The entries of the outbox, in the order in which they were made."""
    page.wait_for_load_state("domcontentloaded")  # by then its scripts have run
    entries: list[dict[str, Any]] = page.evaluate("outbox.all()")
    return entries


def recorded(evening: Evening) -> list[tuple[int, str, int | None]]:
    """The hands of the ledger: number, deal, declarer."""
    return list(Hand.objects.filter(evening=evening).order_by("number").values_list("number", "deal", "declarer"))


def settled(page: Page, evening: Evening, balances: tuple[int, ...]) -> None:
    """Wait until the sheet shows these balances and nothing is left on this phone only."""
    thumb.expect_balances(page, balances)
    expect(rows(page)).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"/sessions/{evening.pk}/"))
