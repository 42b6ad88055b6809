"""The hand form: record a hand, correct one, count it while it is tapped in, and follow other phones."""

from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import reswap

from scorekeeper.games.errors import InvalidDeal
from sessions_app.access import EveningRequest, page
from sessions_app.errors import (
    LedgerError,
    NumberTaken,
    SameHand,
    SeatsSwapped,
    StaleHand,
    TokenSpent,
    UnseenHandInPlay,
)
from sessions_app.faces import face_of, house_rules
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Hand, Role
from sessions_app.readers.evening import seating, sheets
from sessions_app.readers.evening.recount import deal_of
from sessions_app.views.errors import refill_of
from sessions_app.views.hand_form import conflicts
from sessions_app.views.hand_form.conflicts import recorded_since
from sessions_app.views.hand_form.form import answered, decided, form_of, form_page, is_asked, sits_elsewhere
from sessions_app.views.htmx import go, number_in
from sessions_app.writers import ledger


@page(Role.KEEPER, "GET", "HEAD", "POST")
def new(request: EveningRequest) -> HttpResponse:
    evening = request.evening
    if request.method != "POST":
        turn, face = seating.turn(evening), face_of(evening)
        opened = {**face.form.PRESETS, "token": uuid4(), "number": turn.number, "dealer": str(turn.dealer)}
        opened |= {"meant": turn.number, "offered": str(turn.dealer), "seating": evening.seating}
        announced = seating.row_in_play(evening) if face.referee else None
        if announced and face.referee:
            opened |= face.referee.announcement_form.values_in_play(announced)
        return form_page(request, form_of(request, initial=opened))
    form, corrects = decided(request)
    if "count" in request.POST:
        return _counted(request, form)
    form = _with_lineup_of_its_hand(request, form)
    if request.headers.get("Accept") == "application/json":
        return _from_outbox(request, form, corrects)
    if not form.is_valid():
        return _not_valid(request, form, corrects)
    has_moved = form.has_moved and not corrects
    if has_moved and not evening.hands.filter(token=form.cleaned_data["token"]).exists():
        return conflicts.recorded_meanwhile(request, form, NumberTaken(form.cleaned_data["number"]))
    return _record(request, form, corrects)


def _with_lineup_of_its_hand(request: EveningRequest, form: HandForm) -> HandForm:
    """Return the form; if its token has made a hand already, with the lineup of that hand, which may have changed."""
    if form.is_valid() or not sits_elsewhere(request, form):
        return form
    token = form.cleaned_data.get("token")
    made = request.evening.hands.filter(token=token).first() if token else None
    return form_of(request, form.data, hand=made) if made else form


def _not_valid(request: EveningRequest, form: HandForm, corrects: Hand | None = None) -> HttpResponse:
    if sits_elsewhere(request, form):
        return conflicts.who_played(request, form)
    if form.is_unfinished and (corrects or request.POST.get("another", "")[:1].isdigit()):
        return _half_filled(request, form, corrects)
    return form_page(request, form, status=422, refused=_wrong(form), editing=corrects)


def _half_filled(request: EveningRequest, form: HandForm, corrects: Hand | None) -> HttpResponse:
    """Answer with the form to go on with, after an answer that needs the rest of the hand first."""
    if corrects:
        recorded = form.values_of(corrects, deal_of(request.evening, corrects))
        form = form.again({**recorded, **{name: value for name, value in form.data.items() if value != ""}})
    return reswap(_counted(request, form, editing=corrects), "outerHTML")  # the rows stay where they are


def _from_outbox(request: EveningRequest, form: HandForm, corrects: Hand | None) -> HttpResponse:
    """Answer a phone's outbox in JSON: the number of the recorded hand, or why it was refused."""
    moved = None if corrects else conflicts.moved_on(request, form)
    if moved:
        return JsonResponse(moved, status=409)
    if not form.is_valid() and sits_elsewhere(request, form):
        return JsonResponse({"sentence": _why_not(request, form, SeatsSwapped())}, status=409)
    if not form.is_valid():
        return JsonResponse({"sentence": _wrong(form)}, status=422)
    try:
        return JsonResponse({"number": _recorded(request, form, corrects).number})
    except InvalidDeal as invalid:
        form.refuse(invalid)
        return JsonResponse({"sentence": _wrong(form)}, status=422)
    except LedgerError as refused:
        request.evening.refresh_from_db()
        return JsonResponse(conflicts.refusal(request, form, refused), status=409)


def _record(request: EveningRequest, form: HandForm, corrects: Hand | None) -> HttpResponse:
    evening = request.evening
    try:
        hand = _recorded(request, form, corrects)
    except InvalidDeal as invalid:
        evening.refresh_from_db()
        form.refuse(invalid)
        return _not_valid(request, form, corrects)
    except LedgerError as refused:
        evening.refresh_from_db()  # the refusal may be of a newer state than this request has read
        return _refused(request, form, refused)
    if corrects:
        at = sheets.place_of(evening, hand.number, is_saved=True)
        return go(request, reverse("evening", args=[evening.pk]) + at)
    return go(request, reverse("evening", args=[evening.pk]) + f"?saved={hand.number}")


def _refused(request: EveningRequest, form: HandForm, refused: LedgerError) -> HttpResponse:
    if isinstance(refused, NumberTaken | TokenSpent | SameHand | StaleHand):
        return conflicts.recorded_meanwhile(request, form, refused)
    if isinstance(refused, UnseenHandInPlay):
        return conflicts.two_readings(request, form, refused.row)
    if isinstance(refused, SeatsSwapped):
        return conflicts.who_played(request, form)
    return form_page(request, form, status=409, refused=_why_not(request, form, refused))


def _why_not(request: EveningRequest, form: HandForm, refused: LedgerError) -> str:
    return conflicts.why_not(refused, form.cleaned_data.get("number", 0), request.evening, form.names)


def _recorded(request: EveningRequest, form: HandForm, corrects: Hand | None) -> Hand:
    """Record the hand of a valid form, or correct the one that it says is wrong.

    Raise EveningEnded, NumberTaken, SeatsSwapped, TokenSpent, SameHand, UnseenHandInPlay, StaleHand.
    """
    token, number, by = form.cleaned_data["token"], form.cleaned_data["number"], request.member.user
    evening = request.evening
    if corrects and sits_elsewhere(request, form):
        raise SeatsSwapped
    if corrects:
        seen = form.cleaned_data["revision"] or 0
        return ledger.amend(evening.pk, corrects.number, facts=form.facts, by=by, seen=seen)
    return ledger.record(
        evening.pk, token=token, number=number, facts=form.facts, by=by, form_state=form.state, looked=evening
    )


def _wrong(form: HandForm) -> str:
    """Return the form's errors in one line."""
    return " ".join(str(message) for messages in form.errors.values() for message in messages)


@page(Role.KEEPER, "GET", "HEAD", "POST")
def edit(request: EveningRequest, number: int) -> HttpResponse:
    evening = request.evening
    hand = get_object_or_404(evening.hands, number=number)
    if hand.is_agreed and not face_of(evening).corrects_agreed:
        raise Http404
    if request.method != "POST" and hand.is_agreed and face_of(evening).agreed_form:
        return redirect("entries-edit", evening.pk, number)
    if request.method != "POST":
        values = face_of(evening).form.values_of(hand, deal_of(evening, hand))
        return form_page(request, form_of(request, initial=values, hand=hand), editing=hand)
    form = form_of(request, answered(request)[0], hand=hand)
    if "count" in request.POST:
        return _counted(request, form, editing=hand)
    if not form.is_valid():
        return form_page(request, form, status=422, editing=hand)
    return conflicts.correct(request, form, hand, form.facts, page=form_page, refuse=form.refuse)


@page(Role.KEEPER, "GET", "HEAD", "POST")
def preview(request: EveningRequest) -> HttpResponse:
    """Count the fields tapped so far, for the next hand or the `hand` that is corrected.

    A missing field is no error.
    """
    if request.method != "POST":
        return redirect("hand-new", request.evening.pk)
    number = number_in(request, "hand")
    hand = None if number is None else get_object_or_404(request.evening.hands, number=number)
    form = form_of(request, request.POST.dict(), hand=hand)
    asked = conflicts.question_about(request, form) if hand is None and is_asked(request, form) else None
    status = 200 if form.is_unfinished else 422
    return _counted(request, form, status=status, editing=hand, question=asked)


def _counted(request: EveningRequest, form: HandForm, **more: Any) -> HttpResponse:
    """Answer with the form and its count; a missing field is no error."""
    return form_page(request, form.again(initial=form.data), tapped=form, **more)


@page(Role.KEEPER, "GET", "HEAD")
def news(request: EveningRequest) -> HttpResponse:
    """Answer 204 while `number` is the next hand's and the hand in play is the one `seen`, else the changed parts.

    A form without `seen` learns of recorded hands only.
    """
    evening = request.evening
    number = number_in(request, "number") or 0
    seen = request.GET.get("seen") if face_of(evening).referee else None
    row = None if seen is None else seating.row_in_play(evening)
    moved = number != evening.last_number + 1
    noted = seen is not None and (number_in(request, "seen") or 0) != (row.version if row else 0)
    if not moved and not noted:
        return HttpResponse(status=204)
    since = min(number_in(request, "meant") or number, number)
    turn = seating.turn(evening)
    form = form_of(request, initial={"dealer": str(row.dealer if row else turn.dealer)})
    context = {
        "evening": evening,
        "names": form.names,
        "form": form,
        "turn": turn,
        "moved": moved,
        "recorded": recorded_since(request, form.names, since) if moved else [],
        "hand_in_play": row,
        "is_announced": bool(row and seating.read_in_play(evening, row).summary),
        "noted": noted or (moved and seen is not None),
        "noted_fields": conflicts.noted_fields(request, row, form) if face_of(evening).referee else [],
        "noted_before": bool(number_in(request, "seen")),
        "said": conflicts.noted(evening, row, form.names),
        "over": house_rules.over(evening, form.names),
        "next_hand": house_rules.next_hand(evening),
    }
    return render(request, "hand_form/news.html", context)


@refill_of(new, edit, preview)
@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest, number: int | None = None) -> HttpResponse:
    number = number or number_in(request, "hand")
    hand = get_object_or_404(request.evening.hands, number=number) if number else None
    notice = _("This form was open for too long. Nothing was lost: press Save again.")
    form = form_of(request, initial=request.POST.dict(), hand=hand)
    return form_page(request, form, status=403, editing=hand, notice=notice, refused=notice)
