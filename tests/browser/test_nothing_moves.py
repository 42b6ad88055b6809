"""Notes of one phone move nothing that the thumb of another may be about to touch. Measured in pixels."""

from collections.abc import Callable, Iterator
from functools import partial
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Call, Item
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.asszorti.play import Play
from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests import moves
from tests.browser.phones import url
from tests.factories import MemberFactory, record
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

#: The positions of all tap targets on the screen, to the pixel.
PLACES = """(wanted) => Object.fromEntries([...document.querySelectorAll(wanted)].map((one, at) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const words = one.closest("form")?.getAttribute("action")?.split("/").at(-2) ?? one.className;
    return [`${at} ${words}`, [left, top, width, height].map(Math.round)];
}))"""
#: The upper edges of the rows of figures, 0 for one that is hidden.
ROWS = "[...document.querySelectorAll('#hand-form .tricks')].map((row) => row.getBoundingClientRect().top)"
TWO_HEARTS = Announcement(Contract.TWO, Trump.HEARTS, arrivazs=True)
SIZES = ((390, 844), (320, 568))


class Other:
    """Another phone at the table, which notes the announcements and the play."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.by = evening, MemberFactory(circle=evening.circle).user

    @property
    def seen(self) -> Seen:
        self.evening.refresh_from_db()
        row = moves.latest(self.evening)
        return Seen(self.evening.last_number + 1, row.version if row else 0)

    def calls(self, call: str) -> None:
        def move(auction: moves.Auction) -> moves.Auction:
            return auction.call(-1 if auction.to_call is None else auction.to_call, Call(call))

        moves.bid(self.evening.pk, move, seen=self.seen, by=self.by)

    def names(self, contract: Contract) -> None:
        said = Announcement(contract, Trump.HEARTS, arrivazs=True)
        moves.name(self.evening.pk, said, seen=self.seen, by=self.by)

    def announces(self) -> None:
        said = Announced(0, 1, TWO_HEARTS)
        moves.announce(self.evening.pk, said, seen=self.seen, by=self.by, token=self.evening.token)

    def says(self, seat: int, item: Item = Item.GAME) -> None:
        moves.double(self.evening.pk, lambda so_far: so_far.say(seat, item), seen=self.seen, by=self.by)

    def plays(self, *plays: Callable[[Play], Play]) -> None:
        for move in plays:
            moves.play(self.evening.pk, move, seen=self.seen, by=self.by)


def won(seat: int) -> Callable[[Play], Play]:
    return lambda play: play.won(seat)


@pytest.fixture
def open_page(new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User) -> Callable[..., Page]:
    def phone(path: str, viewport: tuple[int, int]) -> Page:
        page = new_phone(viewport=dict(zip(("width", "height"), viewport, strict=True)))
        sign_in(page, owner)
        page.goto(path)
        return page

    return phone


def renewed(phones: list[Page], evening: Evening, part: str) -> None:
    """Wait until all show the evening as it is now, and take taps again; they ask at once, as after a gap."""
    evening.refresh_from_db()
    for page in phones:
        page.evaluate("dispatchEvent(new Event('online'))")
    for page in phones:
        expect(page.locator(part)).to_have_attribute("data-version", str(evening.version))
        expect(page.locator(f"{part}.settling")).to_have_count(0)


def places(phones: list[Page], wanted: str) -> dict[tuple[int, str], list[int]]:
    """The positions of these elements on each phone."""
    return {
        (phone, name): place
        for phone, page in enumerate(phones)
        for name, place in page.evaluate(PLACES, wanted).items()
    }


def steady(phones: list[Page], evening: Evening, part: str, wanted: str, acts: Iterator[Callable[[], object]]) -> None:
    """Each act of the other phone leaves the remaining elements in place."""
    before = places(phones, wanted)
    assert before
    for number, act in enumerate(acts):
        act()
        renewed(phones, evening, part)
        after = places(phones, wanted)
        stayed = before.keys() & after.keys()
        assert stayed
        assert {name: after[name] for name in stayed} == {name: before[name] for name in stayed}, f"act {number}"
        before = after


#: The speakers, the question, the tiles, the parts beside them, and the place for taking back.
REFEREE = ".speaker, .asking, .tiles, .tile, .aside, .ladder, .rungs, .claims, .undo-place, .bar"


@pytest.mark.thorough
@pytest.mark.parametrize("players", first(1, [4, 3]))
def test_the_referee_s_page_stands_still_while_another_phone_referees(
    open_page: Callable[..., Page],
    evening: Evening,
    evening_of_four: Evening,
    players: int,
) -> None:
    shown = evening if players == 3 else evening_of_four
    other, path = Other(shown), url(shown, "referee/")
    phones = [open_page(path, size) for size in SIZES]
    calling = (partial(other.calls, call) for call in ("3", "2", "pass", "hold", "1", "hold", "hand"))
    steady(phones, shown, "#referee", REFEREE, calling)
    other.calls("hold")
    renewed(phones, shown, "#referee")
    undo = list(places(phones, ".undo-place").values())
    other.names(Contract.HAND)
    renewed(phones, shown, "#referee")
    assert list(places(phones, ".undo-place").values()) == undo
    sides = moves.read(moves.HandInPlay.objects.get()).sides
    assert sides
    doubling = (
        partial(other.says, sides.left),
        partial(other.says, sides.declarer),
        partial(other.says, sides.right),
        partial(other.says, sides.left, Item.ARRIVAZS),
        partial(other.says, sides.declarer),
        partial(other.says, sides.left),
    )
    steady(phones, shown, "#referee", REFEREE, iter(doubling))
    tricks = (won(sides.declarer), won(sides.left), Play.claim, Play.dispute, won(sides.declarer))
    steady(phones, shown, "#referee", REFEREE, (partial(other.plays, move) for move in tricks))


@pytest.mark.thorough
@pytest.mark.parametrize("players", first(1, [4, 3]))
def test_the_table_view_stands_still_while_another_phone_writes(
    open_page: Callable[..., Page],
    evening: Evening,
    evening_of_four: Evening,
    owner: User,
    players: int,
) -> None:
    shown = evening if players == 3 else evening_of_four
    other = Other(shown)
    phones = [open_page(url(shown, "table/"), size) for size in SIZES]
    acts = (
        other.announces,
        partial(other.says, 2),
        partial(other.says, 1),
        partial(other.plays, won(1)),
        partial(record, shown, owner, "hN 11 S", declarer=1),
    )
    steady(phones, shown, "#table", ".side, .middle, .middle .played, .leave", iter(acts))
    expect(phones[0].locator("[data-seat='1']")).not_to_have_attribute("data-balance", "0")


def test_part_renewed_by_another_phone_takes_no_tap_for_a_moment(
    open_page: Callable[..., Page], evening: Evening
) -> None:
    page = open_page(url(evening, "referee/"), SIZES[0])
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
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, expected: set[str]
) -> None:
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 1, None, "", "preference")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    expected.update(("404", "ERR_FAILED"))
    page = new_phone(service_workers="block")
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    places = page.evaluate(ROWS)
    assert places.count(0) < len(places)
    page.route("**/*.js", lambda route: route.abort())
    page.goto(url(evening, "hands/new/"))
    assert page.evaluate(ROWS) == places
