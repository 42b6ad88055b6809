"""The forms of an announcement, and the hand in play as fields of the hand form."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.games.errors import Message
from scorekeeper.games.tarokk import Announced, Bonus, Kontra, Pagat, Side
from scorekeeper.games.tarokk.announcing import ALONE as NO_PARTNER
from scorekeeper.games.tarokk.announcing import AnnouncedFacts
from scorekeeper.games.tarokk.hand_in_play import HandState, Honour, Summary, Taken
from scorekeeper.games.tarokk.validation import MOST_WITH_TAROKKS
from sessions_app.faces import announce
from sessions_app.faces.tarokk.fields import ALONE, BOTH, LETTERS, MADE, NOBODY, TAROKK_FIELDS, announced, doubled
from sessions_app.faces.tarokk.hand_form import HandForm
from sessions_app.faces.tarokk.words import refusal
from sessions_app.models import Evening, HandInPlay


class AnnouncementForm(announce.AnnouncementForm, HandForm):  # type: ignore[misc]
    """The hand form without the result, and without the partner, whom nobody may name before the hand is over."""

    RESULT = ("partner", "result", "points", "counted_by", *(bonus.value for bonus in MADE), "pagat")

    def deal_of(self, cleaned: Mapping[str, Any]) -> None:
        # Without a result there is no deal to check.
        if cleaned.get("proba"):
            sentence = _("A próba that is lost at once is saved, not announced.")
            self.add_error("proba", ValidationError(sentence, code="proba"))
        self._check_kontras(cleaned)
        if sum(map(bool, self._tarokks(cleaned))) > MOST_WITH_TAROKKS:
            three = ValidationError(refusal(Message("tarokks_three", {})), code="tarokks_three")
            self.add_error(TAROKK_FIELDS[self.sitting[0]], three)

    @property
    def announcement(self) -> Summary:
        """The summary for the writer of open hands; for a valid form only."""
        cleaned = self.cleaned_data
        zero, one, two, three = self._tarokks(cleaned)
        facts = AnnouncedFacts(
            Kontra(int(cleaned["game_kontra"] or 0)),
            tuple(
                Announced(*each, Kontra(int(cleaned[doubled(*each)] or 0)))
                for each in BOTH
                if cleaned[announced(*each)]
            ),
            (zero, one, two, three),
        )
        return Summary(cleaned["dealer"], cleaned["declarer"], cleaned["contract"], facts)

    @classmethod
    def noted_fields(cls, hand: HandState, evening: Evening) -> dict[str, str]:
        values = dict(_made(hand.taken) if hand.taken else ())
        if hand.contract and hand.announcing:
            seats = hand.announcing.seats
            values |= {"contract": hand.contract.value, "announced": "1"}
            values |= dict(_said(hand.announcing.facts, seats, hand.dealer))
            if hand.partner is not None:
                values["partner"] = ALONE if hand.partner == NO_PARTNER else str(seats[hand.partner])
        return values

    @classmethod
    def kept(cls, row: HandInPlay, noted: Mapping[str, Any], typed: Mapping[str, Any]) -> Iterable[str]:
        return (name for name in super().kept(row, noted, typed) if name != "partner")


def _said(facts: AnnouncedFacts, seats: tuple[int, ...], dealer: int) -> Iterator[tuple[str, str]]:
    """Yield the fields of the announcements, those that were not made as empty."""
    yield "game_kontra", str(facts.game_kontra.value)
    levels = {(each.side, each.bonus): each.kontra for each in facts.announced}
    for each in BOTH:
        yield announced(*each), "on" if each in levels else ""
        yield doubled(*each), str(levels[each].value) if each in levels else ""
    declared = dict(zip(seats, facts.tarokks, strict=True))
    for seat in sorted({*seats, dealer}):
        yield TAROKK_FIELDS[seat], str(declared.get(seat) or "")


def _made(taken: Taken) -> Iterator[tuple[str, str]]:
    """Yield the fields that follow from the noted honours and kings."""
    items = taken.items
    sides = {getattr(taken, honour) for honour in Honour}
    for bonus, side, settled in (
        (Bonus.TRULL, items.trull, sides >= set(Side)),
        (Bonus.KINGS, items.kings, taken.kings is not None),
        (Bonus.XXI, items.xxi, taken.xxi is not None),
    ):
        if side or settled:
            yield bonus.value, LETTERS[side] if side else NOBODY
    if items.pagat is not Pagat.NONE:
        yield "pagat", items.pagat.value
