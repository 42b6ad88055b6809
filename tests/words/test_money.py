"""Amounts of money are written as Babel writes them, and read as people type them, or asked about."""

from decimal import Decimal

import pytest
from babel import Locale
from babel.numbers import get_currency_symbol, parse_pattern
from django.core.exceptions import ValidationError
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.currencies import CURRENCIES
from sessions_app.words.amounts import AmbiguousAmount, is_unusual, units_typed
from sessions_app.words.wording import money_words


def by_babel(amount: Decimal, currency: str, language: str) -> str:
    locale = Locale.parse(language)
    shape = locale.currency_formats["standard"].pattern
    if get_currency_symbol(currency, locale)[-1].isalpha():
        shape = shape.replace("¤#", "¤\xa0#")
    pattern = parse_pattern(shape)
    pattern.frac_prec = (max(-int(amount.as_tuple().exponent), 0),) * 2
    text: str = pattern.apply(amount, locale, currency=currency, currency_digits=False)
    return text.replace("-", "−")


def written(amount: Decimal, currency: str, language: str) -> str:
    with translation.override(language):
        return money_words(amount, currency)


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


# --- As typed ---

NO_BREAK, NARROW = "\xa0", "\N{NARROW NO-BREAK SPACE}"
POINTS = "points:asszorti"


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize(
    ("typed", "currency", "units"),
    [
        *((typed, "HUF", 1500) for typed in ("1500", "1.500", "1,500", "1 500", "1’500", "1'500", "1.500 Ft.")),
        *((typed, "HUF", 1500) for typed in (f"1{NO_BREAK}500", f"1{NARROW}500", "1.500,-", "1 500,- Ft", "1500.00")),
        *((typed, "HUF", 12) for typed in ("12 Ft.", "12Ft", "12 forint", "12 HUF", "Ft 12")),
        *((typed, "HUF", 10_000) for typed in ("10,000", "10.000", "10 000")),
        ("1.000.000", "HUF", 1_000_000),
        *((typed, POINTS, 5) for typed in ("5", "5 pont", "5 points", "5 Pont.", "5 pts", "5pont")),
        *((typed, POINTS, 1500) for typed in ("1.500", "1,500", "1 500 pont")),
        *((typed, "EUR", 150_000) for typed in ("1500", "1 500", "1.500,00", "1,500.00", "1.500,- €", "1500,-")),
        *((typed, "EUR", 150) for typed in ("1.5", "1,5", "1.50", "1,50 €", "€1.50", "01,50")),
        ("1.000.000", "EUR", 100_000_000),
        ("0.500", "EUR", 50),
    ],
)
def test_amount_that_can_be_read_in_one_way_is_read(language: str, typed: str, currency: str, units: int) -> None:
    with translation.override(language):
        assert units_typed(typed, currency) == units


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize(
    ("typed", "currency", "readings"),
    [
        *((typed, "EUR", (150_000, 150)) for typed in ("1.500", "1,500", "1,500 €", "€1.500", "+1.500")),
        *((typed, "EUR", (1_000_000, 1000)) for typed in ("10,000", "10.000", "10.000 EUR")),
        *((typed, "USD", (123_400,)) for typed in ("1.234", "1,234")),
        ("1,500.000", "HUF", (1_500_000, 1500)),
    ],
)
def test_amount_that_two_readers_could_read_differently_is_asked_about(
    language: str, typed: str, currency: str, readings: tuple[int, ...]
) -> None:
    with translation.override(language), pytest.raises(AmbiguousAmount) as asked:
        units_typed(typed, currency)
    assert asked.value.readings == readings


def test_text_that_is_no_amount_of_the_chosen_currency_is_refused() -> None:
    for typed in ("", "1e3", "1_000", "x" * 40, "1.5.0", "5 pont Ft", "-1.500", "0", "1 5", "1000,5"):
        with pytest.raises(ValidationError) as refused:
            units_typed(typed, "HUF")
        assert refused.value.code != "ambiguous", typed
    for typed, currency in (("5 pont", "HUF"), ("5 Ft", POINTS), ("5 €", "HUF")):
        with translation.override("en"), pytest.raises(ValidationError, match="You typed"):
            units_typed(typed, currency)


def test_amounts_from_a_bound_on_are_unusual() -> None:
    for currency, units in (("HUF", 10**9), ("EUR", 10**8), (POINTS, 10**6)):
        assert [is_unusual(units + more, currency) for more in (-1, 0, 1)] == [False, True, True]
