"""Announce a hand from the hand form before it is played; take an announcement back, or put it back."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.games.errors import IllegalMove
from sessions_app.access import EveningRequest, page
from sessions_app.errors import EveningEnded, LedgerError, StaleHand
from sessions_app.faces import face_of, hand_in_play_of
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening, HandInPlay, Role
from sessions_app.readers.evening.seating import names_of, read_in_play, row_in_play
from sessions_app.views.errors import refill_of
from sessions_app.views.hand_form.conflicts import question_about, who_played
from sessions_app.views.hand_form.form import answered, form_page, referee_of, sits_elsewhere
from sessions_app.views.hand_form.referee import seen_by
from sessions_app.views.htmx import go
from sessions_app.writers import hand_in_play


@page(Role.KEEPER, "GET", "HEAD", "POST")
def new(request: EveningRequest) -> HttpResponse:
    """Save the hand form as the announcement of the next hand; then redirect to the evening's page."""
    evening = request.evening
    referee = referee_of(evening)
    if request.method != "POST":
        return redirect("hand-new", evening.pk)
    form: Any = referee.announcement_form.at(evening, names_of(request.evening), answered(request)[0])
    if not form.is_valid():
        return _who_plays(request, form) if sits_elsewhere(request, form) else form_page(request, form, status=422)
    said = {name: form.cleaned_data[name] for name in ("token", "replace", "seating")}
    try:
        hand_in_play.announce(evening.pk, form.announcement, seen=form.hand_seen, by=request.member.user, **said)
    except LedgerError as refused:
        evening.refresh_from_db()  # the refusal may be of a newer state than this request has read
        return _refused(request, form, refused)
    return go(request, reverse("evening", args=[evening.pk]))


def _refused(request: EveningRequest, form: HandForm, refused: LedgerError) -> HttpResponse:
    if isinstance(refused, EveningEnded):
        return _again(request, form)
    return _who_plays(request, form) if sits_elsewhere(request, form) else _conflict(request, form)


def _who_plays(request: EveningRequest, form: HandForm) -> HttpResponse:
    """Ask again who plays. If the hand's number is taken too, the next attempt asks about that."""
    evening, row = request.evening, row_in_play(request.evening)
    is_next = form["number"].value() == str(evening.last_number + 1)
    return who_played(request, form, **({"seen": row.version if row else 0} if is_next else {}))


@refill_of(new)
@page(Role.KEEPER, "POST")
def _refill(request: EveningRequest) -> HttpResponse:
    referee_of(request.evening)
    notice = _("This form was open for too long. Nothing was lost: press Announce again.")
    form = face_of(request.evening).form.at(request.evening, names_of(request.evening), initial=request.POST.dict())
    return form_page(request, form, status=403, notice=notice)


@page(Role.KEEPER, "GET", "HEAD", "POST")
def take_back(request: EveningRequest) -> HttpResponse:
    """Ask whether to take the hand in play back, and do it on POST."""
    evening = request.evening
    referee_of(evening)
    notice = ""
    if request.method == "POST":
        try:
            hand_in_play.take_back(evening.pk, seen=seen_by(request))
        except EveningEnded:
            return render(request, "errors/evening_ended.html", {"evening": evening}, status=409)
        except StaleHand:
            evening.refresh_from_db()
            notice = _("The hand has changed meanwhile. This is how it is now.")
        else:
            return redirect("evening", evening.pk)
    names = names_of(request.evening)
    in_play = hand_in_play_of(evening, len(names))
    if in_play is None:
        return redirect("evening", evening.pk)
    context = {"evening": evening, "names": names, "hand_in_play": in_play, "notice": notice}
    return render(request, "announce_back/page.html", context, status=409 if notice else 200)


@page(Role.KEEPER, "POST")
def put_back(request: EveningRequest) -> HttpResponse:
    """Restore the notes that the latest announcement replaced; then redirect to the evening's page."""
    referee_of(request.evening)
    try:
        hand_in_play.put_back(request.evening.pk, seen=seen_by(request), by=request.member.user)
    except EveningEnded:
        return render(request, "errors/evening_ended.html", {"evening": request.evening}, status=409)
    except (StaleHand, IllegalMove):
        # The hand in play has changed since; the referee's page shows the choices.
        return redirect("referee", request.evening.pk)
    return redirect("evening", request.evening.pk)


def _conflict(request: EveningRequest, form: HandForm) -> HttpResponse:
    """Answer 409 with the announcement made meanwhile, and the form as it was filled in, ready to override that."""
    evening, number = request.evening, form.hand_seen.number
    row = row_in_play(evening)
    version = row.version if row else 0
    if number != evening.last_number + 1:
        asked = question_about(request, face_of(evening).form.at(evening, form.names, form.data))
        return _again(request, form, question=asked, announcing=True)
    renewed = {"seen": version, "replace": version}
    return _again(request, form, renewed, replaces=_meanwhile(evening, row, form.names))


def _meanwhile(evening: Evening, row: HandInPlay | None, names: list[str]) -> str:
    if row is None:
        return _("The announcement was taken back on another phone. Announce it again if it still applies.")
    referee, hand = referee_of(evening), read_in_play(evening, row)
    said = referee.announced_words(hand, names)
    if not said:
        told = (referee.noted(hand, names), referee.so_far(hand, names), _("Announce again to override this."))
        return " ".join(told)
    return _("Entered meanwhile: %(said)s. Nothing was overwritten. If yours is right, announce again.") % {
        "said": said
    }


def _again(request: EveningRequest, form: HandForm, renewed: dict[str, Any] | None = None, **more: Any) -> HttpResponse:
    """Answer 409 with the form as it was filled in; unbound, since nothing in it is wrong."""
    fields = {**form.data, **(renewed or {})}
    filled = face_of(request.evening).form.at(request.evening, form.names, initial=fields)
    return form_page(request, filled, status=409, **more)
