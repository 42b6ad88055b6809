"""The hand form: record a hand, correct one, and count it while it is being tapped."""

from typing import Any
from uuid import uuid4

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sessions_app import ledger, open_hand_view, open_hands, queries
from sessions_app.access import EveningRequest, page
from sessions_app.forms import announcing
from sessions_app.forms.hand import HandForm, values_of
from sessions_app.models import Hand, Role
from sessions_app.views.language import is_switch, keeps_fields
from sessions_app.views.parts import answer, go
from sessions_app.wording import isolated, listed

TEMPLATE = "hand_form.html"


@page(Role.KEEPER, "GET", "HEAD", "POST")
@keeps_fields
def new(request: EveningRequest) -> HttpResponse:
    evening, names = request.evening, names_of(request)
    if request.method != "POST":
        turn = queries.turn(evening, len(names))
        opened = HandForm.PRESETS | {"token": uuid4(), "number": turn.number, "dealer": str(turn.dealer)}
        opened["seating"] = evening.seating
        announced = open_hands.latest(evening)
        if announced:
            opened |= announcing.values_of(announced)
        return form_page(request, HandForm(initial=opened, names=names))
    form = HandForm(request.POST.dict(), names=names)
    if "count" in request.POST or is_switch(request):
        return _counted(request, form)
    if request.headers.get("Accept") == "application/json":
        return _from_outbox(request, form)
    if not form.is_valid():
        return form_page(request, form, status=422, refused=_wrong(form))
    return _record(request, form)


def _from_outbox(request: EveningRequest, form: HandForm) -> HttpResponse:
    """Answer a phone that sends what it kept while it had no network: the hand's number, or one sentence why not."""
    if not form.is_valid():
        return JsonResponse({"sentence": _wrong(form)}, status=422)
    try:
        return JsonResponse({"number": _recorded(request, form).number})
    except ledger.LedgerError as refused:
        said: dict[str, Any] = {"sentence": _sentence(refused, form.cleaned_data["number"])}
        if isinstance(refused, ledger.NumberTaken):
            said["next_number"] = refused.next_number
        if isinstance(refused, ledger.TokenSpent):
            said["next_number"] = refused.hand.number + 1
        return JsonResponse(said, status=409)


def _record(request: EveningRequest, form: HandForm) -> HttpResponse:
    evening, names, number = request.evening, form.names, form.cleaned_data["number"]
    try:
        hand = _recorded(request, form)
    except ledger.LedgerError as refused:
        sentence = _sentence(refused, number)
        if isinstance(refused, ledger.NumberTaken):
            return conflict(request, form, names, number, refused.next_number, sentence)
        if isinstance(refused, ledger.TokenSpent):
            next_number = evening.last_number + 1
            return conflict(request, form, names, refused.hand.number, next_number, sentence, token=uuid4())
        if isinstance(refused, ledger.SeatsSwapped):
            return _who_played(request, form, sentence)
        return form_page(request, form, status=409, refused=sentence)
    return go(request, reverse("session", args=[evening.pk]) + f"?saved={hand.number}")


def _recorded(request: EveningRequest, form: HandForm) -> Hand:
    """Record the hand of a valid form. Raises EveningEnded, NumberTaken, SeatsSwapped, TokenSpent."""
    token, number = form.cleaned_data["token"], form.cleaned_data["number"]
    seating = form.cleaned_data["seating"] or 0
    by = request.member.user
    return ledger.record(request.evening.pk, token=token, number=number, facts=form.facts, by=by, seating=seating)


def _who_played(request: EveningRequest, form: HandForm, sentence: str) -> HttpResponse:
    """The form as it was filled in, but for the people: at the seats that it named others sit now."""
    evening = request.evening
    dealer = queries.turn(evening, len(form.names)).dealer
    people = {"dealer": dealer, "declarer": "", "opponent_tricks": ""}
    fields = {**form.data, **people, "seating": evening.seating}
    again = HandForm(initial=fields, names=form.names)
    return form_page(request, again, status=409, refused=sentence, notice=sentence)


def _wrong(form: HandForm) -> str:
    """What is wrong with the form, in one line."""
    return " ".join(str(message) for messages in form.errors.values() for message in messages)


def _sentence(refused: ledger.LedgerError, number: int) -> str:
    """Why a hand that was to be `number` was not recorded."""
    if isinstance(refused, ledger.NumberTaken):
        return _("Hand %(number)s was recorded on another phone meanwhile.") % {"number": number}
    if isinstance(refused, ledger.TokenSpent):
        already = {"number": refused.hand.number}
        return _("This was already recorded as hand %(number)s, with other figures.") % already
    if isinstance(refused, ledger.SeatsSwapped):
        return _("The seats were changed on another phone meanwhile: tap once more who played.")
    return _("This session has ended. It takes no hands until it is reopened.")


@page(Role.KEEPER, "GET", "HEAD", "POST")
@keeps_fields
def edit(request: EveningRequest, number: int) -> HttpResponse:
    evening, names = request.evening, names_of(request)
    hand = get_object_or_404(evening.hands, number=number)
    if request.method != "POST":
        deal = evening.game.deal_from_text(hand.deal) if hand.deal else None
        return form_page(request, HandForm(initial=values_of(hand, deal), names=names), editing=hand)
    form = HandForm(request.POST.dict(), names=names)
    if "count" in request.POST or is_switch(request):
        return _counted(request, form, editing=hand)
    if not form.is_valid():
        return form_page(request, form, status=422, editing=hand)
    try:
        seen = form.cleaned_data["revision"]  # every form of ours says it; who does not corrects what there is
        ledger.amend(evening.pk, number, facts=form.facts, by=request.member.user, seen=seen)
    except ledger.EveningEnded:
        return form_page(request, form, status=409, editing=hand)
    except ledger.Stale:
        hand.refresh_from_db()
        renewed = _renewed(form, names, revision=hand.revision_count)
        since = queries.lines_from(evening, names, number)[:1]
        return form_page(request, renewed, status=409, editing=hand, since=since)
    return go(request, reverse("hand", args=[evening.pk, number]))


@page(Role.KEEPER, "GET", "HEAD", "POST")
def preview(request: EveningRequest) -> HttpResponse:
    """Count what has been tapped so far; it is no error that something is still missing."""
    if request.method != "POST":
        return redirect("hand-new", request.evening.pk)
    form = HandForm(request.POST.dict(), names=names_of(request))
    wrong = any(error.code != "required" for errors in form.errors.as_data().values() for error in errors)
    return _counted(request, form, status=422 if wrong else 200)


def _counted(request: EveningRequest, form: HandForm, **more: Any) -> HttpResponse:
    """The form as it is, counted: what is not tapped yet is no error."""
    return form_page(request, HandForm(initial=form.data, names=form.names), **more)


@page(Role.KEEPER, "GET", "HEAD")
def live(request: EveningRequest) -> HttpResponse:
    """Answer 204 while `number` is still the next hand's, else what was recorded meanwhile and the new number."""
    evening = request.evening
    asked = request.GET.get("number", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= 9 else 0
    if number == evening.last_number + 1:
        return HttpResponse(status=204)
    names = names_of(request)
    context = {
        "evening": evening,
        "names": names,
        "turn": queries.turn(evening, len(names)),
        "since": queries.lines_from(evening, names, number),
    }
    return render(request, "components/hand_number.html", context)


@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest, number: int | None = None) -> HttpResponse:
    names = names_of(request)
    hand = get_object_or_404(request.evening.hands, number=number) if number else None
    notice = _("The form had been open for too long. Nothing was lost: press Save once more.")
    form = HandForm(initial=request.POST.dict(), names=names)
    return form_page(request, form, status=403, editing=hand, notice=notice, refused=notice)


new.refill = edit.refill = preview.refill = _refill  # type: ignore[attr-defined]


def names_of(request: EveningRequest) -> list[str]:
    seats = request.evening.seats.select_related("player")
    return [seat.player.name for seat in seats]


def _renewed(form: HandForm, names: list[str], **changed: Any) -> HandForm:
    """The form as it was filled in, but for what the server knows better by now."""
    return HandForm({**form.data, **{name: str(value) for name, value in changed.items()}}, names=names)


def conflict(
    request: EveningRequest,
    form: HandForm,
    names: list[str],
    number: int,
    next_number: int,
    sentence: str,
    **changed: Any,
) -> HttpResponse:
    """Show what was recorded meanwhile, and the form as filled in, ready to be saved under the next number."""
    since = queries.lines_from(request.evening, names, number)
    renewed = _renewed(form, names, number=next_number, **changed)
    return form_page(request, renewed, status=409, since=since, refused=sentence)


def form_page(
    request: EveningRequest,
    form: HandForm,
    status: int = 200,
    editing: Hand | None = None,
    **more: Any,
) -> HttpResponse:
    """The form, or the part of it that htmx asked for."""
    evening, names = request.evening, form.names
    dealer = form["dealer"].value()
    number = form["number"].value()
    known = str(dealer) if str(dealer) in {str(seat) for seat in range(len(names))} else "0"
    in_play = form.seats_in_play()
    hint = " : ".join(isolated(names[seat]) for seat in in_play[1:]) if in_play else _("declarer's left : right")
    context = {
        "evening": evening,
        "names": names,
        "form": form,
        "editing": editing,
        "turn": queries.turn_of(evening.game, len(names), int(known), number),
        "split_hint": hint,
        "count": _count(request, form, in_play, names),
    }
    return answer(request, TEMPLATE, context | more, "hand-form", "count", status=status)


def _count(
    request: EveningRequest, form: HandForm, in_play: tuple[int, int, int] | None, names: list[str]
) -> dict[str, Any]:
    """The live sentence: the hand counted, or what is still to be tapped, or why it cannot be."""
    game = request.evening.game
    leader = in_play and names[game.leader(len(names), int(form["dealer"].value()), in_play[0])]
    tapped = form if form.is_bound else HandForm(form.initial, names=names)
    if tapped.thrown_in:
        return {}
    if tapped.deal and in_play:
        amounts = open_hand_view.amounts_of(tapped.deal, in_play, len(names))
        return {"deal": tapped.deal, "score": game.score(tapped.deal), "amounts": amounts, "leader": leader}
    errors = tapped.errors.as_data()
    missing = [str(tapped[name].label) for name in errors if any(error.code == "required" for error in errors[name])]
    wrong = [error for field in errors.values() for error in field if error.code != "required"]
    problems = [message for error in wrong for message in error.messages]
    return {"problems": problems, "missing": listed(missing) if missing else "", "leader": leader}
