"""The part of a new evening's form that says in which circle it will be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.functional import cached_property

from sessions_app.bounded_form import BoundedForm
from sessions_app.readers.people.circles import EveningCircle
from sessions_app.words.parsing import KEY_DIGITS, whole_number

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


@dataclass(frozen=True, slots=True)
class CircleQuestion:
    """The question in which circle an evening is, with its answers, the likeliest first."""

    answers: tuple[CircleAnswer, ...]


class EveningCircleForm(BoundedForm):
    """The `circle` of a new evening: one of `circles`, in which the user may start one, or NEW_PEOPLE.

    `shown_circle` is the one that the form was rendered with. If the program `proposed` it, and the user has left it
    so, a name that is new there is asked about; `into` is the answer. Names alone never choose among circles: where
    the user has seen no circle in the form, they are asked about if anybody knows them.
    """

    circle = forms.CharField(required=False)
    shown_circle = forms.CharField(required=False, widget=forms.HiddenInput)
    proposed = forms.CharField(required=False, widget=forms.HiddenInput)
    into = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, circles: Sequence[EveningCircle] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.circles = circles

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

    def question_about(self, names: Sequence[str]) -> CircleQuestion | None:
        """Return the question in which circle an evening of these names is; None if that is clear."""
        if self._given("into") or self.is_of_new_people:
            return None
        if self._is_unseen:
            nobody_is_known = all(len(circle.unknown(names)) == len(names) for circle in self.circles)
            is_clear = nobody_is_known or self._only_circle(names) is not None
        else:
            chosen = self.chosen_circle
            is_clear = not (self.is_proposed and chosen and chosen.unknown(names))
        return None if is_clear else CircleQuestion(self._answers(names))

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
        new_people = [CircleAnswer(None)]
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
