"""Three phones at a table: one makes the session, two come in by a link, one to write and one to watch."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, Request, expect

from sessions_app.models import OwnershipClaim
from tests.browser import thumb

pytestmark = pytest.mark.django_db(transaction=True)

#: Features of a phone with a share sheet, and those missing over plain http.
SHARE_SHEET = "navigator.share = async (what) => { window.shared = what; }"
PLAIN_HTTP = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def new_guest(new_phone: Callable[..., Page], request: pytest.FixtureRequest) -> Callable[[], Page]:
    return lambda: new_phone(java_script_enabled=request.param)


def start(page: Page) -> None:
    page.goto("/sessions/new/")
    for label, name in zip(("First player", "Second player", "Third player"), ("Anna", "Béla", "Cili"), strict=True):
        page.get_by_role("textbox", name=label).fill(name)
    page.get_by_role("button", name="Start").tap()
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()


def invite(page: Page, words: str) -> str:
    """From the session page: two taps to the code. Return the link, and go back."""
    page.get_by_role("link", name="Invite").tap()
    page.get_by_role("button", name=words).tap()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_in_viewport(ratio=1)
    link = page.get_by_role("textbox", name="Link").input_value()
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()
    return link


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
def test_three_phones_at_a_table(new_guest: Callable[[], Page], expected: set[str]) -> None:
    expected.update(("403", "404", "410"))
    anna, bela, watcher, late = new_guest(), new_guest(), new_guest(), new_guest()
    start(anna)
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


def test_no_request_carries_the_token_away(new_phone: Callable[..., Page]) -> None:
    """Neither on the way in nor afterwards: the browser's Referer is the bare host."""
    anna, bela = new_phone(), new_phone()
    start(anna)
    link = invite(anna, "Let someone else score")
    asked: list[Request] = []
    bela.on("request", lambda request: asked.append(request))
    come_in(bela, link, "Béla")
    enter(bela).tap()
    expect(thumb.save(bela)).to_be_visible()
    token = link.rstrip("/").rpartition("/")[2]
    sent = [request.all_headers() for request in asked]
    assert len(sent) > 3
    assert not [headers for headers in sent if token in str(headers)]


@pytest.mark.thorough
def test_the_link_is_shared_and_copied_where_the_phone_can(new_phone: Callable[..., Page]) -> None:
    page = new_phone(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(SHARE_SHEET)
    show_link(page)
    link = page.get_by_role("textbox", name="Link").input_value()
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Share").tap()
    assert page.evaluate("window.shared.url") == link


@pytest.mark.thorough
def test_over_plain_http_it_is_copied_the_old_way_and_not_shared(new_phone: Callable[..., Page]) -> None:
    page = new_phone(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(PLAIN_HTTP)
    show_link(page)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    selected = page.evaluate("document.activeElement.value.slice(0, document.activeElement.selectionEnd)")
    assert selected == page.get_by_role("textbox", name="Link").input_value()


@pytest.mark.thorough
def test_without_scripts_there_is_the_link_to_read_and_no_button_that_does_nothing(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone(java_script_enabled=False)
    show_link(page)
    expect(page.get_by_role("textbox", name="Link")).to_have_value(re.compile("/join/"))
    expect(page.locator("[data-way]:visible")).to_have_count(0)


def show_link(page: Page) -> None:
    start(page)
    page.get_by_role("link", name="Invite").tap()
    page.get_by_role("button", name="Let someone else score").tap()
    expect(page.get_by_role("textbox", name="Link")).to_be_visible()


@pytest.mark.thorough
def test_the_code_is_black_on_white_by_day_and_by_night(new_phone: Callable[..., Page]) -> None:
    page = new_phone()
    show_link(page)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        fills = [path.evaluate("(it) => getComputedStyle(it).fill") for path in page.locator(".qr path").all()]
        assert fills == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


@pytest.mark.thorough
def test_a_keeper_takes_over_when_the_owner_s_phone_is_lost(new_phone: Callable[..., Page]) -> None:
    anna, bela, cili = new_phone(), new_phone(), new_phone()
    start(anna)
    link = invite(anna, "Let someone else score")
    come_in(bela, link, "Béla")
    come_in(cili, link, "Cili")
    ask_to_run(bela)
    open_members(cili)
    cili.get_by_role("button", name="Object").tap()
    expect(cili.get_by_role("heading", name="Béla asks to become owner")).to_have_count(0)
    bela.reload()
    ask_again(bela)
    OwnershipClaim.objects.update(made_at=timezone.now() - timedelta(hours=24))
    bela.reload()
    bela.get_by_role("button", name="Take over now").tap()
    expect(member(bela, "Béla").locator(".tag")).to_have_text("owner")
    expect(member(bela, "unnamed phone").locator(".tag")).to_have_text("owner")
    member(bela, "Cili").locator("summary").first.tap()
    expect(member(bela, "Cili").get_by_role("button", name="watches")).to_be_visible()


def ask_to_run(page: Page) -> None:
    open_members(page)
    ask_again(page)


def ask_again(page: Page) -> None:
    page.locator("summary", has_text="Lost the owner's phone?").tap()
    page.get_by_role("button", name="Become owner").tap()
    expect(page.get_by_role("heading", name="You have asked to become owner")).to_be_visible()


@pytest.mark.thorough
def test_the_maker_says_who_he_is(new_phone: Callable[..., Page]) -> None:
    page = new_phone()
    start(page)
    open_members(page)
    page.get_by_role("button", name="Anna").tap()
    expect(page.locator("summary", has_text="This phone is:")).to_have_text("This phone is: Anna")
    expect(member(page, "Anna").locator(".tag")).to_have_text("owner")
