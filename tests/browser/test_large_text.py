"""A session's page with letters of 200 %: balances and rows grow with them, and nothing lies over a name."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from sessions_app.models import User
from tests.browser import gallery_tarokk
from tests.browser.phones import url
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Anna", "Béla", "Bertalan", "Dani", "Vilma")
PARTS = (".seat .name", ".seat .figure", ".seat .duty", ".sheet td", ".row-link .said", ".row-link .deal")
#: The smallest size of the letters of each part.
SIZES = """(parts) => parts.map((part) =>
    Math.min(...[...document.querySelectorAll(part)].map((it) => parseFloat(getComputedStyle(it).fontSize))))"""
#: Script that returns the faults of a page in large text: width, cut names and figures, a covering dealer's chip.
WRONG = """() => {
    const box = (it) => it.getBoundingClientRect();
    const seen = (parts) => [...document.querySelectorAll(parts)].filter((it) => it.checkVisibility());
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const said = (it) => {
        const range = document.createRange();
        range.selectNodeContents(it);
        return range.getBoundingClientRect();
    };
    const figures = seen(".sheet td");
    return [
        ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []),
        ...seen(".seat .name, .seat .name bdi, .seat .figure, .seat .duty, .sheet td")
            .filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => `cut: ${it.textContent.trim()}`),
        ...seen(".dealer-chip").flatMap((chip) => seen(".seat .name, .seat .figure")
            .filter((it) => meet(box(chip), said(it))).map((it) => `under the chip: ${it.textContent.trim()}`)),
        ...seen(".row-link .short").flatMap((row) => figures.filter((it) => meet(box(row), said(it)))
            .map((it) => `${it.textContent.trim()} lies over ${row.textContent.trim().slice(0, 20)}`)),
    ];
}"""


@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("width", first(1, [320, 390]))
def test_balances_and_rows_of_tarokk_grow_with_the_text_and_fit(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, width: int, seats: int
) -> None:
    evening = gallery_tarokk.evening_of(owner, NAMES[:seats])
    for deal in gallery_tarokk.DEALS:
        gallery_tarokk.record(evening, owner, deal)
    page = new_phone(viewport={"width": width, "height": 844})
    sign_in(page, owner)
    page.goto(url(evening))
    before = page.evaluate(SIZES, PARTS)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    grown = {part: now / was for part, was, now in zip(PARTS, before, page.evaluate(SIZES, PARTS), strict=True)}
    assert min(grown.values()) > 1.1, grown
    wrong = page.evaluate(WRONG)
    assert not wrong, "\n".join(wrong)
