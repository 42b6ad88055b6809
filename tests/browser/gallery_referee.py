"""The screens of the hand in play and the referee, step by step, with short names and with the longest."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from scorekeeper.games.asszorti import Contract, Kontra, Trump
from scorekeeper.games.asszorti.announcing import Announcement, Auction, Call
from scorekeeper.games.asszorti.hand_in_play import Announced
from scorekeeper.games.asszorti.play import Play
from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, Role, User
from sessions_app.writers import evenings
from tests import moves
from tests.browser.gallery import LONG, Screen
from tests.factories import MemberFactory, UserFactory, evening_of, record


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
        yield Screen(f"referee, {name}", owner, _referee(evening))
        yield Screen(f"session, {name}", owner, f"/sessions/{evening.pk}/")
    long = evening_of(owner, LONG)
    _call(long, owner, "3 2 1 hold")
    yield Screen("referee, auction, long names", owner, _referee(long))
    four = evening_of(owner, ("Anna", "Béla", "Cili", "Dóra"))
    yield Screen("referee, auction of four", owner, _referee(four))
    unnamed = evening_of(owner)
    moves.let_play(unnamed.pk, 1, seen=_seen(unnamed), by=owner)
    yield Screen("referee, announcement, errors", owner, _referee(unnamed), _announce_nothing)


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
        yield Screen(f"referee, {name}", owner, _referee(evening))
        yield Screen(f"session, {name}", owner, f"/sessions/{evening.pk}/")
    most = _announced(owner, LONG, Announcement(Contract.HAND, Trump.NONE, True), Kontra.MORDKONTRA, Kontra.HIRSKONTRA)
    yield Screen("referee, long names", owner, _referee(most))
    yield Screen("table view, announced, long names", owner, f"/sessions/{most.pk}/table/")
    four = _announced(owner, (*LONG, "Dóra"), game_kontra=Kontra.MORDKONTRA, arrivazs_kontra=Kontra.KONTRA)
    yield Screen("referee, four long names", owner, _referee(four))
    yield Screen("table view, announced, four long names", owner, f"/sessions/{four.pk}/table/")
    yield Screen("session, hand in play, long names", owner, f"/sessions/{most.pk}/")
    yield Screen("hand form, hand in play", owner, f"/sessions/{most.pk}/hands/new/")
    yield Screen("take back", owner, f"/sessions/{most.pk}/announce/back/")


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
        yield Screen(f"referee, {name}", owner, _referee(evening))
        yield Screen(f"session, {name}", owner, f"/sessions/{evening.pk}/")
    played = _announced(owner)
    _play(played, owner, *six, _won(2), _won(0), Play.concede)
    yield Screen("hand form, all tricks played", owner, f"/sessions/{played.pk}/hands/new/")
    yield Screen("referee, unanswered", owner, _referee(evening), _save_unanswered)


def _others() -> Iterator[Screen]:
    owner, viewer = UserFactory(), UserFactory()
    evening = _announced(owner)
    MemberFactory(circle=evening.circle, user=viewer, role=Role.VIEWER)
    _play(evening, owner, _won(1))
    yield Screen("referee, viewer", viewer, _referee(evening))
    yield Screen("session, hand in play, viewer", viewer, f"/sessions/{evening.pk}/")
    yield Screen("referee, stale", owner, _referee(evening), _tap_late)
    ended = evening_of(owner)
    record(ended, owner)
    evenings.end(ended.pk)
    yield Screen("referee, ended", owner, _referee(ended))
    begun = evening_of(owner)
    yield Screen(
        "hand form, announced meanwhile", owner, f"/sessions/{begun.pk}/hands/new/", _announce_late(begun, owner)
    )


# --- Steps before the page ---


def _referee(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/referee/"


def _seen(evening: Evening) -> Seen:
    evening.refresh_from_db()
    row = moves.latest(evening)
    return Seen(evening.last_number + 1, row.version if row else 0)


def _call(evening: Evening, by: User, calls: str) -> None:
    for call in calls.split():
        moves.bid(evening.pk, _called(Call(call)), seen=_seen(evening), by=by)


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
    moves.announce(evening.pk, said, seen=_seen(evening), by=owner, token=evening.token)
    return evening


def _won(seat: int) -> Callable[[Play], Play]:
    return lambda play: play.won(seat)


def _play(evening: Evening, by: User, *tricks: Callable[[Play], Play]) -> None:
    for move in tricks:
        moves.play(evening.pk, move, seen=_seen(evening), by=by)


# --- Steps on the page ---


def _refused(page: Page, button: str) -> None:
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator(button).first.tap()
    page.locator(":is(#referee, #hand-form) :is(.error, .notice)").first.wait_for()


def _announce_nothing(page: Page) -> None:
    _refused(page, "[form=naming]")


def _save_unanswered(page: Page) -> None:
    _refused(page, "[form=ending]")


def _tap_late(page: Page) -> None:
    # A poll would put it right.
    page.locator("#referee").evaluate("(part) => part.removeAttribute('data-live')")
    page.locator("[name=seen]").evaluate_all("(fields) => { for (const field of fields) field.value = 1 }")
    _refused(page, ".bar .tile")


def _announce_late(evening: Evening, owner: User) -> Callable[[Page], None]:
    def announce(page: Page) -> None:
        said = Announced(0, 1, Announcement(Contract.TWO, Trump.HEARTS))
        for name, value in (("declarer", "2"), ("contract", "1"), ("trump", "clubs")):
            page.locator(f"[name={name}][value='{value}']").tap()
        if moves.latest(evening) is None:
            moves.announce(evening.pk, said, seen=_seen(evening), by=owner, token=evening.token)
        page.locator("[name=seen]").evaluate("(field) => { field.value = '' }")
        _refused(page, ".announce")

    return announce
