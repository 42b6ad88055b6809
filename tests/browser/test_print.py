"""Paper: dark ink in both themes, the mark of the app, and nothing that only a phone can use; a year on two sheets."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser.phones import url
from tests.factories import record
from tests.selection import first
from tests.statistics.generate import generate

pytestmark = pytest.mark.django_db(transaction=True)

LIGHTNESS = "(one) => Math.max(...getComputedStyle(one).color.match(/[0-9]+/g).slice(0, 3).map(Number))"
MARK = "(top) => getComputedStyle(top, '::after').content"


@pytest.mark.parametrize("theme", first(1, ["light", "dark"]))
@pytest.mark.parametrize("path", ["", "settle/", "hands/1/"])
def test_a_page_on_paper(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    path: str,
    theme: str,
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    page = new_phone(color_scheme=theme)
    sign_in(page, owner)
    page.emulate_media(media="print", color_scheme=theme)
    page.goto(url(evening, path))
    expect(page.locator("h1")).to_be_visible()
    for each in page.locator("h1, .name, .figure, .amount").filter(visible=True).all():
        assert each.evaluate(LIGHTNESS) < 180, each.inner_text()
    for useless in (".bar", ".foot", ".actions", ".back", "button", "form"):
        for each in page.locator(useless).all():
            expect(each).to_be_hidden()
    assert page.locator(".top").evaluate(MARK) == '"Strigula"'


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["hu-HU", "en-GB"])
def test_a_year_of_three_games_is_printed_on_two_sheets(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, language: str
) -> None:
    (circle,) = generate(owner, sessions=40, hands=12, players=12, seed=2)
    page = new_phone(locale=language)
    sign_in(page, owner)
    page.goto(f"/circles/{circle.pk}/years/2026/")
    expect(page.locator(".year-game")).to_have_count(5)
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert re.findall(rb"/Type /Pages\b.*?/Count (\d+)", printed, re.DOTALL) == [b"2"]
