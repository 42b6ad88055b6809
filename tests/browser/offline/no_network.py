"""Three hands that are saved without network, and their balances."""

from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser import phones

#: Three hands as they are tapped, as the ledger has them afterwards, and the balances that they come to.
THREE = [
    {"declarer": "Béla"},
    {"declarer": "Cili", "contract": "1", "trump": "spades", "tricks": 8},
    {"declarer": "Anna"},
]
IN_THE_LEDGER = [(1, "2H 7", 1), (2, "1S 8", 2), (3, "2H 7", 0)]
BALANCES = (-6, -6, 12)


def enter_offline(page: Page, number: int, **hand: Any) -> None:
    """Save a hand into nothing, in an open form: it waits, and the form is ready for the next."""
    phones.tap_in(page, **hand)
    phones.save(page, number)
    expect(page.locator("#hand-news")).to_contain_text(f"Hand {number} is waiting on this phone")
    expect(page.get_by_role("button", name=f"Save hand {number + 1}")).to_be_visible()


def lose_the_answer(page: Page) -> None:
    """The server writes the next hand; its answer is lost on the way, and so are the requests after it.

    Before the form is opened: a page that is just coming may miss that its requests are to be caught.
    """
    written: list[int] = []

    def write_and_lose(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
            return
        if not written:
            written.append(route.fetch().status)
        route.abort("internetdisconnected")

    page.context.route("**/hands/new/", write_and_lose)
