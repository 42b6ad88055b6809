"""The hand form of Preference."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scorekeeper.games import preference
from scorekeeper.games.errors import InvalidDeal, Message
from scorekeeper.games.preference import (
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
    check,
    participants,
    places,
    playing_seats,
)
from scorekeeper.games.preference.deal import ALL_TRICKS, LEVELS
from sessions_app.faces.preference import fields
from sessions_app.faces.preference.fields import MIZER_ROW, NAMELESS, TAKEN, Fields
from sessions_app.faces.preference.words import refusal


class HandForm(Fields):
    """The form of a deal of Preference."""

    # --- Names and refusals ---

    def called(self, name: str) -> str:
        dealer, declarer = self.seat("dealer"), self.seat("declarer")
        place = {"tricks": 0, "first_tricks": 1}.get(name)
        if place is None or dealer is None or declarer not in playing_seats(self.sitting, dealer):
            return super().called(name)  # type: ignore[no-any-return]
        return fields.tricks_of(self.names[places(self.sitting, dealer, declarer)[place]])

    def row_name(self, name: str) -> str:
        return self.called(name)

    @property
    def unsaid(self) -> tuple[str, ...]:
        return ("level", "answers", "strain")

    refusal = staticmethod(refusal)

    def full_clean(self) -> None:
        super().full_clean()
        for name in ("dealer", "declarer"):
            for error in self.errors.as_data().get(name, ()):
                error.code = self.CODES.get((name, error.code or ""), error.code)

    def _check_declarer(self, deal: Any, place: Any) -> None:
        try:
            preference.check_seats(deal, place.seats, place.dealer, place.declarer, self.rules)
        except InvalidDeal as invalid:
            # The declarer has a row of its own, even beside a typed deal.
            errors = dict(invalid.errors)
            seats = {name: errors.pop(name) for name in ("dealer", "declarer") if name in errors}
            for name, message in seats.items():
                self.add_error(name, ValidationError(refusal(message), code=message.code))
            if errors:
                self.refuse(InvalidDeal(errors))

    def refuse(self, invalid: InvalidDeal) -> None:
        """Add each reason to the row of this form that it belongs to."""
        named = {name: self._at_this_table(message) for name, message in invalid.errors.items()}
        if not self.has_line and "tricks" in named:
            if self.cleaned_data.get("declarer") is None:
                named[TAKEN[self._part[-2]]] = named.pop("tricks")
            elif named["tricks"].code in ("split_needed", "tricks_sum"):
                named["first_tricks"] = named.pop("tricks")
        super().refuse(InvalidDeal(named))
        self.refused = tuple(invalid.errors)

    def _at_this_table(self, message: Message) -> Message:
        """Return the message with the number of players that a raspasovka counts, which the notation does not know."""
        if message.code != "raspasy_count":
            return message
        part = participants(self.sitting, self.sitting[-1], talon=self.rules.raspasy_dealer)
        return Message(message.code, {"count": len(part)})

    @property
    def _part(self) -> tuple[int, ...]:
        """Return the seats whose tricks a raspasovka counts, in order of speaking."""
        dealer = self.cleaned_data["dealer"]
        return participants(self.sitting, dealer, talon=self.rules.raspasy_dealer)

    # --- The deal ---

    def deal_of(self, cleaned: Mapping[str, Any]) -> Deal | None:
        if "declarer" not in cleaned:
            return None  # the declarer sits out; that field has the error
        deal = self._raspasovka(cleaned) if cleaned["declarer"] is None else self._contract(cleaned)
        if deal is None or self.errors:
            return None
        try:
            check(deal, self.rules)
        except InvalidDeal as invalid:
            self.refuse(invalid)
            return None
        return deal

    def _missing(self, name: str, code: str) -> None:
        """Add an error for a field that is still empty: a live count waits for it."""
        if name not in self.errors:
            self.add_error(name, ValidationError(refusal(Message(code, {})), code="required"))

    def _raspasovka(self, cleaned: Mapping[str, Any]) -> Deal | None:
        part = self._part
        taken = [cleaned.get(TAKEN[seat]) for seat in part]
        if taken.count(None) == len(taken) and cleaned.get("level"):
            self.add_error("declarer", ValidationError(_("Who plays?"), code="declarer_needed"))
            return None
        if taken.count(None) > 1:
            for seat in part[:-1]:
                if cleaned.get(TAKEN[seat]) is None:
                    self._missing(TAKEN[seat], "tricks_needed")
            return None
        left = ALL_TRICKS - sum(each for each in taken if each is not None)
        return Raspasovka(tuple(left if each is None else each for each in taken))

    def _contract(self, cleaned: Mapping[str, Any]) -> Deal | None:
        level, tricks = cleaned.get("level"), cleaned.get("tricks")
        if not level:
            if "level" not in self.errors:
                self.add_error("level", ValidationError(_("Which contract?"), code="required"))
                self._needs_besides(cleaned)
            return None
        if level == MIZER_ROW:
            if tricks is None:
                self._missing("tricks", "tricks_needed")
                return None
            return Mizer(tricks)
        if self.asks_strain and level == str(LEVELS[0]) and not cleaned.get("strain"):
            self._missing("strain", "strain_needed")
        answers = self._answers(cleaned, level)
        if answers is None:
            return None
        strain = Strain(cleaned["strain"]) if cleaned.get("strain") else None
        return self._played(cleaned, Contract(int(level), answers, (), strain))

    def _answers(self, cleaned: Mapping[str, Any], level: str) -> Answers | None:
        """Return the answers of the two opponents by place, or None with an error added."""
        said = cleaned.get("answers")
        if f"level={level}" in fields.checked(self.rules) and said != Answers.GIVEN_UP.value:
            return Answers.CHECKED
        if not said and f"level={level}&strain={cleaned.get('strain')}" in fields.must_be_whisted(self.rules):
            return Answers.BOTH
        if not said:
            if "answers" not in self.errors:
                self.add_error("answers", ValidationError(_("Who whists, or nobody?"), code="required"))
            return None
        if said in NAMELESS:
            return NAMELESS[said]
        return self._lone(int(said.removeprefix("w")), cleaned)

    def _lone(self, whister: int, cleaned: Mapping[str, Any]) -> Answers | None:
        dealer, declarer = cleaned["dealer"], cleaned["declarer"]
        if declarer not in playing_seats(self.sitting, dealer):
            return None  # the field of the declarer has the error
        _declarer, first, second = places(self.sitting, dealer, declarer)
        found = {first: Answers.FIRST, second: Answers.SECOND}.get(whister)
        if found is None:
            against_self, sits_out = _("Nobody whists against themselves."), _("The dealer sits out and cannot play.")
            sentence = against_self if whister == declarer else sits_out
            self.add_error("answers", ValidationError(sentence, code="no_whister"))
        return found

    def _needs_besides(self, cleaned: Mapping[str, Any]) -> None:
        """Add errors for missing answers that do not depend on the missing contract, and for their tricks."""
        answers = self._answers(cleaned, "") if cleaned.get("answers") or not self.at_given_up else None
        if answers is not None:
            self._needs_tricks(answers, cleaned)

    def _needs_tricks(self, answers: Answers, cleaned: Mapping[str, Any]) -> None:
        """Add errors for the missing tricks that these answers require."""
        tricks, first = cleaned.get("tricks"), cleaned.get("first_tricks")
        if answers.is_played and tricks is None:
            self._missing("tricks", "tricks_needed")
        if answers.of_two and first is None and tricks != ALL_TRICKS:
            self._missing("first_tricks", "split_needed")

    def _played(self, cleaned: Mapping[str, Any], contract: Contract) -> Contract | None:
        """Return the contract with its tricks, if it was played; values of hidden rows are ignored."""
        if not contract.answers.is_played:
            return contract
        tricks, first = cleaned.get("tricks"), cleaned.get("first_tricks")
        self._needs_tricks(contract.answers, cleaned)
        if tricks is None:
            return None
        if not contract.answers.of_two:
            return replace(contract, tricks=(tricks,))
        first = 0 if tricks == ALL_TRICKS else first
        if first is None:
            return None
        return replace(contract, tricks=(tricks, first, ALL_TRICKS - tricks - first))

    @classmethod
    def players_of(cls, deal: Deal, sitting: tuple[int, ...], dealer: int, declarer: int | None) -> tuple[int, ...]:
        if isinstance(deal, Raspasovka):
            return participants(sitting, dealer, talon=len(deal.tricks) == len(sitting))
        return super().players_of(deal, sitting, dealer, declarer)  # type: ignore[no-any-return]

    @classmethod
    def fields_of(cls, deal: Deal, playing: tuple[int, ...]) -> dict[str, str]:
        match deal:
            case Raspasovka(tricks):
                return {TAKEN[seat]: str(taken) for seat, taken in zip(playing, tricks, strict=True)}
            case Mizer(tricks):
                return {"level": MIZER_ROW, "tricks": str(tricks)}
            case Contract():
                return _fields_of(deal, playing)
            case _:
                return {"line": preference.deal_to_text(deal)}


def _fields_of(deal: Contract, playing: tuple[int, ...]) -> dict[str, str]:
    lone = deal.answers.lone if deal.answers is not Answers.RETRIEVED else None
    said = fields.whisted_by(playing[lone]) if lone and playing else deal.answers.value if not lone else ""
    return {
        "level": str(deal.level),
        "answers": said if deal.answers is not Answers.CHECKED else "",
        "tricks": str(deal.tricks[0]) if deal.tricks else "",
        "first_tricks": str(deal.tricks[1]) if len(deal.tricks) > 1 else "",
        "strain": deal.strain.value if deal.strain else "",
    }
