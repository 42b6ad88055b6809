"""Its user interface: its name, its form, and no tables by which a phone could count."""

from collections.abc import Mapping
from typing import Any

from django import forms

from scorekeeper.games.errors import InvalidDeal, Message
from sessions_app.base_forms import Choice
from sessions_app.faces import hand_form as hand
from sessions_app.faces.base import Face
from sessions_app.faces.house_words import HouseWords, NextHand, SwitchWords
from sessions_app.faces.measure_words import MeasureFace
from tests.toy import game

WAYS = {"won": "won", "lost": "lost", "all": "all against all"}
MARKS = ("mark_0", "mark_1", "mark_2")


def _refusal(message: Message) -> str:
    words = {"too_many": "At most %(most)s.", "nobody_won": "After marks that double somebody wins or loses."}
    return words[message.code] % message.params


house_words = HouseWords(
    {
        "doubled": SwitchWords("Twice", "By the book.", lambda value: "never twice", {"yes": "yes", "no": "no"}),
        "most": SwitchWords("Highest", "By the book 9.", lambda value: f"up to {value}"),
    },
    _refusal,
    lambda message, names: message.code,
    next_hand=lambda message: NextHand("×2", message.code),
)


def _numbers() -> list[tuple[str, Choice]]:
    return [(str(n), Choice(str(n), line_words=str(n))) for n in range(10)]


class HandForm(hand.HandForm):
    way = forms.ChoiceField(
        label="Way", choices=[(way, Choice(words, line_words=words)) for way, words in WAYS.items()]
    )
    points = forms.TypedChoiceField(label="Points", coerce=int, required=False, empty_value=None, choices=_numbers)
    mark_0, mark_1, mark_2 = (
        forms.TypedChoiceField(coerce=int, required=False, empty_value=None, choices=_numbers) for _ in range(3)
    )

    GAME = game.GAME
    FIELDS = ("way", "points", *MARKS)
    NEEDED = ("way",)
    TAKES_AGREED = True
    SAYS = ("declarer", *FIELDS)
    OF_PEOPLE = ("declarer", *MARKS)
    HAS_DECLARER = False
    EXAMPLE = "+7"
    STAYS_WITH = "="

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, player in zip(MARKS, self.names, strict=True):
            self.fields[field].label = f"Marks of {player}"

    @property
    def mark_rows(self) -> list[forms.BoundField]:
        return [self[field] for field in MARKS]

    def refusal(self, message: Message) -> str:
        return _refusal(message)

    def deal_of(self, cleaned: Mapping[str, Any]) -> game.Deal | None:
        wanted = MARKS if cleaned["way"] == "all" else ("points",)
        missing = [field for field in wanted if cleaned.get(field) is None]
        for field in missing:
            self.add_error(field, forms.ValidationError("How many?", code="required"))
        if missing:
            return None
        if cleaned["way"] == "all":
            deal = game.Deal(marks=tuple(cleaned[field] for field in MARKS))
        else:
            deal = game.Deal(cleaned["points"] if cleaned["way"] == "won" else -cleaned["points"])
        try:
            deal.check(self.rules)
        except InvalidDeal as invalid:
            for field, message in invalid.errors.items():
                self.add_error(field if field in self.fields else MARKS[0], self.refusal(message))
            return None
        return deal

    @classmethod
    def fields_of(cls, deal: game.Deal, playing: tuple[int, ...]) -> dict[str, str]:
        if deal.is_agreed:
            return {"line": game.GAME.deal_to_text(deal)}
        if deal.marks:
            return {"way": "all", **dict(zip(MARKS, map(str, deal.marks), strict=True))}
        return {"way": "lost" if deal.points < 0 else "won", "points": str(abs(deal.points))}


FACE = Face(
    key="toy",
    name="Toy",
    form=HandForm,
    house_words=house_words,
    measures=MeasureFace("Made with points.", ()),
    feat_words=lambda feat: feat.code,
)
