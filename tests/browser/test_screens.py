"""Every page, as it is served, is sound HTML, and so is every part that htmx asks for; it fits a narrow phone and big
letters, keeps its buttons within reach, and hides nothing from anybody.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.browser import axe, nu
from tests.browser.conftest import HEIGHT, LOCALES, WIDTH
from tests.browser.gallery import Screen
from tests.browser.rooms import ROOMS
from tests.selection import THOROUGH

pytestmark = pytest.mark.django_db(transaction=True)

TARGET = 48
LANGUAGES = ("hu", "en")
#: The rooms of the default run: hands on a phone, the forms and rules of games, a circle, payments, the drawn sheet.
BY_DEFAULT = ("phone", "circle", "repayments", "preference")
type Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
#: The checks of axe on a page in a second theme: those that a theme can change.
OF_COLOURS: dict[str, Any] = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
type Sizes = tuple[tuple[tuple[int, int], tuple[int, ...]], ...]
#: Width and height of the screen, and the sizes of the letters on it: 200 % is 32. The last is a phone that lies on its
#: side; the first is as the phone is, for to change that costs as much as to measure.
SIZES: Sizes = (((WIDTH, HEIGHT), (16, 32)), ((320, HEIGHT), (16,)), ((640, HEIGHT), (32,)), ((844, 390), (16,)))
#: The narrowest and the widest.
ENDS: Sizes = (((320, HEIGHT), (16,)), ((844, 390), (16,)))
ONE_BY_ONE: tuple[Sizes, ...] = tuple(((screen, (size,)),) for screen, sizes in SIZES for size in sizes)
#: More than so many answers of a room are parts of pages.
PARTS = {"pages": 5, "referee": 0}


# The browser's measurements.

# A row's description is cut by an ellipsis where it has no room; the hand's page shows it whole.
WIDER_THAN = """(width) => {
    const off = (it) => {
        const { left, right, top, width: own } = it.getBoundingClientRect();
        return own > 1 && (right > width + 0.5 || left < -0.5 || top + scrollY < -0.5);
    };
    const page = document.documentElement.scrollWidth;
    return [
        ...(page > width ? [`the page is ${page} px wide`] : []),
        ...[...document.querySelectorAll("body *")]
            .filter((it) => it.checkVisibility() && off(it))
            .filter((it) => !it.closest(".skip, .visually-hidden, .row-link .short > *"))
            .map((it) => `off the screen: ${it.tagName}.${it.className} ${it.textContent.trim().slice(0, 30)}`),
    ];
}"""

CUT_OFF = """() => [...document.querySelectorAll(
        "button, .button, .face, .figure, td, tbody th, .money, summary, legend, .duty, h1, h2, .demo-mark")]
    .filter((it) => it.checkVisibility() && !it.closest(".visually-hidden"))
    .filter((it) => it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 1)
    .map((it) => `cut off: ${it.className || it.tagName} ${it.textContent.trim().slice(0, 40)}`)"""

OUT_OF_REACH = """() => [...document.querySelectorAll(".button.primary")].filter((it) => {
    if (!it.checkVisibility()) return false;
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

# The tap targets in the header, with any sign there: big enough, covered by nothing, never moved.
HEADER = """(target) => {
    scrollTo(0, 0);
    const sign = document.getElementById("sign");
    const places = () => [...document.querySelectorAll(".top, .top a, .top button")].map((it) => {
        const { left, top, width, height } = it.getBoundingClientRect();
        return { it, left, top, width, height, says: it.textContent.trim().replace(/\\s+/g, " ").slice(0, 30) };
    });
    const before = places();
    const wrong = before.slice(1).flatMap(({ it, left, top, width, height, says }) => [
        ...(Math.min(width, height) < target - 0.5 ? [`in the header: ${says} is ${width} × ${height} px`] : []),
        ...(it.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ? [] : [`covered: ${says}`]),
    ]);
    if (sign) {
        const { className, hidden, textContent } = sign;
        for (const state of ["saved", "waiting", "offline"]) {
            sign.className = `sign ${state}`;
            sign.hidden = false;
            sign.textContent = MESSAGES[state].replace("#", 12);
            wrong.push(...places().filter((now, nth) =>
                ["left", "top", "height"].some((edge) => Math.abs(now[edge] - before[nth][edge]) > 0.5)
            ).map(({ says }) => `moved when the sign says ${state}: ${says}`));
            if (sign.scrollWidth > sign.clientWidth + 1) wrong.push(`cut off: ${sign.textContent}`);
        }
        Object.assign(sign, { className, hidden, textContent });
    }
    return wrong;
}"""

# The bar leaves two thirds of the screen to the page; a name has room for eight letters.
ROOM_LEFT = """() => {
    const bars = [...document.querySelectorAll("main .bar")].filter((bar) => !bar.closest(".referee"));
    const pen = document.createElement("canvas").getContext("2d");
    const room = (box) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(box);
        pen.font = font;
        return (box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)) / pen.measureText("n").width;
    };
    return [
        ...bars.filter((bar) => bar.offsetHeight > innerHeight / 3 + 1)
            .map((bar) => `the bar is ${bar.offsetHeight} px high`),
        ...[...document.querySelectorAll(".player input[type=text]")].filter((box) => room(box) < 8)
            .map((box) => `room for ${room(box).toFixed(1)} letters`),
    ];
}"""

# The tap targets in the bar of a form cover no other.
LYING_OVER = """() => [...document.querySelectorAll("form > .bar")].flatMap((bar) => {
    const seen = [...bar.querySelectorAll("button, .button")]
        .filter((it) => it.checkVisibility({ visibilityProperty: true }));
    const meet = ([a, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return seen.flatMap((one, at) => seen.slice(at + 1).map((other) => [one, other]))
        .filter((two) => meet(two.map((it) => it.getBoundingClientRect())))
        .map((two) => two.map((it) => it.textContent.trim().slice(0, 20)).join(" lies over "));
})"""

#: All of these at once, for a theme and for a size: a call into the browser costs as much as the measurement.
REACH = f"(target) => [...({OUT_OF_REACH})(), ...({LOWER_THAN})(target)]"
MEASURES = f"""([width, letters, target]) => {{
    document.documentElement.style.fontSize = `${{letters}}px`;
    return [...({WIDER_THAN})(width), ...({CUT_OFF})(), ...({HEADER})(target), ...({ROOM_LEFT})(),
        ...({LYING_OVER})()];
}}"""


def walks() -> Iterator[Any]:
    """Each room in both languages; the default run has some rooms in one of them."""
    for place, room in enumerate(ROOMS):
        now, then = (LANGUAGES[(place + nth) % len(LANGUAGES)] for nth in range(len(LANGUAGES)))
        yield pytest.param(room, now, marks=() if room in BY_DEFAULT else THOROUGH)
        yield pytest.param(room, then, marks=THOROUGH)


def looks(room: str, language: str, all_of_them: bool) -> tuple[Sequence[Theme], Sizes]:
    """Return the themes in which axe looks at a room, and the sizes in which it is measured.

    With --all that is everything in Hungarian, whose words are the longer ones, and the ends in English: colours and
    roles are the same in every language. In the default run it is one theme and one size, other ones in the next room.
    """
    place = list(ROOMS).index(room)
    themes = THEMES if all_of_them else (THEMES[place // 2 % len(THEMES)],)
    sizes = (SIZES if language == "hu" else ENDS) if all_of_them else ONE_BY_ONE[place % len(ONE_BY_ONE)]
    return themes if language == "hu" else (), sizes


@pytest.mark.parametrize(("room", "language"), list(walks()))
def test_every_screen_is_sound_fits_hides_nothing_and_is_big_enough_for_a_thumb_by_day_and_by_night(
    walk: Callable[..., Iterator[tuple[str, Page]]],
    screens: list[Screen],
    served: list[str],
    room: str,
    language: str,
    pytestconfig: pytest.Config,
    tmp_path: Path,
) -> None:
    """One walk for everything that is measured: to come to a screen costs more than to look at it."""
    themes, sizes = looks(room, language, pytestconfig.option.all)
    documents: dict[str, str] = {}
    findings: list[str] = []
    for name, page in walk(before=axe.lay_by, is_mobile=False, locale=LOCALES[language]):
        documents |= {f"{name}, {nth}": nu.document(text, language) for nth, text in enumerate(served, 1)}
        served.clear()
        assert page.locator("html").get_attribute("lang") == language, name
        findings += [f"{name}, {found}" for found in (*within_reach(page, themes), *at_sizes(page, sizes))]
    _require_enough(documents, len(screens), PARTS.get(room, -1) if pytestconfig.option.all else -1)
    findings += nu.findings(documents, tmp_path)
    assert not findings, "\n".join(findings)


def _require_enough(documents: dict[str, str], screens: int, more_parts_than: int) -> None:
    """A checker that is given nothing finds nothing."""
    parts = [text for text in documents.values() if nu.is_part(text)]
    assert len(documents) - len(parts) >= screens
    assert len(parts) > more_parts_than


def within_reach(page: Page, themes: Sequence[Theme]) -> Iterator[str]:
    if not themes:
        yield from page.evaluate(REACH, TARGET)
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        rules = {} if theme == themes[0] else OF_COLOURS
        for found in (*page.evaluate(REACH, TARGET), *axe.violations(page, rules)):
            yield f"{theme}: {found}"


def at_sizes(page: Page, sizes: Sizes) -> Iterator[str]:
    for (width, height), of_letters in sizes:
        if (width, height) != (WIDTH, HEIGHT):
            page.set_viewport_size({"width": width, "height": height})
        for letters in of_letters:
            for found in dict.fromkeys(page.evaluate(MEASURES, [width, letters, TARGET])):
                yield f"{width} × {height} px, letters of {letters} px: {found}"
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
