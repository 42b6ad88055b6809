"""A whole pul'ka by the form on one phone, against the sheet that was reckoned by hand; and the drawn sheet."""

import html
import re
from collections.abc import Callable, Iterator
from itertools import permutations
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.games.preference import GAME, Contract, Mizer, Raspasovka, deal_from_text, places
from scorekeeper.games.preference import participants as taking_part
from scorekeeper.games.preference.deal import Answers
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.words.wording import signed
from sessions_app.writers import ledger
from tests import pulka
from tests.browser import phones, thumb
from tests.browser.conftest import HEIGHT, WIDTH
from tests.browser.gallery import LONG
from tests.browser.gallery_preference import evening_of
from tests.browser.phones import url
from tests.factories import strike_out
from tests.pulka import EVENING, Amend, Hand, Pulka, Sheet
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Anna", "Béla", "Cili", "Dani")
#: Hands that are played where there is no network.
IN_THE_CELLAR = range(10, 12)
#: The hands that are tapped in by the default run; the others come from the ledger. With --all each is tapped in.
BY_THUMB = (1, *IN_THE_CELLAR)


def test_a_whole_pulka_agrees_with_the_sheet(
    new_phone: Callable[..., Page], expected: set[str], pytestconfig: pytest.Config
) -> None:
    def act(line: Hand | Amend | Sheet) -> None:
        match line:
            case Hand():
                (record_in_the_cellar if line.number in IN_THE_CELLAR else record)(page, evening, line)
            case Amend():
                amend(page, evening, line)
            case Sheet():
                see_the_sheet(page, line)

    def hand_of(line: Hand | Amend | Sheet) -> Facts | None:
        by_thumb = not isinstance(line, Hand) or line.number in BY_THUMB or pytestconfig.option.all
        return None if by_thumb else Facts(line.dealer, line.declarer, line.deal, deal_stays=line.is_agreed)

    expected.add(phones.NO_NETWORK)
    page = new_phone()
    evening = pulka.read(pulka.THREE)
    start(page, evening)
    phones.play(page, evening.lines, act, hand_of)
    recorded = Evening.objects.get().hands.order_by("number").values_list("number", "deal")
    hands = [line.hand if isinstance(line, Amend) else line for line in evening.lines if not isinstance(line, Sheet)]
    assert dict(recorded) == {hand.number: hand.deal for hand in hands}


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
    tap_in(page, evening, hand)
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
    tap_in(page, evening, hand)
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


def tap_in(page: Page, evening: Pulka, hand: Hand) -> None:
    """Tap in all but the button that saves it; a deal that is thrown in is saved by its own."""
    if hand.is_thrown_in:
        thumb.throw_in(page)
    elif hand.is_agreed:
        phones.type_line(page, hand.deal)
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    else:
        for name, value in rows(evening, hand):
            radio = page.locator(f"#hand-form [name={name}][value='{value}']")
            radio.tap()
            expect(radio).to_be_checked()


def rows(evening: Pulka, hand: Hand) -> Iterator[tuple[str, str]]:
    """The taps, row by row."""
    rules = GAME.rules_from_text(evening.rules)
    deal = deal_from_text(hand.deal, rules)
    if hand.declarer is not None:
        yield "declarer", str(hand.declarer)
    match deal:
        case Contract():
            yield "level", str(deal.level)
            if hand.declarer is not None and deal.answers is not Answers.CHECKED:
                whister = deal.answers.lone if deal.answers is not Answers.RETRIEVED else None
                seats = places(evening.seats, hand.dealer, hand.declarer)
                yield "answers", f"w{seats[whister]}" if whister else deal.answers.value
            yield from zip(("tricks", "first_tricks"), map(str, deal.tricks[:2]), strict=False)
            if deal.strain:
                yield "strain", deal.strain.value
        case Mizer(tricks):
            yield "level", "M"
            yield "tricks", str(tricks)
        case Raspasovka(tricks):
            part = taking_part(evening.seats, hand.dealer, talon=rules.raspasy_dealer)
            yield from ((f"taken_{seat}", str(taken)) for seat, taken in list(zip(part, tricks, strict=True))[:-1])


def amend(page: Page, evening: Pulka, line: Amend) -> None:
    """Its effect is shown before it is saved; afterwards every later hand says so of itself."""
    hand = line.hand
    unfold_hand(page, hand.number)
    page.get_by_role("button", name="Correct").tap()
    tap_in(page, evening, hand)
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
        page.get_by_role("main").get_by_role("link", name="Settle up").tap()
        expect(page.locator(".settle")).to_have_attribute("data-sheet", sheet.sheet)
        expect(page.locator(".settled-as.over")).to_have_text("The game is over: the pool to 10 is full.")
        for seat, result in enumerate(sheet.results):
            expect(page.locator(f"[data-seat='{seat}'] .figure")).to_have_text(signed(result))
        expect(page.locator(".payable li")).to_have_count(len(sheet.fewest))
        page.get_by_role("link", name="The session").tap()
        expect(page.locator("#state")).to_be_visible()


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


def filled(owner: User, names: tuple[str, ...], amount: int, target: int) -> Evening:
    """A sheet whose every row is longer than there is room for."""
    seats = range(len(names))
    pools, dumps = ([f"{account}{seat}+{amount}" for seat in seats] for account in "PD")
    banks = [f"B{seat}>{other}+{amount}" for seat, other in permutations(seats, 2)]
    text = f"= {' '.join([*(pools if amount * 10 <= target else []), *dumps, *banks])}"
    return evening_of(owner, names, f"target={target}", ((0, None, text),) * 10)


@pytest.mark.parametrize(
    ("names", "width"), first_rows(1, [((*LONG, "Dani"), 320), (LONG, 320), (LONG, 390), ((*LONG, "Dani"), 480)])
)
def test_each_figure_of_full_rows_has_room_for_a_thumb_and_lies_over_nothing(
    phone_of: Callable[..., Page], owner: User, names: tuple[str, ...], width: int
):
    page = phone_of(owner, "/offline/", viewport={"width": width, "height": 844})
    for amount, target in ((1, 10), (5, 50), (5, 51), (200, 999)):
        page.goto(url(filled(owner, names, amount, target)))
        assert page.locator(".drawing a").count() > 2 * 2 * len(names)
        assert page.evaluate(MISPLACED) == [], (amount, target)


@pytest.mark.thorough
def test_drawn_sheet_goes_on_live_without_a_move_and_its_figures_lead_to_their_hands(
    phone_of: Callable[..., Page], owner: User
):
    evening = evening_of(owner, hands=EVENING[:6])
    page = phone_of(owner, url(evening), phones.NO_WORKER)
    summary, drawing = page.locator(".pulka summary"), page.locator(".drawing")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".figures-table a").first).to_be_focused()
    stood = drawing.bounding_box(), summary.bounding_box()
    record_in_turn(evening, owner)
    expect(drawing.get_by_role("link", name="46", exact=True)).to_be_visible()
    expect(page.locator(".figures-table").first).to_be_visible()
    assert (drawing.bounding_box(), summary.bounding_box()) == stood
    strike_out(evening, 7, owner)
    struck = drawing.get_by_role("link", name="46, struck out")
    expect(struck).to_have_css("text-decoration-line", "line-through")
    assert (drawing.bounding_box(), summary.bounding_box()) == stood
    struck.tap()
    page.wait_for_url(url(evening, "hands/7/"))
    expect(page.locator("h1")).to_contain_text("Hand 7")


def record_in_turn(evening: Evening, owner: User) -> None:
    """Record the seventh hand of the session."""
    dealer, declarer, deal = EVENING[6]
    ledger.record(evening.pk, token=uuid4(), number=7, facts=Facts(dealer, declarer, deal), by=owner)
