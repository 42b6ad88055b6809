"""Headers fade into each other, pages take taps meanwhile, and just change where somebody wants less motion."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import thumb
from tests.browser.phones import url
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

REMEMBER = "addEventListener('pagereveal', ({ viewTransition }) => { window.turns = Boolean(viewTransition); })"


@pytest.mark.parametrize(("motion", "turns"), first_rows(1, [("no-preference", True), ("reduce", False)]))
def test_a_page_turns_and_takes_the_first_tap(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    motion: str,
    turns: bool,
) -> None:
    page = new_phone(reduced_motion=motion)
    page.add_init_script(REMEMBER)
    sign_in(page, owner)
    page.goto(url(evening))
    page.get_by_role("link", name="Enter hand 1").tap()
    page.locator("[name=declarer][value='1']").tap()
    expect(page.locator("[name=declarer][value='1']")).to_be_checked()
    assert page.evaluate("window.turns") is turns


def test_skipped_page_transition_is_not_reported_as_an_error(page: Page, live_server: object) -> None:
    """Reject a promise as a browser does that skips the transition: an unhandled rejection fails the test."""
    page.goto("/")
    page.evaluate("""() => {
        const aborted = "Transition was aborted because of invalid state. ViewTransition opt-in disabled";
        Promise.reject(new DOMException(aborted, "InvalidStateError"));
    }""")


#: In the page itself, which has handled a touch when the browser says that it was dispatched.
NOTE_TOUCHES = """addEventListener("pointerdown", ({ target }) => {
    sessionStorage.touched = `${sessionStorage.touched ?? ""} ${target.tagName}`;
}, true)"""


def test_no_touch_is_lost_while_a_page_turns(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User
) -> None:
    page = new_phone(waits_for_scripts=False, reduced_motion="no-preference")
    page.add_init_script(NOTE_TOUCHES)
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    place = thumb.place_of(page.locator("[name=declarer][value='1']"))
    page.goto(url(evening))
    touches = thumb.Touches(page)
    touches.at(*thumb.place_of(page.locator("[data-next-hand]")))
    page.wait_for_url("**/hands/new/", wait_until="commit")
    thumb.wait_for_first_paint(page)
    # About one in 20 ms: each waits until the page has taken the one before.
    for _ in range(24):
        touches.at(*place)
    expect(page.locator("[name=declarer][value='1']")).to_be_checked()
    assert page.evaluate("sessionStorage.touched").split() == ["A", *["INPUT"] * 24]
