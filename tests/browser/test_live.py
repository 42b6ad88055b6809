"""Several phones look at one evening: writes of one show on the others and disturb nobody; and the dealer's chip."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, expect

from sessions_app.models import Evening, Member, Role, User
from tests.browser import phones
from tests.browser.phones import NO_WORKER, url
from tests.factories import MemberFactory, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def viewer(evening: Evening) -> User:
    return MemberFactory(circle=evening.circle, role=Role.VIEWER).user


def asked(page: Page) -> list[Request]:
    """All that the page will ask for live parts from here on."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if "/live/" in request.url else None)
    return requests


def test_a_hand_comes_to_the_other_phones_without_a_reload_and_disturbs_nothing(
    phone_of: Callable[..., Page], evening: Evening, owner: User, viewer: User, expected: set[str]
):
    expected.update((phones.NO_NETWORK, "404"))
    keeper = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    for _ in range(12):
        record(evening, owner, "2H 7", declarer=1)
    low = {"width": 390, "height": 500}
    writer, *others = [phone_of(user, url(evening), NO_WORKER, viewport=low) for user in (owner, keeper, viewer)]
    phones.sign(others[1], "saved")
    for page in others:
        page.locator("#turn summary").tap()
        page.locator("#hand-6 a").focus()
        page.evaluate("scrollTo(0, 300)")
        page.evaluate("window.place = scrollY")
    phones.enter(writer, 13, "Béla")
    expect(writer.locator("#hand-13")).to_be_visible()
    for page in others:
        expect(page.locator("[data-seat='1']")).to_have_attribute("data-balance", str(13 * 12))
        expect(page.locator("#hand-13")).to_contain_text("Béla")
        expect(page.locator("#turn details")).to_have_attribute("open", "")
        expect(page.locator("#hand-6 a")).to_be_focused()
        row = page.locator("#hand-13").bounding_box()
        assert row is not None
        moved_on = page.evaluate("scrollY - window.place")
        assert moved_on in (0, round(row["height"])), "at most moved on by the new row"
    expect(others[0].get_by_role("link", name="Enter hand 14")).to_be_visible()
    expect(others[1].get_by_role("link", name="Enter hand 14")).to_have_count(0)
    # The server is out of reach, and back; then the member is removed.
    others[1].context.set_offline(True)
    phones.sign(others[1], "offline")
    others[1].context.set_offline(False)
    phones.sign(others[1], "saved")
    Member.objects.filter(user=viewer).delete()
    expect(others[1].get_by_role("heading", name="Page not found")).to_be_visible()


def until_it_asks(page: Page, most: int = 15_000) -> int:
    """Let time pass until the page has polled and been answered; returns the milliseconds."""
    requests = asked(page)
    for passed in range(500, most + 1, 500):
        page.clock.run_for(500)
        # The page's requests are known here before this is answered.
        page.evaluate("fetch('/healthz').then((response) => response.text())")
        if requests:
            page.wait_for_load_state("networkidle")
            return passed
    raise AssertionError(f"it has not asked for {most} ms")


HIDDEN = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true })"


@pytest.fixture
def stopped(phone_of: Callable[..., Page], owner: User) -> Callable[..., Page]:
    """A page whose clock stands still from when it is open, but for the time that a test lets pass."""

    def page_at(path: str) -> Page:
        page = phone_of(owner, "/offline/", NO_WORKER)
        page.clock.install()
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        return page

    return page_at


def test_page_polls_every_two_seconds_and_has_a_hand_within_three_of_its_clock(
    stopped: Callable[..., Page], evening: Evening, owner: User
):
    page = stopped(url(evening))
    # It asks for the whole state every half minute: the followers and the news change by themselves.
    requests = asked(page)
    page.clock.fast_forward(31_000)
    # One may have been under way when the clock jumped.
    until_it_asks(page)
    until_it_asks(page)
    whole = [request.response() for request in requests if request.url.endswith("/live/")]
    assert [answer and answer.status for answer in whole] == [200]
    for _ in range(2):
        with page.expect_response("**/live/**") as answer:
            assert until_it_asks(page) <= 2_500
        assert answer.value.status == 204
        assert answer.value.url.endswith(f"/live/?v={evening.version}")
    record(evening, owner, "2H 7", declarer=1)
    assert until_it_asks(page) <= 2_500
    page.clock.run_for(500)
    expect(page.locator("#hand-1")).to_contain_text("Béla")


def test_page_polls_more_seldom_after_ten_minutes_without_news_and_not_at_all_out_of_sight(
    stopped: Callable[..., Page], evening: Evening, owner: User
):
    page = stopped(url(evening))
    page.clock.fast_forward("10:30")
    until_it_asks(page)
    assert until_it_asks(page) >= 9_500
    record(evening, owner, "2H 7", declarer=1)
    until_it_asks(page)
    expect(page.locator("#hand-1")).to_be_visible()
    assert until_it_asks(page) <= 2_500
    page.evaluate(HIDDEN % "true")
    with pytest.raises(AssertionError, match="has not asked"):
        until_it_asks(page, 6_000)
    record(evening, owner, "2H 7", declarer=1)
    page.evaluate(HIDDEN % "false")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#hand-2")).to_be_visible()
    # An earlier page of the sheet stands still.
    page.goto(url(evening, "?before=2"))
    page.wait_for_load_state("networkidle")
    with pytest.raises(AssertionError, match="has not asked"):
        until_it_asks(page, 6_000)


# --- The dealer's chip: one element that travels from card to card, and is just there with reduced motion ---


#: The seat under the chip's middle, -1 if it lies on none; how it came there, and whether it goes on from there slowly.
CHIP = """() => {
    const chip = document.querySelector(".dealer-chip");
    window.chip ??= chip;
    for (const each of chip.getAnimations()) each.finish();
    const { animationName, transitionDuration } = getComputedStyle(chip);
    const box = chip.getBoundingClientRect();
    const middle = (box.left + box.right) / 2;
    const seat = [...document.querySelectorAll("[data-seat]")].find((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < middle && middle < right;
    });
    return [Number(seat?.dataset.seat ?? -1), animationName, transitionDuration, chip === window.chip];
}"""


@pytest.mark.parametrize(("motion", "came", "travels"), [("no-preference", "deal", "0.22s"), ("reduce", "none", "0s")])
def test_the_chip_travels_to_the_next_dealer(
    phone_of: Callable[..., Page], evening: Evening, owner: User, motion: str, came: str, travels: str
) -> None:
    record(evening, owner)
    page = phone_of(owner, url(evening, "?saved=1"), reduced_motion=motion)
    assert page.evaluate(CHIP) == [1, came, travels, True]
    record(evening, owner)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#hand-2")).to_be_visible()
    assert page.evaluate(CHIP) == [2, "none", travels, True], "the same element, by a transition"
