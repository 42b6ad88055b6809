"""Conflicts of a hand form with writes of other phones while it was open.

Nothing is decided here for the players: the form comes back as it was filled in, with both sides of the question.
"""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.db.models import Prefetch
from django.http import HttpResponse
from django.utils.translation import gettext as _

from sessions_app.access import EveningRequest
from sessions_app.errors import LedgerError, NumberTaken, SameHand, SeatsSwapped, TokenSpent, UnseenOpenHand
from sessions_app.faces import face_of
from sessions_app.faces.hand_form import HandForm
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, OpenHand, Revision
from sessions_app.readers import members, next_deal, sheets
from sessions_app.readers.hand_counts import deal_of
from sessions_app.readers.open_hands import latest, read
from sessions_app.readers.replay import facts_of, reads_as
from sessions_app.readers.sheets import HandLine
from sessions_app.views.hand_form_page import count, form_of, form_page, renewed
from sessions_app.views.referee import referee_of


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand recorded meanwhile: its line, the name of the member ('' if unknown), and its values as form fields."""

    line: HandLine
    by: str
    facts: Facts
    fields: dict[str, str]


def recorded_since(request: EveningRequest, names: list[str], number: int) -> list[Recorded]:
    """Return the hands from that number on, a page at most, by three queries, and two more if there are any."""
    evening = request.evening
    first = Prefetch("revisions", Revision.objects.filter(number=1), to_attr="first")
    hands = evening.hands.filter(number__gte=number).order_by("number").prefetch_related("entries", first)
    since = list(hands[: sheets.LINES_PER_PAGE])
    by_user = members.names_by_user(evening) if since else {}
    recorded, form = [], face_of(evening).form
    for hand in since:
        values = {} if hand.is_thrown_in else form.values_of(hand, deal_of(evening, hand))
        fields = {name: str(values[name]) for name in form.SAYS if name in values}
        by = by_user.get(hand.first[0].made_by_id or 0, "") if hand.first else ""
        recorded.append(Recorded(sheets.line_of(evening, hand, names), by, facts_of(hand), fields))
    return recorded


# --- A hand that may be the same ---


def recorded_meanwhile(
    request: EveningRequest, form: HandForm, refused: NumberTaken | TokenSpent | SameHand
) -> HttpResponse:
    """Answer 409 with the hands recorded meanwhile, and the form as it was filled in, ready for the next number."""
    evening, number = request.evening, form.cleaned_data["number"]
    changed: dict[str, Any] = {"number": evening.last_number + 1, "told": evening.last_number + 1, "another": ""}
    since = min(number, form.cleaned_data["meant"] or number)
    if isinstance(refused, NumberTaken):
        # This form has seen no open hand of the next number.
        changed |= {"meant": form.cleaned_data["meant"] or number, "seen": "", "announced": ""}
    else:
        since = refused.hand.number
    if isinstance(refused, TokenSpent):
        changed["token"] = uuid4()
    changed |= follow_dealer(request, form)
    recorded = recorded_since(request, form.names, since)
    same = isinstance(refused, SameHand) or any(
        not each.line.is_void and reads_as(evening, each.facts, form.facts) for each in recorded
    )
    context: dict[str, Any] = {"since": [each.line for each in recorded], "recorded": recorded, "same": same}
    return form_page(
        request, renewed(form, **changed), status=409, refused=why_not(refused, since, evening, form.names), **context
    )


def follow_dealer(request: EveningRequest, form: HandForm) -> dict[str, Any]:
    """Return the fields of the next hand's dealer, or nothing if the dealer was chosen by hand."""
    if not form.data.get("offered") or form.data.get("offered") != form.data.get("dealer"):
        return {}
    dealer = next_deal.turn(request.evening).dealer
    return {"dealer": dealer, "offered": dealer}


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
    if isinstance(refused, UnseenOpenHand):
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


def sits_elsewhere(request: EveningRequest, form: HandForm) -> bool:
    """Return whether the seating has changed since the form was opened. The form need not be valid."""
    seating = form.cleaned_data.get("seating")
    return seating is not None and seating != request.evening.seating


def who_played(request: EveningRequest, form: HandForm, **changed: Any) -> HttpResponse:
    """Answer 409 with the form as it was filled in, but without its players, whose seats others have now.

    `changed` are fields to overwrite, such as the open hand that the form has now seen.
    """
    evening = request.evening
    dealer = next_deal.turn(evening).dealer
    people = {"dealer": dealer, "offered": dealer, **dict.fromkeys(form.OF_PEOPLE, "")}
    again = form_of(request, initial={**form.spelled_out, **people, **changed, "seating": evening.seating})
    sentence = why_not(SeatsSwapped(), 0, evening, form.names)
    return form_page(request, again, status=409, refused=sentence, notice=sentence)


# --- The open hand differs from the form ---


def two_readings(request: EveningRequest, form: HandForm, row: OpenHand | None) -> HttpResponse:
    """Answer 409 with the question which one is right: the open hand as it is now, or this form."""
    theirs: dict[str, Any] | None = None
    evening = request.evening
    if row:
        taken = form.again(referee_of(evening).with_noted(row, form.spelled_out))
        theirs = _reading(request, taken) | {"hand": read(evening, row)}
    mine = _reading(request, form) | {"is_thrown_in": form.is_thrown_in}
    context: dict[str, Any] = {"asked": {"version": row.version if row else 0, "theirs": theirs, "mine": mine}}
    refused = why_not(UnseenOpenHand(row), form.cleaned_data["number"], evening, form.names)
    return form_page(request, form, status=409, refused=refused, **context)


def _reading(request: EveningRequest, form: HandForm) -> dict[str, Any]:
    declarer = form.seat("declarer")
    return count(request.evening, form) | {"declarer": "" if declarer is None else form.names[declarer]}


def decided(request: EveningRequest) -> HandForm:
    """Return the posted form, changed as its answer to a conflict's question says.

    The answer is the version that the question showed, and the redeal of a thrown-in hand, which no field of the form
    has. An answer to an older version is ignored, so that the question is asked again.
    """
    typed = request.POST.dict()
    for name in ("another", "mine"):
        answer, _space, redeal = str(typed.get(name, "")).partition(" ")
        if redeal:
            typed |= {name: answer, "redeal": redeal}
    if "mine" in typed:
        return form_of(request, {**typed, "seen": typed["mine"]})
    row = latest(request.evening) if "take" in typed else None
    form = form_of(request, typed)
    if row and typed["take"] == str(row.version):
        return form.again(referee_of(request.evening).with_noted(row, form.spelled_out))
    return form


def noted(evening: Evening, row: OpenHand | None, names: list[str]) -> str:
    """Return the open hand in one sentence."""
    if row is None:
        return _("The announcement was taken back on another phone.")
    return referee_of(evening).noted(read(evening, row), names)


def noted_fields(request: EveningRequest, row: OpenHand | None, form: HandForm) -> list[tuple[str, str, str]]:
    """Return for each row of the form its field, the open hand's value, and both in words.

    Without an open hand they are the values of an empty form.
    """
    blank = {name: "" for name in form.SAYS if form.fields[name].required and name not in form.PRESETS}
    blank |= dict.fromkeys(form.unsaid, "")
    values = {"dealer": str(form["dealer"].value()), **form.PRESETS, **blank}
    values |= {name: str(value) for name, value in (referee_of(request.evening).values_of(row) if row else {}).items()}
    noted = [name for name in ("dealer", *form.SAYS) if name in values]
    return [(name, values[name], form.row_words(name, values[name])) for name in noted]
