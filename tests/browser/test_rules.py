"""From a form that is half filled in to the rules and back: nothing is lost, offline too."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Hand, User
from tests.browser import axe, phones
from tests.browser.conftest import HEIGHT, WIDTH
from tests.browser.phones import NO_NETWORK, Phones, url

pytestmark = pytest.mark.django_db(transaction=True)

HALF = {"declarer": "1", "contract": "1", "trump": "clubs", "game_kontra": "2"}


def tap(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f"#hand-form [name={name}][value='{value}']").tap()


def is_as_it_was(page: Page, **fields: str) -> None:
    expect(page).to_have_url(re.compile(r"/hands/new/$"))
    for name, value in fields.items():
        expect(page.locator(f"#hand-form [name={name}][value='{value}']")).to_be_checked()


def rules_of(page: Page) -> Locator:
    return page.get_by_role("link", name="Rules", exact=True)


def sheet(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Rules", exact=True)


def close_by_its_button(page: Page) -> None:
    sheet(page).get_by_role("button", name="Back to the hand").tap()


def faults(page: Page) -> list[str]:
    """The violations that axe finds on the page, and its width if too wide for the narrowest phone."""
    page.evaluate(axe.LAID_BY)
    found = axe.violations(page)
    page.set_viewport_size({"width": 320, "height": 844})
    width = page.locator("#rules-sheet").evaluate("(sheet) => Math.max(sheet.scrollWidth, innerWidth)")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    return found + ["too wide"] * (width > 320)


@pytest.mark.thorough
def test_rules_lie_over_the_form_and_every_way_back_leads_to_it(
    phone_of: Phones, evening: Evening, owner: User, expected: set[str]
) -> None:
    expected.update((NO_NETWORK, "ERR_FAILED"))  # as the page asks, and as the worker does for it
    form = phone_of(owner, url(evening))
    form.get_by_role("link", name="Enter hand 1").tap()
    tap(form, **HALF)
    token = form.locator("#hand-form [name=token]").input_value()
    form.context.route("**/rules/**", lambda route: route.abort("internetdisconnected"))
    rules_of(form).tap()
    expect(sheet(form)).to_contain_text("No answer from the server.")
    close_by_its_button(form)
    is_as_it_was(form, **HALF)
    form.context.unroute("**/rules/**")
    hand = sheet(form).locator("[data-line='hD 6-5-0 S A-K']")
    rules_of(form).tap()
    hand.locator("summary").tap()
    assert faults(form) == []
    for way in (lambda page: page.go_back(), lambda page: page.keyboard.press("Escape"), close_by_its_button):
        if sheet(form).is_hidden():
            rules_of(form).tap()
        expect(hand.locator("[data-points='40']")).to_be_visible()
        way(form)
        expect(sheet(form)).to_be_hidden()
        is_as_it_was(form, **HALF)
    assert form.locator("#hand-form [name=token]").input_value() == token
    # No sheet that was closed stands in the way back.
    form.wait_for_function("!history.state?.rules")
    form.go_back()
    expect(form).to_have_url(re.compile(rf"/sessions/{evening.pk}/$"))
    form.get_by_role("link", name="Hand 1 is half filled in: go on").tap()
    tap(form, tricks="7")
    form.get_by_role("button", name="Save hand 1").tap()
    expect(form.locator("#hand-1")).to_be_visible()
    assert Hand.objects.get().deal == "1C 7 R"


def test_rules_that_were_opened_are_there_without_network(kept_phone: Phones, evening: Evening, owner: User) -> None:
    page = kept_phone(owner, evening)
    page.goto(url(evening, "hands/new/"))
    rules_of(page).tap()
    expect(sheet(page).get_by_role("heading", name="Worked hands")).to_be_visible()
    phones.until(page, f"await caches.match('/games/asszorti/rules/?evening={evening.pk}')")
    page.context.set_offline(True)
    page.goto(url(evening, "hands/new/"))
    tap(page, **HALF)
    rules_of(page).tap()
    expect(sheet(page).get_by_role("heading", name="Worked hands")).to_be_visible()
    page.go_back()
    expect(sheet(page)).to_be_hidden()
    is_as_it_was(page, **HALF)
    # By other house rules they were not opened: those that were are better than none.
    page.goto("/games/asszorti/rules/")
    expect(page.get_by_role("heading", name="Worked hands")).to_be_visible()
    assert "csrfmiddlewaretoken" not in page.content()
