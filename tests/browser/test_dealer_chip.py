"""The dealer's chip: one element that travels from card to card, and is just there with reduced motion."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser.phones import url
from tests.factories import record

pytestmark = pytest.mark.django_db(transaction=True)

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
