"""Amounts of money are written as Babel writes them."""

from decimal import Decimal

from babel import Locale
from babel.numbers import get_currency_symbol, parse_pattern
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.words.money import CURRENCIES, written


def by_babel(amount: Decimal, currency: str, language: str) -> str:
    locale = Locale.parse(language)
    shape = locale.currency_formats["standard"].pattern
    if get_currency_symbol(currency, locale)[-1].isalpha():
        shape = shape.replace("¤#", "¤\xa0#")
    pattern = parse_pattern(shape)
    pattern.frac_prec = (max(-int(amount.as_tuple().exponent), 0),) * 2
    text: str = pattern.apply(amount, locale, currency=currency, currency_digits=False)
    return text.replace("-", "−")


@given(
    amount=st.decimals(-(10**9), 10**9, allow_nan=False, places=0) | st.decimals(-(10**9), 10**9, places=2),
    currency=st.sampled_from(sorted(CURRENCIES)),
    language=st.sampled_from(["hu", "en"]),
)
def test_an_amount_is_written_as_babel_writes_it(amount: Decimal, currency: str, language: str) -> None:
    assert written(amount, currency, language) == by_babel(amount, currency, language)


def test_thousands_and_cents_in_both_languages() -> None:
    assert written(Decimal("-1234.50"), "EUR", "hu") == "−1\xa0234,50\xa0EUR"
    assert written(Decimal("-1234.50"), "EUR", "en") == "−€1,234.50"
    assert written(Decimal(1200), "HUF", "en") == "HUF\xa01,200"
