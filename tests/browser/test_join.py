"""Phones come in by a link that is shown, copied, shared, scanned or pasted.

The camera is Chromium's fake one, its reader of codes ours.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from sessions_app.models import Evening, Role, User
from sessions_app.readers.people.members import token_of
from sessions_app.writers import members
from tests.browser import phones, thumb
from tests.browser.phones import SHARE_SHEET, Phones, url

pytestmark = pytest.mark.django_db(transaction=True)

#: Removes the clipboard, as plain http does, and the notice of the copy before.
NO_CLIPBOARD = """
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.querySelector("[data-done]").textContent = "";
"""
#: Reads `window.code` in each picture, and keeps the tracks of the camera.
READER = """
window.BarcodeDetector = class {
    static getSupportedFormats = async () => ["ean_13", "qr_code"];
    detect = async (video) => (window.code && video.videoWidth ? [{ rawValue: window.code }] : []);
};
const camera = MediaDevices.prototype.getUserMedia;
MediaDevices.prototype.getUserMedia = async function (wanted) {
    if (window.refuses) throw new Error("NotAllowedError");
    if (window.hesitates) await new Promise((resolve) => { window.grant = resolve; });
    const stream = await camera.call(this, wanted);
    window.tracks = [...(window.tracks ?? []), ...stream.getTracks()];
    return stream;
};
"""
STATES = "(window.tracks ?? []).map((track) => track.readyState)"
#: Scripts and taps by which a user leaves the camera.
WAYS: dict[str, Callable[[Page], Any]] = {
    "stopped": lambda page: page.get_by_role("button", name="Turn the camera off").tap(),
    "left": lambda page: page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))"),
    "hidden": lambda page: page.evaluate("""
        Object.defineProperty(document, "hidden", { value: true });
        document.dispatchEvent(new Event("visibilitychange"));
    """),
}


def test_link_is_shared_and_copied_where_the_phone_can_and_no_request_after_joining_carries_its_token(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    """Neither on the way in nor afterwards: the browser's Referer is the bare host."""
    clipboard = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = phone_of(owner, url(evening), SHARE_SHEET, **clipboard)
    page.get_by_role("link", name="Invite").tap()
    page.get_by_role("button", name="Let someone else score").tap()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_in_viewport(ratio=1)
    link = page.get_by_role("textbox", name="Link").input_value()
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Share").tap()
    assert page.evaluate("window.shared.url") == link
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        fills = [path.evaluate("(it) => getComputedStyle(it).fill") for path in page.locator(".qr path").all()]
        assert fills == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"], "by day and by night"
    page.evaluate(NO_CLIPBOARD)
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("status").filter(has_text="Copied.")).to_be_visible()
    assert page.evaluate("document.activeElement.value.slice(0, document.activeElement.selectionEnd)") == link
    bela = phone_of(None, "/")
    asked: list[Request] = []
    bela.on("request", lambda request: asked.append(request))
    bela.goto(link)
    bela.get_by_role("button", name="Béla").tap()
    bela.get_by_role("link", name="Enter hand 1").tap()
    expect(thumb.save(bela)).to_be_visible()
    sent = [request.all_headers() for request in asked]
    assert len(sent) > 3
    token = link.rstrip("/").rpartition("/")[2]
    assert not [headers for headers in sent if token in str(headers)]


@pytest.fixture
def scanner(page: Page) -> Page:
    page.context.grant_permissions(["camera"])
    page.add_init_script(READER)
    return page


def start(page: Page) -> None:
    page.get_by_role("button", name="Scan a QR code").tap()
    phones.until(page, "document.querySelector('video').videoWidth > 0")


def test_scanned_link_fills_the_field_and_is_opened_by_next_alone(scanner: Page, evening: Evening):
    owner = evening.circle.members.get(role=Role.OWNER).user
    link = f"https://elsewhere.example/join/{token_of(members.make_link(evening.circle_id, Role.KEEPER, by=owner))}/"
    scanner.goto("/")
    scanner.get_by_role("link", name="I have a link").tap()
    start(scanner)
    assert scanner.evaluate(STATES) == ["live"]
    scanner.evaluate("(link) => { window.code = link }", link)
    expect(scanner.get_by_role("textbox")).to_have_value(link)
    expect(scanner.get_by_role("status")).to_have_text("The code has been read. Tap “Next”.")
    expect(scanner.get_by_role("button", name="Next")).to_be_focused()
    expect(scanner.locator("video")).to_be_hidden()
    assert scanner.evaluate(STATES) == ["ended"]
    assert scanner.url.endswith("/join/")
    scanner.get_by_role("button", name="Next").tap()
    expect(scanner.get_by_role("heading", name="Who are you?")).to_be_visible()


def test_camera_goes_off_when_it_is_left_can_be_started_again_and_may_be_refused(scanner: Page):
    scanner.goto("/join/")
    for number, leave in enumerate(WAYS.values(), 1):
        start(scanner)
        leave(scanner)
        expect(scanner.get_by_role("button", name="Scan a QR code")).to_be_visible()
        assert scanner.evaluate(STATES) == ["ended"] * number
    # It is granted after the user has stopped.
    scanner.goto("/join/")
    scanner.evaluate("window.hesitates = true")
    scanner.get_by_role("button", name="Scan a QR code").tap()
    scanner.get_by_role("button", name="Turn the camera off").tap()
    scanner.evaluate("grant()")
    phones.until(scanner, f"{STATES}.join() === 'ended'")
    expect(scanner.locator("video")).to_be_hidden()
    scanner.evaluate("window.refuses = true")
    scanner.get_by_role("button", name="Scan a QR code").tap()
    expect(scanner.get_by_role("status")).to_have_text("The camera cannot be used. Paste the link instead.")
    expect(scanner.get_by_role("button", name="Scan a QR code")).to_be_visible()


def test_scanning_is_not_offered_by_a_browser_that_reads_no_qr_codes(scanner: Page):
    scanner.add_init_script("BarcodeDetector.getSupportedFormats = async () => ['ean_13']")
    scanner.goto("/join/")
    scanner.evaluate("new Promise((resolve) => setTimeout(resolve))")
    expect(scanner.locator("[data-scan]")).to_be_hidden()
    expect(scanner.get_by_role("textbox")).to_be_visible()
