"""The referee: one page that shows the step the hand is at, and takes each tap of it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.games.asszorti.auction import Auction, Call
from scorekeeper.games.asszorti.claims import Play
from scorekeeper.games.asszorti.doubling import Doubling, Item
from scorekeeper.games.asszorti.moves import IllegalMove
from sessions_app import open_hand_view
from sessions_app.access import EveningRequest, page
from sessions_app.forms.announcing import NamingForm
from sessions_app.models import Role, User
from sessions_app.open_hand_view import Step
from sessions_app.referee_wording import refusal
from sessions_app.views.parts import answer, go
from sessions_app.writers import following, ledger, open_hands
from sessions_app.writers.open_hands import Seen

TEMPLATE = "referee.html"


@page(Role.VIEWER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    following.touch(request.member)
    return _page(request)


@page(Role.VIEWER, "GET", "HEAD")
def live(request: EveningRequest) -> HttpResponse:
    """Answer 204 to a phone that has the evening's version `v`, else the part that changes, to be morphed in."""
    following.touch(request.member)
    if request.GET.get("v") == str(request.version):
        return HttpResponse(status=204)
    return render(request, f"{TEMPLATE}#referee", _context(request))


@page(Role.KEEPER, "POST")
def act(request: EveningRequest, verb: str) -> HttpResponse:
    """Take one tap; the answer is the hand as it then stands."""
    tap = Tap(request.evening.pk, request.POST, seen_by(request), request.member.user)
    return _after(request, lambda: VERBS[verb](tap))


@page(Role.KEEPER, "POST")
def name(request: EveningRequest) -> HttpResponse:
    """Take what the declarer names."""
    seen, by = seen_by(request), request.member.user
    form = NamingForm(request.POST)
    if not form.is_valid():
        return _page(request, status=422, naming=request.POST)
    return _after(request, lambda: open_hands.name(request.evening.pk, form.announcement, seen=seen, by=by))


@page(Role.KEEPER, "POST")
def finish(request: EveningRequest) -> HttpResponse:
    """Record the hand that was played, with what only the table could tell; then on to the evening's page."""
    evening = request.evening
    tap = Tap(evening.pk, request.POST, seen_by(request), request.member.user)
    left = _whole_number(request.POST, "split") if request.POST.get("split") else None
    idegen = {"1": True, "0": False}.get(request.POST.get("idegen", ""))
    try:
        hand = open_hands.finish(evening.pk, seen=tap.seen, token=tap.token(), by=tap.by, left=left, idegen=idegen)
    except REFUSALS as refused:
        return _refused(request, refused)
    return go(request, reverse("session", args=[evening.pk]) + f"?saved={hand.number}")


@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest, verb: str = "") -> HttpResponse:
    notice = _("The page had been open for too long. Nothing was noted: tap once more.")
    return _page(request, status=403, notice=notice)


act.refill = name.refill = finish.refill = _refill  # type: ignore[attr-defined]

REFUSALS = (ledger.EveningEnded, ledger.Stale, ledger.TokenSpent, IllegalMove)


@dataclass(frozen=True, slots=True)
class Tap:
    """One tap: at which evening, what it says, what its page had shown, and whose it is.

    What no page of ours can have sent raises BadRequest.
    """

    at: int
    said: QueryDict
    seen: Seen
    by: User

    def seat(self) -> int:
        return _whole_number(self.said, "seat")

    def one_of[Value: Enum](self, kind: type[Value], name: str) -> Value:
        try:
            return kind(self.said.get(name, ""))
        except ValueError as unknown:
            raise BadRequest(f"{name} is none") from unknown

    def token(self) -> UUID:
        try:
            return UUID(self.said.get("token", ""))
        except ValueError as unknown:
            raise BadRequest("token is none") from unknown


def seen_by(request: EveningRequest) -> Seen:
    """What the page of this tap had shown. Raises BadRequest where it does not say."""
    return Seen(_whole_number(request.POST, "number"), _whole_number(request.POST, "seen"))


def _whole_number(fields: QueryDict, name: str) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BadRequest(f"{name} is no number")
    return int(text)


def _call(tap: Tap) -> None:
    seat, call = tap.seat(), tap.one_of(Call, "call")
    open_hands.bid(tap.at, lambda auction: auction.call(seat, call), seen=tap.seen, by=tap.by)


def _say(tap: Tap) -> None:
    seat, item = tap.seat(), tap.one_of(Item, "item")
    open_hands.double(tap.at, lambda doubling: doubling.say(seat, item), seen=tap.seen, by=tap.by)


def _trick(tap: Tap) -> None:
    seat = tap.seat()
    open_hands.play(tap.at, lambda play: play.won(seat), seen=tap.seen, by=tap.by)


def _bidding(move: Callable[[Auction], Auction]) -> Callable[[Tap], None]:
    return lambda tap: open_hands.bid(tap.at, move, seen=tap.seen, by=tap.by)


def _doubling(move: Callable[[Doubling], Doubling]) -> Callable[[Tap], None]:
    return lambda tap: open_hands.double(tap.at, move, seen=tap.seen, by=tap.by)


def _playing(move: Callable[[Play], Play]) -> Callable[[Tap], None]:
    return lambda tap: open_hands.play(tap.at, move, seen=tap.seen, by=tap.by)


def _naming(said: QueryDict | None, auction: Auction | None) -> NamingForm:
    """What the declarer names; a contract that is the only one left is chosen already."""
    left = auction.contracts_allowed if auction else ()
    return NamingForm(said, auction=auction, initial={"contract": left[0].value} if len(left) == 1 else None)


VERBS: dict[str, Callable[[Tap], None]] = {
    "dealer": lambda tap: open_hands.let_deal(tap.at, tap.seat(), seen=tap.seen, by=tap.by),
    "call": _call,
    "uncall": _bidding(Auction.undo),
    "declarer": lambda tap: open_hands.let_play(tap.at, tap.seat(), seen=tap.seen, by=tap.by),
    "undeclarer": lambda tap: open_hands.let_play(tap.at, None, seen=tap.seen, by=tap.by),
    "unannounce": lambda tap: open_hands.unname(tap.at, seen=tap.seen, by=tap.by),
    "say": _say,
    "unsay": _doubling(Doubling.undo),
    "trick": _trick,
    "untrick": _playing(Play.undo),
    "claim": _playing(Play.claim),
    "stands": _playing(Play.stands),
    "dispute": _playing(Play.dispute),
    "concede": _playing(Play.concede),
}


def _after(request: EveningRequest, write: Callable[[], None]) -> HttpResponse:
    try:
        write()
    except REFUSALS as refused:
        return _refused(request, refused)
    return _page(request) if request.headers.get("HX-Request") else redirect("referee", request.evening.pk)


def _refused(request: EveningRequest, refused: Exception) -> HttpResponse:
    """The hand as it stands, and why the tap was not taken."""
    if isinstance(refused, IllegalMove):
        return _page(request, status=422, move=refused)
    if isinstance(refused, ledger.Stale | ledger.TokenSpent):
        return _page(request, status=409, notice=_("Something was noted meanwhile. This is how the hand stands now."))
    return _page(request, status=409)


def _page(request: EveningRequest, status: int = 200, **more: Any) -> HttpResponse:
    return answer(request, TEMPLATE, _context(request, **more), "referee", status=status)


def _context(
    request: EveningRequest,
    notice: str = "",
    move: IllegalMove | None = None,
    naming: QueryDict | None = None,
) -> dict[str, Any]:
    """The hand as it stands now, by a fixed number of queries; `notice` or the refused `move` says why it is shown."""
    evening = request.evening
    if request.method == "POST":
        evening.refresh_from_db()
    names = [seat.player.name for seat in evening.seats.select_related("player")]
    open_hand = open_hand_view.at_hand(evening, names)
    return {
        "evening": evening,
        "names": names,
        "open_hand": open_hand,
        "notice": refusal(move.message, names) if move else notice,
        "naming": _naming(naming, open_hand.hand.auction) if open_hand.step is Step.NAMING else None,
        "may_write": request.member.may(Role.KEEPER) and not evening.has_ended,
    }
