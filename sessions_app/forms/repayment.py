"""The form of a payment that was made, or of an opening balance."""

from typing import Any, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from sessions_app.base_forms import HIDDEN_FIELD, BoundedForm
from sessions_app.forms.fields import LineField, TokenField
from sessions_app.forms.stake import split_typed
from sessions_app.models import REPAYMENT_NOTE_LENGTH, Repayment
from sessions_app.readers.money.repayments import is_currency
from sessions_app.words.amounts import AmbiguousAmount, amount_words, is_unusual, typed, units_typed
from sessions_app.words.wording import KEY_DIGITS, offered_currencies, whole_number

LARGEST_KEY: Final = 2**62
#: The most evenings that one payment is for.
MOST_EVENINGS: Final = 50


class PlayerField(forms.IntegerField):
    """The key of a player; whose it is, the writer asks."""

    default_error_messages = {
        "required": _("Choose a player."),
        **dict.fromkeys(("invalid", "min_value", "max_value"), _("This player is not in this circle.")),
    }

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, min_value=1, max_value=LARGEST_KEY)


class EveningsField(forms.Field):
    """The keys of the evenings that a payment is for, each once; none for everything together."""

    widget = forms.SelectMultiple
    default_error_messages = {"invalid": _("Choose one of the sessions offered.")}

    def to_python(self, value: Any) -> tuple[int, ...]:
        values = [value] if isinstance(value, str) else list(value or ())
        keys = [whole_number(str(each), KEY_DIGITS) for each in dict.fromkeys(values) if each]
        if None in keys or len(keys) > MOST_EVENINGS:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return tuple(key for key in keys if key is not None)


class AmountAnswer(NamedTuple):
    """An answer to a question about the amount: the units meant, its words, and the field that gives it."""

    units: int
    words: str
    name: str
    value: str


class RepaymentForm(BoundedForm):
    """The form of a payment or of an opening balance.

    `known` is the highest key of a payment that the page showed; `another` confirms that this is another one. A
    suggested payment has `seen`, the number of payments of which it was made; `anyway` confirms it although the payer
    owes less by now. `page` or `settle` is where the member goes next: the circle's page, or the settling of the
    evening with this key. `sure` are the units of an amount for which no table plays, once it was asked about.

    `meant` answers the question how an ambiguous amount is to be read: it takes its place. `answers` are what the
    question about the amount offers, if there is one.
    """

    answers: tuple[AmountAnswer, ...] = ()

    token = TokenField(required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        required=False,
        choices=[
            (Repayment.Kind.PAYMENT, _("Paid now or before")),
            (Repayment.Kind.OPENING, _("Owed from a paper book")),
        ],
        error_messages={"invalid_choice": _("Choose one of the options.")},
    )
    payer = PlayerField(pgettext_lazy("whoever paid", "Who paid"))
    payee = PlayerField(pgettext_lazy("whoever was paid", "Whom"))
    amount = forms.CharField(label=_("Amount"), max_length=40, error_messages={"required": _("Enter an amount.")})
    currency = forms.CharField(label=_("Currency"), max_length=30, error_messages={"required": _("In which currency?")})
    note = LineField(label=_("Note"), max_length=REPAYMENT_NOTE_LENGTH, required=False)
    known = forms.IntegerField(required=False, min_value=0, max_value=LARGEST_KEY, **HIDDEN_FIELD)
    another = forms.CharField(required=False, max_length=1, **HIDDEN_FIELD)
    seen = forms.IntegerField(required=False, min_value=0, max_value=LARGEST_KEY, **HIDDEN_FIELD)
    anyway = forms.CharField(required=False, max_length=1, **HIDDEN_FIELD)
    sure = forms.CharField(required=False, max_length=KEY_DIGITS, **HIDDEN_FIELD)
    page = forms.CharField(required=False, max_length=10, **HIDDEN_FIELD)
    settle = forms.CharField(required=False, max_length=KEY_DIGITS, **HIDDEN_FIELD)

    def __init__(self, data: Any = None, **more: Any) -> None:
        if data is not None and data.get("meant"):
            data = data.copy()
            data["amount"] = data["meant"]
        super().__init__(data, **more)
        # The word is Python's own.
        self.fields["for"] = EveningsField(label=_("For which session"), required=False)

    @property
    def hidden_errors(self) -> list[str]:
        """The errors of the hidden fields, each sentence once."""
        return list(dict.fromkeys(str(error) for field in self.hidden_fields() for error in field.errors))

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or Repayment.Kind.PAYMENT

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"]
        if not is_currency(currency):
            raise ValidationError(NOT_PLAYED_FOR, code="currency")
        return currency

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if "amount" in cleaned and "currency" in cleaned:
            _number, code = split_typed(cleaned["amount"])
            if code and code not in offered_currencies():
                cleaned["currency"] = code
            try:
                cleaned["units"] = self._units(cleaned["amount"], cleaned["currency"])
            except ValidationError as wrong:
                self.add_error("amount", wrong)
        if cleaned.get("kind") == Repayment.Kind.OPENING:
            # The sessions are hidden then.
            cleaned["for"] = ()
        return cleaned

    def _units(self, text: str, currency: str) -> int:
        """Return the units of the amount. Raise ValidationError; if that is a question, note its answers."""
        try:
            units = units_typed(text, currency)
        except AmbiguousAmount as asked:
            self.answers = tuple(
                AmountAnswer(each, amount_words(each, currency), "meant", typed(each, currency))
                for each in asked.readings
            )
            raise
        if is_unusual(units, currency) and self.cleaned_data.get("sure") != str(units):
            words = amount_words(units, currency)
            self.answers = (AmountAnswer(units, gettext("Book %(left)s") % {"left": words}, "sure", str(units)),)
            sentence = gettext("%(amount)s: is that right? Then press Book again.")
            raise ValidationError(sentence % {"amount": words}, code="unusual")
        return units


NOT_PLAYED_FOR: Final = _("This circle has never played in this currency.")
