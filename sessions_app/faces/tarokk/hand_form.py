"""The hand form of Tarokk.

The form names the partner by seat, a deal by place. Announcements are boxes, with a ladder of kontras for each.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.games import tarokk
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidDeal, Message
from scorekeeper.games.tarokk import BOOK, Announced, Band, Bonus, Contract, Deal, Kontra, Pagat, Rules, Side
from scorekeeper.games.tarokk.validation import declarers_win_tie
from sessions_app.base_forms import Choice, Choices, choice_field
from sessions_app.faces import balances_form
from sessions_app.faces.hand_words import kontra_words
from sessions_app.faces.tarokk.fields import (
    ALL_POINTS,
    ALONE,
    ALONE_WORD,
    ANNOUNCEMENTS,
    BESIDE_PROBA,
    BLANK,
    BOTH,
    BOXES,
    LADDERS,
    LETTERS,
    MADE,
    MORE,
    NOBODY,
    OF_SIDE,
    TAROKK_FIELDS,
    VOLATS,
    Announcements,
    BonusRows,
    announced,
    asked,
    band_of,
    declared,
    doubled,
    excluded_together,
    form_values,
    ladder,
    level,
    made_in,
    rows,
)
from sessions_app.faces.tarokk.words import BONUSES, LETTERS_ON_SHEET, SIDES, marks_of, refusal
from sessions_app.faces.tarokk.words import TAROKKS as TAROKK_WORDS
from sessions_app.words.wording import isolated


class HandForm(Announcements):  # type: ignore[misc]
    """The fields of a deal: contract, partner and result; folded away, announcements and bonuses."""

    contract = asked("contract", gettext_lazy("Contract"), coerce=Contract, missing=gettext_lazy("Which contract?"))
    partner = choice_field(gettext_lazy("Partner (segítő)"), wrong=gettext_lazy("Nobody sits there."))
    result = asked("result", gettext_lazy("Result"))
    points = forms.IntegerField(
        label=gettext_lazy("Card points"),
        required=False,
        error_messages={"invalid": gettext_lazy("There are 94 card points: a number from 0 to 94.")},
    )
    counted_by = asked("counted_by", gettext_lazy("Card points of"))
    game_kontra = ladder(gettext_lazy("Kontra on the game"))
    proba = forms.BooleanField(label=gettext_lazy("Próba"), required=False)
    trull = asked("trull", BONUSES[Bonus.TRULL])
    kings = asked("kings", BONUSES[Bonus.KINGS])
    xxi = asked("xxi", BONUSES[Bonus.XXI])
    pagat = asked("pagat", gettext_lazy("pagát in the last trick"))
    times = asked("times", gettext_lazy("Counts"), coerce=int, empty="1")

    GAME: ClassVar[Game[Any, Any, Any]] = tarokk.GAME
    FIELDS = (
        "contract",
        "partner",
        "result",
        "points",
        "counted_by",
        "game_kontra",
        "proba",
        *BOXES,
        *LADDERS,
        *(bonus.value for bonus in MADE),
        "pagat",
        *TAROKK_FIELDS,
        "times",
    )
    NEEDED = ("contract",)
    SAYS = ("declarer", "contract", "partner", "game_kontra", *BOXES, *LADDERS, *TAROKK_FIELDS, "result")
    OF_PEOPLE = ("declarer", "partner", *TAROKK_FIELDS)
    SITS_OUT = gettext_lazy("With five players the dealer sits out and cannot play.")
    HEADLINE = ("declarer", "contract")
    EXAMPLE = "2+1 61 U u"
    LETTERS_ON_SHEET = LETTERS_ON_SHEET
    marks_of = staticmethod(marks_of)
    refusal = staticmethod(refusal)
    fields_of = staticmethod(form_values)
    PRESETS = MappingProxyType({"game_kontra": "0", "counted_by": LETTERS[Side.DECLARERS], "times": "1"})

    rules: Rules

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.rules.ladder != BOOK.ladder:
            offered = rows(self.rules.ladder)
            for name in ("game_kontra", *LADDERS):
                self._choices(name).choices = offered[name]

    def dealing(self, dealer: int) -> str:
        """Return the dealer, and the order of speaking and playing: counter-clockwise, which the seats do not show."""
        order = (isolated(self.names[seat]) for seat in self.GAME.playing_seats(self.sitting, dealer))
        return _("%(dealer)s deals · %(order)s") % {"dealer": isolated(self.names[dealer]), "order": " → ".join(order)}

    # --- Rows ---

    def choices_of_people(self) -> dict[str, Choices]:
        alone = (ALONE, Choice(ALONE_WORD, line_words=ALONE_WORD, key="a"))
        partners = Choices((*map(self._partner, sorted(self.sitting)), alone))
        tarokks = {TAROKK_FIELDS[seat]: declared(seat, self.sitting) for seat in self.sitting}
        choices: dict[str, Choices] = super().choices_of_people()
        return choices | {"partner": partners} | tarokks

    def _partner(self, seat: int) -> tuple[str, Choice]:
        name, apart = self.names[seat], (f"declarer={seat}", *self.sits_out(seat))
        said = f"({isolated(name)})"
        return str(seat), Choice(name, kind="name", line_words=said, key=self._key(seat), excluded=apart)

    @property
    def bonuses(self) -> list[BonusRows]:
        """The bonuses whose rows ask who made them."""
        return [self._rows_of(bonus) for bonus in (Bonus.TRULL, Bonus.KINGS, Bonus.ULTIMO, Bonus.XXI)]

    @property
    def levels(self) -> list[BonusRows]:
        """Dupla and volát, which the result decides."""
        return [self._rows_of(bonus) for bonus in (Bonus.DOUBLE, Bonus.VOLAT)]

    def _rows_of(self, bonus: Bonus) -> BonusRows:
        boxes = [(side, self[announced(side, bonus)], self[doubled(side, bonus)]) for side in Side]
        made = None if bonus in (Bonus.DOUBLE, Bonus.VOLAT) else self[made_in(bonus)]
        return BonusRows(bonus, boxes, made, " ".join(f"{box.name}=on" for _side, box, _kontra in boxes))

    @property
    def declaring(self) -> list[tuple[str, str, forms.BoundField]]:
        """A row for each seat: its name, the dealers with whom it sits out, and the field of declared tarokks."""
        return [
            (self.names[seat], " ".join(self.sits_out(seat)), self[f"tarokks_{seat}"]) for seat in sorted(self.sitting)
        ]

    @property
    def has_more(self) -> bool:
        """True if any of the folded rows has a value or an error."""
        said = self.data if self.is_bound else self.initial
        if (
            any(said.get(name) not in BLANK for name in MORE)
            or said.get("points")
            or said.get("times") not in (None, "", "1")
        ):
            return True
        return self.is_bound and not self.errors.keys().isdisjoint(MORE)

    @property
    def exclusions(self) -> str:
        return excluded_together(self.rules)

    @property
    def proba_excluded(self) -> str:
        """The seats that exclude a lost próba, as only the fourth to speak can bid one."""
        return " ".join(
            f"dealer={dealer}&declarer={'|'.join(str(seat) for seat in sorted(self.sitting) if seat != fourth)}"
            for dealer in sorted(self.sitting)
            for fourth in self.GAME.playing_seats(self.sitting, dealer)[-1:]
        )

    @property
    def points_needed_at(self) -> str:
        """The kontras with which a lost band does not tell the winner: at 47 they decide."""
        kontras = "|".join(str(kontra.value) for kontra in Kontra if declarers_win_tie(kontra, self.rules))
        return f"result={Band.FROM_24}&game_kontra={kontras}" if kontras else ""

    @property
    def has_rounds(self) -> bool:
        """True if a round may count more than once by the house rules."""
        return self.rules.after_throw_in

    # --- In words ---

    def row_name(self, name: str) -> str:
        if name in TAROKK_FIELDS:
            return f"{self.fields[name].label} ({isolated(self.names[TAROKK_FIELDS.index(name)])})"
        side, bonus = ANNOUNCEMENTS.get(name.removesuffix("_kontra"), (None, None))
        if bonus is None or side is None:
            return str(super().row_name(name))
        return f"{BONUSES[bonus]} ({SIDES[side]})"

    def value_words(self, name: str, value: str) -> str:
        if name in TAROKK_FIELDS:
            return str(TAROKK_WORDS[int(value)]) if value in ("8", "9") else "—"
        if name in BOXES:
            return str(_("announced") if value else _("not announced"))
        if name in LADDERS:
            return str(kontra_words(level(value or "0")) or "—")
        return str(super().value_words(name, value))

    @property
    def unsaid(self) -> tuple[str, ...]:
        return (*BOXES, *LADDERS, "partner", *(TAROKK_FIELDS[seat] for seat in self.sitting))

    def deal_of(self, cleaned: Mapping[str, Any]) -> Deal | None:
        if cleaned.get("proba"):
            if any(cleaned.get(name) not in BLANK for name in BESIDE_PROBA):
                message = Message("beside_proba", {})
                self.add_error("proba", ValidationError(refusal(message), code=message.code))
                return None
            return self._made_of(contract=cleaned["contract"], is_proba=True, times=int(cleaned.get("times") or 1))
        partner = self._place_of(cleaned)
        self._compare_points(cleaned)
        self._check_kontras(cleaned)
        if self.errors or partner is None:
            return None
        volat = VOLATS.get(cleaned["result"])
        own = {bonus.value: OF_SIDE.get(cleaned[bonus.value]) for bonus in MADE}
        if volat:  # trull and kings are not asked for; the other side's, if tapped, is impossible and refused
            own |= {name: own[name] or volat for name in ("trull", "kings")}
        return self._made_of(
            contract=cleaned["contract"],
            partner=partner or None,
            points=self._points(cleaned),
            game_kontra=_kontra(cleaned, "game_kontra"),
            announced=tuple(
                Announced(*each, _kontra(cleaned, doubled(*each))) for each in BOTH if cleaned[announced(*each)]
            ),
            volat=volat,
            pagat=Pagat(cleaned["pagat"] or NOBODY),
            tarokks=self._tarokks(cleaned),
            times=int(cleaned.get("times") or 1),
            **own,
        )

    def _check_kontras(self, cleaned: Mapping[str, Any]) -> None:
        for each in BOTH:
            if _kontra(cleaned, doubled(*each)) and not cleaned.get(announced(*each)):
                sentence = _("Only what was announced can be doubled.")
                self.add_error(doubled(*each), ValidationError(sentence, code="not_announced"))
                self.refused: tuple[str, ...] = ("announced",)

    def _made_of(self, **facts: Any) -> Deal | None:
        try:
            return Deal(**facts, rules=self.rules)
        except InvalidDeal as invalid:
            self.refuse(invalid)
            return None

    def refuse(self, invalid: InvalidDeal) -> None:
        """Add each reason to the row of this form that it belongs to."""
        named = dict(invalid.errors)
        if not self.has_line:
            if "announced" in named:
                named[self._too_high() or "game_kontra"] = named.pop("announced")
            if "is_proba" in named:
                named["proba"] = named.pop("is_proba")
            if "tarokks" in named:
                named[TAROKK_FIELDS[self.sitting[0]]] = named.pop("tarokks")
            if "points" in named and self.cleaned_data.get("points") is None:
                named["result"] = named.pop("points")
        super().refuse(InvalidDeal(named))
        self.refused = tuple(invalid.errors)

    def _too_high(self) -> str | None:
        levels = {name: _kontra(self.cleaned_data, name) for name in LADDERS}
        return next((name for name, level in levels.items() if level > self.rules.ladder), None)

    def _place_of(self, cleaned: Mapping[str, Any]) -> int | None:
        """Return the partner's place, 0 if the declarer is alone; None with an error added."""
        said = str(cleaned.get("partner") or "")
        if said == ALONE:
            return 0
        if "partner" in self.errors:
            return None
        playing, seat = list(self.in_order_of_play), int(said)
        if seat in playing[1:]:
            return playing.index(seat)
        if playing:
            sentence = _("Nobody is their own partner.") if seat == playing[0] else str(self.SITS_OUT)
            self.add_error("partner", ValidationError(sentence, code="no_partner"))
        return None

    def needed(self, cleaned: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if cleaned.get("proba"):
            return
        if not cleaned.get("partner"):
            yield "partner", _("Who was the partner, or nobody?")
        result = cleaned.get("result")
        if cleaned.get("points") is None and not self.errors.keys() & {"points", "result"}:
            if not result:
                yield "result", _("How did it end?")
            elif result == Band.FROM_24 and declarers_win_tie(_kontra(cleaned, "game_kontra"), self.rules):
                yield "points", refusal(Message("points_exact", {}))
        for bonus in (Bonus.TRULL, Bonus.KINGS, Bonus.ULTIMO, Bonus.XXI):
            if result in VOLATS and bonus in (Bonus.TRULL, Bonus.KINGS):
                continue
            if any(cleaned.get(announced(side, bonus)) for side in Side) and not cleaned.get(made_in(bonus)):
                yield made_in(bonus), _("It was announced: how did it end?")

    def _compare_points(self, cleaned: Mapping[str, Any]) -> None:
        """Add an error if points and band disagree. Without scripts neither clears the other."""
        band, points = cleaned.get("result"), cleaned.get("points")
        if not band or band in VOLATS or points not in range(ALL_POINTS + 1):
            return
        if self._points(cleaned) not in band_of(band).points:
            sentence = _("The card points do not match the result.")
            self.add_error("result", ValidationError(sentence, code="disagree"))
            self.refused = ("points",)

    def _points(self, cleaned: Mapping[str, Any]) -> Any:
        """Return the declarers' card points if they were counted, else their band."""
        points = cleaned.get("points")
        if points is None:
            return band_of(cleaned["result"])
        return points if OF_SIDE.get(cleaned.get("counted_by", "")) is not Side.OPPONENTS else ALL_POINTS - points

    def _tarokks(self, cleaned: Mapping[str, Any]) -> tuple[int, ...]:
        playing = self.in_order_of_play
        for seat in self.sitting:
            if int(cleaned.get(f"tarokks_{seat}") or 0) and seat not in playing:
                self.add_error(
                    f"tarokks_{seat}",
                    ValidationError(_("A player who sits out cannot declare tarokks."), code="sits_out"),
                )
        return tuple(int(cleaned.get(f"tarokks_{seat}") or 0) for seat in playing)


def _kontra(cleaned: Mapping[str, Any], name: str) -> Kontra:
    return Kontra(int(cleaned.get(name) or 0))


class BalancesForm(balances_form.BalancesForm):
    GAME: ClassVar[Game[Any, Any, Any]] = tarokk.GAME
