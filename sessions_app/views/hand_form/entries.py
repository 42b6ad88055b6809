"""Record agreed entries, or correct some; for games that have a form for them."""

from collections.abc import Iterator
from functools import partial
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Place, Sheet
from scorekeeper.games.errors import InvalidDeal
from sessions_app.access import EveningRequest, page
from sessions_app.errors import EveningEnded, LedgerError, SameHand, SeatsSwapped, TokenSpent
from sessions_app.faces import face_of
from sessions_app.faces.agreed_form import AgreedForm
from sessions_app.hand_facts import FormState
from sessions_app.models import Hand, Role
from sessions_app.readers.evening import recount, seating, sheets
from sessions_app.readers.evening.recount import CountView, deal_of
from sessions_app.readers.evening.seating import names_of, sums_of
from sessions_app.views.errors import refill_of
from sessions_app.views.hand_form.conflicts import correct, question, recorded_since
from sessions_app.views.hand_form.form import answered
from sessions_app.views.hand_form.recount_preview import preview_of
from sessions_app.views.htmx import answer, go
from sessions_app.writers import ledger

TEMPLATE = "entries/page.html"


@page(Role.KEEPER, "GET", "HEAD", "POST")
def new(request: EveningRequest) -> HttpResponse:
    evening = request.evening
    if request.method != "POST":
        number = evening.last_number + 1
        opened = {"token": uuid4(), "number": number, "meant": number, "seating": evening.seating}
        return _page(request, _form(request, initial=opened))
    fields, corrects = answered(request)
    corrects = corrects if corrects and corrects.is_agreed else None
    form = _form(request, fields, hand=corrects)
    if _is_asked_for_again(request):
        return _again(request, form)
    if not form.is_valid():
        return _page(request, form, status=422, editing=corrects)
    return _save(request, form, corrects)


def _save(request: EveningRequest, form: AgreedForm, corrects: Hand | None) -> HttpResponse:
    evening = request.evening
    try:
        hand = _corrected(request, form, corrects) if corrects else _recorded(request, form)
    except InvalidDeal as invalid:
        _refuse(request, form, invalid, corrects)
        return _page(request, form, status=422, editing=corrects)
    except LedgerError as refused:
        evening.refresh_from_db()  # the refusal may be of a newer state than this request has read
        return _refused(request, form, refused)
    if corrects:
        return go(request, reverse("evening", args=[evening.pk]) + sheets.place_of(evening, hand.number, is_saved=True))
    return go(request, reverse("evening", args=[evening.pk]) + f"?saved={hand.number}")


@page(Role.KEEPER, "GET", "HEAD", "POST")
def edit(request: EveningRequest, number: int) -> HttpResponse:
    """Correct agreed entries; redirect to the hand form for a hand."""
    evening = request.evening
    hand = get_object_or_404(evening.hands, number=number)
    if not hand.is_agreed:
        return redirect("hand-edit", evening.pk, number)
    form = _form(request, answered(request)[0] if request.method == "POST" else None, hand=hand)
    if request.method != "POST":
        values = form.values_of(hand, deal_of(evening, hand))
        return _page(request, form.again(initial=values), editing=hand)
    if _is_asked_for_again(request):
        return _again(request, form, editing=hand)
    if not form.is_valid():
        return _page(request, form, status=422, editing=hand)
    refuse = partial(_refuse, request, form, editing=hand)
    return correct(request, form, hand, form.facts(hand.dealer), page=_page, refuse=refuse)


def _form(request: EveningRequest, *args: Any, hand: Hand | None = None, **kwargs: Any) -> AgreedForm:
    """Return the form of the evening's game. Raise Http404 if it has none."""
    evening = request.evening
    form = face_of(evening).agreed_form if hand else face_of(evening).entries_form
    if form is None:
        raise Http404
    return form.at(evening, names_of(evening), *args, hand=hand, **kwargs)


# --- The form again ---


def _is_asked_for_again(request: EveningRequest) -> bool:
    """Return whether the POST saves nothing: it asks for one more row or a count."""
    return "more" in request.POST or "count" in request.POST or "count" in request.GET


def _again(request: EveningRequest, form: AgreedForm, **more: Any) -> HttpResponse:
    """Answer with the form as it was filled in; a missing value is no error yet."""
    has_more = "more" in request.POST
    rows = form.row_count + has_more
    return _page(request, _renewed(form, rows=rows), tapped=form, is_longer=has_more, **more)


def _renewed(form: AgreedForm, **changed: Any) -> AgreedForm:
    """Return the form as it was filled in, with some fields changed."""
    return form.again(initial={**form.data, **changed})


def _page(
    request: EveningRequest,
    form: AgreedForm,
    status: int = 200,
    editing: Hand | None = None,
    tapped: AgreedForm | None = None,
    **more: Any,
) -> HttpResponse:
    """Render the form, or the part that htmx asked for; `tapped` is the bound form to count, if `form` is not that."""
    said = tapped or (form if form.is_bound else form.again(form.initial))
    context = {
        "evening": request.evening,
        "names": form.names,
        "form": form,
        "editing": editing,
        "count": _count(request, said, editing),
        "recount": preview_of(request.evening, said, editing, lambda: said.facts(editing.dealer)) if editing else None,
    }
    return answer(request, TEMPLATE, context | more, "entries-form", "count", status=status)


# --- The live count ---


def _count(request: EveningRequest, form: AgreedForm, editing: Hand | None) -> dict[str, Any]:
    """Return the entries counted and the balances after them; or else the missing and the wrong fields."""
    evening = request.evening
    if form.deal:
        try:
            counted = _counted(request, form, form.deal, editing)
        except InvalidDeal as invalid:
            _refuse(request, form, invalid, editing)
        else:
            then = () if editing else tuple(_then(request, form, counted))
            said = {"counted": counted, "deal": form.deal, "rules": evening.house, "players": (), "then": then}
            return said | {"balances": tuple(_balances(request, form, recount.sheet_of(counted.entries)))}
    form.refuse_each(lambda deal: _counted(request, form, deal, editing))
    errors = [error for field in form.errors.as_data().values() for error in field]
    wrong, missing = (
        list(
            dict.fromkeys(message for error in errors if (error.code == "required") == is_missing for message in error)
        )
        for is_missing in (False, True)
    )
    return {"problems": wrong, "missing": missing}


def _counted(request: EveningRequest, form: AgreedForm, deal: Any, editing: Hand | None) -> CountView:
    """Count the entries without writing. Raise InvalidDeal."""
    place = Place(form.sitting, editing.dealer if editing else form.sitting[0])
    return recount.count(request.evening, deal, place, len(form.names), editing)


def _refuse(request: EveningRequest, form: AgreedForm, invalid: InvalidDeal, editing: Hand | None = None) -> None:
    form.refuse(invalid, lambda deal: _counted(request, form, deal, editing))


def _then(request: EveningRequest, form: AgreedForm, counted: CountView) -> Iterator[tuple[str, Amount]]:
    """Return each player's balance after these entries."""
    after = sums_of(request.evening)
    for account, amount in recount.sheet_of(counted.entries).items():
        after[account] = after.get(account, 0) + amount
    return _balances(request, form, after)


def _balances(request: EveningRequest, form: AgreedForm, sheet: Sheet) -> Iterator[tuple[str, Amount]]:
    evening = request.evening
    balances = evening.game.balances(sheet, tuple(range(len(form.names))), evening.house)
    return ((name, balances[seat]) for seat, name in enumerate(form.names))


# --- Saving ---


def _recorded(request: EveningRequest, form: AgreedForm) -> Hand:
    """Record the entries of a valid form. Raise EveningEnded, NumberTaken, SeatsSwapped, TokenSpent, SameHand."""
    evening, said = request.evening, form.cleaned_data
    # A repeated POST must have the same dealer, whose turn it may no longer be.
    made = evening.hands.filter(token=said["token"]).first()
    return ledger.record(
        evening.pk,
        token=said["token"],
        number=said["number"],
        facts=form.facts(made.dealer if made else seating.turn(evening).dealer),
        by=request.member.user,
        form_state=FormState(meant=said["meant"], another=said["another"], seating=said["seating"]),
        looked=evening,
    )


def _refused(request: EveningRequest, form: AgreedForm, refused: LedgerError) -> HttpResponse:
    """Answer 409 with the form as it was filled in, and the reason, or the question which entry is right."""
    evening, number = request.evening, form.cleaned_data["number"]
    if isinstance(refused, SeatsSwapped):
        people = (name for name in form.fields if name.startswith(("seat_", "against_")))
        changed = {**dict.fromkeys(people, ""), "seating": evening.seating}
        notice = _("The seats were changed on another phone meanwhile. Choose again whose entries these are.")
        return _page(request, _renewed(form, **changed), status=409, notice=notice)
    if isinstance(refused, EveningEnded):
        return _page(request, form, status=409)  # the page says so
    since = min(number, form.cleaned_data["meant"] or number)
    if isinstance(refused, TokenSpent | SameHand):
        since = refused.hand.number
    recorded = recorded_since(request, form.names, since)
    asked = question(request, form, recorded, form.facts(evening.sitting[0]))
    changed = {"another": ""} | ({"token": uuid4()} if isinstance(refused, TokenSpent) else {})
    return _page(request, _renewed(form, **changed), status=409, question=asked)


def _corrected(request: EveningRequest, form: AgreedForm, hand: Hand) -> Hand:
    """Amend the entries that an answer says are wrong. Raise EveningEnded, SeatsSwapped, StaleHand."""
    said = form.cleaned_data
    if said["seating"] not in (None, request.evening.seating):
        raise SeatsSwapped
    # Every form has the revision that it showed; a request without it corrects the latest one.
    facts, by, seen = form.facts(hand.dealer), request.member.user, said["revision"]
    return ledger.amend(request.evening.pk, hand.number, facts=facts, by=by, seen=seen)


@refill_of(new, edit)
@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest, number: int | None = None) -> HttpResponse:
    hand = get_object_or_404(request.evening.hands, number=number) if number else None
    notice = _("This form was open for too long. Nothing was lost: press Save again.")
    form = _form(request, initial=request.POST.dict(), hand=hand)
    return _page(request, form, status=403, editing=hand, notice=notice)
