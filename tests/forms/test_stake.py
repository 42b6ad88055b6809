"""A stake is read as people type it, whichever way their language or their neighbour's writes a number."""

from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.currencies import CURRENCIES, USUAL
from sessions_app.forms.stake import StakeForm, plain_number, split_typed
from sessions_app.words.wording import money_words
from tests.forms.errors import codes_of

LANGUAGES = st.sampled_from(["en", "hu"])
NO_BREAK, NARROW = "\xa0", "\N{NARROW NO-BREAK SPACE}"


def read(stake: str, currency: str, language: str) -> Decimal | None:
    with translation.override(language):
        form = StakeForm({"stake": stake, "currency": currency})
        assert form.is_valid(), form.errors
        amount: Decimal | None = form.cleaned_data["stake"]
        return amount


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize(
    ("typed", "currency", "worth"),
    [
        *((typed, "EUR", "0.5") for typed in ("0,5", "0.5", ".5", ",5", "0,50", "0.500", "0,5 €", "€0.50", "0.5eur")),
        *((typed, "HUF", "1000") for typed in ("1000", "1 000", f"1{NO_BREAK}000", f"1{NARROW}000", "1'000")),
        *((typed, "HUF", "1000") for typed in ("1.000", "1,000", "1 000 Ft", "1.000,- Ft", "1 000,00", "1000.0")),
        *((typed, "EUR", "1000.5") for typed in ("1 000,50", "1 000.5", "1.000,5", "1,000.50", "1000,5")),
        *((typed, "HUF", "5") for typed in ("5", "5.", "5,", "5,-", "+5", "\N{FULLWIDTH DIGIT FIVE}", "5Ft", "5 HUF")),
        *((typed, "USD", "0.25") for typed in ("$0.25", "0,25 $", "0,25 USD")),
    ],
)
def test_both_ways_of_writing_are_read_in_both_languages(language: str, typed: str, currency: str, worth: str) -> None:
    assert read(typed, currency, language) == Decimal(worth)


@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_currency_that_was_typed_answers_for_one_that_was_not_chosen(language: str) -> None:
    with translation.override(language):
        form = StakeForm({"stake": "10 Ft", "currency": ""})
        assert form.is_valid(), form.errors
        assert form.cleaned_data == {"stake": Decimal(10), "currency": "HUF"}
        assert codes_of(StakeForm({"stake": "0,5 €", "currency": "HUF"})) == {"currency": [None]}


def test_currency_that_is_not_offered_is_typed_by_its_code_and_then_offered() -> None:
    for typed in ("10 SEK", "SEK 10", "10sek", "10,- SEK", "10.00SEK"):
        for chosen in ("", "HUF", "SEK"):
            form = StakeForm({"stake": typed, "currency": chosen})
            assert form.is_valid(), form.errors
            assert form.cleaned_data == {"stake": Decimal(10), "currency": "SEK"}
    assert StakeForm(initial={"currency": "SEK"}).currencies == (*USUAL, "SEK")
    assert StakeForm({"currency": "XYZ"}).currencies == USUAL


@pytest.mark.parametrize(
    ("stake", "currency", "field", "code"),
    [
        ("10 XYZ", "HUF", "stake", "no_such_currency"),
        ("xxx 10", "", "stake", "no_such_currency"),
        ("10", "XYZ", "currency", "no_such_currency"),
        ("10", "X" * 300_000, "currency", "max_length"),
    ],
)
def test_currency_that_nobody_knows_is_refused_with_a_sentence(
    stake: str, currency: str, field: str, code: str
) -> None:
    assert codes_of(StakeForm({"stake": stake, "currency": currency})) == {field: [code]}


@given(
    st.integers(1, 99_999_900),
    st.sampled_from([("", ","), ("", "."), (" ", ","), (" ", "."), (".", ","), (",", "."), (NO_BREAK, ",")]),
    LANGUAGES,
)
def test_cents_are_read_with_either_mark(cents: int, marks: tuple[str, str], language: str) -> None:
    group, point = marks
    typed = f"{cents // 100:,}".replace(",", group) + f"{point}{cents % 100:02}"
    assert read(typed, "EUR", language) == Decimal(cents) / 100


@given(st.sampled_from(USUAL), st.integers(1, 99_999), LANGUAGES)
def test_an_amount_as_the_program_writes_it_is_read_as_that_amount(currency: str, coins: int, language: str) -> None:
    amount = Decimal(coins).scaleb(-CURRENCIES[currency])
    with translation.override(language):
        typed = money_words(amount, currency)
    assert read(typed, currency, language) == amount


@given(st.text(st.sampled_from("0123456789.,' -+Ft€e_\xa0"), max_size=14), LANGUAGES)
def test_whatever_is_typed_is_an_amount_or_a_sentence(typed: str, language: str) -> None:
    number, _currency = split_typed(typed)
    plain = plain_number(number, language)
    assert plain is None or Decimal(plain).is_finite()
    with translation.override(language):
        form = StakeForm({"stake": typed, "currency": "EUR"})
        assert form.is_valid() or form.errors.keys() <= {"stake", "currency"}
        assert form["stake"].value() == typed, "what was typed is kept"
