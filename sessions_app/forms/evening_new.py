"""The form of a new evening: its circle, players, seats, stake, chips and house rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.games import GAMES
from scorekeeper.text.names import name_key
from sessions_app.base_forms import BoundedForm
from sessions_app.forms.fields import NameField, TokenField
from sessions_app.forms.house_rules import HouseRulesForm
from sessions_app.forms.stake import StakeForm
from sessions_app.models import Evening
from sessions_app.readers.evening.edit import deals_right
from sessions_app.readers.people.circles import EveningCircle
from sessions_app.words.wording import KEY_DIGITS, offered_currencies, whole_number
from sessions_app.writers.evenings import Opening

#: Stands for a circle that the evening is to begin.
NEW_PEOPLE: Final = "new"
#: The proposal of a circle to a form that was sent without any.
UNSEEN: Final = "unseen"
#: Circles offered in a question besides the one that was proposed; the form's own list has all of them.
MOST_OTHERS: Final = 2


@dataclass(frozen=True, slots=True)
class CircleAnswer:
    """An answer to the question of the circle: one in which the names `unknown` are new, or None for new people."""

    circle: EveningCircle | None
    unknown: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        return str(self.circle.id) if self.circle else NEW_PEOPLE


class EveningCircleForm(BoundedForm):
    """The `circle` of a new evening: one of `circles`, in which the user may start one, or NEW_PEOPLE.

    `shown_circle` is the one that the form was rendered with. If the program `proposed` it, and the user has left it
    so, a name that is new there is asked about; `into` is the answer. `offers_new_people`: the server lets this user
    start a circle, `new_circle_refused` why it does not. Names alone never choose among circles: where
    the user has seen no circle in the form, they are asked about if anybody knows them.
    """

    circle = forms.CharField(required=False)
    shown_circle = forms.CharField(required=False, widget=forms.HiddenInput)
    proposed = forms.CharField(required=False, widget=forms.HiddenInput)
    into = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, circles: Sequence[EveningCircle] = (), offers_new_people: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.circles, self.offers_new_people, self.new_circle_refused = circles, offers_new_people, ""

    @cached_property
    def chosen_circle(self) -> EveningCircle | None:
        """The circle chosen in the form; None for new people, and where nothing was said."""
        return self._circle_in("circle")

    @property
    def is_of_new_people(self) -> bool:
        return self._given("circle") == NEW_PEOPLE

    @property
    def is_in_another_circle(self) -> bool:
        """True if another circle was chosen since the form was rendered."""
        return self._given("shown_circle") not in ("", self._given("circle"))

    @property
    def is_proposed(self) -> bool:
        """True if the program proposed the circle and the user has left it so, and for a demo's circle."""
        is_demo = self.chosen_circle is not None and self.chosen_circle.is_demo
        return is_demo or (bool(self._given("proposed")) and not self.is_in_another_circle)

    def circle_for(self, names: Sequence[str]) -> EveningCircle | None:
        """Return the circle of an evening of these names, None for new people; only where there is no question."""
        if self._given("into"):
            return self._circle_in("into")
        return self._only_circle(names) if self._is_unseen else self.chosen_circle

    def question_about(self, names: Sequence[str]) -> tuple[CircleAnswer, ...]:
        """Return the answers to the question in which circle an evening of these names is; () if that is clear."""
        if self._given("into") or self.is_of_new_people:
            return ()
        if self._is_unseen:
            nobody_is_known = all(len(circle.unknown(names)) == len(names) for circle in self.circles)
            is_clear = nobody_is_known or self._only_circle(names) is not None
        else:
            chosen = self.chosen_circle
            is_clear = not (self.is_proposed and chosen and chosen.unknown(names))
        return () if is_clear else self._answers(names)

    @property
    def _is_unseen(self) -> bool:
        """True if the form that was sent had no list of circles: it is older than the user's first circle."""
        return self._given("proposed") == UNSEEN or not (self.chosen_circle or self.is_of_new_people)

    def _answers(self, names: Sequence[str]) -> tuple[CircleAnswer, ...]:
        """Return the chosen circle, those that know more of the names, and new people: the likeliest first."""
        answers = sorted((CircleAnswer(each, each.unknown(names)) for each in self.circles), key=_number_of_unknown)
        chosen = [answer for answer in answers if answer.circle is self.chosen_circle]
        most = min(map(_number_of_unknown, chosen), default=len(names))
        others = [answer for answer in answers if len(answer.unknown) < most][:MOST_OTHERS]
        new_people = [CircleAnswer(None)] if self.offers_new_people else []
        nobody_is_known = not others and most == len(names)
        return (*new_people, *chosen) if nobody_is_known else (*others, *chosen, *new_people)

    def _only_circle(self, names: Sequence[str]) -> EveningCircle | None:
        """Return the user's only circle if it knows all the names."""
        return self.circles[0] if len(self.circles) == 1 and not self.circles[0].unknown(names) else None

    def _circle_in(self, field: str) -> EveningCircle | None:
        key = whole_number(self._given(field), KEY_DIGITS)
        return next((circle for circle in self.circles if circle.id == key), None)


def _number_of_unknown(answer: CircleAnswer) -> int:
    return len(answer.unknown)


IN_CHIPS = "yes"


class SeatsForm(StakeForm):
    """The players in the order of their seats, the first dealer, the stake, and chips where the game pays per hand."""

    token = TokenField(widget=forms.HiddenInput, required=False)
    player_1 = NameField(label=_("First player"))
    player_2 = NameField(label=_("Second player"))
    player_3 = NameField(label=_("Third player"))
    # A phone has no room for a longer placeholder.
    player_4 = NameField(label=_("Fourth player"), widget=forms.TextInput({"placeholder": _("Fourth (if any)")}))
    player_5 = NameField(label=_("Fifth player"), widget=forms.TextInput({"placeholder": _("Fifth (if any)")}))
    first_dealer = forms.TypedChoiceField(
        label=_("Deals first"),
        coerce=int,
        choices=[(str(n), "") for n in range(1, 6)],
        error_messages={"required": _("Who deals first?"), "invalid_choice": _("Nobody sits there.")},
    )

    in_chips = forms.ChoiceField(
        label=pgettext_lazy("chips", "Paid"),
        required=False,
        choices=[
            ("", pgettext_lazy("paid", "at the end")),
            (IN_CHIPS, pgettext_lazy("paid", "in chips")),
        ],
        error_messages={"invalid_choice": _("Choose one of the two ways.")},
    )

    PLAYERS: tuple[str, ...] = ("player_1", "player_2", "player_3", "player_4", "player_5")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.PLAYERS:
            self.fields[name].error_messages["required"] = _("Enter a name.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self._check_names(cleaned)
        dealer = f"player_{cleaned.get('first_dealer')}"
        if dealer in self.PLAYERS and not (cleaned.get(dealer) or self.fields[dealer].required):
            self.add_error("first_dealer", _("Nobody sits there."))
        return cleaned

    def _check_names(self, cleaned: dict[str, Any]) -> None:
        seen: set[str] = set()
        for name in self.PLAYERS:
            written = name_key(cleaned.get(name, ""))
            if written and written in seen:
                self.add_error(name, _("Two players cannot have the same name: add a letter to one."))
            seen.add(written)


class NewEveningForm(SeatsForm, HouseRulesForm, EveningCircleForm):
    """A new evening: its circle, players and stake, the game and its house rules, and a name to save these under."""

    keep_as = NameField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.most = max(self.playing.seat_counts)
        if not self.playing.pays_per_hand:
            del self.fields["in_chips"]
        for name in self.PLAYERS[min(self.playing.seat_counts) :]:
            self.fields[name].required = False
        self.fields["first_dealer"].choices = [(str(n), "") for n in range(1, self.most + 1)]  # type: ignore[attr-defined]

    def seat_named(self, name: str) -> str:
        """Return the field that has this name; of a valid form only."""
        return next(field for field in self.PLAYERS if self.cleaned_data[field] == name)

    @property
    def offered(self) -> tuple[str, ...]:
        """The fields of the game's seats, and of any other seat that has a name in it."""
        return tuple(name for name in self.PLAYERS if self._has(name) or str(self[name].value() or "").strip())

    @property
    def after(self) -> int | None:
        """The id of the evening that the form was opened from, as posted: the caller must check access."""
        return whole_number(self._given("after"), KEY_DIGITS)

    @property
    def deals_right(self) -> bool:
        return deals_right(self.playing)

    @property
    def players(self) -> tuple[forms.BoundField, ...]:
        return tuple(self[name] for name in self.offered)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.check_house()
        for name in self.PLAYERS:
            if cleaned.get(name) and not self._has(name):
                self.add_error(name, _("Too many players for this game."))
        if not any(name in self.errors for name in self.PLAYERS):
            taken = [name for name in self.PLAYERS if cleaned[name]]
            if len(taken) not in self.playing.seat_counts:  # some are for three or five, not four
                self.add_error(taken[-1], _("Too many players for this game."))
        return cleaned

    @property
    def names(self) -> list[str]:
        """The players' names in the order of their seats; of a valid form only."""
        return [self.cleaned_data[name] for name in self.PLAYERS if self.cleaned_data[name]]

    @property
    def opening(self) -> Opening:
        """The argument of `evenings.start`; of a valid form only."""
        cleaned = self.cleaned_data
        taken = [name for name in self.PLAYERS if cleaned[name]]
        return Opening(
            self.names,
            taken.index(f"player_{cleaned['first_dealer']}"),
            cleaned["stake"],
            cleaned["currency"],
            self.game_key,
            self.line,
            cleaned["keep_as"],
            cleaned.get("in_chips") == IN_CHIPS,
        )

    def _has(self, name: str) -> bool:
        return self.PLAYERS.index(name) < self.most


def fields_after(evening: Evening, names: Sequence[str], dealer: int, game_key: str, rules: str) -> dict[str, object]:
    """Return the form's values: its circle, the players who sit at the table now, in their order, stake and chips.

    `dealer`, the seat that would deal next, deals first. `names` are the players by seat, `rules` the house rules of
    the new game.
    """
    return {
        **dict(zip(NewEveningForm.PLAYERS, (names[seat] for seat in evening.sitting), strict=False)),
        "first_dealer": evening.sitting.index(dealer) + 1,
        "stake": "" if evening.stake is None else f"{evening.stake.normalize():f}",
        "currency": evening.currency or offered_currencies()[0],
        "in_chips": IN_CHIPS if evening.in_chips else "",
        "game": game_key,
        "rules": rules,
        "circle": evening.circle_id,
        "token": uuid4(),
    }


def another_game(evening: Evening) -> str:
    """Return the key of another game for as many players, or of the evening's own if there is none."""
    others = (key for key, game in GAMES.items() if len(evening.sitting) in game.seat_counts)
    return next((key for key in others if key != evening.game_key), evening.game_key)
