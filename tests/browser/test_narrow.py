"""The pages of an evening on a narrow phone, whose players have names of ten letters."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening, start
from tests.browser import gallery_tarokk
from tests.browser.conftest import LOCALES
from tests.browser.phones import url
from tests.selection import first
from tests.statistics.generate import generate

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Konstantin", "Wilhelmina", "Bertalanka", "Gyöngyvéra", "Friderikus")
#: The hands with the fewest marks and with the most, by the key of the game.
PLAIN = {"asszorti": "2H 7", "tarokk": "2+3 +"}
MARKED = {"asszorti": "hN 6-5-0 M A+M", "tarokk": "2+3 + TR NK -UK t -n -b 9@1"}

#: The words that are broken within, and the marks of a hand that lie over something else of it.
WRONG = """() => {
    const found = [];
    const range = document.createRange();
    const buttons = ".referee .button, .evening-bar .button, .whose .button";
    const roots = `.seat, .sheet, .speaker, ${buttons}, .names .face, .route`;
    for (const root of document.querySelectorAll(roots)) {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            const { data, parentElement } = walk.currentNode;
            if (!parentElement.checkVisibility() || parentElement.closest(".visually-hidden")) continue;
            for (const { 0: word, index } of data.matchAll(/[\\p{L}]+/gu)) {
                range.setStart(walk.currentNode, index);
                range.setEnd(walk.currentNode, index + word.length);
                const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
                if (tops.size > 1) found.push(`broken: ${word} in ${root.className}`);
            }
        }
    }
    const boxes = (line) => [...line.querySelectorAll(".deal > :not(.visually-hidden), .mark, .amended")]
        .map((part) => {
            // What does not fit is not drawn.
            const [{ left, right, top, bottom }, seen] = [part, part.closest(".short") ?? part]
                .map((each) => each.getBoundingClientRect());
            return [part, { left, right: Math.min(right, seen.right), top, bottom }];
        });
    for (const said of document.querySelectorAll(".line .said")) {
        // A description that ends in an ellipsis has boxes that are not drawn.
        const { scrollWidth, clientWidth } = said.querySelector(".short");
        if (scrollWidth > clientWidth) continue;
        for (const [one, a] of boxes(said)) for (const [other, b] of boxes(said)) {
            const meet = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
            if (one !== other && !one.contains(other) && !other.contains(one) && meet) {
                found.push(`${one.textContent.trim()} lies over ${other.textContent.trim()}`);
            }
        }
    }
    for (const tag of document.querySelectorAll(".line .amended")) {
        const [inner, outer] = [tag, tag.closest(".said")].map((each) => each.getBoundingClientRect());
        if (inner.right > outer.right + 1 || inner.top > outer.bottom - 8) found.push("the correction is not seen");
    }
    for (const who of document.querySelectorAll(".line .who:not(:has(bdi))")) {
        if (who.scrollWidth > who.clientWidth + 1) found.push(`cut: ${who.textContent.trim()}`);
    }
    const hint = document.querySelector(".announce-hint");
    if (hint?.checkVisibility()) {
        range.selectNodeContents(hint.parentElement.querySelector("legend"));
        const legend = range.getBoundingClientRect().right;
        if (hint.getBoundingClientRect().left < legend) found.push(`${hint.textContent} lies over the legend`);
    }
    const undo = document.querySelector(".undo");
    if (undo?.offsetHeight > 50) found.push(`what was saved is ${undo.offsetHeight} px high`);
    return found;
}"""


def played(owner: User, key: str, seats: int) -> Evening:
    """An evening with a hand that was thrown in, and one with many marks that was corrected."""
    evening = start(Opening(NAMES[:seats], 0, game_key=key), token=uuid4(), by=owner)
    hands = [Facts(0)] if key != "preference" else []
    dealer = evening.game.next_dealer(evening.sitting, 0) if hands else 0
    if deal := MARKED.get(key):
        speaking = evening.game.playing_seats(evening.sitting, dealer)
        hands.append(Facts(dealer, speaking[0], PLAIN[key]))
    for number, facts in enumerate(hands, 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    if deal:
        ledger.amend(evening.pk, len(hands), facts=Facts(dealer, speaking[0], deal), by=owner)
    return evening


def pages(page: Page, owner: User) -> Iterator[str]:
    """Open the pages, one after the other, and name them."""
    for key, game in GAMES.items():
        for seats in game.seat_counts:
            evening = played(owner, key, seats)
            for path in ("?saved=2", "referee/", "hands/new/", "settle/"):
                page.goto(url(evening, path))
                yield f"{key}, {seats}, {path}"
    # The last to speak may say the most.
    page.goto(url(start(Opening(NAMES[:4], 0, game_key="tarokk"), token=uuid4(), by=owner), "referee/"))
    for number in range(3):
        page.locator("[name=call][value=pass]").tap()
        page.locator(f".speaker.out:nth-child({number + 1})").wait_for()
    yield "tarokk, referee, the fourth"


@pytest.mark.thorough
@pytest.mark.parametrize("language", LOCALES)
def test_no_word_is_broken_no_mark_covers_another_and_what_was_saved_is_one_line(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, language: str
) -> None:
    page = new_phone(viewport={"width": 320, "height": 568}, locale=LOCALES[language])
    sign_in(page, owner)
    findings = [f"{name}: {found}" for name in pages(page, owner) for found in page.evaluate(WRONG)]
    assert not findings, "\n".join(findings)


def test_long_names_are_whole_on_the_keys_that_ask_whose_phone_it_is(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User
) -> None:
    page = new_phone(viewport={"width": 390, "height": 844})
    sign_in(page, owner)
    names = ("Nagyszentmiklósi", "Ödön", "Wilhelmine-Karolina")
    page.goto(url(start(Opening(names, 0), token=uuid4(), by=owner)))
    assert page.locator(".whose .button").count() == 5
    assert page.evaluate(WRONG) == []


#: The figures of a table that take two lines, or more room than their column has.
BROKEN_FIGURES = """() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    const range = document.createRange();
    return [...document.querySelectorAll("table.figures td")].filter((it) => {
        range.selectNodeContents(it);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        return lines.size > 1 || it.scrollWidth > it.clientWidth + 1;
    }).map((it) => it.textContent.trim());
}"""


def test_figures_of_a_year_with_eight_players_keep_to_their_columns(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User
) -> None:
    (circle,) = generate(owner, sessions=20, hands=12, players=12, seed=2)
    page = new_phone(viewport={"width": 320, "height": 568})
    sign_in(page, owner)
    page.goto(f"/circles/{circle.pk}/years/2026/")
    assert page.locator("table.figures-of-8").count()
    broken = page.evaluate(BROKEN_FIGURES)
    assert not broken, " ".join(broken)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


# --- A session's page with letters of 200 %: balances and rows grow with them, and nothing lies over a name ---


TEXT_NAMES = ("Anna", "Béla", "Bertalan", "Dani", "Vilma")
PARTS = (".seat .name", ".seat .figure", ".seat .duty", ".sheet td", ".row-link .said", ".row-link .deal")
#: The smallest size of the letters of each part.
SIZES = """(parts) => parts.map((part) =>
    Math.min(...[...document.querySelectorAll(part)].map((it) => parseFloat(getComputedStyle(it).fontSize))))"""
#: Script that returns the faults of a page in large text: width, cut names and figures, a covering dealer's chip.
TEXT_WRONG = """() => {
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
    evening = gallery_tarokk.evening_of(owner, TEXT_NAMES[:seats])
    for deal in gallery_tarokk.DEALS:
        gallery_tarokk.record(evening, owner, deal)
    page = new_phone(viewport={"width": width, "height": 844})
    sign_in(page, owner)
    page.goto(url(evening))
    before = page.evaluate(SIZES, PARTS)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    grown = {part: now / was for part, was, now in zip(PARTS, before, page.evaluate(SIZES, PARTS), strict=True)}
    assert min(grown.values()) > 1.1, grown
    wrong = page.evaluate(TEXT_WRONG)
    assert not wrong, "\n".join(wrong)
