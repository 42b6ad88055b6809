"""Conflicts of a hand form with writes of other phones while it was open.

Nothing is decided here for the players: the form comes back as it was filled in, with a question. Its answers
(posted.py) are named by what they do. Nothing else on that page writes: neither a second tap where the button that
saves was, nor Enter.
"""

from typing import Any, Final
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from sessions_app.access import EveningRequest
from sessions_app.errors import (
    LedgerError,
    NumberTaken,
    SameHand,
    SeatsSwapped,
    StaleHand,
    TokenSpent,
    UnseenHandInPlay,
)
from sessions_app.faces.hand_form import HandForm
from sessions_app.models import Evening, HandInPlay
from sessions_app.readers.evening import seating
from sessions_app.readers.evening.hand_in_play import read
from sessions_app.views.hand_form.form import count, form_of, form_page, referee_of, renewed, since, sits_elsewhere
from sessions_app.views.hand_form.question import Question, question, recorded_since
from sessions_app.words.parsing import whole_number

QUESTION: Final = "components/hand_question.html"

# --- The question is asked ---


def recorded_meanwhile(
    request: EveningRequest, form: HandForm, refused: NumberTaken | TokenSpent | SameHand | StaleHand
) -> HttpResponse:
    """Answer 409 with the question, and the form as it was filled in: of the same number, and not to be saved."""
    changed: dict[str, Any] = {"another": ""}
    if isinstance(refused, TokenSpent):
        changed["token"] = uuid4()
    why = why_not(refused, since(form, refused), request.evening, form.names)
    asked = question_about(request, form, refused)
    return form_page(request, renewed(form, **changed), status=409, refused=why, question=asked)


def question_about(request: EveningRequest, form: HandForm, refused: LedgerError | None = None) -> Question:
    """Return the question about the hands that the form may repeat."""
    recorded = recorded_since(request, form.names, since(form, refused))
    return question(request, form, recorded, form.facts if form.is_valid() else None)


# --- A hand that waited in the outbox ---


def refusal(request: EveningRequest, form: HandForm, refused: LedgerError) -> dict[str, Any]:
    """Return why a waiting hand was refused, for the phone that sent it; with the question, if it is one."""
    said: dict[str, Any] = {"sentence": why_not(refused, since(form, refused), request.evening, form.names)}
    if not isinstance(refused, NumberTaken | TokenSpent | SameHand | StaleHand):
        return said
    asked = question_about(request, form, refused)
    if isinstance(refused, TokenSpent):
        said["token"] = str(uuid4())
    context = {"question": asked, "names": form.names, "evening": request.evening}
    return said | {"next_number": asked.next_number, "question": render_to_string(QUESTION, context)}


def moved_on(request: EveningRequest, form: HandForm) -> dict[str, Any] | None:
    """Return the number and the dealer that a waiting hand has by now, None if it has them, or has been recorded.

    It follows hands that its phone did not know of, or that have gone since. A dealer chosen by hand stays.
    """
    evening, number = request.evening, whole_number(str(form.data.get("number", ""))) or 0
    form.is_valid()
    if number <= evening.last_number or form.data.get("another") or sits_elsewhere(request, form):
        return None
    turn = seating.turn(evening)
    follows = form.data.get("offered") == form.data.get("dealer")
    if turn.number == number and (not follows or str(turn.dealer) == form.data.get("dealer")):
        return None
    token: UUID | None = form.cleaned_data.get("token")
    if token and evening.hands.filter(token=token).exists():
        return None
    moved = {"number": turn.number} | ({"dealer": turn.dealer} if follows else {})
    sentence = _("%(name)s deals hand %(number)s now.") % {"name": form.names[turn.dealer], "number": turn.number}
    return {"sentence": sentence, "moved": moved}


# --- The refusal in words ---


def why_not(refused: LedgerError, number: int, evening: Evening, names: list[str]) -> str:
    """Return the sentence that says why hand `number` was not recorded."""
    if isinstance(refused, NumberTaken):
        return _("Hand %(number)s was recorded on another phone meanwhile.") % {"number": number}
    if isinstance(refused, TokenSpent):
        already = {"number": refused.hand.number}
        return _("This was already recorded as hand %(number)s, with other figures.") % already
    if isinstance(refused, SameHand):
        return _("Another phone has already saved the same as hand %(number)s. Is this a different hand?") % {
            "number": refused.hand.number
        }
    if isinstance(refused, SeatsSwapped):
        return _seats_changed(evening)
    if isinstance(refused, UnseenHandInPlay):
        return f"{noted(evening, refused.row, names)} {_('It says something else: which is right?')}"
    return _("This session has ended. Reopen to add or correct hands.")


# --- The seats were changed ---


def _seats_changed(evening: Evening) -> str:
    if not evening.last_number:
        return _("The seats were changed on another phone meanwhile. Tap again who played.")
    came_or_went = _("Somebody came or left meanwhile. Tap again who played.")
    before = _(
        "If this hand was played before that, seat the players as they were, save the hand, then change the "
        "seats again."
    )
    return f"{came_or_went} {before}"


def who_played(request: EveningRequest, form: HandForm, **changed: Any) -> HttpResponse:
    """Answer 409 with the form as it was filled in, but without its players, whose seats others have now.

    `changed` are fields to overwrite, such as the hand in play that the form has now seen.
    """
    evening = request.evening
    dealer = seating.turn(evening).dealer
    people = {"dealer": dealer, "offered": dealer, **dict.fromkeys(form.OF_PEOPLE, "")}
    again = form_of(request, initial={**form.spelled_out, **people, **changed, "seating": evening.seating})
    sentence = why_not(SeatsSwapped(), 0, evening, form.names)
    return form_page(request, again, status=409, refused=sentence, notice=sentence)


# --- The hand in play differs from the form ---


def two_readings(request: EveningRequest, form: HandForm, row: HandInPlay | None) -> HttpResponse:
    """Answer 409 with the question which one is right: the hand in play as it is now, or this form."""
    theirs: dict[str, Any] | None = None
    evening = request.evening
    if row:
        taken = form.again(referee_of(evening).announcement_form.with_noted(row, form.spelled_out))
        theirs = _reading(request, taken) | {"hand": read(evening, row)}
    mine = _reading(request, form) | {"is_thrown_in": form.is_thrown_in}
    context: dict[str, Any] = {"asked": {"version": row.version if row else 0, "theirs": theirs, "mine": mine}}
    refused = why_not(UnseenHandInPlay(row), form.cleaned_data["number"], evening, form.names)
    return form_page(request, form, status=409, refused=refused, **context)


def _reading(request: EveningRequest, form: HandForm) -> dict[str, Any]:
    declarer = form.seat("declarer")
    return count(request.evening, form) | {"declarer": "" if declarer is None else form.names[declarer]}


def noted(evening: Evening, row: HandInPlay | None, names: list[str]) -> str:
    """Return the hand in play in one sentence."""
    if row is None:
        return _("The announcement was taken back on another phone.")
    return referee_of(evening).noted(read(evening, row), names)


def noted_fields(request: EveningRequest, row: HandInPlay | None, form: HandForm) -> list[tuple[str, str, str]]:
    """Return for each row of the form its field, the hand in play's value, and both in words.

    Without a hand in play they are the values of an empty form.
    """
    blank = {name: "" for name in form.SAYS if form.fields[name].required and name not in form.PRESETS}
    blank |= dict.fromkeys(form.unsaid, "")
    values = {"dealer": str(form["dealer"].value()), **form.PRESETS, **blank}
    fields = referee_of(request.evening).announcement_form.values_in_play(row) if row else {}
    values |= {name: str(value) for name, value in fields.items()}
    noted = [name for name in ("dealer", *form.SAYS) if name in values]
    return [(name, values[name], form.row_words(name, values[name])) for name in noted]
