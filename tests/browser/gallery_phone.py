"""The screens of a phone: hands that wait on it or were refused, no network, the left hand, the table view, limits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from playwright.sync_api import Page, expect

from scorekeeper.http import request_rejections
from sessions_app import rate_limits
from tests.browser import phones
from tests.browser.gallery import FOUR, LONG, Screen, played, submitted
from tests.factories import UserFactory, evening_of

#: A hand that was refused, one that was refused and is kept, one that waits behind them.
LEAVE_HANDS = """async ([session, declarers]) => {
    const hand = (number) => ({
        token: crypto.randomUUID(), session, url: `/sessions/${session}/hands/new/`, fields: [], number,
        label: `${declarers[number % declarers.length]} · 2 ♥︎ · kontra ×2 · arrivázs won · 7 tricks`,
    });
    const [refused, kept, waiting] = [hand(4), hand(5), hand(6)];
    for (const one of [refused, kept]) {
        await outbox.put(one);
        await outbox.refuse(one, { sentence: "Hand 4 was recorded on another phone meanwhile." });
    }
    await outbox.putAside(kept.token);
    await outbox.put(waiting);
}"""

#: Fills in and shows the notice of plain http, as worker_setup.js does.
SAY_PLAIN = """() => {
    const notice = document.getElementById("plain-http");
    notice.querySelector("p").textContent = words("plain-http");
    notice.hidden = false;
}"""

#: Payments: one that another phone has booked already, one that the server has refused, one that waits.
LEAVE_PAYMENTS = """async () => {
    await outbox.flush();
    outbox.flush = async () => {};
    const payment = (label) => ({
        token: crypto.randomUUID(), circle: "1", kind: "payment", url: "/circles/1/repayments/", fields: [], label,
        free: true,
    });
    const [told, refused, waiting] = ["Béla → Anna HUF 60", "Cili → Anna 0 HUF", "Cili → Anna 60 HUF"].map(payment);
    await outbox.markSent(await outbox.put(told), 1, "Cili has already booked this. It is booked once.");
    for (const one of [refused, waiting]) await outbox.put(one);
    await outbox.refuse(refused, { sentence: "The amount must be more than zero." });
}"""

#: Two hands that wait, as the form of the evening counts them. A sender that the page has started would send them too.
LEAVE_COUNTED = """async (session) => {
    await outbox.flush();
    outbox.flush = async () => {};
    for (const number of [4, 5]) await outbox.put({
        token: crypto.randomUUID(), session, url: `/sessions/${session}/hands/new/`, fields: [], number,
        label: "Anna · 2 ♥︎ · 7 tricks", amounts: [1200, -600, -600],
        after: { dealer: 2, first: 0, words: "Cili deals · Anna speaks first" },
    });
}"""


def screens() -> Iterator[Screen]:
    yield from _alone()
    yield from _left_thumb()
    yield from _tables()
    yield from _limits()


def _alone() -> Iterator[Screen]:
    keeper = UserFactory()
    evening = played(keeper, 3, names=LONG)
    here = phones.url(evening)
    yield Screen("session, hands on this phone only", keeper, here, lambda page: _leave_hands(page, here))
    yield Screen("session, about to drop one", keeper, here, lambda page: _leave_hands(page, here, drop=True))
    yield Screen("session, counted provisionally", keeper, here, lambda page: _leave_counted(page, here))
    yield Screen("hand, not void for want of network", keeper, f"{here}hands/2/", _void_into_nothing)
    yield Screen("session, by plain http", keeper, here, lambda page: page.evaluate(SAY_PLAIN))
    yield Screen("hand form, the last one waits", keeper, f"{here}hands/new/", _save_into_nothing)
    yield Screen("no network", keeper, "/offline/")
    yield Screen("circle, payments on this phone only", keeper, f"/circles/{evening.circle_id}/", _leave_payments)


def _left_thumb() -> Iterator[Screen]:
    keeper = UserFactory(thumb="left")
    here = phones.url(played(keeper, 12, names=LONG))
    yield Screen("session, left thumb", keeper, f"{here}?saved=12")
    yield Screen("hand form, left thumb", keeper, f"{here}hands/new/")
    yield Screen("referee, left thumb", keeper, f"{here}referee/")
    yield Screen("hand, left thumb", keeper, f"{here}hands/12/")


def _tables() -> Iterator[Screen]:
    keeper = UserFactory()
    many = played(keeper, 30, names=FOUR)
    yield Screen("table view, four long names", keeper, phones.url(many, "table/"))
    yield Screen("table view, all zero", keeper, phones.url(evening_of(keeper), "table/"))


def _limits() -> Iterator[Screen]:
    yield Screen("429, demo", None, "/demo/", _over("DEMOS", submitted))
    yield Screen("429, new session", None, "/sessions/new/", _over("NEW_CIRCLES", _start))
    yield Screen("429, link", None, "/join/1-nothing/", _over("WRONG_LINKS", Page.reload), status=404)
    yield Screen("413", None, "/", _refused)


def _leave_hands(page: Page, path: str, drop: bool = False) -> None:
    page.evaluate(LEAVE_HANDS, [path.split("/")[2], LONG])
    expect(phones.rows(page)).to_have_count(3)
    if drop:
        page.locator(".is-refused button").first.tap()


def _leave_counted(page: Page, path: str) -> None:
    page.evaluate(LEAVE_COUNTED, path.split("/")[2])
    expect(page.locator(".seat > .provisional")).to_have_count(3)


def _void_into_nothing(page: Page) -> None:
    page.route("**/token/", lambda route: route.fulfill(status=404))
    page.locator("main form .button").last.tap()
    expect(page.locator("#no-network")).to_be_visible()
    page.unroute("**/token/")


def _leave_payments(page: Page) -> None:
    page.evaluate(LEAVE_PAYMENTS)
    expect(page.locator("#waiting .waiting-hand")).to_have_count(3)


def _save_into_nothing(page: Page) -> None:
    page.route("**/hands/new/", lambda route: route.fulfill(status=500, body="broken"), times=1)
    page.evaluate("() => { outbox.flush = async () => {}; }")
    phones.tap_in(page, LONG[0])
    page.locator("button.primary").tap()
    expect(page.locator("#hand-news .notice")).to_be_visible()


def _refused(page: Page) -> None:
    """Answer as scorekeeper.http.asgi_bridge does, which does not stand before these tests."""
    answer = request_rejections.page(413, page.locator("html").get_attribute("lang") or "")
    page.route("**/refused/", lambda route: route.fulfill(status=413, headers=dict(answer.headers), body=answer.body))
    page.goto(f"{page.url}refused/")


def _over(name: str, act: Callable[[Page], object]) -> Callable[[Page], None]:
    """Do it when there may be none."""

    def show(page: Page) -> None:
        with _none(name):
            act(page)

    return show


@contextmanager
def _none(name: str) -> Iterator[None]:
    with patch.object(rate_limits, name, replace(getattr(rate_limits, name), most=0)):
        yield


def _start(page: Page) -> None:
    for seat, player in enumerate(("Anna", "Béla", "Cili"), start=1):
        page.locator(f"[name=player_{seat}]").fill(player)
    with page.expect_response(lambda response: response.status == 429):
        page.locator(".bar .button.primary").tap()
    page.locator(".notice:visible").wait_for()
