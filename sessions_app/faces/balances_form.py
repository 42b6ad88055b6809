"""The form that corrects agreed payments: what each player won or lost by them, as a table of a paper book has it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scorekeeper.games.errors import InvalidDeal, Message
from scorekeeper.games.payment_game import MOST_AGREED, PAID
from sessions_app.faces.agreed_form import AgreedForm, amount_field, sign_field
from sessions_app.faces.hand_form import Difference
from sessions_app.models import Hand


class Figure(NamedTuple):
    """A player's row of the form, with its bound fields."""

    name: str
    sign: forms.BoundField
    amount: forms.BoundField


class BalancesForm(AgreedForm):
    """Amounts that the players at the table won or lost: together zero, and not all of them zero."""

    ROW = "entries/_figure.html"
    COUNT = "games/agreed.html#count"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in self.sitting:
            self.fields[f"sign_{seat}"] = sign_field()
            self.fields[f"amount_{seat}"] = amount_field(initial="0")

    @property
    def rows(self) -> list[Any]:
        return [Figure(self.names[seat], self[f"sign_{seat}"], self[f"amount_{seat}"]) for seat in sorted(self.sitting)]

    def clean(self) -> dict[str, Any]:
        said = {seat: self._figure(seat) for seat in self.sitting}
        balances = {seat: figure for seat, figure in said.items() if figure is not None}
        if not self.errors:
            self._check_balances(balances)
        if not self.errors:
            self.cleaned_data["deal"] = self.GAME.agreed(balances)
        return self.cleaned_data

    def _figure(self, seat: int) -> int | None:
        """Return a signed figure, 0 for an empty field; None with an error added for one that cannot be read."""
        sign, amount = (self.cleaned_data.get(f"{part}_{seat}", "") for part in ("sign", "amount"))
        return self.read_amount(seat, sign, amount or "0")

    def _check_balances(self, balances: Mapping[int, int]) -> None:
        last, total = f"amount_{max(self.sitting)}", sum(balances.values())
        if total:
            wrong = _("Together it is %(sum)s: it must be zero.") % {"sum": f"{total:+}".replace("-", "−")}
            self.add_error(last, ValidationError(wrong, code="not_zero"))
        elif not any(balances.values()):
            wrong = _("Nobody would win or lose anything. Void the entry instead.")
            self.add_error(last, ValidationError(wrong, code="nothing"))
        elif max(balances.values()) > MOST_AGREED:
            self.refuse(InvalidDeal({"payments": Message("amount_range", {"most": MOST_AGREED})}))

    def refuse(self, invalid: InvalidDeal, ask: Any = None) -> None:
        """Say it at the last figure: together they are one statement, and none is wrong by itself."""
        self.say(f"amount_{max(self.sitting)}", invalid)

    def refusal(self, message: Message) -> str:
        return _("A player can win or lose %(most)s points at most.") % {"most": MOST_AGREED}

    def differences(self, theirs: Mapping[str, Any]) -> list[Difference]:
        """Return the players who win or lose another amount by this form than by `theirs`."""
        mine = self.data if self.is_bound else self.initial
        said = [(self.names[seat], *(_signed(each, seat) for each in (theirs, mine))) for seat in sorted(self.sitting)]
        return [Difference(name, *amounts) for name, *amounts in said if amounts[0] != amounts[1]]

    @classmethod
    def values_of(cls, hand: Hand, deal: Any) -> dict[str, Any]:
        values = super().values_of(hand, deal)
        sheet = {(PAID, each.payer, each.payee): each.points for each in deal.payments}
        for seat, points in cls.GAME.balances(sheet, hand.sitting, None).items():
            values |= {f"sign_{seat}": "-" if points < 0 else "+", f"amount_{seat}": abs(points)}
        return values


def _signed(values: Mapping[str, Any], seat: int) -> str:
    """Return the amount of a seat as the fields of a form say it."""
    sign, amount = values.get(f"sign_{seat}", "+"), str(values.get(f"amount_{seat}") or 0).lstrip("0")
    return f"{'−' if sign == '-' else '+'}{amount}" if amount else "0"
