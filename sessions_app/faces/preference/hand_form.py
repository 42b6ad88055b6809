"""The hand form of Preference: a contract with its answers and tricks, a mizer, or the tricks of a raspasovka.

As long as nobody is tapped to play, the rows are those of a raspasovka; where somebody is, those of his contract.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scorekeeper.games import preference
from scorekeeper.games.base import Game, InvalidDeal, Message
from scorekeeper.games.preference import (
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Rules,
    Strain,
    check,
    places,
    playing_seats,
    takes_part,
)
from scorekeeper.games.preference.facts import ALL_TRICKS, LEVELS, TALON_TRICKS
from scorekeeper.games.preference.seating import PLAYERS
from sessions_app.faces import hand_form as hand
from sessions_app.faces.fields import Lightly
from sessions_app.faces.offers import Offers
from sessions_app.faces.preference import rows
from sessions_app.faces.preference.rows import MIZER_ROW, NAMELESS
from sessions_app.faces.preference.words import RASPASOVKA, refusal
from sessions_app.kept import Kept
from sessions_app.values import MOST_SEATS
from sessions_app.wording import isolated

TAKEN = tuple(rows.taken_by(seat) for seat in range(MOST_SEATS))
_NOT_OFFERED = {"invalid_choice": gettext_lazy("Choose one of the options.")}
_NO_TRICKS = {"invalid_choice": gettext_lazy("There are ten tricks: a number from 0 to 10.")}
_answers: Kept[Offers] = Kept(most=500)


def _number(label: Any, row: str) -> forms.TypedChoiceField:
    offered: Any = rows.rows()[row]
    return forms.TypedChoiceField(
        label=label, coerce=int, required=False, empty_value=None, choices=offered, error_messages=_NO_TRICKS
    )


def _asked(label: Any, row: str) -> forms.ChoiceField:
    offered: Any = rows.rows()[row]
    return forms.ChoiceField(label=label, required=False, choices=offered, error_messages=_NOT_OFFERED)


#: A form has fields by name, and these are alike.
_Raspasovka: Any = Lightly(
    "_Raspasovka", (hand.HandForm,), {name: _number(gettext_lazy("Tricks of"), "taken") for name in TAKEN}
)


class HandForm(_Raspasovka):  # type: ignore[misc]
    """What is asked of a deal; of a raspasovka the tricks of all but the last, who has the rest."""

    level = _asked(gettext_lazy("Contract"), "level")
    answers = forms.ChoiceField(label=gettext_lazy("Who whists?"), required=False, error_messages=_NOT_OFFERED)
    tricks = _number(rows.TRICKS_LABEL, "tricks")
    first_tricks = _number(gettext_lazy("Tricks of"), "first_tricks")
    strain = _asked(gettext_lazy("Trumps (optional)"), "strain")

    GAME: ClassVar[Game[Any, Any, Any]] = preference
    ALL_TRICKS = ALL_TRICKS
    FIELDS = ("level", "answers", "tricks", "first_tricks", "strain", *TAKEN)
    NEEDED = ()
    SAYS = ("declarer", "level", "strain", "answers", "tricks", "first_tricks", *TAKEN)
    OF_PEOPLE = ("declarer", "answers", "first_tricks", *TAKEN)
    BY_PLACE = "first_tricks"
    SITS_OUT = gettext_lazy("With four players the dealer sits out and cannot be declarer.")
    HEADLINE = ("declarer", "level", "strain")
    HAS_DECLARER = False
    NOBODY = gettext_lazy("all pass")
    UNDECLARED = RASPASOVKA
    EXAMPLE = "6S wp 7"
    STAYS_WITH = "="
    PRESETS = MappingProxyType({"declarer": ""})
    #: What the rules call that which every form of ours may find wrong with seats.
    CODES: ClassVar[Mapping[tuple[str, str], str]] = MappingProxyType(
        {
            ("dealer", "invalid_choice"): "dealer_unknown",
            ("dealer", "required"): "dealer_unknown",
            ("declarer", "invalid_choice"): "declarer_unknown",
            ("declarer", "sits_out"): "declarer_sits_out",
            ("declarer", "nobody"): "declarer_extra",
        }
    )

    rules: Rules

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = (self.rules.half_whist, bool(self.rules.give_up), self.rules.ten, self.rules.stalingrad)
        key = (tuple(self.names), self.sitting, offered, get_language())
        for seat in self.sitting:
            taken: Any = self.fields[TAKEN[seat]]
            taken.label, taken.called = isolated(self.names[seat]), rows.tricks_of(self.names[seat])
        if self.asks_strain:
            self.fields["strain"].label = gettext_lazy("Trumps (needed at six)")
        for name, called in rows.CALLED.items():
            asked: Any = self.fields[name]
            asked.called = called
        self._choices("answers").choices = _answers.of(key, lambda: rows.answers(self.names, self.sitting, self.rules))

    # --- Rows ---

    @property
    def at_somebody(self) -> str:
        """With whom as the declarer a contract is asked for."""
        return " ".join(f"declarer={seat}" for seat in self.sitting)

    @property
    def at_levels(self) -> str:
        """With which contracts somebody answers."""
        # Before there is a contract they are there too, if any: but a mizer has an answer.
        return " ".join((rows.answered_at(self.rules), *(() if self.at_given_up else ("level=",))))

    @property
    def unless_answered(self) -> str:
        """With which contracts nobody does, '' where one of them may be given up: `at_given_up`."""
        return "" if self.at_given_up else " ".join((f"level={MIZER_ROW}", *rows.unasked(self.rules)))

    @property
    def at_given_up(self) -> str:
        """With which contracts there is something to tap, where of one of them it is only that it was given up."""
        is_offered = self.rules.give_up and rows.unasked(self.rules)
        return " ".join(f"level={level}" for level in LEVELS) if is_offered else ""

    @property
    def at_play(self) -> str:
        return rows.played_at(self.sitting, self.rules)

    @property
    def at_two(self) -> str:
        return rows.of_two_at(self.rules)

    @property
    def asks_strain(self) -> bool:
        """Whether the strain counts in this house: of a six alone."""
        return self.rules.stalingrad

    @property
    def all_taken(self) -> str:
        """The fields of a raspasovka, whose tricks come to ten at most."""
        return " ".join(TAKEN[seat] for seat in sorted(self.sitting))

    @property
    def least_taken(self) -> int:
        """How many tricks are left for those who are asked: the dealer of four takes those that the talon leads."""
        part = takes_part(self.sitting, self.sitting[0], talon=self.rules.raspasy_dealer)
        return ALL_TRICKS - TALON_TRICKS if len(part) > PLAYERS else 0

    @property
    def raspasovka_rows(self) -> Iterator[tuple[str, str, forms.BoundField]]:
        """Each at the table, with whom as the dealer he is not asked, and the row of his tricks."""
        for seat in sorted(self.sitting):
            yield (
                isolated(self.names[seat]),
                " ".join(rows.not_asked(seat, self.sitting, self.rules)),
                self[TAKEN[seat]],
            )

    def hint_of(self, dealer: int, declarer: int) -> str:
        """The first of his opponents, whose tricks are asked for where two played."""
        playing = self.GAME.playing_seats(self.sitting, dealer)
        return isolated(self.names[places(self.sitting, dealer, declarer)[1]]) if declarer in playing else ""

    @property
    def first_hint(self) -> str:
        return self.asked_of or _("declarer's left")

    def asks_by_place(self, cleaned: Mapping[str, Any]) -> bool:
        level = f"level={cleaned.get('level')}"
        said = {f"answers={cleaned.get('answers')}", level, f"{level}&strain={cleaned.get('strain')}"}
        is_of_two = cleaned.get("declarer") is not None and not said.isdisjoint(self.at_two.split())
        return is_of_two and "answers=g" not in said and cleaned.get("tricks") != ALL_TRICKS

    # --- What it says ---

    def called(self, name: str) -> str:
        dealer, declarer = self.seat("dealer"), self.seat("declarer")
        place = {"tricks": 0, "first_tricks": 1}.get(name)
        if place is None or dealer is None or declarer not in playing_seats(self.sitting, dealer):
            return super().called(name)  # type: ignore[no-any-return]
        return rows.tricks_of(self.names[places(self.sitting, dealer, declarer)[place]])

    @property
    def unsaid(self) -> tuple[str, ...]:
        return ("level", "answers", "strain")

    def refusal(self, message: Message) -> str:
        return refusal(message)

    def full_clean(self) -> None:
        super().full_clean()
        for name in ("dealer", "declarer"):
            for error in self.errors.as_data().get(name, ()):
                error.code = self.CODES.get((name, error.code or ""), error.code)

    def _check_declarer(self, deal: Any, place: Any) -> None:
        try:
            preference.check_seats(deal, place.seats, place.dealer, place.declarer, self.rules)
        except InvalidDeal as invalid:
            # Who plays is said in its own row, though the deal may be typed.
            errors = dict(invalid.errors)
            seats = {name: errors.pop(name) for name in ("dealer", "declarer") if name in errors}
            for name, message in seats.items():
                self.add_error(name, ValidationError(refusal(message), code=message.code))
            if errors:
                self.refuse(InvalidDeal(errors))

    def refuse(self, invalid: InvalidDeal) -> None:
        """Say it beside the rows in which the table has said it."""
        named = {name: self._at_this_table(message) for name, message in invalid.errors.items()}
        if not self.has_line and "tricks" in named:
            if self.cleaned_data.get("declarer") is None:
                named[TAKEN[self._part[-2]]] = named.pop("tricks")
            elif named["tricks"].code in ("split_needed", "tricks_sum"):
                named["first_tricks"] = named.pop("tricks")
        super().refuse(InvalidDeal(named))
        self.refused = tuple(invalid.errors)

    def _at_this_table(self, message: Message) -> Message:
        """How many a raspasovka counts the notation alone cannot know."""
        if message.code != "raspasy_count":
            return message
        part = takes_part(self.sitting, self.sitting[-1], talon=self.rules.raspasy_dealer)
        return Message(message.code, {"count": len(part)})

    @property
    def _part(self) -> tuple[int, ...]:
        """Whose tricks a raspasovka counts, in order of speaking."""
        dealer = self.cleaned_data["dealer"]
        return takes_part(self.sitting, dealer, talon=self.rules.raspasy_dealer)

    # --- A deal ---

    def deal_of(self, cleaned: Mapping[str, Any]) -> Deal | None:
        if "declarer" not in cleaned:
            return None  # he sits out, which is said
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
        """What is only not said yet: a live count waits for it."""
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
        """What the two answered, by their places; None with an error added."""
        said = cleaned.get("answers")
        if f"level={level}" in rows.checked(self.rules) and said != Answers.GIVEN_UP.value:
            return Answers.CHECKED
        if not said and f"level={level}&strain={cleaned.get('strain')}" in rows.must_be_whisted(self.rules):
            return Answers.BOTH
        if not said:
            if "answers" not in self.errors:
                self.add_error("answers", ValidationError(_("Who whists, or nobody?"), code="required"))
            return None
        if said in NAMELESS:
            return NAMELESS[said]
        return self._lone(cast(int, rows.whister_of(said, self.sitting)), cleaned)

    def _lone(self, whister: int, cleaned: Mapping[str, Any]) -> Answers | None:
        dealer, declarer = cleaned["dealer"], cleaned["declarer"]
        if declarer not in playing_seats(self.sitting, dealer):
            return None  # which is said beside the declarer
        _declarer, first, second = places(self.sitting, dealer, declarer)
        found = {first: Answers.FIRST, second: Answers.SECOND}.get(whister)
        if found is None:
            against_self, sits_out = _("Nobody whists against themselves."), _("The dealer sits out and cannot play.")
            sentence = against_self if whister == declarer else sits_out
            self.add_error("answers", ValidationError(sentence, code="no_whister"))
        return found

    def _needs_besides(self, cleaned: Mapping[str, Any]) -> None:
        """Ask for what is there before a contract is tapped: answers that wait for none, and the tricks they leave."""
        answers = self._answers(cleaned, "") if cleaned.get("answers") or not self.at_given_up else None
        if answers is not None:
            self._needs_tricks(answers, cleaned)

    def _needs_tricks(self, answers: Answers, cleaned: Mapping[str, Any]) -> None:
        """Ask for the tricks that such answers leave to be said."""
        tricks, first = cleaned.get("tricks"), cleaned.get("first_tricks")
        if answers.is_played and tricks is None:
            self._missing("tricks", "tricks_needed")
        if answers.of_two and first is None and tricks != ALL_TRICKS:
            self._missing("first_tricks", "split_needed")

    def _played(self, cleaned: Mapping[str, Any], contract: Contract) -> Contract | None:
        """The contract with its tricks, where any were played for; whatever stands in rows that are not there."""
        if not contract.answers.is_played:
            return contract
        tricks, first = cleaned.get("tricks"), cleaned.get("first_tricks")
        self._needs_tricks(contract.answers, cleaned)
        if tricks is None:
            return None
        if not contract.answers.of_two:
            return _with(contract, tricks)
        first = 0 if tricks == ALL_TRICKS else first
        if first is None:
            return None
        return _with(contract, tricks, first, ALL_TRICKS - tricks - first)

    @classmethod
    def players_of(cls, deal: Deal, sitting: tuple[int, ...], dealer: int, declarer: int | None) -> tuple[int, ...]:
        if isinstance(deal, Raspasovka):
            return takes_part(sitting, dealer, talon=len(deal.tricks) == len(sitting))
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


def _with(contract: Contract, *tricks: int) -> Contract:
    return Contract(contract.level, contract.answers, tricks, contract.strain)


def _fields_of(deal: Contract, playing: tuple[int, ...]) -> dict[str, str]:
    lone = deal.answers.lone if deal.answers is not Answers.RETRIEVED else None
    said = rows.whisted_by(playing[lone]) if lone and playing else deal.answers.value if not lone else ""
    return {
        "level": str(deal.level),
        "answers": said if deal.answers is not Answers.CHECKED else "",
        "tricks": str(deal.tricks[0]) if deal.tricks else "",
        "first_tricks": str(deal.tricks[1]) if len(deal.tricks) > 1 else "",
        "strain": deal.strain.value if deal.strain else "",
    }
