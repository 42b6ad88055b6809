"""A bad new evening: 422, a sentence beside the field in the reader's language, the input kept, nothing written."""

import pytest

from tests.selection import first, first_rows
from tests.views.bad_input.refused_forms import BOTH, Bad, beside


@BOTH
@pytest.mark.parametrize("seat", first(1, ["player_1", "player_2", "player_3"]))
@pytest.mark.parametrize("name", [None, "", " ", "   \t  ", "\u00a0\u2003", "\u3000"])
def test_a_name_left_out_or_of_spaces_only(bad: Bad, htmx: bool, seat: str, name: str | None):
    beside(*bad.session(htmx, **{seat: name}), seat, "Enter a name.")


@BOTH
@pytest.mark.parametrize("seat", ["player_1", "player_4"])
@pytest.mark.parametrize("name", ["x" * 41, "é" * 150, "😀" * 41])
def test_a_name_that_is_too_long(bad: Bad, htmx: bool, seat: str, name: str):
    beside(*bad.session(htmx, **{seat: name}), seat, "A name has at most 40 characters.")


@BOTH
@pytest.mark.parametrize("name", ["\u200b", "\u200d\u200d", "\u2060", "\ufe0f", "\u200e"])
def test_a_name_with_nothing_to_be_read_in_it(bad: Bad, htmx: bool, name: str):
    beside(*bad.session(htmx, player_2=name), "player_2", "This name has no visible characters.")


@BOTH
@pytest.mark.parametrize(
    "name", ["Anna\u202eanna", "\u2066Béla", "A\u2069", "a\x07b", "a\x1bb", "a\ue000b", "a\uffffb"]
)
def test_a_name_that_would_disturb_the_line_it_stands_in(bad: Bad, htmx: bool, name: str):
    beside(*bad.session(htmx, player_2=name), "player_2", "contains characters that cannot be shown")


@BOTH
def test_a_name_with_a_nul_in_it(bad: Bad, htmx: bool):
    english, hungarian = bad.session(htmx, player_2="An\x00na")
    assert english.error("player_2")
    assert english.error("player_2") != hungarian.error("player_2")


@BOTH
@pytest.mark.parametrize("name", ["Anna", " anna ", "ANNA", "Ａnna".replace("Ａ", "A")])
def test_the_same_name_twice(bad: Bad, htmx: bool, name: str):
    beside(*bad.session(htmx, player_3=name), "player_3", "Two players cannot have the same name")


@BOTH
def test_the_same_name_written_in_two_ways_of_unicode(bad: Bad, htmx: bool):
    pages = bad.session(htmx, player_1="Béla", player_2="Be\u0301la")
    beside(*pages, "player_2", "Two players cannot have the same name")


@BOTH
@pytest.mark.parametrize(
    ("stake", "sentence"),
    first_rows(
        6,
        [
            ("0", "The stake must be more than zero"),
            ("0.000", "The stake must be more than zero"),
            ("-1", "The stake must be more than zero"),
            ("-0", "The stake must be more than zero"),
            ("NaN", "Enter an amount, such as 10 or 0.5."),
            ("sNaN", "Enter an amount, such as 10 or 0.5."),
            ("Infinity", "Enter an amount, such as 10 or 0.5."),
            ("-inf", "Enter an amount, such as 10 or 0.5."),
            ("x", "Enter an amount, such as 10 or 0.5."),
            ("1 2", "Enter an amount, such as 10 or 0.5."),
            ("1e400", "That is too much for one point."),
            ("1e400000000000", "That is too much for one point."),
            ("1000000000", "That is too much for one point."),
            ("9" * 100, "That is too much for one point."),
            ("9" * 101, "This is too long: 100 characters at most."),
            ("0.0001", "That amount is too small."),
        ],
    ),
)
def test_a_stake_that_is_none(bad: Bad, htmx: bool, stake: str, sentence: str):
    beside(*bad.session(htmx, stake=stake, currency="EUR"), "stake", sentence)


@BOTH
@pytest.mark.parametrize("stake", ["1e-400", "1e-4", "0." + "0" * 90 + "1"])
def test_a_stake_of_next_to_nothing_is_refused_in_words(bad: Bad, htmx: bool, stake: str):
    english, hungarian = bad.session(htmx, stake=stake, currency="EUR")
    assert english.error("stake")
    assert english.error("stake") != hungarian.error("stake")


@BOTH
@pytest.mark.parametrize(("stake", "currency"), [("0.5", "HUF"), ("0.001", "EUR"), ("0.001", "USD")])
def test_a_stake_smaller_than_the_currency_s_coin(bad: Bad, htmx: bool, stake: str, currency: str):
    sentence = "This currency has no small change" if currency == "HUF" else "No coin is that small"
    beside(*bad.session(htmx, stake=stake, currency=currency), "stake", sentence)


@BOTH
@pytest.mark.parametrize("currency", ["XXX", "huf", "HUFF", "€", "x" * 5000, "\x00", "<b>"])
def test_a_currency_that_is_not_among_those_offered(bad: Bad, htmx: bool, currency: str):
    beside(*bad.session(htmx, currency=currency), "currency", "Choose one of the currencies offered.")


@BOTH
@pytest.mark.parametrize("currency", ["", None])
def test_a_stake_in_no_currency(bad: Bad, htmx: bool, currency: str | None):
    beside(*bad.session(htmx, currency=currency), "currency", "In which currency?")


@BOTH
@pytest.mark.parametrize(("dealer", "sentence"), [(None, "Who deals first?"), ("", "Who deals first?")])
def test_no_first_dealer(bad: Bad, htmx: bool, dealer: str | None, sentence: str):
    english, hungarian = bad.session(htmx, first_dealer=dealer)
    assert sentence in english.errors
    assert hungarian.errors
    assert sentence not in hungarian.errors


@BOTH
@pytest.mark.parametrize("dealer", ["4", "0", "5", "-1", "x"])
def test_a_first_dealer_where_nobody_sits(bad: Bad, htmx: bool, dealer: str):
    english, hungarian = bad.session(htmx, first_dealer=dealer)
    sentence = "Nobody sits there."
    assert sentence in english.errors
    assert hungarian.errors
    assert sentence not in hungarian.errors


def test_a_first_dealer_who_is_wrong_is_read_with_the_field_too(bad: Bad):
    """As with every other field: a screen reader reads the sentence with the choices it is about."""
    english, _hungarian = bad.session(False, first_dealer="4")
    assert english.error("first_dealer") == "Nobody sits there."
