"""The screens of the hand in play and the referee, step by step, with short names and with the longest."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from scorekeeper.games.asszorti import Contract, Kontra, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Auction, Call
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.asszorti.play import Play
from sessions_app.models import Evening, Role, User
from sessions_app.writers import evenings
from tests import moves
from tests.browser.gallery import FOUR, LONG, Screen
from tests.browser.phones import url
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.moves import seen


def screens() -> Iterator[Screen]:
    yield from _auctions()
    yield from _plays()
    yield from _ends()
    yield from _others()


def _auctions() -> Iterator[Screen]:
    owner = UserFactory()
    for name, calls in (
        ("auction", ""),
        ("auction, hold or pass", "3 2 pass"),
        ("announcement", "3 2 pass hold pass"),
        ("announcement, forced", "pass pass"),
    ):
        evening = evening_of(owner)
        _call(evening, owner, calls)
        yield Screen(f"referee, {name}", owner, url(evening, "referee/"))
    long = evening_of(owner, LONG)
    _call(long, owner, "3 2 1 hold")
    yield Screen("referee, auction, long names", owner, url(long, "referee/"))


def _plays() -> Iterator[Screen]:
    owner = UserFactory()
    for name, played in (
        ("nothing said", ()),
        ("tricks", (_won(1), _won(1), _won(2), _won(1))),
        ("claim", (_won(1), Play.claim)),
        ("disputed", (_won(1), Play.claim, Play.dispute, _won(1))),
    ):
        kontra = Kontra.NONE if name == "nothing said" else Kontra.REKONTRA
        evening = _announced(owner, game_kontra=kontra, arrivazs_kontra=min(kontra, Kontra.KONTRA))
        _play(evening, owner, *played)
        yield Screen(f"referee, {name}", owner, url(evening, "referee/"))
    most = _announced(owner, LONG, Announcement(Contract.HAND, Trump.NONE, True), Kontra.MORDKONTRA, Kontra.HIRSKONTRA)
    yield Screen("referee, long names", owner, url(most, "referee/"))
    four = _announced(owner, FOUR, game_kontra=Kontra.MORDKONTRA, arrivazs_kontra=Kontra.KONTRA)
    yield Screen("referee, four long names", owner, url(four, "referee/"))
    yield Screen("table view, announced, four long names", owner, url(four, "table/"))
    yield Screen("session, hand in play, long names", owner, url(most))
    yield Screen("hand form, hand in play", owner, url(most, "hands/new/"))
    yield Screen("take back", owner, url(most, "announce/back/"))


def _ends() -> Iterator[Screen]:
    owner = UserFactory()
    six = (_won(1),) * 6
    for name, arrivazs, played in (
        ("count", False, (*six, _won(2), Play.concede)),
        ("who shares", False, (*six, Play.concede)),
        ("idegen", True, (_won(2), Play.claim, Play.stands)),
    ):
        evening = _announced(owner, announcement=Announcement(Contract.TWO, Trump.HEARTS, arrivazs))
        _play(evening, owner, *played)
        yield Screen(f"referee, {name}", owner, url(evening, "referee/"))
    yield Screen("referee, unanswered", owner, url(evening, "referee/"), _save_unanswered)


def _others() -> Iterator[Screen]:
    owner, viewer = UserFactory(), UserFactory()
    evening = _announced(owner)
    MemberFactory(circle=evening.circle, user=viewer, role=Role.VIEWER)
    _play(evening, owner, _won(1))
    yield Screen("referee, viewer", viewer, url(evening, "referee/"))
    yield Screen("referee, stale", owner, url(evening, "referee/"), _tap_late)
    ended = evening_of(owner)
    record(ended, owner)
    evenings.end(ended.pk)
    yield Screen("referee, ended", owner, url(ended, "referee/"))


def _call(evening: Evening, by: User, calls: str) -> None:
    for call in calls.split():
        moves.bid(evening.pk, _called(Call(call)), seen=seen(evening), by=by)


def _called(call: Call) -> Callable[[Auction], Auction]:
    return lambda auction: auction.call(-1 if auction.to_call is None else auction.to_call, call)


def _announced(
    owner: User,
    names: tuple[str, ...] = ("Anna", "Béla", "Cili"),
    announcement: Announcement = Announcement(Contract.TWO, Trump.HEARTS, True),  # noqa: B008 (it cannot change)
    game_kontra: Kontra = Kontra.NONE,
    arrivazs_kontra: Kontra = Kontra.NONE,
) -> Evening:
    """The second seat plays, in the third hand of an evening."""
    evening = evening_of(owner, names)
    for deal in ("2H 7", "3N 5"):
        record(evening, owner, deal)
    said = Announced(2, 1, announcement, game_kontra, arrivazs_kontra)
    moves.announce(evening.pk, said, seen=seen(evening), by=owner, token=evening.token)
    return evening


def _won(seat: int) -> Callable[[Play], Play]:
    return lambda play: play.won(seat)


def _play(evening: Evening, by: User, *tricks: Callable[[Play], Play]) -> None:
    for move in tricks:
        moves.play(evening.pk, move, seen=seen(evening), by=by)


def _refused(page: Page, button: str) -> None:
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator(button).first.tap()
    page.locator(":is(#referee, #hand-form) :is(.error, .notice)").first.wait_for()


def _save_unanswered(page: Page) -> None:
    _refused(page, "[form=ending]")


def _tap_late(page: Page) -> None:
    # A poll would put it right.
    page.locator("#referee").evaluate("(part) => part.removeAttribute('data-live')")
    page.locator("[name=seen]").evaluate_all("(fields) => { for (const field of fields) field.value = 1 }")
    _refused(page, ".bar .tile")
