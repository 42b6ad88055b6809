"""The hand form: its page with the live count, the tables by which a phone counts it, and the posted form."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpResponse
from django.urls import reverse

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.errors import InvalidDeal
from sessions_app.access import EveningRequest, page
from sessions_app.errors import LedgerError, SameHand, TokenSpent
from sessions_app.faces import FACES, house_rules
from sessions_app.faces.hand_form import HandForm
from sessions_app.faces.referee import RefereeFace
from sessions_app.models import Evening, Hand, Role
from sessions_app.readers.evening import recount, seating
from sessions_app.readers.evening.seating import names_of, row_in_play
from sessions_app.transactions import snapshot
from sessions_app.views.hand_form.recount_preview import preview_of
from sessions_app.views.htmx import answer
from sessions_app.words.wording import listed, whole_number

# --- The tables by which a phone counts a hand that it cannot send yet, at an address that names their content ---

#: The Cache-Control of an address with the version of its content, which is of one circle's house rules.
FOR_GOOD: Final = "private, max-age=31536000, immutable"


class CountTables(NamedTuple):
    """The tables of a face, which stay referenced here; their JSON text, and the version that follows from it."""

    tables: Mapping[str, Any]
    text: str
    version: str


#: By the identity of the object, which the face keeps: while its tables are referenced, no other object has their id().
_tables: LRUCache[CountTables] = LRUCache()


def address_of_tables(evening: Evening, columns: int) -> str:
    """Return the address of an evening's tables; '' if it has none."""
    found = _tables_of(evening, columns)
    return f"{reverse('count-tables', args=[evening.pk])}?v={found.version}" if found else ""


@page(Role.KEEPER, "GET", "HEAD")
def count_tables(request: EveningRequest) -> HttpResponse:
    """Return the evening's tables as JSON. A phone keeps them for good if it asked for this version of them."""
    evening = request.evening
    found = _tables_of(evening, len(names_of(evening)))
    if found is None:
        raise Http404
    response = HttpResponse(found.text, content_type="application/json")
    if request.GET.get("v") == found.version:
        response["Cache-Control"] = FOR_GOOD
    return response


def _tables_of(evening: Evening, columns: int) -> CountTables | None:
    tables = FACES[evening.game_key].provisional_tables(evening, columns)
    return _tables.get_or_make(id(tables), lambda: _as_json(tables)) if tables else None


def _as_json(tables: Mapping[str, Any]) -> CountTables:
    text = json.dumps(tables, separators=(",", ":"))
    return CountTables(tables, text, sha256(text.encode()).hexdigest()[:8])


# --- The page ---

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
    dealer, number = form.seat("dealer"), whole_number(str(form["number"].value()))
    if number is None:
        number = evening.last_number + 1
    face = FACES[evening.game_key]
    over = "" if editing else house_rules.over(evening, form.names)
    said = tapped or form
    context = {
        "evening": evening,
        "names": form.names,
        "form": form,
        "editing": editing,
        "number": editing.number if editing else number,
        "may_announce": bool(face.referee) and not editing and not over,
        "over": over,
        # A form that was sent stays: what was tapped may be needed once a correction has opened the game again.
        "is_closed": bool(over) and not form.is_bound and "refused" not in more,
        "next_hand": None if editing else house_rules.next_hand(evening),
        "turn": seating.turn_of(evening.game, form.sitting, form.sitting[0] if dealer is None else dealer, number),
        "count_tables": "" if editing else address_of_tables(evening, len(form.names)),
        "count": count(evening, said, editing),
        "recount": preview_of(evening, said, editing, lambda: said.facts) if editing else None,
    }
    return answer(request, TEMPLATE, context | more, "hand-form", "count", status=status)


# --- The live count ---


def count(evening: Evening, form: HandForm, editing: Hand | None = None) -> dict[str, Any]:
    """Return the live count: the hand counted, or else the missing and the wrong fields."""
    leader = None if form.leader is None or form.always_leads else form.names[form.leader]
    tapped = form if form.is_bound else form.again(form.initial)
    if tapped.is_thrown_in:
        return {}
    if tapped.deal:
        try:
            counted = recount.count(evening, tapped.deal, tapped.place, len(form.names), editing)
        except InvalidDeal as invalid:
            tapped.refuse(invalid)
        else:
            place = tapped.place
            playing = tapped.players_of(tapped.deal, place.seats, place.dealer, place.declarer)
            players = tuple(form.names[seat] for seat in playing)
            return {"counted": counted, "deal": tapped.deal, "rules": form.rules, "leader": leader, "players": players}
    errors = tapped.errors.as_data()
    # A hidden field has no name: the form says itself that it is out of date.
    named = (name for name in errors if name in tapped.fields and not tapped.fields[name].widget.is_hidden)
    missing = [tapped.called(name) for name in named if any(error.code == "required" for error in errors[name])]
    wrong = [error for field in errors.values() for error in field if error.code != "required"]
    problems = [message for error in wrong for message in error.messages]
    return {"problems": problems, "missing": listed(missing), "leader": leader}


# --- The posted form ---


def form_of(request: EveningRequest, *args: Any, hand: Hand | None = None, **kwargs: Any) -> HandForm:
    """Return the evening's hand form, for the next hand or to correct one."""
    evening = request.evening
    return FACES[evening.game_key].form.at(evening, names_of(evening), *args, hand=hand, **kwargs)


def referee_of(evening: Evening) -> RefereeFace:
    """Return the game's face for hands in play. Raise Http404 if the game has none."""
    referee = FACES[evening.game_key].referee
    if referee is None:
        raise Http404
    return referee


def renewed(form: HandForm, **changed: Any) -> HandForm:
    """Return the form as it was filled in, with some fields changed."""
    return form.again({**form.data, **{name: str(value) for name, value in changed.items()}})


# --- The answer to a question ---


def decided(request: EveningRequest) -> tuple[HandForm, Hand | None]:
    """Return the posted form, changed as its answer to a question says, and the recorded hand that it corrects.

    An answer names what the question showed. Where that has changed since, the question is asked again.
    """
    typed, corrects = answered(request)
    if corrects:
        return form_of(request, typed, hand=corrects), corrects
    if "mine" in typed:
        return form_of(request, {**typed, "seen": typed["mine"]}), None
    row = row_in_play(request.evening) if "take" in typed else None
    form = form_of(request, typed)
    if row and typed["take"] == str(row.version):
        form = form.again(referee_of(request.evening).announcement_form.with_noted(row, form.spelled_out))
    return form, None


def follows(typed: Mapping[str, Any]) -> bool:
    """Return whether the dealer of a form is the one that was offered, and not chosen by hand."""
    return bool(typed.get("offered")) and typed.get("offered") == typed.get("dealer")


def answered(request: EveningRequest) -> tuple[dict[str, Any], Hand | None]:
    """Return the posted fields as their answer to a question has them, and the recorded hand that it corrects.

    The redeal of a thrown-in hand stands on the answer's button, since no field of the form has it.
    """
    typed: dict[str, Any] = request.POST.dict()
    for name in ("another", "correct", "mine"):
        *numbers, last = str(typed.get(name, ""))[:60].split() or [""]
        if numbers and last.isalpha():
            typed |= {name: " ".join(numbers), "redeal": last}
    if "correct" in typed:
        return _as_correction(request, typed)
    return typed | _as_another(typed), None


def _as_correction(request: EveningRequest, typed: dict[str, Any]) -> tuple[dict[str, Any], Hand | None]:
    """Return the fields as a correction of the hand that the answer names, whose dealer stays unless chosen by hand."""
    number, _space, seen = typed["correct"].partition(" ")
    hand = request.evening.hands.filter(number=whole_number(number) or 0).first()
    if hand and follows(typed):
        typed |= {"dealer": str(hand.dealer), "offered": str(hand.dealer)}
    return typed | {"revision": seen or "0"}, hand


def _as_another(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that an answer changes which says that the form is of the next hand: its number and dealer."""
    said = str(typed.get("another") or "").split()
    if not said or whole_number(said[0]) is None:
        return {}  # the form has been answered before, and goes on
    number, *dealer = said
    moved = {"another": "yes", "number": number, "meant": number}
    if dealer:
        moved |= {"dealer": dealer[0]} | ({"offered": dealer[0]} if follows(typed) else {})
    if number != typed.get("number"):
        moved |= {"seen": "", "announced": ""}  # it has seen no hand in play of that number
    return moved


# --- What has changed since the form was opened ---


def since(form: HandForm, refused: LedgerError | None = None) -> int:
    """Return the number of the first hand that the form may repeat."""
    if isinstance(refused, TokenSpent | SameHand):
        return refused.hand.number
    number = whole_number(str(form.data.get("number", ""))) or 1
    return min(number, whole_number(str(form.data.get("meant", ""))) or number)


def is_asked(request: EveningRequest, form: HandForm) -> bool:
    """Return whether hands were recorded that the form may repeat. It need not be valid."""
    return since(form) <= request.evening.last_number


def sits_elsewhere(request: EveningRequest, form: HandForm) -> bool:
    """Return whether the seating has changed since the form was opened. The form need not be valid."""
    seen = form.cleaned_data.get("seating")
    return seen is not None and seen != request.evening.seating
