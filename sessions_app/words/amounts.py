"""Amounts that are owed or were paid, in a currency or in points of a game: written, and read as people type them."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from babel.numbers import get_decimal_symbol
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games.amounts import Amount
from sessions_app.faces import FACES
from sessions_app.forms.stake import no_such_coin, plain_number, split_typed
from sessions_app.models import MOST_UNITS, POINTS
from sessions_app.readers.money.repayments import game_of
from sessions_app.words.wording import isolated, language, locale_of, money_digits, money_words, signed, unsigned

#: Points as they are typed after a number, and the sign that nothing follows the whole: '1.500,-'.
POINTS_TYPED: Final = re.compile(r"\s*(?:points?|pts?|pont(?:ot)?)\.?\s*$", re.IGNORECASE)
WHOLE: Final = re.compile(r"[.,][-–—]")
AMBIGUOUS: Final = re.compile(
    r"\+?(?P<whole>[1-9]\d{0,2}(?:(?P<group>[ .,'])\d{3}(?:(?P=group)\d{3})*)?)(?P<mark>[.,])(?P<rest>\d{3})", re.ASCII
)
#: Amounts that no table plays for, of money; of points a million.
UNUSUAL: Final = {
    **dict.fromkeys(("EUR", "USD", "GBP", "CHF"), 10**6),
    **dict.fromkeys(("RON", "PLN"), 10**7),
    **dict.fromkeys(("CZK", "UAH", "RSD"), 10**8),
    "HUF": 10**9,
}
UNUSUAL_OF_OTHERS: Final = 10**8


def currency_words(currency: str) -> str:
    """Return a currency as a heading says it: 'HUF', 'the game, in points'."""
    game = game_of(currency)
    return _("%(game)s, in points") % {"game": FACES[game].name} if game in FACES else currency


def amount_words(amount: Amount, currency: str) -> str:
    """Return an amount of zero or more in the user's language, exact: '1,200 Ft', '33⅓ Ft', '12⅓ points'."""
    if currency.startswith(POINTS):
        # A fraction takes the form of two: of a point, or a few of them.
        number = amount if isinstance(amount, int) else 2
        return ngettext("%(points)s point", "%(points)s points", number) % {"points": unsigned(amount)}
    return _exact(amount, currency, money_words)


def signed_words(amount: Amount, currency: str) -> str:
    """Return an amount with its sign: '+1,200 Ft', '−12 points'."""
    if not amount:
        return amount_words(0, currency)
    return f"+{amount_words(amount, currency)}" if amount > 0 else f"−{amount_words(-amount, currency)}"


def signed_figure(amount: Amount, currency: str) -> str:
    """Return an exact amount with its sign, without its unit, as a column has it: '+1,200', '−12.50⅓', '0'."""
    if currency.startswith(POINTS):
        return signed(amount)
    digits = _exact(amount if amount > 0 else -amount, currency, money_digits)
    return f"{'+' if amount > 0 else '−' if amount else ''}{digits}"


def payment_words(payer: str, payee: str, units: int, currency: str) -> str:
    """Return a payment in one line: 'Béla → Anna 1,200 Ft'."""
    return f"{isolated(payer)} → {isolated(payee)} {amount_words(units, currency)}"


def typed(units: int, currency: str) -> str:
    """Return an amount as a form's field has it, which `units_typed` reads again in every language: '1200', '12.50'."""
    return str(_decimal(units, currency))


class AmbiguousAmount(ValidationError):
    """An amount that two readers could read differently; `readings` are what it may be, in the smallest unit."""

    def __init__(self, readings: Sequence[int], currency: str) -> None:
        words = [amount_words(units, currency) for units in readings]
        question = _("Is it %(one)s or %(other)s?") if len(words) > 1 else _("Is it %(one)s?")
        super().__init__(question % {"one": words[0], "other": words[-1]}, code="ambiguous")
        self.readings = tuple(readings)


def units_typed(text: str, currency: str) -> int:
    """Return the number of the currency's smallest units that a member has typed.

    Raise AmbiguousAmount for '1.500' or '1,500' in a currency with cents, else ValidationError.
    """
    without_points = POINTS_TYPED.sub("", text)
    number, said = split_typed(without_points)
    decimals = CURRENCIES.get(currency, 0)
    is_whole = bool(WHOLE.search(text))
    # A mark before three digits is one of thousands if no decimals can follow; else it is asked about below.
    digits = 0 if is_whole else decimals
    plain = None if "_" in number or not number else plain_number(number, language(), digits)
    if plain is None:
        raise ValidationError(
            _("Enter an amount, such as %(example)s.") % {"example": example(currency)}, code="invalid"
        )
    if said not in (None, currency) or (without_points != text and not currency.startswith(POINTS)):
        words = {"typed": said or _("points"), "chosen": currency_words(currency)}
        raise ValidationError(_("You typed %(typed)s, but %(chosen)s is selected here. Which is it?") % words)
    if readings := _readings(number, decimals, is_whole=is_whole):
        raise AmbiguousAmount(readings, currency)
    units = Fraction(plain) * 10**decimals
    if units <= 0:
        raise ValidationError(_("The amount must be more than zero."), code="min_value")
    if units.denominator != 1:
        whole = _("Points are paid whole.") if currency not in CURRENCIES else no_such_coin(currency)
        raise ValidationError(whole, code="max_decimal_places")
    if units > MOST_UNITS:
        raise ValidationError(too_much(currency), code="max_value")
    return int(units)


def _readings(number: str, decimals: int, *, is_whole: bool) -> list[int]:
    """Return what a number may be, the largest first, in the smallest unit; [] where it can only be one thing.

    It is ambiguous if a mark before its last three digits is the only one of its kind: of thousands or of decimals.
    """
    found = AMBIGUOUS.fullmatch(number)
    is_of_thousands = found and (found["group"] == found["mark"] or (not found["group"] and (is_whole or not decimals)))
    if not found or is_of_thousands:
        return []
    whole = re.sub(r"\D", "", found["whole"])
    in_units = (Fraction(text) * 10**decimals for text in (f"{whole}{found['rest']}", f"{whole}.{found['rest']}"))
    return [int(units) for units in in_units if units.denominator == 1 and units <= MOST_UNITS]


def example(currency: str) -> str:
    """Return an amount as it is typed in the currency: '500' of forints, '12.50' of euros, '12' points."""
    if currency.startswith(POINTS):
        return "12"
    return f"12{get_decimal_symbol(locale_of(language()))}50" if CURRENCIES.get(currency, 0) else "500"


def is_unusual(units: int, currency: str) -> bool:
    """Return whether no table plays for that much: a slip of the finger, rather."""
    most = UNUSUAL.get(currency, UNUSUAL_OF_OTHERS if currency in CURRENCIES else 10**6)
    return bool(units >= most * 10 ** CURRENCIES.get(currency, 0))


def too_much(currency: str) -> str:
    """Return the error of an amount that is too large."""
    return _("That is too much: at most %(most)s.") % {"most": amount_words(MOST_UNITS, currency)}


def _exact(amount: Amount, currency: str, write: Callable[[Decimal, str], str]) -> str:
    """Return an amount of money as `write` writes it, with its part of the smallest unit."""
    whole, rest = divmod(Fraction(amount), 1)
    words = write(_decimal(whole, currency), currency)
    if not rest:
        return words
    # A third of the smallest unit stands after its digits: '€12.50⅓'; or alone: '⅓ Ft'.
    alone = not whole and not CURRENCIES.get(currency, 0)
    return re.sub(r"\d(?=\D*$)", unsigned(rest) if alone else rf"\g<0>{unsigned(rest)}", words)


def _decimal(units: int, currency: str) -> Decimal:
    return Decimal(f"{units}E-{CURRENCIES.get(currency, 0)}")
