"""The posted hand form: its fields as the answer to a question has them, and what has changed since it was opened.

A question names in its answers what it showed, so that an answer to an older question is asked again.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import Http404

from sessions_app.access import EveningRequest
from sessions_app.errors import (
    LedgerError,
    SameHand,
    TokenSpent,
)
from sessions_app.faces import face_of
from sessions_app.faces.hand_form import HandForm
from sessions_app.faces.referee import RefereeFace
from sessions_app.models import Evening, Hand
from sessions_app.readers.evening.hand_in_play import latest
from sessions_app.readers.evening.seating import names_of
from sessions_app.words.parsing import whole_number


def form_of(request: EveningRequest, *args: Any, hand: Hand | None = None, **kwargs: Any) -> HandForm:
    """Return the evening's hand form, for the next hand or to correct one."""
    evening = request.evening
    return face_of(evening).form.at(evening, names_of(evening), *args, hand=hand, **kwargs)


def referee_of(evening: Evening) -> RefereeFace:
    """Return the game's face for hands in play. Raise Http404 if the game has none."""
    referee = face_of(evening).referee
    if referee is None:
        raise Http404
    return referee


def renewed(form: HandForm, **changed: Any) -> HandForm:
    """Return the form as it was filled in, with some fields changed."""
    return form.again({**form.data, **{name: str(value) for name, value in changed.items()}})


# --- The answer to a question ---


class Decision(NamedTuple):
    """A posted form as its answer to a question has it, and the recorded hand that it corrects, if it corrects one."""

    form: HandForm
    corrects: Hand | None = None


def decided(request: EveningRequest) -> Decision:
    """Return the posted form, changed as its answer to a question says.

    An answer names what the question showed. Where that has changed since, the question is asked again.
    """
    typed, corrects = answered(request)
    if corrects:
        return Decision(form_of(request, typed, hand=corrects), corrects)
    if "mine" in typed:
        return Decision(form_of(request, {**typed, "seen": typed["mine"]}))
    row = latest(request.evening) if "take" in typed else None
    form = form_of(request, typed)
    if row and typed["take"] == str(row.version):
        return Decision(form.again(referee_of(request.evening).announcement_form.with_noted(row, form.spelled_out)))
    return Decision(form)


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
    number, *dealer = str(typed.get("another") or "").split() or [""]
    if whole_number(number) is None:
        return {}  # the form has been answered before, and goes on
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
    seating = form.cleaned_data.get("seating")
    return seating is not None and seating != request.evening.seating
