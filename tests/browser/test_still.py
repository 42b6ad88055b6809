"""Nothing that a thumb is about to touch moves by itself on the evening's page, and no line of it breaks: in px."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Item
from scorekeeper.games.asszorti.hand_in_play import Announced
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, HandMark, Member, Role, User
from sessions_app.writers import evenings, ledger, members
from tests import moves
from tests.browser.conftest import LOCALES
from tests.browser.phones import url
from tests.factories import MemberFactory, UserFactory, evening_of, record, strike_out
from tests.selection import first, first_rows

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = [(390, 844), (320, 568)]

#: The positions of all text and tap targets: but for the parts that rise over the sheet.
BOXES = """() => {
    const kinds = {
        "header a": "way", ".seat": "seat", ".line": "", ".evening-bar .primary": "enter", ".moment summary": "unfold",
        ".moment > .button": "referee", ".more a": "earlier", ".sheet thead th": "column",
    };
    const boxes = {};
    for (const [selector, kind] of Object.entries(kinds)) {
        document.querySelectorAll(selector).forEach((part, place) => {
            const { x, y, width, height } = part.getBoundingClientRect();
            boxes[part.matches(".line") ? part.id : `${kind} ${place + 1}`] = [x, y, width, height];
        });
    }
    return boxes;
}"""


def boxes(page: Page) -> dict[str, list[float]]:
    found: dict[str, list[float]] = page.evaluate(BOXES)
    return found


def moved(before: dict[str, list[float]], after: dict[str, list[float]]) -> list[str]:
    """The elements that were there before and are elsewhere now: sooner or later than half a pixel."""
    return [
        f"{part}: {box} -> {after.get(part)}"
        for part, box in before.items()
        if part not in after or any(abs(now - was) > 0.5 for now, was in zip(after[part], box, strict=True))
    ]


#: The elements that ignore taps for a moment, by their words.
CALMED = """() => {
    window.calmed = [];
    new MutationObserver((changes) => {
        for (const { target } of changes) if (target.matches(".just-come")) calmed.push(target.textContent.trim());
    }).observe(document.getElementById("state"), { subtree: true, attributeFilter: ["class"] });
}"""

Act = tuple[str, Callable[[], object]]


def acts(evening: Evening, by: User, other: User) -> Iterator[Act]:
    """The acts of other phones while this one lies there; each makes the evening another version."""
    yield "record", lambda: record(evening, by, "2H 7 K")
    yield "record the longest", lambda: record(evening, by, "hN 6-5-0 M A+M")
    middle = max(1, evening.last_number - 5)
    yield "correct", lambda: ledger.amend(evening.pk, middle, facts=Facts(0, 1, "hC 6-5-0 M A*M"), by=by)
    yield "void", lambda: strike_out(evening, middle + 1, by)
    yield "restore", lambda: ledger.restore(evening.pk, middle + 1, by=by)
    yield "undo", lambda: ledger.void(evening.pk, evening.hands.count(), by=by)
    yield "doubt", lambda: evenings.mark_hand(evening.pk, middle, HandMark.Kind.HM, by=other)
    yield "agree", lambda: evenings.mark_hand(evening.pk, middle + 1, HandMark.Kind.OK, by=other)
    yield "announce", lambda: _announce(evening, by)
    yield "kontra", lambda: _kontra(evening, by)
    yield "record what was announced", lambda: record(evening, by, "1S 8 K")
    yield "claim", lambda: _claim(evening, other)
    yield "follow", lambda: _follow(evening)


def _seen(evening: Evening) -> Seen:
    evening.refresh_from_db()
    row = moves.latest(evening)
    return Seen(evening.last_number + 1, row.version if row else 0)


def _announce(evening: Evening, by: User) -> None:
    seen = _seen(evening)
    dealer = (seen.number - 1) % 3
    said = Announced(dealer, (dealer + 1) % 3, Announcement(Contract.TWO, Trump.HEARTS, True))
    moves.announce(evening.pk, said, seen=seen, by=by, token=uuid4())


def _kontra(evening: Evening, by: User) -> None:
    row = moves.latest(evening)
    sides = moves.read(row).sides if row else None
    assert sides is not None
    moves.double(evening.pk, lambda said: said.say(sides.left, Item.GAME), seen=_seen(evening), by=by)


def _renew(evening: Evening) -> None:
    """A new version, so that it comes at once and not with the next whole answer."""
    evening.refresh_from_db()
    Evening.objects.filter(pk=evening.pk).update(version=evening.version + 1)


def _claim(evening: Evening, other: User) -> None:
    members.claim(Member.objects.get(circle=evening.circle, user=other))
    _renew(evening)


def _follow(evening: Evening) -> None:
    members.note_presence(MemberFactory(circle=evening.circle, player=evening.seats.all()[1].player))
    _renew(evening)


@pytest.fixture
def other(evening: Evening) -> User:
    return MemberFactory(circle=evening.circle, role=Role.KEEPER).user


def lying(new_phone: Callable[..., Page], sign_in: Callable[..., None], user: User, path: str, **args: Any) -> Page:
    page = new_phone(**args)
    sign_in(page, user)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return page


def shown(page: Page, evening: Evening) -> None:
    """Wait until the phone shows the write; it asks at once, as when the network comes back."""
    evening.refresh_from_db()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#state")).to_have_attribute("data-version", str(evening.version))


def test_hand_of_another_phone_is_told_in_one_line(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, other: User, evening: Evening
) -> None:
    """Its figures are in the newest row, which the bar leaves on the screen."""
    record(evening, other, "hN 6-5-0 M A+M", declarer=1)
    page = lying(new_phone, sign_in, owner, url(evening), viewport={"width": 390, "height": 664})
    news = page.locator("#news")
    expect(news).to_contain_text("Béla from hand")
    expect(news).not_to_contain_text("−")
    box = page.locator(".told").bounding_box()
    assert box
    assert box["height"] < 2 * 48
    expect(page.locator("#hand-1")).to_be_in_viewport(ratio=1)


def put_a_finger_on(page: Page, part: Locator) -> None:
    """It rests there, and is not lifted any more."""
    box = part.bounding_box()
    assert box
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.context.new_cdp_session(page).send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})


@pytest.mark.parametrize("size", first(1, SIZES), ids=str)
@pytest.mark.parametrize(("hands", "held"), first_rows(1, [(3, "finger"), (0, "finger"), (30, "scroll")]))
def test_acts_of_other_phones_move_nothing_under_a_reader_s_finger(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    other: User,
    hands: int,
    held: str,
    size: tuple[int, int],
) -> None:
    writer = UserFactory()
    MemberFactory(circle=evening.circle, user=writer)
    for _ in range(hands):
        record(evening, writer, "2H 7")
    viewport = dict(zip(("width", "height"), size, strict=True))
    page = lying(new_phone, sign_in, owner, url(evening), viewport=viewport)
    if held == "scroll":
        page.evaluate("scrollTo(0, 250)")
    elif held == "finger":
        put_a_finger_on(page, page.locator(".sheet thead th").first)
    findings = []
    for name, act in acts(evening, writer, other):
        before = boxes(page)
        act()
        shown(page, evening)
        for thinner in page.locator(".undone").all():
            before.pop(str(thinner.get_attribute("id")), None)
        findings += [f"{name}: {found}" for found in moved(before, boxes(page))]
    assert not findings, "\n".join(findings)
    expect(page.locator("#newest")).to_have_text(f"↑ Hand {hands + 3}")


@pytest.mark.thorough
@pytest.mark.parametrize("size", first(1, SIZES), ids=str)
@pytest.mark.parametrize("hands", first(1, [1, 30]))
def test_a_phone_that_watches_the_top_of_the_sheet_sees_every_new_hand_there(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    hands: int,
    size: tuple[int, int],
) -> None:
    for _ in range(hands):
        record(evening, owner, "2H 7")
    viewer = MemberFactory(circle=evening.circle, role=Role.VIEWER).user
    page = lying(new_phone, sign_in, viewer, url(evening), viewport={"width": size[0], "height": size[1]})
    page.evaluate(CALMED)
    before = boxes(page)
    for number in (hands + 1, hands + 2):
        record(evening, owner, "hN 6-5-0 M A+M")
        shown(page, evening)
        expect(page.locator(f"#hand-{number}")).to_be_in_viewport(ratio=1)
        expect(page.locator("#newest")).to_be_hidden()
        assert page.evaluate("scrollY") == 0
    stays = {part: box for part, box in boxes(page).items() if not part.startswith(("hand", "earlier"))}
    assert moved({part: box for part, box in before.items() if part in stays}, stays) == []
    rows = {words.split()[0] for words in page.evaluate("calmed")}
    assert {str(hands + 1), str(hands + 2)} <= rows, "no tap goes to another row than the one that was aimed at"


@pytest.mark.thorough
def test_a_word_in_the_head_leads_up_to_the_new_hand(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, other: User
) -> None:
    for _ in range(14):
        record(evening, other, "2H 7")
    page = lying(new_phone, sign_in, owner, url(evening))
    page.evaluate("scrollTo(0, 300)")
    up = page.get_by_role("button", name="↑ Hand 15")
    record(evening, other, "1S 8")
    shown(page, evening)
    expect(page.locator("#hand-3")).to_be_attached()
    up.tap()
    expect(page.locator("#hand-15")).to_be_in_viewport(ratio=1)
    expect(up).to_be_hidden()
    assert page.evaluate("scrollY") == 0


@pytest.mark.thorough
def test_page_that_is_seen_again_has_the_latest_hand_on_top(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, other: User
) -> None:
    for _ in range(14):
        record(evening, other, "2H 7")
    page = lying(new_phone, sign_in, owner, url(evening))
    page.evaluate("scrollTo(0, 300)")
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    record(evening, other, "1S 8")
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#hand-15")).to_be_in_viewport(ratio=1)
    expect(page.locator("#newest")).to_be_hidden()
    assert page.evaluate("scrollY") == 0


@pytest.mark.thorough
def test_buttons_that_have_just_come_into_the_bar_take_no_tap_at_first(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, other: User
) -> None:
    page = lying(new_phone, sign_in, owner, url(evening))
    page.evaluate(CALMED)
    record(evening, other, "1S 8")
    ok = page.get_by_role("button", name="OK")
    expect(ok).to_be_visible()
    expect(ok).not_to_have_class("button just-come")
    assert set(page.evaluate("calmed")) == {"OK", "Hm?"}


#: The figures and tags that are cut off, and the words that are broken within. (A description may end in an ellipsis.)
BROKEN = """() => {
    const found = [];
    const range = document.createRange();
    const right = (box) => box.getBoundingClientRect().right;
    for (const cell of document.querySelectorAll(".line td, .line th, .figure, .money, .duty")) {
        if (cell.scrollWidth > cell.clientWidth) found.push(`cut: ${cell.textContent.trim().slice(0, 30)}`);
    }
    for (const part of document.querySelectorAll(".amended")) {
        if (right(part) > right(part.closest(".said"))) found.push(`outside: ${part.textContent.trim()}`);
    }
    for (const root of document.querySelectorAll(".seat, .sheet")) {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            range.selectNodeContents(walk.currentNode);
            const hidden = walk.currentNode.parentElement.closest(".visually-hidden");
            const tops = [...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top));
            if (!hidden && new Set(tops).size > 1) found.push(`broken: ${walk.currentNode.data.trim()}`);
        }
    }
    return found;
}"""


@pytest.mark.thorough
@pytest.mark.made_up("as if 97 hands had been played")
@pytest.mark.parametrize("language", LOCALES)
def test_at_320_px_no_figure_or_name_of_four_is_broken_and_each_hand_is_two_lines(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, language: str
) -> None:
    evening = evening_of(owner, ("Zsuzsanna", "Wilhelmine-Karolina", "Nagy Erzsébet", "Ed"))
    Evening.objects.filter(pk=evening.pk).update(last_number=97)
    longest = ("hN 11 M A+M", "hC 6-5-0 M A*M", "hN 6-0-5 H A-M", "3S 9 K A*R", "2H 7", "hN 0 M A-M")
    for number in range(12):
        record(evening, owner, longest[number % 6], declarer=(98 + number) % 4)
    keeper = MemberFactory(circle=evening.circle, player=evening.seats.all()[1].player).user
    evenings.mark_hand(evening.pk, 105, HandMark.Kind.OK, by=keeper)
    ledger.amend(evening.pk, 105, facts=Facts(0, 1, "hC 6-5-0 M A*M"), by=owner)
    evenings.mark_hand(evening.pk, 105, HandMark.Kind.OK, by=keeper)
    strike_out(evening, 104, owner)
    args = {"viewport": {"width": 320, "height": 568}, "locale": LOCALES[language]}
    page = lying(new_phone, sign_in, owner, url(evening), **args)
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    heights = page.locator(".line").evaluate_all("(lines) => lines.map((line) => line.offsetHeight)")
    assert set(heights) == {54}
