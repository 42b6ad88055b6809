"""The form of Hungarian Tarokk under a thumb: its taps, its height on the screen, and the choices that it excludes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, User
from tests.browser import gallery_tarokk, phones, thumb
from tests.browser.conftest import HEIGHT
from tests.browser.gallery_tarokk import FULLEST, fill_fullest, tap, unfold
from tests.browser.phones import url

pytestmark = pytest.mark.django_db(transaction=True)

PLAIN = (("declarer", "1"), ("contract", "2"), ("partner", "3"), ("result", "+"))


@pytest.fixture
def of_four(owner: User) -> Evening:
    return gallery_tarokk.evening_of(owner, ("Anna", "Béla", "Cili", "Dani"))


@pytest.fixture
def form(page: Page, taps: list[str], of_four: Evening, owner: User, sign_in: Callable[..., None]) -> Page:
    """An open form: Anna deals."""
    sign_in(page, owner)
    page.goto(url(of_four, "hands/new/"))
    return page


def off(form: Page, *names: str) -> None:
    """None of these can be tapped."""
    for name in names:
        for one in form.locator(f"[name={name}]").all():
            expect(one).to_be_disabled()


def key(form: Page, name: str, value: str) -> Locator:
    return form.locator(f"[name={name}][value='{value}']")


def test_a_plain_hand_is_five_taps_on_one_screen(form: Page, of_four: Evening, taps: list[str]) -> None:
    expect(key(form, "game_kontra", "5").locator("..")).to_be_in_viewport(ratio=1)
    expect(form.locator(".bonuses > summary")).to_be_in_viewport(ratio=1)
    tap(form, *PLAIN)
    assert form.evaluate("scrollY") == 0
    phones.save(form, 1)
    expect(form.get_by_role("main").get_by_role("status")).to_have_text("Hand 1 is saved.")
    assert taps == ["declarer", "contract", "partner", "result", "Save hand 1"]
    assert phones.recorded(of_four) == [(1, "2+2 +", 1)]


@pytest.mark.thorough
def test_the_fullest_hand_takes_two_screens_and_is_counted_while_it_is_typed(form: Page, of_four: Evening) -> None:
    fill_fullest(form)
    assert form.evaluate("document.documentElement.scrollHeight") <= 2 * HEIGHT
    expect(form.locator("#count")).to_contain_text("= 58")
    form.locator("[name=points]").fill("70")
    expect(form.locator("#count [data-points]")).to_have_attribute("data-points", "10")  # the dupla is missed
    form.locator("[name=points]").fill("72")
    expect(form.locator("#count [data-points]")).to_have_attribute("data-points", "58")
    phones.save(form, 1)
    thumb.expect_balances(form, (-55, 57, -59, 57))
    assert phones.recorded(of_four) == [(1, FULLEST, 1)]


@pytest.mark.thorough
def test_announced_bonus_has_to_be_answered(form: Page, of_four: Evening) -> None:
    tap(form, *PLAIN)
    unfold(form)
    for box, asked in (("o_ultimo", "pagát in the last trick"), ("d_xxi", "XXI-fogás"), ("d_trull", "tuletroá")):
        form.locator(f"[name={box}]").tap()
        phones.save(form, 1)
        expect(form.locator("#hand-news")).to_contain_text("Still to tap: ")
        expect(form.locator("#hand-news")).to_contain_text(asked)
    form.locator(".bonuses > summary").tap()
    phones.save(form, 1)
    expect(key(form, "trull", "d")).to_be_visible()
    # With all the tricks it goes without saying. 3·2 for a silent volát, 2 and 10 for trull and ultimó, less 42.
    tap(form, ("result", "v"))
    off(form, "trull", "kings")
    tap(form, ("xxi", "none"), ("pagat", "none"))
    phones.save(form, 1)
    thumb.expect_balances(form, (24, -24, 24, -24))


@pytest.mark.thorough
def test_card_points_that_no_hand_has_are_refused_before_they_are_sent(
    form: Page, of_four: Evening, expected: set[str]
) -> None:
    expected.add("422")  # by the live count
    tap(form, *PLAIN[:3])
    unfold(form)
    for typed in ("95", "x", "-1"):
        form.locator("[name=points]").fill(typed)
        phones.save(form, 1)
        expect(form.locator("#hand-news")).to_have_text("There are 94 card points: a number from 0 to 94.")
        expect(form.locator("[name=points]")).to_be_focused()
    assert phones.outbox(form) == []
    form.locator("[name=points]").fill("61")
    phones.save(form, 1)
    thumb.expect_balances(form, (-2, 2, -2, 2))
    assert phones.recorded(of_four) == [(1, "2+2 61", 1)]
