"""The page of the hand form, which several views answer with: the form, its heading, and the live count."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from scorekeeper.games.errors import GameError
from sessions_app.access import EveningRequest
from sessions_app.faces import face_of, house_rules
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening import seating
from sessions_app.readers.snapshot import snapshot
from sessions_app.views import count_tables
from sessions_app.views.hand_form.live_count import count
from sessions_app.views.hand_form.recount_preview import RecountPreview, recount_preview
from sessions_app.views.htmx import part_asked_for
from sessions_app.words.parsing import whole_number

TEMPLATE = "hand_form/page.html"


@snapshot()
def form_page(
    request: EveningRequest,
    form: HandForm,
    status: int = 200,
    editing: Hand | None = None,
    tapped: HandForm | None = None,
    **more: Any,
) -> HttpResponse:
    """Render the form, or the part that htmx asked for; `tapped` is the bound form to count, if `form` is not that."""
    evening = request.evening
    dealer = form.seat("dealer")
    face = face_of(evening)
    over = "" if editing else house_rules.over(evening, form.names)
    context = {
        "evening": evening,
        "names": form.names,
        "form": form,
        "editing": editing,
        "may_announce": bool(face.referee) and not editing and not over,
        "over": over,
        # A form that was sent stays: what was tapped may be needed once a correction has opened the game again.
        "is_closed": bool(over) and not form.is_bound and "refused" not in more,
        "next_hand": None if editing else house_rules.next_hand(evening),
        "turn": seating.turn_of(
            evening.game, form.sitting, form.sitting[0] if dealer is None else dealer, _number_of(evening, form)
        ),
        "count_tables": "" if editing else count_tables.address(evening, len(form.names)),
        "count": count(evening, tapped or form, editing),
        "recount": _recount(evening, tapped or form, editing) if editing else None,
    }
    return _answer(request, context | more, status)


def _answer(request: EveningRequest, shown: dict[str, Any], status: int) -> HttpResponse:
    """Answer with the page, or the part that htmx asked for."""
    part, editing = part_asked_for(request, "hand-form", "count"), shown["editing"]
    if part:
        return render(request, f"{TEMPLATE}#{part}", shown, status=status)
    shown |= {"number": editing.number if editing else shown["turn"].number, "is_demo": request.is_demo}
    return render(request, TEMPLATE, shown, status=status)


def _number_of(evening: Evening, form: HandForm) -> int:
    """Return the number of the form's hand; the next one's if the form has no number that can be read."""
    number = whole_number(str(form["number"].value()))
    return evening.last_number + 1 if number is None else number


def _recount(evening: Evening, form: HandForm, editing: Hand) -> RecountPreview | None:
    """Preview the correction's effect on later hands; None for an unbound or invalid form."""
    if evening.has_ended or not form.is_bound or not form.is_valid():
        return None
    try:
        return recount_preview(evening, editing.number, form.names, facts=form.facts)
    except (GameError, Hand.DoesNotExist):
        return None  # the count says why, or the next page
