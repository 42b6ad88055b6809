"""The hand form of Asszorti: every possible deal can be entered, and every impossible one gets its error."""

from itertools import product
from typing import Any

import pytest
from django.utils import translation

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Kontra,
    Rules,
    Trump,
)
from sessions_app.faces.asszorti.hand_form import HandForm, rows
from sessions_app.faces.choices import Choice
from sessions_app.models import Evening
from tests.factories import hand_fields
from tests.forms.errors import assert_refused, codes_of, sentences_of

NAMES = ["Anna", "Béla", "Cili", "Dóra"]
NOT_OPENED_HERE = "This form is out of date. Go back to the session and open it again."
NOBODY = "Nobody sits there."
OFFERED = "Choose one of the options."
ELEVEN = "There are eleven tricks: a number from 0 to 11."
TOO_MANY = "That is too many: there are 11 tricks in all."
SPLIT = "With 6 tricks it matters how the opponents share the other 5: choose the split."
LONG = "7" * 10_000


def posted(seats: int = 3, **fields: Any) -> HandForm:
    return HandForm(hand_fields(Evening(), **fields), names=NAMES[:seats])


#: The posted fields, the one wrong field, the code, and the sentence in English.
WRONG: list[tuple[dict[str, Any], str, str | None, str]] = [
    *(({"tricks": tricks}, "tricks", "invalid_choice", ELEVEN) for tricks in (12, -1, "x", "7.0", " 7", "\x00", LONG)),
    *(({"tricks": missing}, "tricks", "required", "How many tricks did the declarer take?") for missing in ("", None)),
    *(({"dealer": missing}, "dealer", "required", "Who deals?") for missing in ("", None)),
    *(({"declarer": missing}, "declarer", "required", "Who plays?") for missing in ("", None)),
    *(({"contract": missing}, "contract", "required", "Which contract?") for missing in ("", None)),
    *(({"trump": missing}, "trump", "required", "Which trumps, or none?") for missing in ("", None)),
    *(({"token": missing}, "token", "required", NOT_OPENED_HERE) for missing in ("", None)),
    *(({"token": token}, "token", "invalid", NOT_OPENED_HERE) for token in ("x", "0" * 31, "\x00", LONG)),
    *(({"number": missing}, "number", "required", NOT_OPENED_HERE) for missing in ("", None)),
    *(({"number": number}, "number", "min_value", NOT_OPENED_HERE) for number in (0, -1)),
    *(({"number": number}, "number", "invalid", NOT_OPENED_HERE) for number in ("x", "1.5", "NaN", "1e400", LONG)),
    ({"number": 10**6 + 1}, "number", "max_value", NOT_OPENED_HERE),
    *(({"dealer": seat}, "dealer", "invalid_choice", NOBODY) for seat in (3, -1, "x", "0.0", "\x00", LONG)),
    *(({"declarer": seat}, "declarer", "invalid_choice", NOBODY) for seat in (3, -1, "x", "0.0", "\x00", LONG)),
    *(({"contract": other}, "contract", "invalid_choice", OFFERED) for other in ("4", "HAND", "h", "\x00", LONG)),
    *(({"trump": other}, "trump", "invalid_choice", OFFERED) for other in ("Hearts", "H", "\x00", LONG)),
    *(({"game_kontra": other}, "game_kontra", "invalid_choice", OFFERED) for other in (6, -1, "x", "K", LONG)),
    *(({"arrivazs": other}, "arrivazs", "invalid_choice", OFFERED) for other in ("WON", "maybe", LONG)),
    *(({"arrivazs_kontra": other}, "arrivazs_kontra", "invalid_choice", OFFERED) for other in (6, -1, "x", LONG)),
    *(
        (
            {"arrivazs_kontra": kontra},
            "arrivazs_kontra",
            "kontra_unannounced",
            "Only an arrivázs that was announced can be doubled.",
        )
        for kontra in (1, 5)
    ),
    (
        {"trump": "none", "arrivazs": "idegen"},
        "arrivazs",
        "idegen_no_trumps",
        "There is no idegen arrivázs at no trumps: choose 'won'.",
    ),
    *(
        (
            {"arrivazs": arrivazs, "tricks": tricks},
            "arrivazs",
            "arrivazs_few_tricks",
            f"An arrivázs is won with the last three tricks; the declarer has only {tricks}.",
        )
        for arrivazs, tricks in product(("won", "idegen"), (0, 1, 2))
    ),
    (
        {"arrivazs": "lost", "tricks": 11},
        "arrivazs",
        "arrivazs_all_tricks",
        "Taking all 11 tricks includes the last three: the arrivázs is won.",
    ),
    ({"tricks": 6}, "opponent_tricks", "required", SPLIT),
    ({"tricks": 6, "opponent_tricks": None}, "opponent_tricks", "required", SPLIT),
    *(
        ({"tricks": tricks, "opponent_tricks": first}, "opponent_tricks", "tricks_range", TOO_MANY)
        for tricks, first in ((6, 6), (7, 5), (1, 11), (11, 1), (11, 11))
    ),
    *(
        ({"opponent_tricks": other}, "opponent_tricks", "invalid_choice", ELEVEN)
        for other in (12, -1, "x", "\x00", LONG)
    ),
]


@pytest.mark.parametrize(("fields", "field", "code", "sentence"), WRONG)
def test_wrong_field_gets_its_error_in_both_languages(
    fields: dict[str, Any], field: str, code: str | None, sentence: str
) -> None:
    assert_refused(lambda: posted(**fields), field, code, sentence)
    assert posted(**fields).deal is None


@pytest.mark.parametrize("fields", [fields for fields, *_said in WRONG])
def test_refused_form_keeps_its_posted_values(fields: dict[str, Any]) -> None:
    form = posted(**fields)
    assert not form.is_valid()
    assert {name: form[name].value() for name in form.data} == form.data
    assert {name: form.data.get(name) for name in fields} == {
        name: None if value is None else str(value) for name, value in fields.items()
    }


def test_form_reports_all_wrong_fields() -> None:
    form = posted(declarer="", tricks=11, trump="none", arrivazs="lost", game_kontra=9)
    assert codes_of(form) == {"declarer": ["required"], "game_kontra": ["invalid_choice"]}
    form = posted(tricks=6, arrivazs="none", arrivazs_kontra=1)
    assert codes_of(form) == {"opponent_tricks": ["required"], "arrivazs_kontra": ["kontra_unannounced"]}


@pytest.mark.parametrize("first", ["x", "12"])
def test_split_that_is_no_number_gets_one_error(first: str) -> None:
    assert codes_of(posted(tricks=6, opponent_tricks=first)) == {"opponent_tricks": ["invalid_choice"]}


@pytest.mark.parametrize("seat", range(4))
def test_at_a_table_of_four_the_dealer_does_not_play(seat: int) -> None:
    with translation.override("en"):
        form = posted(4, dealer=seat, declarer=seat)
        assert sentences_of(form) == {"declarer": ["With four players the dealer sits out and cannot be declarer."]}
    with translation.override("hu"):
        assert list(codes_of(posted(4, dealer=seat, declarer=seat))) == ["declarer"]


def test_thrown_in_form_needs_a_dealer_and_a_known_redeal() -> None:
    assert codes_of(posted(redeal="stays", dealer="")) == {"dealer": ["required"]}
    assert codes_of(posted(redeal="stays", dealer=3)) == {"dealer": ["invalid_choice"]}
    assert codes_of(posted(redeal="x")) == {"redeal": ["invalid_choice"]}
    assert not posted(redeal="").is_thrown_in


def offers(name: str, seats: int = 3) -> dict[str, Choice]:
    field = HandForm(names=NAMES[:seats]).fields[name]
    return {value: offer for value, offer in field.choices if value}


@pytest.mark.parametrize("name", ["contract", "game_kontra", "arrivazs_kontra"])
def test_other_choices_exclude_nothing(name: str) -> None:
    assert {offer.excluded for offer in offers(name).values()} == {()}


def test_an_opponent_is_offered_as_many_tricks_as_the_declarer_leaves() -> None:
    for number, offer in offers("opponent_tricks").items():
        assert offer.excluded == tuple(f"tricks={tricks}" for tricks in range(12) if tricks > 11 - int(number))


def test_all_choices_of_the_rules_are_offered() -> None:
    assert list(offers("contract")) == [contract.value for contract in Contract]
    assert list(offers("trump")) == [trump.value for trump in Trump]
    assert list(offers("game_kontra")) == list(offers("arrivazs_kontra")) == [str(kontra.value) for kontra in Kontra]
    assert list(offers("arrivazs")) == [arrivazs.value for arrivazs in Arrivazs]
    assert list(offers("tricks")) == list(offers("opponent_tricks")) == [str(n) for n in range(12)]


def test_at_a_table_of_four_dealing_and_playing_exclude_each_other() -> None:
    assert [offer.excluded for offer in offers("declarer").values()] == [()] * 3
    assert [offer.excluded for offer in offers("declarer", 4).values()] == [(f"dealer={seat}",) for seat in range(4)]


def test_the_worth_of_each_contract_is_told_with_and_without_trumps() -> None:
    assert [(offer.note, offer.other_note) for offer in offers("contract").values()] == [
        ("2", "4"),
        ("4", "8"),
        ("6", "12"),
        ("8", "16"),
    ]


def test_the_rows_are_made_once_for_all_houses_that_offer_the_same() -> None:
    """An end after so many hands or points is nothing that a row knows of, and there are millions of those."""
    made = rows(Rules(ladder=2))
    assert rows(Rules(ladder=2, hands=17, points=900, six_five_nil=False)) is made
    assert rows(Rules(ladder=3)) is not made
    assert rows(Rules(ladder=2, no_trump_arrivazs=False)) is not made
