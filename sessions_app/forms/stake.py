"""Parse a stake as people type it: '0,5', '0.5', '1 000', '1 000,50', '10 Ft', '€0.50', in any language.

`StakeForm` has the two fields, and is the base of every form that asks for a stake.
"""

import re
import unicodedata
from decimal import Decimal
from functools import cache
from typing import Any, Final

from babel.numbers import get_currency_name, get_currency_symbol, get_decimal_symbol
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.currencies import CURRENCIES
from sessions_app.base_forms import BoundedForm
from sessions_app.words.wording import language, locale_of, money_words, offered_currencies, stake_of

POINTS_ONLY = ""
MOST_PER_POINT = 999_999

#: Words for a currency besides its code, and its name and symbol in each language.
CURRENCY_WORDS = {"ft": "HUF", "forint": "HUF", "euro": "EUR", "euró": "EUR", "fr": "CHF", "fr.": "CHF", "din": "RSD"}
#: Three letters before a number, or after it.
CODE: Final = re.compile(r"(?P<before>[A-Z]{3})? ?(?P<number>[^A-Z]*\d[^A-Z]*?) ?(?P<after>[A-Z]{3})?", re.IGNORECASE)
#: Characters of some keyboards, with those that a number is read by: '1’000' of Switzerland, '−5' of a text.
AS_TYPED = str.maketrans({"−": "-", "’": "'", "‘": "'"})
#: The full stop of an abbreviated currency: '500 Ft.'.
END_OF_SHORT_FORM = re.compile(r"(?<=[^\W\d_])\.$")
#: The sign that no decimals follow: '500,-' is five hundred.
NOTHING_AFTER = re.compile(r"[.,][-–—]$")
GROUPED = r"\d{1,3}(?:(?P<group>[ .,'])\d{3})(?:(?P=group)\d{3})*"
NUMBER = re.compile(rf"(?P<sign>[-+]?)(?P<whole>\d*|{GROUPED})(?:(?P<point>[.,])(?P<rest>\d*))?", re.ASCII)
ONE_GROUP = re.compile(r"(?P<sign>[-+]?)(?P<whole>[1-9]\d{0,2})(?P<mark>[.,])(?P<rest>\d{3})", re.ASCII)


def split_typed(text: str) -> tuple[str, str | None]:
    """Split the text into the number and the code of the currency before or after it (None: there is none)."""
    text = " ".join(unicodedata.normalize("NFKC", text).translate(AS_TYPED).split())
    text = END_OF_SHORT_FORM.sub("", text)
    for word, code in _currency_words():
        for rest in (_without(text, word), _without(text[::-1], word[::-1])[::-1]):
            if rest != text:
                return NOTHING_AFTER.sub("", rest.strip()), code
    number, code = _with_code(text)
    return NOTHING_AFTER.sub("", number if code in CURRENCIES else text), code if code in CURRENCIES else None


def _with_code(text: str) -> tuple[str, str]:
    """Return the number of a text and the three letters before or after it, in capitals; '' if there are none."""
    found = CODE.fullmatch(text)
    if not found or bool(found["before"]) == bool(found["after"]):
        return text, ""
    return found["number"], (found["before"] or found["after"]).upper()


def no_such_currency(code: str) -> ValidationError:
    """Return the error of a code that no currency has."""
    return ValidationError(_("There is no currency with the code %(code)s.") % {"code": code}, code="no_such_currency")


def plain_number(number: str, language: str, decimals: int | None = None) -> str | None:
    """Return a typed number in Python's spelling: '1 000,50' as '1000.50'. None if it is no number.

    Not Babel's `parse_decimal`, which reads '1.000' as 1 in Hungarian, and '0,5' as 5 in English. Both marks are
    accepted in both languages. Only a single mark before three digits is ambiguous, '1.000' and '1,000': it is a
    decimal mark if it is the language's, else it separates thousands, as always in a currency without `decimals`.
    """
    if lone := ONE_GROUP.fullmatch(number):
        if decimals != 0 and lone["mark"] == get_decimal_symbol(locale_of(language)):
            return f"{lone['sign']}{lone['whole']}.{lone['rest']}"
        return f"{lone['sign']}{lone['whole']}{lone['rest']}"
    parts = NUMBER.fullmatch(number)
    if parts is None or not (parts["whole"] or parts["rest"]) or parts["point"] == (parts["group"] or ""):
        return None
    whole, rest = re.sub(r"\D", "", parts["whole"]) or "0", (parts["rest"] or "").rstrip("0")
    return f"{parts['sign']}{whole}" + (f".{rest}" if rest else "")


@cache
def _currency_words() -> tuple[tuple[str, str], ...]:
    """Return the words for each currency, in lower case, with its code; the longest first."""
    words = dict(CURRENCY_WORDS)
    for code in offered_currencies():
        words[code.casefold()] = code
        for locale in (locale_of(each) for each, _name in settings.LANGUAGES):
            words[get_currency_symbol(code, locale).casefold()] = code
            words[get_currency_name(code, locale=locale).casefold()] = code
    return tuple(sorted(words.items(), key=lambda item: -len(item[0])))


def _without(text: str, end: str) -> str:
    return text[: -len(end)] if text.casefold().endswith(end) and len(text.casefold()) == len(text) else text


class StakeField(forms.DecimalField):
    """Money per point, typed in any language's way. `StakeForm` checks a currency typed with it."""

    default_error_messages = {
        "invalid": gettext_lazy("Enter an amount, such as 10 or 0.5."),
        "max_value": gettext_lazy("That is too much for one point."),
    }

    def __init__(self) -> None:
        super().__init__(label=gettext_lazy("Money per point"), required=False, max_value=Decimal(MOST_PER_POINT))

    def to_python(self, value: Any) -> Any:
        number, currency = split_typed(str(value or ""))
        # Decimal() would accept 1_000; and a currency without a number is no amount.
        if "_" in number or (currency and not number):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        if currency is None and (code := _with_code(number)[1]):
            raise no_such_currency(code)
        return super().to_python(plain_number(number, language()) or number)


class CurrencyField(forms.Field):
    """A currency's code, or '' for points only."""

    def __init__(self) -> None:
        super().__init__(label=gettext_lazy("Currency"), required=False)

    def clean(self, value: Any) -> str:
        code = str(value or POINTS_ONLY)
        if code != POINTS_ONLY and code not in CURRENCIES:
            raise no_such_currency(code[:20])
        return code


class StakeForm(BoundedForm):
    """The value of a point and its currency; both empty to play for points only."""

    stake = StakeField()
    currency = CurrencyField()

    @property
    def currencies(self) -> tuple[str, ...]:
        """The currencies to choose from, with the one that is chosen."""
        chosen = self["currency"].value()
        return tuple(dict.fromkeys((*offered_currencies(), *([chosen] if chosen in CURRENCIES else ()))))

    def clean_stake(self) -> Decimal | None:
        stake: Decimal | None = self.cleaned_data["stake"]
        if stake is not None and stake <= 0:
            raise ValidationError(_("The stake must be more than zero. Leave it empty to play for points only."))
        if stake is not None and int(stake.normalize().as_tuple().exponent) < -3:
            raise ValidationError(_("That amount is too small."), code="max_decimal_places")
        return stake

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        stake, currency = cleaned.get("stake"), cleaned.get("currency")
        if stake is None or currency is None:
            return cleaned
        number, typed = split_typed(str(self["stake"].data))
        if typed and (currency == POINTS_ONLY or typed not in self.currencies):
            currency = cleaned["currency"] = typed
        if currency == POINTS_ONLY:
            self.add_error("currency", _("In which currency?"))
        elif typed not in (None, currency):
            said = {"typed": typed, "chosen": currency}
            self.add_error("currency", _("You typed %(typed)s, but %(chosen)s is selected here. Which is it?") % said)
        else:
            self._check_coins(number, currency)
        return cleaned

    def _check_coins(self, number: str, currency: str) -> None:
        plain = plain_number(number, language(), CURRENCIES[currency])
        stake = self.cleaned_data["stake"] = Decimal(plain) if plain else self.cleaned_data["stake"]
        try:
            stake_of(stake, currency)
        except ValueError:
            self.add_error("stake", no_such_coin(currency))


def no_such_coin(currency: str) -> str:
    """Return the error of a stake below the smallest coin, with two valid examples."""
    coin = Decimal(1).scaleb(-CURRENCIES[currency])
    examples = {"one": money_words(coin, currency), "other": money_words(5 * coin, currency)}
    if CURRENCIES[currency] == 0:
        return _("This currency has no small change. Enter a whole amount, such as %(one)s or %(other)s.") % examples
    return _("No coin is that small. Enter an amount such as %(one)s or %(other)s.") % examples
