"""Phones come in by a link, one to write and one to watch; the link is shown, copied and shared."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from sessions_app.models import Evening, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.writers import members
from tests.browser import thumb
from tests.browser.phones import url

pytestmark = pytest.mark.django_db(transaction=True)

#: Features of a phone with a share sheet, and those missing over plain http.
SHARE_SHEET = "navigator.share = async (what) => { window.shared = what; }"
PLAIN_HTTP = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"


@pytest.fixture
def annas(phone_of: Callable[..., Page], evening: Evening, owner: User) -> Page:
    """The owner's phone on the session's page."""
    return phone_of(owner, url(evening))


def show_link(page: Page, words: str = "Let someone else score") -> str:
    page.get_by_role("link", name="Invite").tap()
    page.get_by_role("button", name=words).tap()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_in_viewport(ratio=1)
    return page.get_by_role("textbox", name="Link").input_value()


def come_in(page: Page, link: str, who: str) -> None:
    page.goto(link)
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
    page.get_by_role("button", name=who).tap()
    expect(page.locator("#state")).to_be_visible()


def enter(page: Page) -> Locator:
    return page.get_by_role("link", name="Enter hand 1")


def test_no_request_after_joining_carries_the_token(
    new_phone: Callable[..., Page], evening: Evening, owner: User
) -> None:
    """Neither on the way in nor afterwards: the browser's Referer is the bare host."""
    token = token_of(members.make_link(evening.circle_id, Role.KEEPER, by=owner))
    bela = new_phone()
    asked: list[Request] = []
    bela.on("request", lambda request: asked.append(request))
    come_in(bela, f"/join/{token}/", "Béla")
    enter(bela).tap()
    expect(thumb.save(bela)).to_be_visible()
    sent = [request.all_headers() for request in asked]
    assert len(sent) > 3
    assert not [headers for headers in sent if token in str(headers)]


@pytest.mark.thorough
def test_the_link_is_shared_and_copied_where_the_phone_can(annas: Page) -> None:
    page = annas
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(SHARE_SHEET)
    link = show_link(page)
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Share").tap()
    assert page.evaluate("window.shared.url") == link


@pytest.mark.thorough
def test_over_plain_http_the_link_is_copied_the_old_way_and_not_shared(annas: Page) -> None:
    page = annas
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(PLAIN_HTTP)
    show_link(page)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    selected = page.evaluate("document.activeElement.value.slice(0, document.activeElement.selectionEnd)")
    assert selected == page.get_by_role("textbox", name="Link").input_value()


@pytest.mark.thorough
def test_the_code_is_black_on_white_by_day_and_by_night(annas: Page) -> None:
    page = annas
    show_link(page)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        fills = [path.evaluate("(it) => getComputedStyle(it).fill") for path in page.locator(".qr path").all()]
        assert fills == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
