"""A QR code is read into the field for a pasted link; the camera is Chromium's fake one, its reader of codes ours."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Role
from sessions_app.readers.people.members import token_of
from sessions_app.writers import members
from tests.browser import phones
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

#: Reads `window.code` in each picture, and keeps the tracks of the camera.
READER = """
window.BarcodeDetector = class {
    static getSupportedFormats = async () => ["ean_13", "qr_code"];
    detect = async (video) => (window.code && video.videoWidth ? [{ rawValue: window.code }] : []);
};
const camera = MediaDevices.prototype.getUserMedia;
MediaDevices.prototype.getUserMedia = async function (wanted) {
    const stream = await camera.call(this, wanted);
    window.tracks = [...(window.tracks ?? []), ...stream.getTracks()];
    return stream;
};
"""
STATES = "(window.tracks ?? []).map((track) => track.readyState)"
#: Scripts and taps by which a user leaves the camera.
WAYS: dict[str, Callable[[Page], Any]] = {
    "stopped": lambda page: page.get_by_role("button", name="Turn the camera off").tap(),
    "hidden": lambda page: page.evaluate("""
        Object.defineProperty(document, "hidden", { value: true });
        document.dispatchEvent(new Event("visibilitychange"));
    """),
    "left": lambda page: page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))"),
    "answered": lambda page: page.get_by_role("button", name="Next").tap(),
}
#: Browsers that cannot scan.
UNABLE = {
    "no reader": "delete window.BarcodeDetector",
    "no reader of QR codes": "BarcodeDetector.getSupportedFormats = async () => ['ean_13']",
    "reader that fails": "BarcodeDetector.getSupportedFormats = async () => { throw new Error() }",
    "no camera": "delete MediaDevices.prototype.getUserMedia",
}


@pytest.fixture
def scanner(page: Page) -> Page:
    page.context.grant_permissions(["camera"])
    page.add_init_script(READER)
    return page


def start(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="I have a link").tap()
    page.get_by_role("button", name="Scan a QR code").tap()
    phones.until(page, "document.querySelector('video').videoWidth > 0")


def test_scanned_link_fills_the_field_and_is_opened_by_next_alone(scanner: Page, evening: Evening):
    owner = evening.circle.members.get(role=Role.OWNER).user
    link = f"https://elsewhere.example/join/{token_of(members.make_link(evening.circle_id, Role.KEEPER, by=owner))}/"
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


@pytest.mark.parametrize("way", first(1, WAYS))
def test_camera_that_is_left_is_off_and_can_be_started_again(scanner: Page, way: str, expected: set[str]):
    expected.add("422")
    start(scanner)
    WAYS[way](scanner)
    expect(scanner.get_by_role("button", name="Scan a QR code")).to_be_visible()
    assert scanner.evaluate(STATES) == ["ended"]
    scanner.get_by_role("button", name="Scan a QR code").tap()
    phones.until(scanner, f"{STATES}.join() === 'ended,live'")


def test_camera_that_is_granted_after_the_user_stopped_goes_off_at_once(scanner: Page):
    scanner.add_init_script("""
        const granted = MediaDevices.prototype.getUserMedia;
        MediaDevices.prototype.getUserMedia = async function (wanted) {
            await new Promise((resolve) => { window.grant = resolve; });
            return granted.call(this, wanted);
        };
    """)
    scanner.goto("/join/")
    scanner.get_by_role("button", name="Scan a QR code").tap()
    scanner.get_by_role("button", name="Turn the camera off").tap()
    scanner.evaluate("grant()")
    phones.until(scanner, f"{STATES}.join() === 'ended'")
    expect(scanner.locator("video")).to_be_hidden()


def test_refused_camera_is_said_and_leaves_the_field(scanner: Page):
    scanner.add_init_script("MediaDevices.prototype.getUserMedia = async () => { throw new Error('NotAllowedError') }")
    scanner.goto("/join/")
    scanner.get_by_role("button", name="Scan a QR code").tap()
    expect(scanner.get_by_role("status")).to_have_text("The camera cannot be used. Paste the link instead.")
    expect(scanner.get_by_role("button", name="Scan a QR code")).to_be_visible()


@pytest.mark.parametrize("missing", first(1, UNABLE))
def test_scanning_is_not_offered_by_a_browser_that_cannot(scanner: Page, missing: str):
    scanner.add_init_script(UNABLE[missing])
    scanner.goto("/join/")
    scanner.evaluate("new Promise((resolve) => setTimeout(resolve))")
    expect(scanner.locator("[data-scan]")).to_be_hidden()
    expect(scanner.get_by_role("textbox")).to_be_visible()
