"""Pages fade into each other, take taps meanwhile, and just change where somebody wants less motion."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
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


def test_a_turn_that_the_browser_gives_up_is_no_error(page: Page, live_server: object) -> None:
    """As it rejects where the next page must not fade. An unhandled rejection fails the phone."""
    page.goto("/")
    page.evaluate("""() => {
        const aborted = "Transition was aborted because of invalid state. ViewTransition opt-in disabled";
        Promise.reject(new DOMException(aborted, "InvalidStateError"));
    }""")
