"""Phones come in by a link, one to write and one to watch; the link is shown, copied and shared."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from sessions_app.models import Evening, Role, User
from sessions_app.readers.people.invitations import token_of
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


def invite(page: Page, words: str) -> str:
    """From the session page: two taps to the code. Return the link, and go back."""
    link = show_link(page, words)
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()
    return link


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


def open_members(page: Page) -> None:
    page.get_by_role("link", name="Invite").tap()
    page.get_by_role("link", name="Members").tap()
    expect(page.get_by_role("heading", name="Phones in this circle")).to_be_visible()


def member(page: Page, words: str) -> Locator:
    return page.locator(".member").filter(has=page.locator(".whose-it-is", has_text=words))


def other(page: Page, words: str) -> Locator:
    """A member's line that is not of the phone that shows it."""
    return member(page, words).filter(has_not=page.locator(".seen", has_text="this phone"))


def enter(page: Page) -> Locator:
    return page.get_by_role("link", name="Enter hand 1")


@pytest.mark.thorough
def test_three_phones_at_a_table(annas: Page, new_phone: Callable[..., Page], expected: set[str]) -> None:
    expected.update(("403", "404", "410"))
    anna, bela, watcher, late = annas, new_phone(), new_phone(), new_phone()
    to_write, to_watch = invite(anna, "Let someone else score"), invite(anna, "Let someone watch")
    come_in(bela, to_write, "Béla")
    come_in(watcher, to_watch, "Just watching")
    expect(enter(bela)).to_be_visible()
    expect(enter(watcher)).to_have_count(0)
    change_roles(anna, bela, watcher)
    remove(anna, watcher, to_watch)
    revoke(anna, late)


def change_roles(anna: Page, bela: Page, watcher: Page) -> None:
    """Take the right to write from Béla and give it to the watcher; each phone learns it at its next poll."""
    session = bela.url
    open_members(anna)
    for who, role in (("Béla", "watches"), ("unnamed phone", "can score")):
        line = other(anna, who)
        line.locator("summary").first.tap()
        line.get_by_role("button", name=role, exact=True).tap()
        expect(line.locator(".tag")).to_have_text(role)
    bela.goto(session)
    expect(enter(bela)).to_have_count(0)
    assert status(bela, session + "hands/new/") == 403
    watcher.goto(session)
    expect(enter(watcher)).to_be_visible()


def remove(anna: Page, watcher: Page, link: str) -> None:
    session = watcher.url
    line = other(anna, "unnamed phone")
    line.locator("summary").first.tap()
    line.locator("summary", has_text="Remove this phone from the circle").tap()
    line.get_by_role("button", name="Remove").tap()
    expect(anna.locator(".member")).to_have_count(2)
    # In a tab of its own: the page that watches finds out by itself meanwhile, and goes there, too.
    tab = watcher.context.new_page()
    assert status(tab, session) == 404
    assert status(tab, link) == 410
    expect(tab.get_by_text("This phone was removed from the circle.")).to_be_visible()


def revoke(anna: Page, late: Page) -> None:
    anna.get_by_role("link", name="The session").tap()
    link = invite(anna, "Let someone else score")
    late.goto(link)
    expect(late.get_by_role("button", name="Béla")).to_contain_text("already on another phone")
    open_members(anna)
    anna.get_by_role("button", name="Revoke the scoring link").tap()
    expect(anna.get_by_role("heading", name="Open links")).to_have_count(0)
    late.get_by_role("button", name="Béla").tap()
    expect(late.get_by_role("heading", name="This link no longer works")).to_be_visible()


def status(page: Page, url: str) -> int:
    answer = page.goto(url)
    assert answer is not None
    return answer.status


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
