"""The referee: one page that shows the current step of the hand in play, takes each tap, and saves the hand at its
end.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID, uuid4

from django.core import signing
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.games.errors import GameError, IllegalMove, InvalidDeal, Message
from sessions_app.access import EveningRequest, page
from sessions_app.errors import EveningEnded, NumberTaken, StaleHand, TokenSpent
from sessions_app.faces import FACES, face_of, house_rules
from sessions_app.faces.referee import Tap
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, Hand, Role
from sessions_app.readers.evening import seating
from sessions_app.readers.evening.recount import deal_of
from sessions_app.transactions import snapshot
from sessions_app.views.errors import refill_of
from sessions_app.views.hand_form.conflicts import question_about
from sessions_app.views.hand_form.form import form_of, referee_of
from sessions_app.views.htmx import answer, go, htmx_of
from sessions_app.words.wording import whole_number
from sessions_app.writers import hand_in_play

TEMPLATE = "referee/page.html"


#: The moves of all games: the dealer, and each game's own.
VERBS = ("dealer", *dict.fromkeys(verb for face in FACES.values() if face.referee for verb in face.referee.moves))


@page(Role.VIEWER, "GET", "HEAD", follows=True)
def show(request: EveningRequest) -> HttpResponse:
    return referee_page(request)


@page(Role.VIEWER, "GET", "HEAD", follows=True, polls=True)
def live(request: EveningRequest) -> HttpResponse:
    """Answer with the part of the page that changes, for htmx to morph in."""
    return render(request, f"{TEMPLATE}#referee", _context(request))


@page(Role.KEEPER, "POST")
def act(request: EveningRequest, verb: str) -> HttpResponse:
    """Make one move; answer with the hand after it."""
    at, by, tap = request.evening.pk, request.member.user, Tap(request.POST)
    moves, seen = referee_of(request.evening).moves, seen_by(request)
    try:
        if verb == "dealer":
            dealer = tap.seat()
            return _after(request, lambda: hand_in_play.let_deal(at, dealer, seen=seen, by=by))
        if verb not in moves:
            raise Http404
        move = moves[verb](tap)
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from wrong
    return _after(request, lambda: hand_in_play.change(at, move, seen=seen, by=by))


@page(Role.KEEPER, "POST")
def name(request: EveningRequest) -> HttpResponse:
    """Save the announcement of the naming form."""
    referee, seen, by = referee_of(request.evening), seen_by(request), request.member.user
    move = referee.naming_move(request.evening, request.POST)
    if move is None:
        return referee_page(request, status=422, naming=request.POST)
    return _after(request, lambda: hand_in_play.change(request.evening.pk, move, seen=seen, by=by))


REFUSALS = (EveningEnded, StaleHand, IllegalMove)


def signer_of(evening: Evening) -> signing.Signer:
    """Return the signer of the dealer and the state of the hand in play that a page of this evening shows."""
    return signing.Signer(salt=f"open hand of {evening.token}")


def seen_by(request: EveningRequest) -> Seen:
    """Return the state that the posting page showed. Raise BadRequest if a field is missing."""
    return Seen(_required_number(request.POST, "number"), _required_number(request.POST, "seen"))


def _required_number(fields: QueryDict, name: str) -> int:
    number = whole_number(fields.get(name, ""))
    if number is None:
        raise BadRequest(f"{name} is no number")
    return number


def _after(request: EveningRequest, write: Callable[[], None]) -> HttpResponse:
    try:
        write()
    except REFUSALS as refused:
        return refused_page(request, refused)
    return referee_page(request) if htmx_of(request) else redirect("referee", request.evening.pk)


def refused_page(request: EveningRequest, refused: Exception, naming: QueryDict | None = None) -> HttpResponse:
    """Answer with the current hand and the reason of the refusal; the naming form stays as it was filled in."""
    if isinstance(refused, IllegalMove | InvalidDeal):
        return referee_page(request, status=422, refused=refused, naming=naming)
    if isinstance(refused, StaleHand | TokenSpent):
        return referee_page(request, status=409, notice=_("The hand has changed meanwhile. This is how it is now."))
    return referee_page(request, status=409)


def referee_page(request: EveningRequest, status: int = 200, **more: Any) -> HttpResponse:
    return answer(request, TEMPLATE, _context(request, **more), "referee", status=status)


@snapshot()
def _context(
    request: EveningRequest,
    notice: str = "",
    refused: IllegalMove | InvalidDeal | None = None,
    naming: QueryDict | None = None,
    **asked: Any,
) -> dict[str, Any]:
    """Return the context of the current hand, by a fixed number of queries; `notice` or `refused` is the message.

    `asked` are the `question` about a hand that another phone has recorded, and the `form` of this page's.
    """
    evening = request.evening
    referee = referee_of(evening)
    if request.method == "POST":
        evening.refresh_from_db()
    names = [seat.player.name for seat in evening.seats.select_related("player")]
    row = seating.in_play_or_next(evening)
    in_play = referee.view(row, evening, len(names))
    return {
        "evening": evening,
        "names": names,
        "hand_in_play": in_play,
        "notice": _why_not(evening, refused, names) if refused else notice,
        "codes": " ".join(message.code for message in _messages(refused)) if refused else "",
        "naming": referee.step_form(in_play, evening, naming),
        "over": house_rules.over(evening, names),
        "next_hand": house_rules.next_hand(evening),
        "may_write": request.member.may(Role.KEEPER) and not evening.has_ended,
        **asked,
        "shown": signer_of(evening).sign_object([row.dealer, row.state]),
    }


def _messages(refused: IllegalMove | InvalidDeal) -> tuple[Message, ...]:
    return (refused.message,) if isinstance(refused, IllegalMove) else tuple(refused.errors.values())


def _why_not(evening: Evening, refused: IllegalMove | InvalidDeal, names: list[str]) -> str:
    """Return the sentence that says why a move is illegal, or why its deal is invalid."""
    if isinstance(refused, IllegalMove):
        return referee_of(evening).refusal(refused.message, names)
    form = face_of(evening).form.at(evening, names)
    return " ".join(form.refusal(message) for message in _messages(refused))


# --- The end of a hand ---

#: The longest signed hand in play, in characters. The longest hand makes about 700.
MOST: Final = 4000


@page(Role.KEEPER, "POST")
def finish(request: EveningRequest) -> HttpResponse:
    """Record the finished hand, with the posted answers; then redirect to the evening's page."""
    evening = request.evening
    referee, seen = referee_of(evening), seen_by(request)
    try:
        token = UUID(request.POST.get("token", ""))
        answers = referee.end_answers(request.POST)
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from wrong
    shown = _shown(evening, request.POST.get("shown", ""), answers)
    try:
        hand = hand_in_play.finish(evening.pk, seen=seen, token=token, by=request.member.user, shown=shown, **answers)
    except (StaleHand, TokenSpent) as refused:
        evening.refresh_from_db()
        if shown and (isinstance(refused, TokenSpent) or seen.number <= evening.last_number):
            return _which_is_right(request, shown, refused)
        return refused_page(request, refused)
    except (InvalidDeal, *REFUSALS) as refused:
        return refused_page(request, refused, naming=request.POST)
    return go(request, reverse("evening", args=[evening.pk]) + f"?saved={hand.number}")


@refill_of(act, name, finish)
@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest, verb: str = "") -> HttpResponse:
    notice = _("This page was open for too long. Nothing was saved: tap again.")
    return referee_page(request, status=403, notice=notice)


def _shown(evening: Evening, signed: str, answers: Mapping[str, Any]) -> Facts | None:
    """Return the facts of the hand that the posting page showed, by these answers; None if they do not make a hand."""
    if not signed:
        return None  # a page of an older version
    try:
        dealer, state = signer_of(evening).unsign_object(signed[:MOST])
    except signing.BadSignature as wrong:
        raise BadRequest("shown is not signed by us") from wrong
    try:
        return seating.facts_at_end(evening, seating.referee_of(evening).state.from_state(dealer, state), answers)
    except GameError:
        return None  # the writer says why


@snapshot()
def _which_is_right(request: EveningRequest, shown: Facts, refused: StaleHand | TokenSpent) -> HttpResponse:
    """Answer 409 with the question about the hand that another phone has recorded, and this page's as a hand form."""
    evening, number = request.evening, seen_by(request).number
    mine = Hand(evening=evening, number=number, token=uuid4(), lineup=evening.lineup, **asdict(shown))
    fields = face_of(evening).form.values_of(mine, deal_of(evening, mine))
    fields |= {"meant": number, "seating": request.POST.get("seating", ""), "revision": ""}
    if not shown.deal:
        fields["redeal"] = "stays" if shown.deal_stays else "passes"
    form = form_of(request, {name: str(value) for name, value in fields.items()})
    recorded = refused if isinstance(refused, TokenSpent) else NumberTaken(evening.last_number + 1)
    return referee_page(request, status=409, question=question_about(request, form, recorded), form=form)
