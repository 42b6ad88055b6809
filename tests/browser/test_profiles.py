"""A profile chosen, changed, kept under a name, and there again the next time: with scripts and without."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, HouseProfile
from tests.browser.gallery_profiles import choose_game, take

pytestmark = pytest.mark.django_db(transaction=True)

NEW = "/sessions/new/"
RULES = "leningrad target=10 ten=checked"
NAMED = "House rules: Péntek, pool to 10"
SAID = "House rules: Leningrad, pool to 10; but: a ten is checked instead of whisted"


def seat(page: Page) -> None:
    for number, name in enumerate(("Anna", "Béla", "Cili"), 1):
        page.locator(f"#player_{number}").fill(name)


def summary(page: Page) -> Locator:
    return page.locator("#house-summary")


def unfold(page: Page) -> None:
    page.locator("#house-rules > summary").tap()


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"[name={name}][value='{value}']").tap()


def start(page: Page) -> Evening:
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page).to_have_url(re.compile(r"/sessions/\d+/$"))
    return Evening.objects.latest("pk")


def is_offered(page: Page) -> None:
    """The next evening of the circle begins with the saved rules."""
    page.goto(NEW)
    expect(summary(page)).to_have_text(NAMED)
    expect(page.locator("[name=profile][value^='own:']")).to_be_checked()


@pytest.fixture
def phone(new_phone: Callable[..., Page]) -> Page:
    page = new_phone()
    page.goto(NEW)
    return page


@pytest.mark.thorough
def test_profile_is_chosen_changed_kept_and_offered_the_next_time(phone: Page, taps: list[str]) -> None:
    page = phone
    seat(page)
    choose_game(page)
    choose(page, "target", "10")
    unfold(page)
    take(page, "leningrad")
    expect(page.locator("#player_1")).to_have_value("Anna")
    expect(page.locator("#house-rules")).to_have_attribute("open", "")
    page.locator("#house-group-2 > summary").tap()
    choose(page, "rules_ten", "checked")
    expect(summary(page)).to_contain_text(SAID)
    expect(page.locator("#house-changed-2")).to_contain_text("1 changed")
    expect(page.locator("#house-otherwise .changed")).to_contain_text("a ten is checked")
    page.locator("#keep_as").fill("Péntek")
    evening = start(page)
    assert (evening.rules, HouseProfile.objects.get().name) == (RULES, "Péntek")
    expect(page.locator(".house-rules summary")).to_contain_text("House rules: Leningrad, pool to 10")
    is_offered(page)
    page.goto("/")
    page.get_by_role("button", name="Same players as last time").tap()
    expect(page).to_have_url(re.compile(r"/sessions/\d+/$"))
    assert Evening.objects.latest("pk").rules == RULES
    assert Evening.objects.count() == 2, "in one tap"
