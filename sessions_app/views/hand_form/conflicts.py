"""Conflicts of a hand form with writes of other phones while it was open.

Nothing is decided here for the players: the form comes back as it was filled in, with a question. Its answers
(form.py) are buttons that carry what the question showed, so that an answer to an older question is asked again.
Nothing else on that page writes: neither a second tap where the button that saves was, nor Enter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID, uuid4

from django.db.models import Prefetch
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.games.errors import GameError, InvalidDeal
from sessions_app.access import EveningRequest
from sessions_app.errors import (
    EveningEnded,
    LedgerError,
    NumberTaken,
    SameHand,
    SeatsSwapped,
    StaleHand,
    TokenSpent,
    UnseenHandInPlay,
)
from sessions_app.faces import house_rules
from sessions_app.faces.agreed_form import AgreedForm
from sessions_app.faces.hand_form import Difference, HandForm
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandInPlay, Revision
from sessions_app.readers.evening import seating, sheets
from sessions_app.readers.evening.recount import deal_of, facts_of, reads_as
from sessions_app.readers.evening.sheets import HandRow
from sessions_app.readers.people import members
from sessions_app.views.hand_form.form import (
    count,
    follows,
    form_of,
    form_page,
    referee_of,
    renewed,
    since,
    sits_elsewhere,
)
from sessions_app.views.hand_form.recount_preview import RecountPreview, recount_preview
from sessions_app.views.htmx import go
from sessions_app.words.wording import whole_number
from sessions_app.writers import ledger

# --- Which reading is right: the recorded hand or the form's ---

#: Two readings that differ in more rows than these are shown whole: they are hardly of one hand.
MOST_DIFFERENCES: Final = 4


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded hand: its row, and the name of the member who recorded it ('' if unknown, or the caller)."""

    hand: Hand
    row: HandRow
    by: str
    is_mine: bool


def recorded_since(request: EveningRequest, names: list[str], number: int) -> list[Recorded]:
    """Return the hands from that number on, a page at most, by three queries, and one more if there are any."""
    evening, me = request.evening, request.member.user_id
    first = Prefetch("revisions", Revision.objects.filter(number=1), to_attr="first")
    hands = evening.hands.filter(number__gte=number).order_by("number").prefetch_related("entries", first)
    found = list(hands[: sheets.ROWS_PER_PAGE])
    by_user = members.names_by_user(evening.circle_id) if found else {}
    recorded = []
    for hand in found:
        by = (hand.first[0].made_by_id if hand.first else None) or 0
        row = sheets.row_of(evening, hand, names)
        recorded.append(Recorded(hand, row, "" if by == me else by_user.get(by, ""), by == me))
    return recorded


@dataclass(frozen=True, slots=True)
class Question:
    """Asks which reading of a hand is right: the recorded one, or that of the form.

    `recorded` are the hands recorded meanwhile, and `theirs` the one that the form most likely repeats; None if none
    can be it. `correct` and `another` are the values of the buttons with these answers, '' where one is not offered:
    number and revision of the hand to correct; number and dealer of the next hand. `deals` is the next dealer's name,
    if the deal has moved on. `over` says that the game takes no further hand.
    """

    recorded: Sequence[Recorded]
    next_number: int
    deal: Any
    players: Sequence[str]
    declarer: str
    is_thrown_in: bool
    another: str = ""
    deals: str = ""
    theirs: Recorded | None = None
    is_same: bool = False
    correct: str = ""
    differences: Sequence[Difference] = ()
    recount: RecountPreview | None = None
    is_agreed: bool = False
    over: str = ""

    @property
    def compared(self) -> Sequence[Recorded]:
        """The recorded hand that is compared with the form, if there is one."""
        return (self.theirs,) if self.theirs else ()

    @property
    def others(self) -> Sequence[Recorded]:
        """The other recorded hands."""
        return [each for each in self.recorded if each is not self.theirs]


def question(
    request: EveningRequest, form: HandForm | AgreedForm, recorded: Sequence[Recorded], facts: Facts | None
) -> Question:
    """Return the question about hands that were recorded while a form was open. `facts` are the form's, if complete."""
    evening = request.evening
    asked = _unanswered(request, form, recorded, facts)
    asked = replace(asked, over="" if asked.is_agreed else house_rules.over(evening, form.names))
    if not asked.over:
        dealer = "" if isinstance(form, AgreedForm) else _next_dealer(request, form)
        moves = dealer not in ("", str(form.data.get("dealer", "")))
        another = _value(form, asked.next_number, dealer)
        asked = replace(asked, another=another, deals=form.names[int(dealer)] if moves else "")
    able = [each for each in recorded if not each.row.is_void and each.row.is_agreed == asked.is_agreed]
    if not able:
        return asked

    def unlikeness(each: Recorded) -> tuple[bool, int]:
        return not _may_be(evening, form, facts, each.hand), len(_differences(evening, form, each.hand))

    return _compared(evening, form, facts, asked, min(able, key=unlikeness))


def question_of_correction(request: EveningRequest, form: HandForm | AgreedForm, hand: Hand, facts: Facts) -> Question:
    """Return the question about a hand that somebody else has corrected while it was being corrected."""
    now = [replace(each, by="") for each in recorded_since(request, form.names, hand.number)[:1]]
    asked = _unanswered(request, form, now, facts)
    return _compared(request.evening, form, facts, asked, now[0])


def correct(
    request: EveningRequest,
    form: HandForm | AgreedForm,
    hand: Hand,
    facts: Facts,
    *,
    page: Callable[..., HttpResponse],
    refuse: Callable[[InvalidDeal], None],
) -> HttpResponse:
    """Correct the hand by a valid form and go to the sheet; or answer with the form's `page`, and why not."""
    evening, seen = request.evening, form.cleaned_data["revision"]  # without a revision it corrects the latest one
    try:
        amended = ledger.amend(evening.pk, hand.number, facts=facts, by=request.member.user, seen=seen)
    except InvalidDeal as invalid:
        refuse(invalid)
        return page(request, form, status=422, editing=hand)
    except EveningEnded:
        evening.refresh_from_db()
        return page(request, form, status=409, editing=hand)
    except StaleHand:
        evening.refresh_from_db()
        asked = question_of_correction(request, form, hand, facts)
        return page(request, form, status=409, editing=hand, question=asked)
    return go(request, reverse("evening", args=[evening.pk]) + sheets.place_after(evening, amended, seen))


def _unanswered(
    request: EveningRequest, form: HandForm | AgreedForm, recorded: Sequence[Recorded], facts: Facts | None
) -> Question:
    deal, declarer, players = form.deal, None, tuple(form.names)
    is_agreed = bool(facts and facts.deal and facts.deal_stays)
    if isinstance(form, HandForm) and not is_agreed:
        declarer = form.seat("declarer")
        playing = form.players_of(deal, form.sitting, form.seat("dealer"), declarer) if deal else ()
        players = tuple(form.names[seat] for seat in playing)
    name = "" if declarer is None else form.names[declarer]
    next_number = request.evening.last_number + 1
    return Question(recorded, next_number, deal, players, name, form.is_thrown_in, is_agreed=is_agreed)


def _compared(
    evening: Evening, form: HandForm | AgreedForm, facts: Facts | None, asked: Question, theirs: Recorded
) -> Question:
    """Return the question with the differences between the form and `theirs`, and with the answer that corrects it."""
    hand = theirs.hand
    if _may_be(evening, form, facts, hand):
        return replace(asked, theirs=theirs, is_same=True)
    differs = _differences(evening, form, hand)
    return replace(
        asked,
        theirs=theirs,
        correct=_value(form, hand.number, hand.revision_count),
        differences=differs if len(differs) <= MOST_DIFFERENCES else (),
        recount=_recount(evening, form, hand, facts),
    )


def _value(form: HandForm | AgreedForm, *numbers: int | str) -> str:
    """Return the value of an answer's button: the numbers that it names, and the redeal of a thrown-in hand."""
    redeal = form.data.get("redeal") if form.is_thrown_in else ""
    return " ".join(str(part) for part in (*numbers, redeal) if part not in ("", None))


def _differences(evening: Evening, form: HandForm | AgreedForm, hand: Hand) -> list[Difference]:
    if hand.is_thrown_in or form.is_thrown_in:
        return []
    return form.differences(form.values_of(hand, deal_of(evening, hand)))


def _may_be(evening: Evening, form: HandForm | AgreedForm, facts: Facts | None, hand: Hand) -> bool:
    """Return whether the form may be of this hand, as far as it is filled in."""
    if facts:
        return reads_as(evening, facts_of(hand), facts)
    is_begun = hand.deal.startswith(str(form.data.get("line", "")).strip())
    return not hand.is_thrown_in and is_begun and not _differences(evening, form, hand)


def _recount(evening: Evening, form: HandForm | AgreedForm, hand: Hand, facts: Facts | None) -> RecountPreview | None:
    if facts is None or hand.number == evening.last_number:
        return None
    if isinstance(form, AgreedForm) or follows(form.data):
        facts = replace(facts, dealer=hand.dealer)
    try:
        return recount_preview(evening, hand.number, form.names, facts=facts)
    except (GameError, ValueError, Hand.DoesNotExist):
        return None  # the answer says why


def _next_dealer(request: EveningRequest, form: HandForm) -> str:
    """Return the seat that deals if the form is of the next hand: the dealer follows unless chosen by hand."""
    return str(seating.turn(request.evening).dealer if follows(form.data) else form.data.get("dealer", ""))


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

QUESTION: Final = "components/hand_question.html"


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
    dealer_follows = follows(form.data)
    if turn.number == number and (not dealer_follows or str(turn.dealer) == form.data.get("dealer")):
        return None
    token: UUID | None = form.cleaned_data.get("token")
    if token and evening.hands.filter(token=token).exists():
        return None
    moved = {"number": turn.number} | ({"dealer": turn.dealer} if dealer_follows else {})
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
        theirs = _reading(request, taken) | {"hand": seating.read_in_play(evening, row)}
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
    return referee_of(evening).noted(seating.read_in_play(evening, row), names)


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
