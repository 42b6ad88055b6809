"""Writes of one phone move nothing that the thumb of another may be about to touch. Measured in pixels."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Call, Item
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.preference import referee as preference
from scorekeeper.games.preference.auction import Call as PreferenceCall
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, HandMark, Member, Role, User
from sessions_app.writers import evenings, hand_in_play, ledger, members
from tests import moves
from tests.browser import thumb
from tests.browser.phones import Phones, look_again, quicker, url, viewport
from tests.factories import MemberFactory, UserFactory, begun, record, strike_out
from tests.moves import seen
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: The positions of all tap targets on the screen, to the pixel.
PLACES = """(wanted) => Object.fromEntries([...document.querySelectorAll(wanted)].map((one, at) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const words = one.closest("form")?.getAttribute("action")?.split("/").at(-2) ?? one.className;
    return [`${at} ${words}`, [left, top, width, height].map(Math.round)];
}))"""
#: The same of Preference's ladder, by their words: it loses rungs.
RUNGS = """() => Object.fromEntries([...document.querySelectorAll(".bids button, .aside, .undo-place")].map((one) => {
    const { left, top, width } = one.getBoundingClientRect();
    return [one.value ?? one.className, [left, top, width].map(Math.round)];
}))"""
#: The upper edges of the rows of figures, 0 for one that is hidden.
ROWS = "[...document.querySelectorAll('#hand-form .tricks')].map((row) => row.getBoundingClientRect().top)"
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
#: The elements that ignore taps for a moment, by their words.
CALMED = """() => {
    window.calmed = [];
    new MutationObserver((changes) => {
        for (const { target } of changes) if (target.matches(".just-come")) calmed.push(target.textContent.trim());
    }).observe(document.getElementById("state"), { subtree: true, attributeFilter: ["class"] });
}"""
SIZES = ((390, 844), (320, 568))
#: The speakers, the question, the tiles, the parts beside them, and the place for taking back.
REFEREE = ".speaker, .asking, .tiles, .tile, .aside, .ladder, .rungs, .claims, .undo-place, .bar"


class Other:
    """Another phone at the table, which notes the announcements and the play."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.by = evening, MemberFactory(circle=evening.circle).user

    @property
    def seen(self) -> moves.Seen:
        return seen(self.evening)

    def calls(self, call: str) -> None:
        def move(auction: moves.Auction) -> moves.Auction:
            return auction.call(-1 if auction.to_call is None else auction.to_call, Call(call))

        moves.bid(self.evening.pk, move, seen=self.seen, by=self.by)

    def calls_in_preference(self, seat: int, call: str) -> None:
        move = preference.call(seat, PreferenceCall(call))
        hand_in_play.change(self.evening.pk, move, seen=self.seen, by=self.by)

    def names(self, contract: Contract) -> None:
        said = Announcement(contract, Trump.HEARTS, arrivazs=True)
        moves.name(self.evening.pk, said, seen=self.seen, by=self.by)

    def announces(self) -> None:
        before = self.seen
        dealer = (before.number - 1) % 3
        said = Announced(dealer, (dealer + 1) % 3, Announcement(Contract.TWO, Trump.HEARTS, arrivazs=True))
        moves.announce(self.evening.pk, said, seen=before, by=self.by, token=self.evening.token)

    def says(self, seat: int, item: Item = Item.GAME) -> None:
        moves.double(self.evening.pk, lambda so_far: so_far.say(seat, item), seen=self.seen, by=self.by)

    def plays(self, *plays: Callable[[Play], Play]) -> None:
        for move in plays:
            moves.play(self.evening.pk, move, seen=self.seen, by=self.by)

    def sides(self) -> Any:
        return moves.read(moves.HandInPlay.objects.get()).sides


def won(seat: int) -> Callable[[Play], Play]:
    return lambda play: play.won(seat)


@pytest.fixture
def phones_at(phone_of: Phones, owner: User) -> Callable[[str], list[Page]]:
    """Two phones of the owner at this address, one of each size, which take taps again sooner than others."""
    return lambda path: [phone_of(owner, path, quicker(500), viewport=viewport(size)) for size in SIZES]


def renewed(phones: list[Page], evening: Evening, part: str) -> None:
    """Wait until all show the evening as it is now, and take taps again; they ask at once, as after a gap."""
    evening.refresh_from_db()
    for page in phones:
        look_again(page)
    for page in phones:
        expect(page.locator(part)).to_have_attribute("data-version", str(evening.version))
        expect(page.locator(f"{part}.settling")).to_have_count(0)


def places(phones: list[Page], wanted: str, script: str = PLACES) -> dict[tuple[int, str], list[int]]:
    """The positions of these elements on each phone."""
    return {
        (phone, name): place
        for phone, page in enumerate(phones)
        for name, place in page.evaluate(script, wanted).items()
    }


def steady(
    phones: list[Page],
    evening: Evening,
    part: str,
    wanted: str,
    acts: Iterable[Callable[[], object]],
    script: str = PLACES,
) -> None:
    """Each act of the other phone leaves the remaining elements in place."""
    before = places(phones, wanted, script)
    assert before
    for number, act in enumerate(acts):
        act()
        renewed(phones, evening, part)
        after = places(phones, wanted, script)
        stayed = before.keys() & after.keys()
        assert stayed
        assert {name: after[name] for name in stayed} == {name: before[name] for name in stayed}, f"act {number}"
        before = after


@pytest.mark.thorough
def test_referee_s_page_and_table_view_stand_still_while_another_phone_referees(
    phones_at: Callable[[str], list[Page]], evening: Evening, evening_of_four: Evening, owner: User
) -> None:
    other, phones = Other(evening_of_four), phones_at(url(evening_of_four, "referee/"))
    calling = (partial(other.calls, call) for call in ("3", "2", "pass", "hold"))
    steady(phones, evening_of_four, "#referee", REFEREE, calling)
    other.calls("pass")
    renewed(phones, evening_of_four, "#referee")
    undo = list(places(phones, ".undo-place").values())
    other.names(Contract.TWO)
    renewed(phones, evening_of_four, "#referee")
    assert list(places(phones, ".undo-place").values()) == undo
    sides = other.sides()
    doubling = (
        partial(other.says, sides.left),
        partial(other.says, sides.declarer),
        partial(other.says, sides.right),
        partial(other.says, sides.left, Item.ARRIVAZS),
        partial(other.says, sides.declarer),
        partial(other.says, sides.left),
    )
    steady(phones, evening_of_four, "#referee", REFEREE, doubling)
    tricks = (won(sides.declarer), won(sides.left), Play.claim, Play.dispute, won(sides.declarer))
    steady(phones, evening_of_four, "#referee", REFEREE, (partial(other.plays, move) for move in tricks))
    # The table view of three.
    other, phones = Other(evening), phones_at(url(evening, "table/"))
    acts = (
        other.announces,
        partial(other.says, 2),
        partial(other.plays, won(1)),
        partial(record, evening, owner, "hN 11 S", declarer=1),
    )
    steady(phones, evening, "#table", ".side, .middle, .middle .played, .leave", acts)
    expect(phones[0].locator("[data-seat='1']")).not_to_have_attribute("data-balance", "0")


def test_ladder_of_preference_stands_still_while_another_phone_referees(
    phones_at: Callable[[str], list[Page]], owner: User
) -> None:
    evening = begun(owner, "preference")
    other, phones = Other(evening), phones_at(url(evening, "referee/"))
    calls = ((1, "6S"), (2, "6C"), (0, "pass"), (1, "here"), (2, "9D"))
    acts = (partial(other.calls_in_preference, seat, call) for seat, call in calls)
    steady(phones, evening, "#referee", "", acts, RUNGS)


def test_part_renewed_by_another_phone_takes_no_tap_for_a_moment(
    phone_of: Phones, evening: Evening, owner: User
) -> None:
    page = phone_of(owner, url(evening, "referee/"))
    page.evaluate("""() => new MutationObserver((_, all) => {
        const part = document.querySelector("#referee.settling");
        if (!part) return;
        window.inert = [...part.querySelectorAll("button")].map((one) => getComputedStyle(one).pointerEvents);
        all.disconnect();
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] })""")
    Other(evening).calls("3")
    renewed([page], evening, "#referee")
    assert set(page.evaluate("window.inert")) == {"none"}
    page.get_by_role("button", name="2", exact=True).tap()
    expect(page.get_by_role("heading", name="Anna calls")).to_be_visible()


def test_rows_that_the_dealer_does_not_need_are_hidden_before_scripts_run(
    phone_of: Phones, owner: User, expected: set[str]
) -> None:
    evening = begun(owner, "preference", first_dealer=1)
    expected.update(("404", "ERR_FAILED"))
    page = phone_of(owner, url(evening, "hands/new/"), service_workers="block")
    places = page.evaluate(ROWS)
    assert places.count(0) < len(places)
    page.route("**/*.js", lambda route: route.abort())
    page.goto(url(evening, "hands/new/"))
    assert page.evaluate(ROWS) == places


def moved(before: dict[str, list[float]], after: dict[str, list[float]]) -> list[str]:
    """The elements that were there before and are elsewhere now: sooner or later than half a pixel."""
    return [
        f"{part}: {box} -> {after.get(part)}"
        for part, box in before.items()
        if part not in after or any(abs(now - was) > 0.5 for now, was in zip(after[part], box, strict=True))
    ]


@pytest.fixture
def other(evening: Evening) -> User:
    return MemberFactory(circle=evening.circle, role=Role.KEEPER).user


@pytest.fixture
def lying(phone_of: Phones, evening: Evening) -> Phones:
    """A phone that lies there with the evening's page on it."""

    def phone(user: User, size: tuple[int, int] = SIZES[0]) -> Page:
        page = phone_of(user, url(evening), viewport=viewport(size))
        page.wait_for_load_state("networkidle")
        return page

    return phone


def acts_of_others(evening: Evening, by: User, other: User) -> Iterator[tuple[str, Callable[[], object]]]:
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
    third = Other(evening)
    yield "announce", third.announces
    yield "kontra", lambda: third.says(third.sides().left)
    yield "record what was announced", lambda: record(evening, by, "1S 8 K")
    yield "claim", lambda: _renew(evening, members.claim, Member.objects.get(circle=evening.circle, user=other))
    follower = MemberFactory(circle=evening.circle, player=evening.seats.all()[1].player)
    yield "follow", lambda: _renew(evening, members.note_presence, follower)


def _renew(evening: Evening, act: Callable[[Member], object], member: Member) -> None:
    """Do it, and make a new version, so that it comes at once and not with the next whole answer."""
    act(member)
    evening.refresh_from_db()
    Evening.objects.filter(pk=evening.pk).update(version=evening.version + 1)


def shown(page: Page, evening: Evening) -> None:
    """Wait until the phone shows the write; it asks at once, as when the network comes back."""
    evening.refresh_from_db()
    look_again(page)
    expect(page.locator("#state")).to_have_attribute("data-version", str(evening.version))


@pytest.mark.parametrize(
    ("hands", "held", "size"),
    first_rows(1, [(3, "finger", SIZES[0]), (30, "scroll", SIZES[1]), (0, "finger", SIZES[1])]),
)
def test_acts_of_other_phones_move_nothing_under_a_reader_s_finger(
    lying: Phones,
    evening: Evening,
    owner: User,
    other: User,
    hands: int,
    held: str,
    size: tuple[int, int],
) -> None:
    writer = MemberFactory(circle=evening.circle, user=UserFactory()).user
    for _ in range(hands):
        record(evening, writer, "2H 7")
    page = lying(owner, size)
    if held == "scroll":
        page.evaluate("scrollTo(0, 250)")
    else:
        # It rests there, and is not lifted any more.
        x, y = thumb.middle_of(thumb.box_of(page.locator(".sheet thead th").first))
        resting = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        page.context.new_cdp_session(page).send("Input.dispatchTouchEvent", resting)
    findings = []
    for name, act in acts_of_others(evening, writer, other):
        before = page.evaluate(BOXES)
        act()
        shown(page, evening)
        for thinner in page.locator(".undone").all():
            before.pop(str(thinner.get_attribute("id")), None)
        findings += [f"{name}: {found}" for found in moved(before, page.evaluate(BOXES))]
    assert not findings, "\n".join(findings)
    expect(page.locator("#newest")).to_have_text(f"↑ Hand {hands + 3}")


def test_hand_of_another_phone_is_told_in_one_line_beside_buttons_that_take_no_tap_at_first(
    lying: Phones, owner: User, other: User, evening: Evening
) -> None:
    """Its figures are in the newest row, which the bar leaves on the screen."""
    page = lying(owner, (390, 664))
    page.evaluate(CALMED)
    record(evening, other, "hN 6-5-0 M A+M", declarer=1)
    ok = page.get_by_role("button", name="OK")
    expect(ok).to_be_visible()
    expect(ok).not_to_have_class("button just-come")
    assert set(page.evaluate("calmed")) >= {"OK", "Hm?"}
    news = page.locator("#news")
    expect(news).to_contain_text("Béla from hand")
    expect(news).not_to_contain_text("−")
    assert page.locator(".told").evaluate("(it) => it.offsetHeight") < 2 * 48
    expect(page.locator("#hand-1")).to_be_in_viewport(ratio=1)


def test_phone_at_the_top_of_the_sheet_sees_every_new_hand_and_a_scrolled_one_is_led_up_to_it(
    lying: Phones, evening: Evening, owner: User
) -> None:
    for _ in range(14):
        record(evening, owner, "2H 7")
    page = lying(MemberFactory(circle=evening.circle, role=Role.VIEWER).user)
    page.evaluate(CALMED)
    before = page.evaluate(BOXES)
    for number in (15, 16):
        record(evening, owner, "hN 6-5-0 M A+M")
        shown(page, evening)
        expect(page.locator(f"#hand-{number}")).to_be_in_viewport(ratio=1)
        expect(page.locator("#newest")).to_be_hidden()
        assert page.evaluate("scrollY") == 0
    stays = {part: box for part, box in page.evaluate(BOXES).items() if not part.startswith(("hand", "earlier"))}
    assert moved({part: box for part, box in before.items() if part in stays}, stays) == []
    rows = {words.split()[0] for words in page.evaluate("calmed")}
    assert {"15", "16"} <= rows, "no tap goes to another row than the one that was aimed at"
    page.evaluate("scrollTo(0, 300)")
    before = page.evaluate(BOXES)
    record(evening, owner, "1S 8")
    shown(page, evening)
    assert moved(before, page.evaluate(BOXES)) == []
    page.get_by_role("button", name="↑ Hand 17").tap()
    expect(page.locator("#hand-17")).to_be_in_viewport(ratio=1)
    expect(page.locator("#newest")).to_be_hidden()
    assert page.evaluate("scrollY") == 0
    # A page that is seen again has the latest hand on top.
    page.evaluate("scrollTo(0, 300)")
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    record(evening, owner, "1S 8")
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#hand-18")).to_be_in_viewport(ratio=1)
    expect(page.locator("#newest")).to_be_hidden()
    assert page.evaluate("scrollY") == 0
