"""An open page follows the evening: what others write shows on it and disturbs nobody; and the dealer's chip."""

import pytest
from playwright.sync_api import Page, Request, expect

from sessions_app.models import Evening, Member, Role, User
from tests.browser import phones, thumb
from tests.browser.phones import NO_WORKER, Phones, look_again, url
from tests.factories import MemberFactory, record
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)


def asked(page: Page) -> list[Request]:
    """All that the page will ask for live parts from here on."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request) if "/live/" in request.url else None)
    return requests


def test_a_hand_comes_to_another_phone_without_a_reload_and_disturbs_nothing(
    phone_of: Phones, evening: Evening, owner: User, expected: set[str]
):
    expected.update((phones.NO_NETWORK, "404"))
    viewer = MemberFactory(circle=evening.circle, role=Role.VIEWER).user
    for _ in range(12):
        record(evening, owner, "2H 7", declarer=1)
    page = phone_of(viewer, url(evening), NO_WORKER, viewport={"width": 390, "height": 500})
    page.locator("#turn summary").tap()
    page.locator("#hand-6 a").focus()
    page.evaluate("scrollTo(0, 300)")
    page.evaluate("window.place = scrollY")
    record(evening, owner, "2H 7", declarer=1)
    look_again(page)
    expect(page.locator("[data-seat='1']")).to_have_attribute("data-balance", str(13 * 12))
    expect(page.locator("#hand-13")).to_contain_text("Béla")
    expect(page.locator("#turn details")).to_have_attribute("open", "")
    expect(page.locator("#hand-6 a")).to_be_focused()
    row = thumb.box_of(page.locator("#hand-13"))
    assert page.evaluate("scrollY - window.place") in (0, round(row["height"])), "at most moved on by the new row"
    # The server is out of reach, and back; then the member is removed.
    page.context.set_offline(True)
    phones.sign(page, "offline")
    page.context.set_offline(False)
    phones.sign(page, "saved")
    Member.objects.filter(user=viewer).delete()
    look_again(page)
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()


def polls_after(page: Page, requests: list[Request], milliseconds: int) -> list[Request]:
    """Let so much of the page's time pass; returns its polls in it, which have been answered."""
    requests.clear()
    page.clock.run_for(milliseconds)
    # The page's requests are known here before this is answered; and it sends its outbox before it waits again.
    ping = "fetch('/healthz').then((response) => response.text()).then(() => outbox.flush())"
    page.evaluate(ping)
    for request in requests:
        assert request.response()
    page.evaluate(ping)
    return list(requests)


def on_a_stopped_clock(page: Page, address: str) -> Page:
    """Open a page whose clock stands still from then on, but for the time that the test lets pass."""
    page.clock.install()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    phones.stop_clock(page)
    return page


HIDDEN = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true })"


def test_page_polls_every_two_seconds_every_ten_when_it_is_quiet_and_never_out_of_sight(
    phone_of: Phones, evening: Evening, owner: User
):
    page = on_a_stopped_clock(phone_of(owner, "/offline/", NO_WORKER), url(evening))
    requests = asked(page)
    # It asks for the whole state every half minute: the followers and the news change by themselves.
    page.clock.fast_forward(31_000)
    whole, *_others = [*requests, *polls_after(page, requests, 2_500)]
    assert whole.url.endswith("/live/")
    (poll,) = polls_after(page, requests, 2_500)
    assert poll.url.endswith(f"/live/?v={evening.version}")
    assert [answer and answer.status for answer in (whole.response(), poll.response())] == [200, 204]
    record(evening, owner, "2H 7", declarer=1)
    assert polls_after(page, requests, 2_500)
    expect(page.locator("#hand-1")).to_contain_text("Béla")
    # Ten minutes without news.
    page.clock.fast_forward("10:30")
    polls_after(page, requests, 2_500)
    # It waits from when it has an answer, which is a piece of time later.
    assert sum(len(polls_after(page, requests, 6_000)) for _piece in range(5)) in (2, 3)
    record(evening, owner, "2H 7", declarer=1)
    polls_after(page, requests, 10_500)
    expect(page.locator("#hand-2")).to_be_visible()
    assert polls_after(page, requests, 2_500)
    page.evaluate(HIDDEN % "true")
    assert polls_after(page, requests, 6_000) == []
    record(evening, owner, "2H 7", declarer=1)
    page.evaluate(HIDDEN % "false")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#hand-3")).to_be_visible()
    # An earlier page of the sheet stands still.
    page.goto(url(evening, "?before=2"))
    page.wait_for_load_state("networkidle")
    assert polls_after(page, requests, 6_000) == []


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


@pytest.mark.parametrize(
    ("motion", "came", "travels"), first_rows(1, [("no-preference", "deal", "0.22s"), ("reduce", "none", "0s")])
)
def test_the_chip_travels_to_the_next_dealer(
    phone_of: Phones, evening: Evening, owner: User, motion: str, came: str, travels: str
) -> None:
    record(evening, owner)
    page = phone_of(owner, url(evening, "?saved=1"), reduced_motion=motion)
    assert page.evaluate(CHIP) == [1, came, travels, True]
    record(evening, owner)
    look_again(page)
    expect(page.locator("#hand-2")).to_be_visible()
    assert page.evaluate(CHIP) == [2, "none", travels, True], "the same element, by a transition"
