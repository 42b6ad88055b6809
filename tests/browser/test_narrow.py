"""An evening's pages on a narrow phone and with large letters: long names, the live count, the key of the marks."""

import json
from collections.abc import Iterator
from random import Random
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening, start
from tests.browser import gallery_tarokk, thumb
from tests.browser.conftest import LOCALES
from tests.browser.phones import Phones, url
from tests.factories import begun, record_all
from tests.selection import first_rows
from tests.statistics.generate import generate
from tests.views.page import HTMX_COUNT

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


def played(owner: User, key: str) -> Evening:
    """An evening of the most players with a hand that was thrown in, and one with many marks that was corrected."""
    game = GAMES[key]
    evening = begun(owner, key, names=NAMES[: max(game.seat_counts)])
    if deal := MARKED.get(key):
        dealer = game.next_dealer(evening.sitting, 0)
        first, *_others = game.playing_seats(evening.sitting, dealer)
        record_all(evening, owner, Facts(0), Facts(dealer, first, PLAIN[key]))
        ledger.amend(evening.pk, 2, facts=Facts(dealer, first, deal), by=owner)
    return evening


def pages(page: Page, owner: User) -> Iterator[str]:
    """Open the pages, one after the other, and name them."""
    for key in GAMES:
        evening = played(owner, key)
        for path in ("?saved=2", "referee/", "hands/new/", "settle/"):
            page.goto(url(evening, path))
            yield f"{key}, {path}"
    # The last to speak may say the most.
    page.goto(url(begun(owner, "tarokk", names=NAMES[:4]), "referee/"))
    for number in range(3):
        page.locator("[name=call][value=pass]").tap()
        page.locator(f".speaker.out:nth-child({number + 1})").wait_for()
    yield "tarokk, referee, the fourth"


@pytest.fixture
def narrow(phone_of: Phones, owner: User) -> Page:
    """The smallest phone, in the language with the longer words."""
    return phone_of(owner, "/offline/", viewport={"width": 320, "height": 568}, locale=LOCALES["hu"])


def test_no_word_is_broken_no_mark_covers_another_and_what_was_saved_is_one_line(narrow: Page, owner: User) -> None:
    findings = [f"{name}: {found}" for name in pages(narrow, owner) for found in narrow.evaluate(WRONG)]
    narrow.set_viewport_size({"width": 390, "height": 844})
    narrow.goto(url(start(Opening(("Nagyszentmiklósi", "Ödön", "Wilhelmine-Karolina"), 0), token=uuid4(), by=owner)))
    assert narrow.locator(".whose .button").count() == 5
    findings += [f"whose phone it is: {found}" for found in narrow.evaluate(WRONG)]
    assert not findings, "\n".join(findings)


# --- The live count of a form: each player's amount is always seen whole; its explanation is unfolded by a tap ---


#: By the key of the game: hands with the longest counts, each with its declarer; and hands of an evening beside them.
LONGEST = {
    "asszorti": [("hN 6-5-0 M A+M", 1)],
    "tarokk": [("2+2 58 UK u 8@0", 1), ("2+1 60 8@0 9@2", 1), ("2+3 58 TR NK -UK t -n -b 9@1", 1)],
}
LIKELY = 12

#: The amounts that are cut off, folded or unfolded, and a save button that unfolding moves.
CUT = """(answers) => answers.flatMap((answer) => {
    const count = document.getElementById("count");
    const save = () => document.querySelector(".save-row").getBoundingClientRect().top;
    const before = save();
    count.innerHTML = answer;
    const details = count.querySelector("details.counted");
    if (!details) return [`not counted: ${count.textContent.trim()}`];
    const words = details.textContent.trim().replace(/\\s+/g, " ");
    const inside = (part, box) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const { left, right, top, bottom } = box.getBoundingClientRect();
        return [...range.getClientRects()].every((one) => one.left > left - 0.5 && one.right < right + 0.5
            && one.top > top - 0.5 && one.bottom < bottom + 0.5);
    };
    const wrong = inside(details.querySelector(".gets"), count) ? [] : [`cut: ${words}`];
    details.open = true;
    if (!inside(details, details.querySelector("summary"))) wrong.push(`cut unfolded: ${words}`);
    if (save() !== before) wrong.push(`moves what saves: ${words}`);
    return wrong;
})"""


def answers(evening: Evening, owner: User, language: str) -> Iterator[str]:
    """Counts of hands, as the server sends them."""
    game, client = evening.game, Client()
    chance = Random(18)  # noqa: S311  cards, not keys
    client.force_login(owner)
    hands = list(LONGEST.get(evening.game_key, []))
    for _ in range(LIKELY):
        declarer, deal = game.likely(chance, evening.sitting, 0, evening.house)
        hands.append((game.deal_to_text(deal), "" if declarer is None else declarer))
    for line, declarer in hands:
        posted = {"token": uuid4(), "number": 1, "dealer": 0, "declarer": declarer, "line": line}
        said = client.post(url(evening, "hands/preview/"), posted, headers={**HTMX_COUNT, "Accept-Language": language})
        assert said.status_code == 200, line
        yield said.text


def test_live_count_shows_each_amount_whole(narrow: Page, owner: User) -> None:
    findings = []
    for key, game in GAMES.items():
        evening = begun(owner, key, names=NAMES[: max(game.seat_counts)])
        narrow.goto(url(evening, "hands/new/"))
        findings += narrow.evaluate(CUT, list(answers(evening, owner, "hu")))
    assert not findings, json.dumps(findings, indent=1, ensure_ascii=False)


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


@pytest.mark.thorough
def test_figures_of_a_year_with_eight_players_keep_to_their_columns(narrow: Page, owner: User) -> None:
    circle = generate(owner, sessions=20, hands=12, players=12, seed=2)
    narrow.goto(f"/circles/{circle.pk}/years/2026/")
    assert narrow.locator("table.figures-of-8").count()
    broken = narrow.evaluate(BROKEN_FIGURES)
    assert not broken, " ".join(broken)
    assert narrow.evaluate("document.documentElement.scrollWidth") == 320


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


@pytest.mark.parametrize(("seats", "width"), first_rows(1, [(5, 320), (4, 320), (5, 390)]))
def test_balances_and_rows_of_tarokk_grow_with_the_text_and_fit(
    phone_of: Phones, owner: User, seats: int, width: int
) -> None:
    evening = gallery_tarokk.evening_of(owner, TEXT_NAMES[:seats])
    for deal in gallery_tarokk.DEALS:
        gallery_tarokk.record(evening, owner, deal)
    page = phone_of(owner, url(evening), viewport={"width": width, "height": 844})
    before = page.evaluate(SIZES, PARTS)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    grown = {part: now / was for part, was, now in zip(PARTS, before, page.evaluate(SIZES, PARTS), strict=True)}
    assert min(grown.values()) > 1.1, grown
    wrong = page.evaluate(TEXT_WRONG)
    assert not wrong, "\n".join(wrong)


def test_key_is_there_where_a_row_has_letters_and_totals_after_a_tap(phone_of: Phones, owner: User) -> None:
    names = ("Anna", "Béla", "Cili", "Dani", "Edit")
    four, five = begun(owner, "tarokk", names=names[:4]), begun(owner, "tarokk", names=names)
    record_all(four, owner, Facts(0, 1, "2+3 42 K N"))
    record_all(five, owner, *[Facts(0, 1, "1= 54")] * 2)
    page = phone_of(owner, url(four))
    row, key = page.locator("#hand-1"), page.locator("#key")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        expect(key).to_be_visible()
        expect(row.locator(".deal > .abbr")).to_be_visible()
        expect(row.locator(".mark > .abbr").first).to_be_visible(visible=width < 390)
        expect(row).to_contain_text("négy király")
    key.locator("summary").tap()
    expect(key.get_by_text("négy király")).to_be_visible()
    page.goto(url(five))
    expect(page.locator("#hand-1 .deal > .abbr")).to_be_hidden()
    expect(key).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    shown = page.locator("#hand-1 td").all_inner_texts()
    amounts = [0 if amount == "·" else int(amount.replace("−", "-")) for amount in shown]
    page.get_by_role("checkbox", name="running totals").tap()
    for cell, amount in zip(page.locator("#hand-2 td").all(), amounts, strict=True):
        assert cell.evaluate("(cell) => getComputedStyle(cell, '::after').content") == f'"{thumb.written(2 * amount)}"'
