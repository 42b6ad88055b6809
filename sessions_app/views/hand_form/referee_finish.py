"""The end of a hand on the referee's page: save it, or ask which reading is right if another phone has saved it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID, uuid4

from django.core import signing
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.urls import reverse

from scorekeeper.games.errors import GameError, InvalidDeal
from sessions_app.access import EveningRequest, page
from sessions_app.errors import NumberTaken, StaleHand, TokenSpent
from sessions_app.faces import face_of
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, Role
from sessions_app.readers.evening import hand_in_play as reader
from sessions_app.readers.evening.hand_counts import deal_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.views.hand_form.conflicts import question_about
from sessions_app.views.hand_form.form_page import form_of
from sessions_app.views.hand_form.referee import (
    REFUSALS,
    referee_of,
    referee_page,
    refill,
    refused_page,
    seen_by,
    signer_of,
)
from sessions_app.views.htmx import go
from sessions_app.writers import open_hands

#: The longest signed open hand, in characters. The longest hand makes about 700.
MOST: Final = 4000


@page(Role.KEEPER, "POST")
def finish(request: EveningRequest) -> HttpResponse:
    """Record the finished hand, with the posted answers; then redirect to the evening's page."""
    evening = request.evening
    referee, seen = referee_of(evening), seen_by(request)
    try:
        token = UUID(request.POST.get("token", ""))
        answers = referee.end_answers(request.POST)
    except ValueError as wrong:
        raise BadRequest(str(wrong)) from wrong
    shown = _shown(evening, request.POST.get("shown", ""), answers)
    try:
        hand = open_hands.finish(evening.pk, seen=seen, token=token, by=request.member.user, shown=shown, **answers)
    except (StaleHand, TokenSpent) as refused:
        evening.refresh_from_db()
        if shown and (isinstance(refused, TokenSpent) or seen.number <= evening.last_number):
            return _which_is_right(request, shown, refused)
        return refused_page(request, refused)
    except (InvalidDeal, *REFUSALS) as refused:
        return refused_page(request, refused, naming=request.POST)
    return go(request, reverse("evening", args=[evening.pk]) + f"?saved={hand.number}")


finish.refill = refill  # type: ignore[attr-defined]


def _shown(evening: Evening, signed: str, answers: Mapping[str, Any]) -> Facts | None:
    """Return the facts of the hand that the posting page showed, by these answers; None if they do not make a hand."""
    if not signed:
        return None  # a page of an older version
    try:
        dealer, state = signer_of(evening).unsign_object(signed[:MOST])
    except signing.BadSignature as wrong:
        raise BadRequest("shown is not signed by us") from wrong
    try:
        return reader.facts_of(evening, reader.referee_of(evening).from_state(dealer, state), answers)
    except GameError:
        return None  # the writer says why


@snapshot()
def _which_is_right(request: EveningRequest, shown: Facts, refused: StaleHand | TokenSpent) -> HttpResponse:
    """Answer 409 with the question about the hand that another phone has recorded, and this page's as a hand form."""
    evening, number = request.evening, seen_by(request).number
    mine = Hand(evening=evening, number=number, token=uuid4(), lineup=evening.lineup, **asdict(shown))
    fields = face_of(evening).form.values_of(mine, deal_of(evening, mine))
    fields |= {"meant": number, "seating": request.POST.get("seating", ""), "revision": ""}
    if not shown.deal:
        fields["redeal"] = "stays" if shown.deal_stays else "passes"
    form = form_of(request, {name: str(value) for name, value in fields.items()})
    recorded = refused if isinstance(refused, TokenSpent) else NumberTaken(evening.last_number + 1)
    return referee_page(request, status=409, question=question_about(request, form, recorded), form=form)
