"""Another phone comes in by a link, an app on the home screen by its code: the pages of both follow each other."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.drawing.qr_code import qr_code
from sessions_app.models import Evening, User
from tests.browser.phones import url

pytestmark = pytest.mark.django_db(transaction=True)
SELECTED = "() => getSelection().toString()"


@pytest.mark.parametrize("way", ["QR code", "typed code"])
def test_second_phone_comes_in_while_the_link_of_the_first_can_be_selected(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, way: str
):
    first, second = new_phone(), new_phone()
    sign_in(first, owner)
    first.goto("/me/")
    first.get_by_role("button", name="Another phone of mine").tap()
    first.get_by_label("Link", exact=True).select_text()
    link = first.evaluate(SELECTED)
    with first.expect_response("**/me/link/?live=*") as news:
        pass
    assert (news.value.status, first.evaluate(SELECTED)) == (204, link)
    if way == "QR code":
        assert first.locator("svg.qr path").last.get_attribute("d") == qr_code(link).path
        second.goto(link)
    else:
        second.goto("/join/")
        second.get_by_role("textbox").fill(first.locator(".typed-code").inner_text())
        second.get_by_role("textbox").press("Enter")
    second.get_by_role("button", name="Yes, this is my phone").tap()
    first.get_by_role("button", name="It is mine: let it in").tap()
    second.get_by_role("button", name="Open my circles").tap()
    expect(second.get_by_role("link", name="New session")).to_be_visible()
    expect(first.get_by_text("Done: the other phone is signed in.")).to_be_visible()
    second.goto(url(evening))
    expect(second.get_by_text("Anna").first).to_be_visible()
