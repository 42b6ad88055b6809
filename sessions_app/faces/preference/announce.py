"""The forms of an announcement and of a hand's end, and the hand in play as fields of the hand form."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final, Self

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.preference import Answers, Contract, Strain, places, referee
from scorekeeper.games.preference.announcing import MIZER, Named, spoken
from scorekeeper.games.preference.deal import ALL_TRICKS
from scorekeeper.games.preference.hand_in_play import HandState, Summary
from scorekeeper.games.preference.referee import REFEREE
from sessions_app.base_forms import BoundedForm
from sessions_app.faces import announce
from sessions_app.faces.preference.fields import MIZER_ROW, TAKEN, whisted_by
from sessions_app.faces.preference.hand_form import HandForm
from sessions_app.faces.preference.referee_words import refusal
from sessions_app.models import Evening, Hand, HandInPlay
from sessions_app.readers.evening import seating
from sessions_app.words.wording import whole_number

#: The fields that are asked only after the hand.
RESULT: Final = ("tricks", "first_tricks", *TAKEN)
#: The row that shows a refusal, by its code.
_ROWS: Final = {"strain_needed": "strain", "not_playing": "declarer"}


class AnnouncementForm(announce.AnnouncementForm, HandForm):  # type: ignore[misc]
    """The hand form without tricks, and with the answers given so far.

    The form has no row for an answer that waits for another one: the answers in `noted` stay unless the form has
    different ones.
    """

    RESULT = RESULT
    noted: HandInPlay | None = None

    @classmethod
    def at(cls, evening: Evening, names: list[str], *args: Any, hand: Hand | None = None, **kwargs: Any) -> Self:
        form: Self = super().at(evening, names, *args, hand=hand, **kwargs)
        form.noted = seating.row_in_play(evening)
        return form

    def deal_of(self, cleaned: Mapping[str, Any]) -> None:
        # Without tricks there is no deal to check.
        said = self._summary(cleaned) if "declarer" in cleaned else None
        if said is None or self.errors.keys() - set(RESULT):
            return
        try:
            REFEREE.announce(HandState(said.dealer), said, self.sitting, self.rules)
        except IllegalMove as refused:
            code = refused.message.code
            sentence = refusal(refused.message, self.names)
            self.add_error(_ROWS.get(code, "answers"), ValidationError(sentence, code=code))
        else:
            self.cleaned_data["said"] = said

    def _summary(self, cleaned: Mapping[str, Any]) -> Summary | None:
        dealer, declarer, level = cleaned["dealer"], cleaned["declarer"], cleaned.get("level")
        if declarer is None:
            if level:
                self.add_error("declarer", ValidationError(_("Who plays?"), code="declarer_needed"))
            return None if level else Summary(dealer)
        if not level:
            if "level" not in self.errors:
                self.add_error("level", ValidationError(_("Which contract?"), code="required"))
            return None
        if level == MIZER_ROW:
            return Summary(dealer, declarer, MIZER)
        contract = Named(int(level), Strain(cleaned["strain"]) if cleaned.get("strain") else None)
        return self._with_answers(Summary(dealer, declarer, contract), contract, cleaned)

    def _with_answers(self, said: Summary, contract: Named, cleaned: Mapping[str, Any]) -> Summary | None:
        answers = self._answers(cleaned, str(cleaned["level"])) if cleaned.get("answers") else None
        if answers is None:
            return said
        if answers is Answers.GIVEN_UP:
            return replace(said, given_up=True)
        try:
            return replace(said, answers=referee.answers_said(contract, answers, self.rules))
        except IllegalMove as refused:
            sentence = refusal(refused.message, self.names)
            self.add_error("strain", ValidationError(sentence, code=refused.message.code))
            return None

    @property
    def announcement(self) -> Summary:
        """The summary for the writer of open hands; for a valid form only."""
        said: Summary = self.cleaned_data["said"]
        row = self.noted
        if row is None or row.version != self.cleaned_data["seen"]:
            return said
        hand: HandState = seating.read_in_play(row.evening, row)
        was = hand.summary
        if was is None or not _of_one_contract(was, said):
            return said
        if self.cleaned_data.get("answers", "") != self.noted_fields(hand, row.evening)["answers"]:
            return said
        return replace(said, answers=was.answers, given_up=was.given_up)

    @classmethod
    def noted_fields(cls, hand: HandState, evening: Evening) -> dict[str, str]:
        if not hand.summary:
            return {}
        values = {"announced": "1", "level": "", "strain": "", "answers": ""}
        return values | (_played(hand, evening) if hand.contract else {"declarer": ""})

    @classmethod
    def kept(cls, row: HandInPlay, noted: Mapping[str, Any], typed: Mapping[str, Any]) -> Iterable[str]:
        """Return the typed tricks, and the typed answers as long as the noted ones can still lead to them."""
        yield from super().kept(row, noted, typed)
        if not noted.get("answers") and _may_answer(row, noted, typed):
            yield "answers"


def _of_one_contract(one: Summary, other: Summary) -> bool:
    if one.contract is None or other.contract is None or not one.contract.reads_as(other.contract):
        return False
    return (one.dealer, one.declarer) == (other.dealer, other.declarer)


class ResultForm(BoundedForm):
    """The tricks that end a hand, in fields of the hand form, so that the live count reads them too.

    `asked` are the seats whose tricks are asked for: of several all but the last, whose tricks are the rest. `hidden`
    are the fields that are noted already, and the order of the tricks.
    """

    def __init__(self, *args: Any, hand: HandState, evening: Evening, asked: tuple[int, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asked = asked[:-1] or asked
        self.names = [TAKEN[seat] for seat in self.asked] if hand.is_raspasovka else list(RESULT[: len(self.asked)])
        known = deepcopy(HandForm.base_fields)
        self.fields = {name: known[name] for name in self.names}
        declarer = "" if hand.declarer is None else str(hand.declarer)
        values = {"dealer": str(hand.dealer), "declarer": declarer} | AnnouncementForm.noted_fields(hand, evening)
        noted = {name: values.get(name, "") for name in ("dealer", "declarer", "level", "strain", "answers")}
        self.hidden = {**noted, "asked": " ".join(self.names)}

    @property
    def rows(self) -> Iterator[tuple[int, forms.BoundField]]:
        """Seat and field of each row."""
        return ((seat, self[name]) for seat, name in zip(self.asked, self.names, strict=True))


def tricks_in(data: QueryDict) -> tuple[int, ...]:
    """Return the tricks of a posted ResultForm, in its order, up to the first missing one.

    Once all ten are taken, an empty field is 0. Raise ValueError.
    """
    names = data.get("asked", "").split()
    if not set(names) <= set(RESULT):
        raise ValueError("asked is not a row of tricks")
    tricks: list[int] = []
    for text in (data.get(name, "") for name in names):
        if not text and sum(tricks) != ALL_TRICKS:
            break
        number = whole_number(text or "0")
        if number is None:
            raise ValueError("tricks are not numbers")
        tricks.append(number)
    return tuple(tricks)


def _played(hand: HandState, evening: Evening) -> dict[str, str]:
    """Return the fields of the contract and, once they are known, of the answers."""
    contract = hand.contract
    if contract is None or contract.level is None:
        return {"level": MIZER_ROW}
    answers = hand.result(evening.house)
    whisters = places(evening.sitting, hand.dealer, hand.declarer) if hand.declarer is not None else ()
    bare = Contract(contract.level, answers or Answers.CHECKED, (), contract.strain)
    said = HandForm.fields_of(bare, whisters)
    return {name: said[name] for name in ("level", "strain", "answers")}


def _may_answer(row: HandInPlay, noted: Mapping[str, Any], typed: Mapping[str, Any]) -> bool:
    """Return whether the typed answers continue the noted ones."""
    hand: HandState = seating.read_in_play(row.evening, row)
    same = all(noted.get(name, "") == typed.get(name, "") for name in ("dealer", "declarer", "level"))
    if not same or hand.declarer is None:
        return False
    sat = places(row.evening.sitting, hand.dealer, hand.declarer)
    lone = {whisted_by(sat[1]): Answers.FIRST, whisted_by(sat[2]): Answers.SECOND}
    answers = lone.get(str(typed.get("answers", ""))) or str(typed.get("answers", ""))
    return spoken(answers)[: len(hand.answers)] == hand.answers
