"""The result of an evening on its way to a chat."""

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Repayment, User
from sessions_app.writers import evenings
from tests.browser import thumb
from tests.browser.phones import SHARE_SHEET, Phones, url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)

#: The height in pixels by which the shadow below a button covers what stands under it.
COVERED = """([button, below]) => {
    const offset = parseFloat(getComputedStyle(button).boxShadow.split(") ")[1].split(" ")[1]);
    return button.getBoundingClientRect().bottom + offset - below.getBoundingClientRect().top;
}"""


def fetch_pictures(page: Page, evening: Evening) -> None:
    """Open the result on a phone that can share files, then choose another picture, then another theme."""
    page.add_init_script("navigator.canShare = (what) => what.files.every((file) => file instanceof File)")
    with page.expect_response(lambda answer: "export.png" in answer.url):
        page.goto(url(evening, "settle/"))
    with page.expect_response(lambda answer: "pays=1" in answer.url) as fetched:
        page.get_by_label("with the payments").check()
    assert fetched.value.headers["content-type"] == "image/png"
    with page.expect_response(lambda answer: "theme=dark" in answer.url and "pays=1" in answer.url):
        page.emulate_media(color_scheme="dark")


def share_picture(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # The answer's body may still be on its way into the script.
    page.wait_for_function(
        """() => { document.querySelector("[data-way=share]").click(); return window.shared?.files?.length === 1; }"""
    )
    shared = page.evaluate(
        """async () => ({ text: window.shared.text, type: window.shared.files[0].type,
        begin: [...new Uint8Array(await window.shared.files[0].arrayBuffer())].slice(0, 4) })"""
    )
    assert (shared["type"], shared["begin"]) == ("image/png", [0x89, 0x50, 0x4E, 0x47])
    assert "Béla → Anna" in shared["text"]
    assert not [each for each in asked if "export" in each], "a sheet opens only at once"


def test_ended_result_is_shared_or_copied_first_of_all_with_the_picture_that_was_fetched_before(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    clipboard = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = phone_of(owner, url(evening, "settle/"), SHARE_SHEET, **clipboard)
    page.get_by_role("button", name="End session").tap()
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    share, copy = page.locator("[data-way=share]"), page.locator("[data-way=copy]")
    expect(share).to_be_in_viewport()
    share.tap()
    text = page.get_by_role("textbox", name="As text").input_value()
    assert "Béla → Anna: HUF\N{NO-BREAK SPACE}60" in text
    assert page.evaluate("window.shared") == {"title": "Asszorti: the result", "text": text}
    copy.tap()
    told = page.get_by_role("status").filter(has_text="Copied.")
    expect(told).to_be_visible()
    assert page.evaluate(COVERED, [copy.element_handle(), told.element_handle()]) <= 0
    assert page.evaluate("navigator.clipboard.readText()") == text
    loud, plain = (one.evaluate("(one) => getComputedStyle(one).backgroundColor") for one in (share, copy))
    assert loud != plain, "one of the two is the one to tap"
    fetch_pictures(page, evening)
    share_picture(page)


def test_session_is_ended_and_paid_by_a_tap_a_line_without_a_scroll_and_the_other_phone_sees_it(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    low = {"width": 390, "height": 664}
    cannot_share = "delete Navigator.prototype.share"
    page, other = (phone_of(owner, url(evening, "settle/"), cannot_share, viewport=low) for _phone in range(2))
    page.mouse.wheel(0, 400)
    page.get_by_role("button", name="End session").tap()
    expect(other.get_by_text("Anna won")).to_be_visible()
    expect(other.locator("[data-way=copy]")).to_be_visible()
    expect(other.locator("[data-way=share]")).to_be_hidden()
    expect(other.get_by_role("button", name="End session")).to_have_count(0)
    lines = page.locator("form[data-repay] button")
    expect(lines).to_have_count(2)
    middle = thumb.middle_of(thumb.box_of(lines.first))
    for _tap in range(2):  # the other line moves to where this one was
        page.touchscreen.tap(*middle)
    expect(lines).to_have_count(1)
    page.touchscreen.tap(*middle)
    told = "Béla paid Anna HUF\N{NO-BREAK SPACE}60"
    for phone in (page, other):
        expect(phone.locator(".told-payment")).to_contain_text(told)
        expect(phone.locator("form[data-repay]")).to_have_count(1)
    expect(page.locator(".settling")).to_have_count(0)
    expect(lines.first).to_be_in_viewport(ratio=1)
    lines.first.tap()
    for phone in (page, other):
        expect(phone.get_by_text("All square: nothing is to be paid.").first).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Take back").first.tap()
    expect(lines).to_have_count(1)
    assert Repayment.objects.filter(undone_at=None).count() == 1


@pytest.mark.thorough
def test_lines_of_a_list_have_their_buttons_in_one_place_on_a_narrow_phone(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    for declarer, deal in ((0, "2H 7"), (1, "3S 9 K A*R"), (0, "2H 7")):
        record(evening, owner, deal, declarer=declarer)
    evenings.end(evening.pk)
    for language in ("en-GB", "hu-HU"):
        page = phone_of(owner, url(evening, "settle/"), viewport={"width": 320, "height": 844}, locale=language)
        expect(page.locator(".payable > li")).to_have_count(2)
        below = "(lines) => lines.map((line) => line.querySelector('.repay').offsetTop > line.offsetTop + 20)"
        assert page.locator(".payable > li").evaluate_all(below) == [True, True]
