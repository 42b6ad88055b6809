"""The page of the hand form, which several views answer with: the form, its heading, and the live sentence."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from sessions_app.access import EveningRequest
from sessions_app.forms.hand import HandForm
from sessions_app.models import Hand
from sessions_app.readers import queries
from sessions_app.views.parts import answer
from sessions_app.wording import isolated, listed

TEMPLATE = "hand_form.html"


def names_of(request: EveningRequest) -> list[str]:
    seats = request.evening.seats.select_related("player")
    return [seat.player.name for seat in seats]


def renewed(form: HandForm, **changed: Any) -> HandForm:
    """The form as it was filled in, but for what the server knows better by now."""
    return HandForm({**form.data, **{name: str(value) for name, value in changed.items()}}, names=form.names)


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
        "turn": queries.turn_of(evening.game, evening.sitting, int(known), number),
        "split_hint": hint,
        "count": count(request, form),
    }
    return answer(request, TEMPLATE, context | more, "hand-form", "count", status=status)


def count(request: EveningRequest, form: HandForm) -> dict[str, Any]:
    """The live sentence: the hand counted, or what is still to be tapped, or why it cannot be."""
    evening, names, in_play = request.evening, form.names, form.seats_in_play()
    game: Any = evening.game
    leader = in_play and names[game.leaders(evening.sitting, int(form["dealer"].value()))[in_play[0]]]
    tapped = form if form.is_bound else HandForm(form.initial, names=names)
    if tapped.thrown_in:
        return {}
    if tapped.deal and in_play:
        amounts = queries.amounts(evening, tapped.deal, int(form["dealer"].value()), in_play[0], len(names))
        return {
            "deal": tapped.deal,
            "score": game.score(tapped.deal, evening.house),
            "amounts": amounts,
            "leader": leader,
        }
    errors = tapped.errors.as_data()
    missing = [str(tapped[name].label) for name in errors if any(error.code == "required" for error in errors[name])]
    wrong = [error for field in errors.values() for error in field if error.code != "required"]
    problems = [message for error in wrong for message in error.messages]
    return {"problems": problems, "missing": listed(missing) if missing else "", "leader": leader}
