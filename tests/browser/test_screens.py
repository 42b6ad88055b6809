"""Every page, as it is served, is sound HTML, and so is every part that htmx asks for; it fits a narrow phone and big
letters, keeps its buttons within reach, and hides nothing from anybody.

One walk measures everything: to come to a screen costs more than to look at it.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Literal

import pytest
from django.db import transaction
from playwright.sync_api import Page

from tests.browser import (
    axe,
    gallery,
    gallery_circle,
    gallery_evenings,
    gallery_people,
    gallery_phone,
    gallery_preference,
    gallery_referee,
    gallery_rules,
    gallery_tarokk,
    nu,
)
from tests.browser.conftest import HEIGHT, LOCALES, WIDTH
from tests.browser.gallery import Screen
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

TARGET = 48
LANGUAGES = ("hu", "en")
type Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
type Sizes = tuple[tuple[tuple[int, int], tuple[int, ...]], ...]
#: Width and height of the screen, and the sizes of the letters on it: 200 % is 32. The last is a phone that lies on its
#: side. The first is the phone of the walk.
NARROW: Sizes = (((320, HEIGHT), (16,)),)
SIZES: Sizes = (*NARROW, ((WIDTH, HEIGHT), (16, 32)), ((640, HEIGHT), (32,)), ((844, 390), (16,)))
#: The rooms of the gallery, each walked through by itself: its modules lay data by the program's own writers.
ROOMS: dict[str, tuple[ModuleType, ...]] = {
    "pages": (gallery, gallery_people),
    "evenings": (gallery_evenings, gallery_phone, gallery_rules, gallery_circle),
    "games": (gallery_referee, gallery_tarokk, gallery_preference),
}
#: Galleries of which all pages look otherwise than the same pages elsewhere.
APART = (gallery, gallery_tarokk, gallery_preference)
#: Pages that the room "pages" has, and many others have too.
EVERYWHERE = {
    "/",
    "/demo/",
    "/sessions/new/",
    *(f"/sessions/#/{rest}" for rest in ("", "settle/", "hands/new/", "hands/#/")),
}
#: The screens that are looked at in all themes and sizes; in the default run each stands for its page.
MAIN = {
    "pages": {
        "home, running and past",
        "past sessions",
        "session, 20 hands",
        "hand form, long names",
        "hand, long names",
        "settle, coins and long names",
        "members, owner",
    },
    "evenings": {"circle, all unfolded", "statistics, long names"},
    "games": {
        "Tarokk: form of five, long names",
        "Preference: pul'ka of three",
        "preference, hand form, announced",
    },
}
#: More than so many answers of a room are parts of pages.
PARTS = {"pages": 5, "games": 0}


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


@pytest.mark.parametrize("languages", first(1, (LANGUAGES, LANGUAGES[::-1])), ids="-".join)
@pytest.mark.parametrize("room", ROOMS)
def test_every_page_is_sound_and_fits_320_pixels_and_main_screens_all_sizes_and_themes(
    walk: Callable[..., Iterator[tuple[str, Page]]],
    served: list[str],
    room: str,
    languages: tuple[str, ...],
    pytestconfig: pytest.Config,
    tmp_path: Path,
) -> None:
    """Languages and themes take turns. The default run has each page in one of its states, --all has them all."""
    screens = hung(room) if pytestconfig.option.all else one_of_each_page(room)
    assert MAIN[room] <= {screen.name for screen in screens}, "a main screen has another name"
    documents: dict[str, str] = {}
    findings: list[str] = []
    for nth, language in enumerate(languages):
        turns = itertools.cycle((theme,) for theme in THEMES)
        viewport = {"width": 320, "height": HEIGHT}
        for name, page in walk(screens[nth :: len(languages)], viewport=viewport, locale=LOCALES[language]):
            themes, sizes = (THEMES, SIZES) if name in MAIN[room] else (next(turns), NARROW)
            findings += _unsound(name, page, themes, sizes, language, served, documents)
    _require_enough(documents, len(screens), PARTS.get(room, -1) if pytestconfig.option.all else -1)
    findings += nu.findings(documents, tmp_path)
    assert not findings, "\n".join(findings)


def hung(room: str) -> list[Screen]:
    """Lay the data of a room, and return its screens."""
    with transaction.atomic():
        return [screen for gallery in ROOMS[room] for screen in gallery.screens()]


def one_of_each_page(room: str) -> list[Screen]:
    """Return each page as its main screen, else in the last of its states: long names, forms that are filled in.

    Addresses that differ in a number or a token are of one page; an answer of another status is a page of its own.
    """
    once: dict[tuple[ModuleType | None, str], Screen] = {}
    with transaction.atomic():
        for gallery in ROOMS[room]:
            apart = gallery if gallery in APART else None
            for screen in gallery.screens():
                page = apart, page_of(screen)
                if page not in once or once[page].name not in MAIN[room]:
                    once[page] = screen
    return [screen for (apart, page), screen in once.items() if apart or page not in EVERYWHERE]


def page_of(screen: Screen) -> str:
    """Return the address of a screen's page, with its status unless that is 200."""
    address = re.sub(r"[^/]*\d[^/]*", "#", screen.path.partition("?")[0])
    return address if screen.status == 200 else f"{address} {screen.status}"


def _unsound(
    name: str,
    page: Page,
    themes: Sequence[Theme],
    sizes: Sizes,
    language: str,
    served: list[str],
    documents: dict[str, str],
) -> Iterator[str]:
    """Yield the faults of a screen, and keep what was served on the way to it for the HTML checker."""
    documents.update({f"{name}, {nth}": nu.document(text, language) for nth, text in enumerate(served, 1)})
    served.clear()
    assert page.locator("html").get_attribute("lang") == language, name
    for found in (*within_reach(page, themes), *at_sizes(page, sizes)):
        yield f"{name}, {found}"


def _require_enough(documents: dict[str, str], screens: int, more_parts_than: int) -> None:
    """A checker that is given nothing finds nothing."""
    parts = [text for text in documents.values() if nu.is_part(text)]
    assert len(documents) - len(parts) >= screens
    assert len(parts) > more_parts_than


def within_reach(page: Page, themes: Sequence[Theme]) -> Iterator[str]:
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        for found in (*page.evaluate(REACH, TARGET), *axe.violations(page, only_colours=theme != themes[0])):
            yield f"{theme}: {found}"


def at_sizes(page: Page, sizes: Sizes) -> Iterator[str]:
    before = page.viewport_size
    assert before is not None
    for (width, height), of_letters in sizes:
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
        for letters in of_letters:
            for found in dict.fromkeys(page.evaluate(MEASURES, [width, letters, TARGET])):
                yield f"{width} × {height} px, letters of {letters} px: {found}"
    if page.viewport_size != before:
        page.set_viewport_size(before)
