"""The question which reading of a hand is right: the recorded one, or that of a form that another phone has filled in.

Its answers are buttons that carry what the question showed, so that an answer to an older question is asked again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Prefetch

from scorekeeper.games.errors import GameError
from sessions_app.access import EveningRequest
from sessions_app.faces import house_rules
from sessions_app.faces.entries_form import EntriesForm
from sessions_app.faces.hand_form import Difference, HandForm
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, Revision
from sessions_app.readers.evening import seating, sheets
from sessions_app.readers.evening.hand_counts import deal_of, facts_of, reads_as
from sessions_app.readers.evening.sheets import HandRow
from sessions_app.readers.people import members
from sessions_app.views.hand_form.form import follows
from sessions_app.views.hand_form.recount_preview import RecountPreview, recount_preview

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
    since = list(hands[: sheets.ROWS_PER_PAGE])
    by_user = members.names_by_user(evening.circle_id) if since else {}
    recorded = []
    for hand in since:
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
    request: EveningRequest, form: HandForm | EntriesForm, recorded: Sequence[Recorded], facts: Facts | None
) -> Question:
    """Return the question about hands that were recorded while a form was open. `facts` are the form's, if complete."""
    evening = request.evening
    asked = _unanswered(request, form, recorded, facts)
    asked = replace(asked, over="" if asked.is_agreed else house_rules.over(evening, form.names))
    if not asked.over:
        dealer = "" if isinstance(form, EntriesForm) else _next_dealer(request, form)
        moves = dealer not in ("", str(form.data.get("dealer", "")))
        another = _value(form, asked.next_number, dealer)
        asked = replace(asked, another=another, deals=form.names[int(dealer)] if moves else "")
    able = [each for each in recorded if not each.row.is_void and each.row.is_agreed == asked.is_agreed]
    if not able:
        return asked

    def unlikeness(each: Recorded) -> tuple[bool, int]:
        return not _may_be(evening, form, facts, each.hand), len(_differences(evening, form, each.hand))

    return _compared(evening, form, facts, asked, min(able, key=unlikeness))


def question_of_correction(request: EveningRequest, form: HandForm | EntriesForm, hand: Hand, facts: Facts) -> Question:
    """Return the question about a hand that somebody else has corrected while it was being corrected."""
    now = [replace(each, by="") for each in recorded_since(request, form.names, hand.number)[:1]]
    asked = _unanswered(request, form, now, facts)
    return _compared(request.evening, form, facts, asked, now[0])


def _unanswered(
    request: EveningRequest, form: HandForm | EntriesForm, recorded: Sequence[Recorded], facts: Facts | None
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
    evening: Evening, form: HandForm | EntriesForm, facts: Facts | None, asked: Question, theirs: Recorded
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


def _value(form: HandForm | EntriesForm, *numbers: int | str) -> str:
    """Return the value of an answer's button: the numbers that it names, and the redeal of a thrown-in hand."""
    redeal = form.data.get("redeal") if form.is_thrown_in else ""
    return " ".join(str(part) for part in (*numbers, redeal) if part not in ("", None))


def _differences(evening: Evening, form: HandForm | EntriesForm, hand: Hand) -> list[Difference]:
    if hand.is_thrown_in or form.is_thrown_in:
        return []
    return form.differences(form.values_of(hand, deal_of(evening, hand)))


def _may_be(evening: Evening, form: HandForm | EntriesForm, facts: Facts | None, hand: Hand) -> bool:
    """Return whether the form may be of this hand, as far as it is filled in."""
    if facts:
        return reads_as(evening, facts_of(hand), facts)
    is_begun = hand.deal.startswith(str(form.data.get("line", "")).strip())
    return not hand.is_thrown_in and is_begun and not _differences(evening, form, hand)


def _recount(evening: Evening, form: HandForm | EntriesForm, hand: Hand, facts: Facts | None) -> RecountPreview | None:
    if facts is None or hand.number == evening.last_number:
        return None
    if isinstance(form, EntriesForm) or follows(form.data):
        facts = replace(facts, dealer=hand.dealer)
    try:
        return recount_preview(evening, hand.number, form.names, facts=facts)
    except (GameError, ValueError, Hand.DoesNotExist):
        return None  # the answer says why


def _next_dealer(request: EveningRequest, form: HandForm) -> str:
    """Return the seat that deals if the form is of the next hand: the dealer follows unless chosen by hand."""
    return str(seating.turn(request.evening).dealer if follows(form.data) else form.data.get("dealer", ""))
