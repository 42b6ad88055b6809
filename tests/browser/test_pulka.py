"""Whole pul'kas by the form on one phone, of three and of four, against the sheets that were reckoned by hand."""

import html
import re
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.words.formatting import signed, unsigned
from sessions_app.writers import ledger
from tests import pulka
from tests.browser import phones, thumb
from tests.browser.gallery import LONG
from tests.browser.gallery_preference import evening_of
from tests.browser.phones import url
from tests.browser.pulka_taps import NAMES, Thumb
from tests.factories import strike_out
from tests.pulka import EVENING, Amend, Hand, Pulka, Sheet
from tests.selection import THOROUGH, first

pytestmark = pytest.mark.django_db(transaction=True)

#: Hands that are played where there is no network.
IN_THE_CELLAR = range(10, 13)
#: The hands that are tapped in by the default run; the others come from the ledger. With --all each is tapped in,
#: once, where there are scripts.
BY_THUMB = (1, *IN_THE_CELLAR)


@pytest.mark.parametrize("path", first(1, [pulka.THREE, pulka.FOUR]), ids=["three", "four"])
def test_a_whole_pulka_agrees_with_the_sheet(
    new_phone: Callable[..., Page], expected: set[str], path: Path, pytestconfig: pytest.Config
) -> None:
    def act(line: Hand | Amend | Sheet) -> None:
        match line:
            case Hand():
                if line.number in IN_THE_CELLAR:
                    record_in_the_cellar(page, evening, line)
                else:
                    record(page, evening, line)
            case Amend():
                amend(page, evening, line)
            case Sheet():
                see_the_sheet(page, line)

    def hand_of(line: Hand | Amend | Sheet) -> Facts | None:
        by_thumb = not isinstance(line, Hand) or line.number in BY_THUMB or pytestconfig.option.all
        return None if by_thumb else Facts(line.dealer, line.declarer, line.deal, deal_stays=line.is_agreed)

    expected.add(phones.NO_NETWORK)
    page = new_phone()
    evening = pulka.read(path)
    start(page, evening)
    phones.play(page, evening.lines, act, hand_of)
    recorded = Evening.objects.get().hands.order_by("number").values_list("number", "deal")
    assert dict(recorded) == standing(evening)


def standing(evening: Pulka) -> dict[int, str]:
    """The hands as they are in the end."""
    hands = [line.hand if isinstance(line, Amend) else line for line in evening.lines if not isinstance(line, Sheet)]
    return {hand.number: hand.deal for hand in hands}


def start(page: Page, evening: Pulka) -> None:
    page.goto("/sessions/new/")
    page.get_by_role("radio", name="Preference", exact=True).tap()
    for label, seat in zip(("First", "Second", "Third", "Fourth"), evening.seats, strict=False):
        page.get_by_role("textbox", name=f"{label} player").fill(NAMES[seat])
    page.locator("#house-rules > summary").tap()
    # A phone hides the field for a typed line.
    page.locator("#rules").evaluate("(field, rules) => field.value = rules", evening.rules)
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page.get_by_text("No hand has been played yet.")).to_be_visible()
    page.get_by_role("button", name="Don't ask").tap()
    expect(page.get_by_role("button", name="Don't ask")).to_have_count(0)
    phones.kept(page)


def record(page: Page, evening: Pulka, hand: Hand) -> None:
    page.get_by_role("link", name=f"Enter hand {hand.number}", exact=True).tap()
    expect(page.locator(".who-deals")).to_contain_text(f"{NAMES[hand.dealer]} deals")
    stood = thumb.save(page).bounding_box()
    Thumb(page, evening.seats, evening.rules).enter(hand)
    if not hand.is_thrown_in:
        see_the_count(page)
        page.evaluate("scrollTo(0, 0)")
        assert thumb.save(page).bounding_box() == stood, "it moved with the rows that came"
        thumb.save(page).tap()
    name = "Agreed entry" if hand.is_agreed else "Hand"
    saved = page.get_by_role("main").get_by_role("status").filter(has_text=f"{name} {hand.number} is saved.")
    expect(saved).to_be_visible()
    see_the_hand(page, hand.number, hand.entries)


def record_in_the_cellar(page: Page, evening: Pulka, hand: Hand) -> None:
    """The network goes when the first of these is tapped in, and comes back when the last waits on the phone."""
    if hand.number == IN_THE_CELLAR[0]:
        page.get_by_role("link", name=f"Enter hand {hand.number}", exact=True).tap()
        page.context.set_offline(True)
    expect(page.locator(".who-deals")).to_contain_text(f"{NAMES[hand.dealer]} deals")
    Thumb(page, evening.seats, evening.rules).enter(hand)
    if not hand.is_thrown_in:
        expect(page.locator("#count")).to_have_text("No network: it will be counted when it is saved.")
        phones.save(page, hand.number)
    expect(page.locator("#hand-news")).to_contain_text(f"Hand {hand.number} is waiting on this phone")
    if hand.number == IN_THE_CELLAR[-1]:
        page.get_by_role("link", name="The session").tap()
        expect(phones.rows(page)).to_have_count(len(IN_THE_CELLAR))
        page.context.set_offline(False)
        expect(page.locator(f"#hand-{hand.number}")).to_be_visible()
        expect(phones.rows(page)).to_have_count(0)
        written = {line.number: line.entries for line in evening.lines if isinstance(line, Hand)}
        for number in IN_THE_CELLAR:
            see_the_hand(page, number, written[number])


def amend(page: Page, evening: Pulka, line: Amend) -> None:
    """Its effect is shown before it is saved; afterwards every later hand says so of itself."""
    hand = line.hand
    unfold_hand(page, hand.number)
    page.get_by_role("button", name="Correct").tap()
    Thumb(page, evening.seats, evening.rules).enter(hand)
    see_the_count(page)
    later = page.locator("#forward tbody th")
    expect(later).to_have_text([str(number) for number in line.changes][:12])
    thumb.save(page).tap()
    unfold_hand(page, hand.number)
    expect(page.locator(".history")).to_contain_text("Corrected")
    expect(page.locator(".hand-card")).to_have_attribute("data-entries", hand.entries)
    page.get_by_role("link", name="The session").tap()
    for number, entries in line.changes.items():
        see_the_hand(page, number, entries)


def see_the_count(page: Page) -> None:
    expect(page.locator("#count [data-points]")).to_be_visible()


def unfold_hand(page: Page, number: int) -> None:
    row = page.locator(f"#hand-{number}")
    expect(page.locator(".sheet")).to_be_visible()
    if not row.count():
        page.get_by_role("link", name="Earlier hands").tap()
    row.get_by_role("link").tap()
    expect(page.locator(".hand-card")).to_be_visible()


def see_the_hand(page: Page, number: int, entries: str) -> None:
    """Its entries by its own page, which is read and not gone to."""
    shown = page.request.get(f"/sessions/{Evening.objects.get().pk}/hands/{number}/").text()
    assert html.unescape(re.findall(r'data-entries="([^"]*)"', shown)[0]) == entries


def see_the_sheet(page: Page, sheet: Sheet) -> None:
    expect(page.locator("#state")).to_have_attribute("data-sheet", sheet.sheet)
    for seat, result in enumerate(sheet.results):
        expect(page.locator(f"#state [data-seat='{seat}']")).to_have_attribute("data-balance", str(result))
    expect(page.locator(".reminder")).to_have_count(0 if sheet.over is None else 1)
    if sheet.settled:
        settle(page, sheet)


def settle(page: Page, sheet: Sheet) -> None:
    page.get_by_role("main").get_by_role("link", name="Settle up").tap()
    expect(page.locator(".settle")).to_have_attribute("data-sheet", sheet.sheet)
    expect(page.locator(".settled-as.over")).to_have_text("The game is over: the pool to 10 is full.")
    for seat, result in enumerate(sheet.results):
        expect(page.locator(f"[data-seat='{seat}'] .figure")).to_have_text(signed(result))
    pairs = {(payer, payee, unsigned(points)) for payer, payee, points in sheet.pairs}
    fewest = {(payer, payee, unsigned(points)) for payer, payee, points in sheet.fewest}
    page.locator("summary").filter(has=page.get_by_role("heading", name="Who won from whom")).tap()
    for rows, amount, transfers in ((".payable li", ".sum", fewest), (".transfers summary", ".figure", pairs)):
        expect(page.locator(rows)).to_have_count(len(transfers))
        seen = set()
        for row in page.locator(rows).all():
            payer, payee = (NAMES.index(name) for name in row.locator("bdi").all_text_contents())
            seen.add((payer, payee, (row.locator(amount).text_content() or "").removesuffix(" points")))
        assert seen == transfers
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()


#: Hands that are played one after the other, their declarers, and the most taps that each may take, with its save.
FEWEST = [
    ("6 ww 6-3-1", 1, 6),
    ("6 wp 6", 1, 5),
    ("7 ph", 1, 4),
    ("6 pp", 1, 4),
    ("M 1", 1, 4),
    ("R 4-3-3", None, 3),
]


@THOROUGH
def test_a_hand_takes_as_few_taps_as_can_be(new_phone: Callable[..., Page]) -> None:
    page = new_phone()
    evening = pulka.read(pulka.THREE)
    start(page, evening)
    for number, (deal, declarer, most) in enumerate(FEWEST, 1):
        page.get_by_role("link", name=f"Enter hand {number}", exact=True).tap()
        one = Thumb(page, evening.seats, evening.rules)
        one.enter(Hand(number, (number - 1) % 3, declarer, deal, ""))
        thumb.save(page).tap()
        expect(page.get_by_role("main").get_by_role("status")).to_have_text(f"Hand {number} is saved.")
        assert one.taps + 1 <= most
    recorded = Evening.objects.get().hands.order_by("number").values_list("deal", flat=True)
    assert list(recorded) == [deal for deal, _declarer, _most in FEWEST]


# --- The drawn sheet under the thumb ---


#: Faults in the positions of the figures: WCAG 2.2 wants 24 px each way, and each has its own place in its row.
MISPLACED = """() => {
    const box = (it) => it.getBoundingClientRect();
    const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5
        || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
    const links = [...document.querySelectorAll(".drawing a")];
    const others = [...document.querySelectorAll(".drawing :is(.account, .tag, .hub, h3)")];
    return links.flatMap((link, at) => {
        const { left, right, width, height } = box(link);
        const row = box(link.closest("p"));
        return [
            ...(Math.min(width, height) < 23.9 ? [`${link.textContent} is ${width} × ${height} px`] : []),
            ...(left < row.left || right > row.right + 0.5 ? [`${link.textContent} is out of its row`] : []),
            ...[...links.slice(at + 1), ...others].filter((other) => !apart(box(link), box(other)))
                .map((other) => `${link.textContent} lies over ${other.textContent.trim()}`),
        ];
    });
}"""


@pytest.fixture
def open_on(new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User) -> Callable[..., Page]:
    def phone(evening: Evening, **context_args: object) -> Page:
        page = new_phone(**context_args)
        page.add_init_script(phones.NO_WORKER)
        sign_in(page, owner)
        page.goto(url(evening))
        return page

    return phone


def play(evening: Evening, by: User, number: int) -> None:
    dealer, declarer, deal = EVENING[number - 1]
    ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(dealer, declarer, deal), by=by)


def filled(owner: User, names: tuple[str, ...], amount: int, target: int) -> Evening:
    """A sheet whose every row is longer than there is room for."""
    seats = range(len(names))
    pools, dumps = ([f"{account}{seat}+{amount}" for seat in seats] for account in "PD")
    banks = [f"B{seat}>{other}+{amount}" for seat, other in permutations(seats, 2)]
    text = f"= {' '.join([*(pools if amount * 10 <= target else []), *dumps, *banks])}"
    return evening_of(owner, names, f"target={target}", ((0, None, text),) * 10)


@pytest.mark.thorough
@pytest.mark.parametrize("width", first(1, [320, 390, 480]))
@pytest.mark.parametrize("names", first(1, [(*LONG, "Dani"), LONG]), ids=["four", "three"])
def test_each_figure_of_full_rows_has_room_for_a_thumb_and_lies_over_nothing(
    open_on: Callable[..., Page], owner: User, names: tuple[str, ...], width: int
):
    for amount, target in ((1, 10), (5, 50), (5, 51), (20, 999), (200, 999)):
        page = open_on(filled(owner, names, amount, target), viewport={"width": width, "height": 844})
        assert page.locator(".drawing a").count() > 2 * 2 * len(names)
        assert page.evaluate(MISPLACED) == [], (amount, target)


@pytest.mark.parametrize("scripts", first(1, [True, False]))
def test_a_tap_on_a_figure_opens_the_hand_that_wrote_it(open_on: Callable[..., Page], owner: User, scripts: bool):
    evening = evening_of(owner, hands=EVENING[:7])
    page = open_on(evening, java_script_enabled=scripts)
    page.locator(".drawing .field").nth(1).get_by_role("link", name="46", exact=True).tap()
    page.wait_for_url(url(evening, "hands/7/"))
    expect(page.locator("h1")).to_contain_text("Hand 7")


@pytest.mark.thorough
def test_drawn_sheet_goes_on_live_and_nothing_moves_nor_folds(open_on: Callable[..., Page], owner: User):
    evening = evening_of(owner, hands=EVENING[:6])
    page = open_on(evening)
    summary, drawing = page.locator(".pulka summary"), page.locator(".drawing")
    summary.tap()
    expect(page.locator(".figures-table").first).to_be_visible()
    stood = drawing.bounding_box(), summary.bounding_box()
    play(evening, owner, 7)
    expect(drawing.get_by_role("link", name="46", exact=True)).to_be_visible()
    expect(page.locator(".figures-table").first).to_be_visible()
    assert (drawing.bounding_box(), summary.bounding_box()) == stood
    strike_out(evening, 7, owner)
    struck = drawing.get_by_role("link", name="46, struck out")
    expect(struck).to_have_css("text-decoration-line", "line-through")
    assert (drawing.bounding_box(), summary.bounding_box()) == stood


def test_the_keyboard_finds_the_figures_in_the_table(open_on: Callable[..., Page], owner: User):
    evening = evening_of(owner, hands=EVENING[:2])
    page = open_on(evening)
    page.locator(".pulka summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".figures-table a").first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(url(evening, "hands/1/"))
