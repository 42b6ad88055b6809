"""Every page fits a narrow phone and big letters, keeps its buttons within reach, and hides nothing from anybody."""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import HEIGHT, LOCALES

pytestmark = pytest.mark.django_db(transaction=True)

TARGET = 48
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
#: Width of the screen, and size of the letters: 200 % is 32.
SIZES = ((320, 16), (390, 16), (390, 32), (640, 32))


# What the browser measures.

WIDER_THAN = """(width) => {
    const off = (it) => {
        const { left, right, top, width: own } = it.getBoundingClientRect();
        return own > 1 && (right > width + 0.5 || left < -0.5 || top + scrollY < -0.5);
    };
    const page = document.documentElement.scrollWidth;
    return [
        ...(page > width ? [`the page is ${page} px wide`] : []),
        ...[...document.querySelectorAll("body *")]
            .filter((it) => it.checkVisibility() && !it.closest(".skip, .visually-hidden") && off(it))
            .map((it) => `off the screen: ${it.tagName}.${it.className} ${it.textContent.trim().slice(0, 30)}`),
    ];
}"""

CUT_OFF = """() => [...document.querySelectorAll(
        "button, .button, .face, .figure, td, tbody th, .money, summary, legend, .duty, h1, h2")]
    .filter((it) => it.checkVisibility() && !it.closest(".visually-hidden"))
    .filter((it) => it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 1)
    .map((it) => `cut off: ${it.className || it.tagName} ${it.textContent.trim().slice(0, 40)}`)"""

OUT_OF_REACH = """() => [...document.querySelectorAll(".button.primary")].filter((it) => {
    const box = it.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return box.top < 0 || box.bottom > innerHeight || !(it.contains(at) || at?.contains(it));
}).map((it) => `out of reach: ${it.textContent.trim()}`)"""

# A link in a sentence is as high as its line; everything else is for a thumb.
LOWER_THAN = """(target) => [...document.querySelectorAll(
        "button, .button, summary, select, input[type=text], label, .row-link, .card-link, .top a")]
    .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < target - 0.5)
    .map((it) => `too small: ${it.className || it.tagName} ${it.textContent.trim().slice(0, 40)}, `
        + `${it.getBoundingClientRect().height} px high`)"""


@pytest.mark.parametrize("language", LOCALES)
def test_no_page_scrolls_sideways_or_cuts_words_off(
    walk: Callable[..., Iterator[tuple[str, Page]]], language: str
) -> None:
    findings = [
        f"{name}, {width} px, letters of {letters} px: {found}"
        for name, page in walk(is_mobile=False, locale=LOCALES[language])
        for width, letters in SIZES
        for found in dict.fromkeys(_measured(page, width, letters))
    ]
    assert not findings, "\n".join(findings)


def _measured(page: Page, width: int, letters: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.evaluate("(size) => { document.documentElement.style.fontSize = size }", f"{letters}px")
    return [*page.evaluate(WIDER_THAN, width), *page.evaluate(CUT_OFF)]


@pytest.mark.parametrize("language", LOCALES)
def test_what_one_does_next_is_on_the_screen_and_big_enough_for_a_thumb(
    walk: Callable[..., Iterator[tuple[str, Page]]], language: str
) -> None:
    findings = [
        f"{name}: {found}"
        for name, page in walk(locale=LOCALES[language])
        for found in (*page.evaluate(OUT_OF_REACH), *page.evaluate(LOWER_THAN, TARGET))
    ]
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize("language", LOCALES)
def test_axe_finds_nothing_by_day_or_by_night(walk: Callable[..., Iterator[tuple[str, Page]]], language: str) -> None:
    axe = Axe()
    findings = []
    for name, page in walk(locale=LOCALES[language]):
        assert page.locator("html").get_attribute("lang") == language, name
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            violations = axe.run(page).response["violations"]
            findings += [f"{name}, {theme}: {it['id']}: {node['html']}" for it in violations for node in it["nodes"]]
    assert not findings, "\n".join(findings)
