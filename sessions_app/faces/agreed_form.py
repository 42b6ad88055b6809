"""The form of agreed entries, which the players write without a hand, as far as it is the same for every game."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scorekeeper.games.errors import InvalidDeal, Message
from sessions_app.base_forms import HIDDEN_FIELD, Choice, Choices, SeatedForm
from sessions_app.faces.hand_form import Difference
from sessions_app.hand_facts import Facts
from sessions_app.models import Hand

_SIGNS: Final = Choices((("+", Choice("+")), ("-", Choice("−"))))
#: Phones write a minus in three ways: hyphen, minus sign, en dash.
_NUMBER: Final = re.compile(r"([+−–-]?)([0-9]{1,15})", re.ASCII)


def sign_field() -> forms.Field:
    label: Any = pgettext_lazy("amount", "Plus or minus")
    return forms.ChoiceField(label=label, choices=_SIGNS, required=False, initial="+")


def amount_field(**more: Any) -> forms.Field:
    return forms.CharField(label=gettext_lazy("How much?"), required=False, max_length=20, **more)


class AgreedForm(SeatedForm):
    """Agreed entries; a valid form has them in `deal`.

    Three hidden fields detect the writes of other phones: `seating`, the version of the seats that the form was built
    for; `meant`, the number that the entries were to have; `another`, that the writer means them besides the others'
    hand.
    """

    token = forms.UUIDField(**HIDDEN_FIELD)
    number = forms.IntegerField(min_value=1, max_value=10**6, **HIDDEN_FIELD)
    revision = forms.IntegerField(required=False, **HIDDEN_FIELD)
    seating = forms.IntegerField(required=False, min_value=0, max_value=10**9, **HIDDEN_FIELD)
    meant = forms.IntegerField(required=False, min_value=1, max_value=10**6, **HIDDEN_FIELD)
    another = forms.BooleanField(required=False, **HIDDEN_FIELD)

    HIDDEN = ("token", "number", "revision", "seating", "meant")
    is_thrown_in: ClassVar[bool] = False
    #: An example of the entries as one line, '' if they cannot be typed so.
    EXAMPLE: ClassVar[str] = ""
    #: The template of a row, and that of the count; '' for the game's own.
    ROW: ClassVar[str]
    COUNT: ClassVar[str] = ""
    #: The number of rows, if more may be asked for.
    row_count: int = 0
    has_room: bool = False
    #: True if the page had all these rows. A language switch posts the form, too, and may add a row.
    has_all_rows: bool = True

    @property
    def rows(self) -> list[Any]:
        """The rows of the form, each with its bound fields."""
        raise NotImplementedError

    @property
    def hidden_values(self) -> list[tuple[str, Any]]:
        """The names and values of the hidden fields."""
        hidden = ((name, self[name].value()) for name, field in self.fields.items() if field.widget.is_hidden)
        return [*hidden, ("rows", self.row_count)]

    def facts(self, dealer: int) -> Facts:
        """Return the ledger's facts of these entries, which leave the deal with `dealer`; for a valid form only."""
        return Facts(dealer, None, self.GAME.deal_to_text(self.cleaned_data["deal"]), True)

    def read_amount(self, index: int, sign: str, text: str) -> int | None:
        """Return a signed amount, or None with an error added. A typed minus wins over the plus chosen at first."""
        found = _NUMBER.fullmatch(text)
        if not found:
            self.add_error(f"amount_{index}", ValidationError(_("Enter a whole number."), code="no_number"))
            return None
        if found[1] == "+" and sign == "-":
            asked = _("Plus or minus? Type the number without a sign.")
            self.add_error(f"amount_{index}", ValidationError(asked, code="two_signs"))
            return None
        return int(found[2]) if (found[1] or sign or "+") == "+" else -int(found[2])

    def say(self, beside: str, invalid: InvalidDeal) -> None:
        """Add the first reason of a refusal to a field, unless that has an error already."""
        if beside not in self.errors:
            message = next(iter(invalid.errors.values()))
            self.add_error(beside, ValidationError(self.refusal(message), code=message.code))

    def refuse_each(self, ask: Callable[[Any], object]) -> None:
        """Check each entry that can be wrong by itself, and add its error to its field: `ask` raises InvalidDeal."""

    def refuse(self, invalid: InvalidDeal, ask: Callable[[Any], object]) -> None:
        """Add the reason why the evening does not take these entries to the fields of those at fault."""
        raise NotImplementedError

    def refusal(self, message: Message) -> str:
        """Return the sentence for a refusal by the rules."""
        raise NotImplementedError

    def differences(self, theirs: Mapping[str, Any]) -> list[Difference]:
        """Return the rows that differ in a recorded hand; () if entries have none to compare, and are shown whole."""
        return []

    @classmethod
    def values_of(cls, hand: Hand, deal: Any) -> dict[str, Any]:
        """Return recorded entries as fields of the form, to correct them."""
        return {"number": hand.number, "token": hand.token, "revision": hand.revision_count}
