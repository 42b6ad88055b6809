"""The fields of the form that starts an evening: players, stake and currency, refused or read."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from django.utils import translation

from scorekeeper.currencies import CURRENCIES, USUAL
from sessions_app.forms.evening_new import NewEveningForm
from tests.forms.errors import assert_refused, codes_of

TOO_LONG = "A name has at most 40 characters."
UNPRINTABLE = "This name contains characters that cannot be shown."
TWICE = "Two players cannot have the same name: add a letter to one."
NOBODY = "Nobody sits there."
NOTHING = "The stake must be more than zero. Leave it empty to play for points only."
TOO_MUCH = "That is too much for one point."
NO_CHANGE = "This currency has no small change. Enter a whole amount, such as %s or %s."
NO_COIN = "No coin is that small. Enter an amount such as %s or %s."
WHICH = "You typed {}, but {} is selected here. Which is it?"
NO_NUMBERS = (
    *("abc", "NaN", "-NaN", "sNaN", "Infinity", "-Infinity", "1.2.3", "1 00", "10 Fx", "Ft", "1_000", "0,5,5", "1e"),
    *("1.00,5", "1,000,5", "1 000 50", "10 Ft Ft", ",", "\x00", "x" * 100),
)
FAMILY = "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL}"


def posted(**fields: Any) -> NewEveningForm:
    """The form as it is posted for three players, with other fields put in; None leaves one out."""
    plain = {
        "token": UUID(int=1),
        "player_1": "Anna",
        "player_2": "Béla",
        "player_3": "Cili",
        "player_4": "",
        "first_dealer": "1",
        "stake": "10",
        "currency": "HUF",
    }
    return NewEveningForm({name: str(value) for name, value in (plain | fields).items() if value is not None})


#: The posted fields, the one wrong field, the code, and the sentence in English.
WRONG: list[tuple[dict[str, Any], str, str | None, str]] = [
    *(
        ({f"player_{seat}": name}, f"player_{seat}", "required", "Enter a name.")
        for seat in (1, 2, 3)
        for name in ("", None, "   ", "\t\n", "\u3000\u00a0", "\u2028")
    ),
    *(({"player_1": "A" * length}, "player_1", "max_length", TOO_LONG) for length in (41, 1_999)),
    *(({"player_4": "é" * length}, "player_4", "max_length", TOO_LONG) for length in (41, 1_999)),
    ({"player_1": FAMILY * 9}, "player_1", "max_length", TOO_LONG),
    *(
        ({"player_2": f"An{char}na"}, "player_2", "unprintable", UNPRINTABLE)
        for char in ("\x00", "\x07", "\x1b", "\x7f", "\x9b", "\ud800", "\ue000", "\uffff", "\u202e", "\u202a", "\u2066")
    ),
    *(({"player_2": char}, "player_2", "unprintable", UNPRINTABLE) for char in ("\x00", "\u202e")),
    *(
        ({"player_3": name}, "player_3", "invisible", "This name has no visible characters.")
        for name in ("\u200b", "\u200d\u200d", "\ufeff", "\u00ad", "\u0301", "\u200f \u200e", "\ufe0f")
    ),
    *(
        ({"player_1": one, "player_3": other}, "player_3", None, TWICE)
        for one, others in {
            "Anna": ("Anna", "ANNA", " anna ", "An\u200bna", "\u2060Anna\u00ad", "An\u200dna"),
            "Weiß": ("WEISS",),
            "Zoé": ("zoe\u0301",),
            "Anna Kiss": ("Anna \t Kiss",),
        }.items()
        for other in others
    ),
    ({"player_4": "béla"}, "player_4", None, TWICE),
    *(({"first_dealer": missing}, "first_dealer", "required", "Who deals first?") for missing in ("", None)),
    *(({"first_dealer": seat}, "first_dealer", "invalid_choice", NOBODY) for seat in (0, 5, -1, "x", "\x00")),
    ({"first_dealer": 4}, "first_dealer", None, NOBODY),
    *(({"stake": stake}, "stake", None, NOTHING) for stake in ("0", "0.0", "-0", "-1", "-0.5", "0e9")),
    *(({"stake": stake}, "stake", "invalid", "Enter an amount, such as 10 or 0.5.") for stake in NO_NUMBERS),
    *(
        ({"stake": stake}, "stake", "max_value", TOO_MUCH)
        for stake in ("1e400", "1e999999", "9" * 10, "1234567.891", "9" * 100)
    ),
    *(({"stake": stake}, "stake", "max_value", TOO_MUCH) for stake in ("1000000", "999999999")),
    *(
        ({"stake": stake}, "stake", "max_decimal_places", "That amount is too small.")
        for stake in ("0.0001", "1.2345", "0.0000000001", "1e-400", "1.0000000001")
    ),
    *(
        ({"stake": stake, "currency": currency}, "stake", None, NO_CHANGE % (f"{currency}\xa01", f"{currency}\xa05"))
        for stake, currency in (("0.5", "HUF"), ("10,5", "HUF"), ("0.001", "HUF"), ("0,5", "RSD"), ("0,5 Ft", "HUF"))
    ),
    *(
        ({"stake": stake, "currency": currency}, "stake", None, NO_COIN % (f"{sign}0.01", f"{sign}0.05"))
        for stake, currency, sign in (("0.001", "EUR", "€"), ("0.125", "USD", "$"), ("0,005 €", "EUR", "€"))
    ),
    *(
        ({"stake": stake, "currency": "HUF"}, "currency", None, WHICH.format(typed, "HUF"))
        for stake, typed in (("0,5 €", "EUR"), ("$1", "USD"), ("10 CHF", "CHF"))
    ),
    *(
        ({"currency": currency}, "currency", "no_such_currency", f"There is no currency with the code {currency}.")
        for currency in ("XYZ", "huf", "XXX", "€", "HUF ", "\x00")
    ),
    *(({"currency": missing}, "currency", None, "In which currency?") for missing in ("", None)),
]


@pytest.mark.parametrize(("fields", "field", "code", "sentence"), WRONG)
def test_wrong_field_is_refused_beside_it_in_both_languages_and_keeps_what_was_typed(
    fields: dict[str, Any], field: str, code: str | None, sentence: str
) -> None:
    assert_refused(lambda: posted(**fields), field, code, sentence)
    form = posted(**fields)
    assert {name: form[name].value() for name in form.data} == form.data


def test_several_wrong_things_are_all_said() -> None:
    form = posted(player_1="", player_2="Cili", stake="-1", currency="XYZ", first_dealer="9")
    assert set(codes_of(form)) == {"player_1", "player_3", "stake", "currency", "first_dealer"}
    # Names that are missing are not the same name.
    assert codes_of(posted(player_1="", player_2="")) == {"player_1": ["required"], "player_2": ["required"]}


@pytest.mark.parametrize("language", ["en", "hu"])
def test_every_currency_offered_takes_its_smallest_coin_and_no_smaller(language: str) -> None:
    for currency in (*USUAL, "SEK", "JPY"):
        coin = Decimal(1).scaleb(-CURRENCIES[currency])
        with translation.override(language):
            assert posted(stake=coin, currency=currency).is_valid()
            assert codes_of(posted(stake=coin / 10, currency=currency)) == {"stake": [None]}


def test_a_fourth_player_and_a_token_are_no_must() -> None:
    for nobody in ("", None, "   "):
        form = posted(player_4=nobody)
        assert form.is_valid()
        assert form.opening.names == ["Anna", "Béla", "Cili"]
    for token in ("x", "0", "\0", ""):
        form = NewEveningForm(posted(token=token).data)
        assert form.is_valid()
        assert form.cleaned_data["token"] is None
