"""A page takes every touch from its first paint on: nothing fades, slides or lies over it meanwhile."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import thumb
from tests.browser.phones import url

pytestmark = pytest.mark.django_db(transaction=True)

#: In the page itself, which has handled a touch when the browser says that it was dispatched.
NOTE_TOUCHES = """addEventListener("pointerdown", ({ target }) => {
    sessionStorage.touched = `${sessionStorage.touched ?? ""} ${target.tagName}`;
}, true)"""


def test_page_takes_every_touch_from_its_first_paint_on(
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
