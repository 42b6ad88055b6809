"""A book is kept by a passkey, with Chromium's virtual authenticator, or by a spare key, and opened without cookies."""

from collections.abc import Callable
from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Passkey, User
from sessions_app.writers import evenings
from sessions_app.writers.evenings import Opening, start
from tests.browser.phones import url
from tests.factories import record
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.page import Page as Html

pytestmark = pytest.mark.django_db(transaction=True)
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def kept(page: Page, sign_in: Callable[..., None], evening: Evening, owner: User) -> Page:
    """The page on which a guest keeps its book, reached from home after an ended session."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    record(evening, owner)
    evenings.end(evening.pk)
    sign_in(page, owner)
    page.goto("/")
    page.get_by_role("link", name="Keep my book").tap()
    return page


def test_book_kept_by_a_passkey_is_back_after_all_cookies_are_lost(kept: Page, evening: Evening, expected: set[str]):
    page = kept
    page.get_by_role("button", name="Keep my book").tap()
    expect(page.get_by_role("button", name="Another passkey")).to_be_visible()
    expected.add("403")
    page.get_by_role("button", name="Another passkey").tap()
    expect(page.get_by_text("This phone has a passkey already.")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/")
    page.get_by_role("link", name="I have been here before").tap()
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    page.goto(f"/sessions/{evening.pk}/")
    expect(page.get_by_text("Anna").first).to_be_visible()
    assert Passkey.objects.get().used_on


def test_passkey_that_is_gone_opens_nothing_and_leads_to_the_spare_key(kept: Page, expected: set[str]):
    page = kept
    page.get_by_role("button", name="Keep my book").tap()
    expect(page.get_by_role("button", name="Another passkey")).to_be_visible()
    Passkey.objects.all().delete()
    page.context.clear_cookies()
    page.goto("/passkey/")
    expected.add("403")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.get_by_text("This passkey opens nothing here.")).to_be_visible()
    page.get_by_role("link", name="I have a spare key").tap()
    expect(page.get_by_role("textbox")).to_be_visible()


def test_spare_key_opens_the_book_on_a_phone_without_cookies(kept: Page, evening: Evening):
    page = kept
    page.get_by_role("button", name="Make a spare key").tap()
    expect(page.locator(".key-words li")).to_have_count(12)
    words = page.locator(".key-words li").all_inner_texts()
    page.context.clear_cookies()
    page.goto(f"/spare-key/#{'-'.join(words)}")
    expect(page.get_by_role("textbox")).to_have_value(" ".join(words))
    assert page.url.endswith("/spare-key/")
    page.get_by_role("button", name="Open my book").tap()
    expect(page.locator(".key-words li")).to_have_count(12)
    page.get_by_role("link", name="I have written it down").tap()
    expect(page.get_by_role("link", name="New session")).to_be_visible()
    page.goto(f"/sessions/{evening.pk}/")
    expect(page.get_by_text("Anna").first).to_be_visible()


def let_in(first: Page, second: Page) -> None:
    """Let the second phone into the first one's book by the typed code; without scripts both pages are loaded anew."""
    first.get_by_role("button", name="Another phone of mine").tap()
    second.goto("/join/")
    second.get_by_role("textbox").fill(first.locator(".typed-code").inner_text())
    second.get_by_role("textbox").press("Enter")
    second.get_by_role("button", name="Yes, this is my phone").tap()
    first.reload()
    first.get_by_role("button", name="It is mine: let it in").tap()
    second.reload()
    second.get_by_role("button", name="Open my circles").tap()
    expect(second.get_by_role("link", name="New session")).to_be_visible()


def open_by_spare_key(maker: Page, opener: Page) -> None:
    maker.goto("/me/")
    maker.get_by_role("button", name="Make a spare key").tap()
    expect(maker.locator(".key-words li")).to_have_count(12)
    words = maker.locator(".key-words li").all_inner_texts()
    opener.goto("/spare-key/")
    opener.get_by_role("textbox").fill(" ".join(words))
    opener.get_by_role("button", name="Open my book").tap()
    opener.get_by_role("link", name="I have written it down").tap()
    expect(opener.get_by_role("link", name="New session")).to_be_visible()


def test_without_scripts_all_but_the_passkey_works(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
):
    expected.add("404")  # the first phone goes on asking after it is signed out
    first, second, third = (new_phone(java_script_enabled=False) for _phone in range(3))
    sign_in(first, owner)
    first.goto("/me/")
    expect(first.get_by_role("button", name="Keep my book")).to_be_hidden()
    assert "A passkey needs scripts, which are off. A spare key works." in first.content()
    first.get_by_role("button", name="The left hand").tap()
    expect(first.get_by_role("button", name="The left hand")).to_have_attribute("aria-pressed", "true")
    let_in(first, second)
    open_by_spare_key(second, third)
    third.goto(f"/circles/{evening.circle_id}/delete/")
    third.get_by_role("textbox").fill("Anna, Béla, Cili")
    third.get_by_role("button", name="Delete the circle").tap()
    third.get_by_role("button", name="Do not delete it").tap()
    expect(third.get_by_role("button", name="Do not delete it")).to_be_hidden()
    third.goto("/me/")
    third.locator("summary", has_text="Sign out everywhere else").tap()
    third.get_by_role("button", name="Sign out everywhere else").tap()
    expect(third.locator(".own-phones > li")).to_have_count(1)
    second.goto("/me/")
    expect(second.get_by_text("Nothing is kept for this phone yet.")).to_be_visible()
    third.get_by_role("link", name="Delete my book").tap()
    third.get_by_role("checkbox").check()
    third.get_by_role("button", name="Delete my book").tap()
    expect(third.get_by_role("button", name="See it at work")).to_be_visible()
    assert not User.objects.filter(pk=owner.pk).exists()


# --- The script enables the same keys of a hand form as `tests/tapping.py` by the form's attributes, tap after tap ---


TAPS = 24
HOUSES = [("asszorti", 4, ""), ("tarokk", 5, "tie_47=kontra_needs_48"), ("preference", 4, "stalingrad=yes")]
NAMES = ("Anna", "Béla", "Cili", "Dani", "Edit")
STATE = """form => [...form.elements].filter(one => one.matches("input:not([type=hidden])")).map(one =>
    [one.name, one.value, one.checked, one.disabled, one.required, one.validity.customError])"""
#: A tap as the script sees it; that a thumb reaches each key other tests show.
TAP = """(form, [name, value]) => [...form.elements].find(one => one.name === name && one.value === value).click()"""
TYPE = """(form, [name, value]) => { form.elements[name].value = value;
    form.elements[name].dispatchEvent(new Event("change", { bubbles: true })); }"""


@pytest.mark.parametrize(("game", "players", "rules"), first_rows(2, HOUSES))
def test_script_offers_what_the_attributes_say(
    page: Page, owner: User, sign_in: Callable[..., None], game: str, players: int, rules: str
) -> None:
    evening = start(Opening(NAMES[:players], 0, game_key=game, rules=rules), token=uuid4(), by=owner)
    chance = Random(18)  # noqa: S311  cards, not keys
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    form = page.locator("#hand-form")
    tapped = Tapped(Html(page.request.get(page.url).text()).one("form", id="hand-form"))
    for turn in range(TAPS):
        if turn % 8 == 7 and "points" in tapped.named and not tapped.named["points"][0].is_disabled:
            tapped.type("points", "73")
            form.evaluate(TYPE, ["points", "73"])
        else:
            key = chance.choice([key for key in tapped.enabled if key.name not in ("redeal", "announced")])
            tapped.tap(key)
            form.evaluate(TAP, [key.name, key.value])
        for name, value, *state in form.evaluate(STATE):
            key = next(key for key in tapped.named[name] if not key.is_key or key.value == value)
            if not key.is_key:
                assert value == key.value
                continue
            is_sitting_out = name == "declarer" and key.is_checked and key.is_clashing
            expected = [key.is_checked, key.is_disabled, key.is_required, key.is_clashing or is_sitting_out]
            assert state == expected, (turn, name, value)


# --- The dealer's chip: one element that travels from card to card, and is just there with reduced motion ---


#: The seat under the chip's middle, -1 if it lies on none; how it came there, and whether it goes on from there slowly.
CHIP = """() => {
    const chip = document.querySelector(".dealer-chip");
    window.chip ??= chip;
    for (const each of chip.getAnimations()) each.finish();
    const { animationName, transitionDuration } = getComputedStyle(chip);
    const box = chip.getBoundingClientRect();
    const middle = (box.left + box.right) / 2;
    const seat = [...document.querySelectorAll("[data-seat]")].find((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < middle && middle < right;
    });
    return [Number(seat?.dataset.seat ?? -1), animationName, transitionDuration, chip === window.chip];
}"""


@pytest.mark.parametrize(("motion", "came", "travels"), [("no-preference", "deal", "0.22s"), ("reduce", "none", "0s")])
def test_the_chip_travels_to_the_next_dealer(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    motion: str,
    came: str,
    travels: str,
) -> None:
    record(evening, owner)
    page = new_phone(reduced_motion=motion)
    sign_in(page, owner)
    page.goto(url(evening, "?saved=1"))
    assert page.evaluate(CHIP) == [1, came, travels, True]
    record(evening, owner)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#hand-2")).to_be_visible()
    assert page.evaluate(CHIP) == [2, "none", travels, True], "the same element, by a transition"
