"""The hand form of Tarokk: every possible deal can be entered, and every impossible one gets its error."""

from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.tarokk import BOOK, GAME, Rules, deal_to_text
from sessions_app.faces.tarokk.hand_form import HandForm
from sessions_app.faces.tarokk.tags import folded_away
from sessions_app.models import Hand, lineup_to_text
from tests.forms.errors import codes_of
from tests.games.tarokk.hands import some_hand, some_rules

NAMES = ["Anna", "Béla", "Cili", "Dani", "Edit"]
TOKEN = UUID(int=4)


def form_of(rules: Rules = BOOK, seats: int = 4, **fields: Any) -> HandForm:
    """The form of a hand that Anna deals and Béla plays."""
    posted = {"token": TOKEN, "number": 1, "dealer": 0, "declarer": 1, **HandForm.PRESETS, **fields}
    return HandForm({name: str(value) for name, value in posted.items()}, names=NAMES[:seats], rules=rules)


def line_of(form: HandForm) -> str:
    assert form.is_valid(), form.errors
    return deal_to_text(form.deal)


@given(st.randoms(use_true_random=False))
def test_every_hand_fills_the_form_from_which_it_comes(chance: Random) -> None:
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    seats = chance.choice((4, 5))
    dealer = chance.randrange(seats)
    declarer = chance.choice([seat for seat in range(seats) if seats == 4 or seat != dealer])
    lineup = lineup_to_text(range(seats))
    hand = Hand(number=1, token=TOKEN, dealer=dealer, declarer=declarer, deal=deal_to_text(deal), lineup=lineup)
    form = HandForm(HandForm.values_of(hand, deal), names=NAMES[:seats], rules=rules)
    assert line_of(form) == deal_to_text(deal)
    line = HandForm({"token": TOKEN, "number": 1, "dealer": dealer, "declarer": declarer, "line": deal_to_text(deal)},
                    names=NAMES[:seats], rules=rules)  # fmt: skip
    assert line_of(line) == deal_to_text(deal)
    tapped = form.again({**line.spelled_out})
    assert line_of(tapped) == deal_to_text(deal)


PLAIN = {"contract": "2", "partner": "3", "result": "+"}
TAPPED: list[tuple[dict[str, Any], str]] = [
    # Béla plays; counter-clockwise Anna comes after him, then Dani, then Cili.
    (PLAIN, "2+2 +"),
    (PLAIN | {"partner": "0"}, "2+1 +"),
    (PLAIN | {"partner": "2"}, "2+3 +"),
    (PLAIN | {"partner": "alone"}, "2= +"),
    (PLAIN | {"result": "-v"}, "2+2 -- -v"),
    (PLAIN | {"result": "v"}, "2+2 ++ v"),
    (PLAIN | {"result": "v", "points": "86"}, "2+2 86 v"),
    (PLAIN | {"result": "", "points": "61"}, "2+2 61"),
    (PLAIN | {"points": "61"}, "2+2 61"),
    (PLAIN | {"result": "", "points": "33", "counted_by": "o"}, "2+2 61"),
    (PLAIN | {"game_kontra": "2"}, "2+2 + R"),
    (PLAIN | {"d_trull": "on", "trull": "d"}, "2+2 + T t"),
    (PLAIN | {"d_trull": "on", "d_trull_kontra": "3", "trull": "none"}, "2+2 + TS"),
    (PLAIN | {"d_kings": "on", "kings": "o"}, "2+2 + N -n"),
    (PLAIN | {"o_ultimo": "on", "o_ultimo_kontra": "1", "pagat": "o_lost"}, "2+2 + -UK -b"),
    (PLAIN | {"d_double": "on", "o_double": "on"}, "2+2 + D -D"),
    (PLAIN | {"result": "v", "d_trull": "on"}, "2+2 ++ T v"),
    (PLAIN | {"result": "v", "d_trull": "on", "trull": "d"}, "2+2 ++ T v"),
    (PLAIN | {"tarokks_1": "8", "tarokks_0": "9"}, "2+2 + 8@0 9@1"),
    ({"contract": "1", "proba": "on"}, "1?"),
]


@pytest.mark.parametrize(("fields", "line"), TAPPED)
def test_tapped_fields_are_read_as_the_deal(fields: dict[str, Any], line: str) -> None:
    assert line_of(form_of(**fields)) == line


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({}, {"contract": ["required"], "partner": ["required"], "result": ["required"]}),
        ({"contract": "2"}, {"partner": ["required"], "result": ["required"]}),
        (PLAIN | {"partner": "1"}, {"partner": ["no_partner"]}),
        (PLAIN | {"partner": "7"}, {"partner": ["invalid_choice"]}),
        (PLAIN | {"result": "x"}, {"result": ["invalid_choice"]}),
        (PLAIN | {"result": "", "points": "95"}, {"points": ["points_range"]}),
        (PLAIN | {"points": "47"}, {"result": ["disagree"]}),
        (PLAIN | {"points": "47", "counted_by": "o"}, {"result": ["disagree"]}),
        (PLAIN | {"result": "++", "points": "70"}, {"result": ["disagree"]}),
        (PLAIN | {"result": "", "points": "5"}, {"points": ["points_limits"]}),
        (PLAIN | {"result": "", "points": "-1"}, {"points": ["points_range"]}),
        (PLAIN | {"result": "", "points": "x"}, {"points": ["invalid"]}),
        (PLAIN | {"result": "v", "points": "60"}, {"points": ["points_volat"]}),
        (PLAIN | {"d_trull": "on"}, {"trull": ["required"]}),
        (PLAIN | {"o_ultimo": "on"}, {"pagat": ["required"]}),
        (PLAIN | {"o_xxi": "on", "o_kings": "on"}, {"kings": ["required"], "xxi": ["required"]}),
        (PLAIN | {"trull": "d", "xxi": "o"}, {"xxi": ["trull_elsewhere"]}),
        (PLAIN | {"result": "v", "pagat": "o_won"}, {"pagat": ["all_tricks"]}),
        (PLAIN | {"result": "v", "trull": "o", "kings": "o"}, {"trull": ["all_tricks"], "kings": ["all_tricks"]}),
        (PLAIN | {"result": "++", "kings": "o"}, {"result": ["points_limits"]}),
        (PLAIN | {"tarokks_0": "8", "tarokks_1": "8", "tarokks_2": "8"}, {"tarokks_0": ["tarokks_three"]}),
        ({"contract": "s", "proba": "on"}, {"contract": ["proba_solo"]}),
        (PLAIN | {"d_trull": "on", "trull": "d", "d_trull_kontra": "6"}, {"d_trull_kontra": ["invalid_choice"]}),
        (PLAIN | {"times": "2"}, {"times": ["not_doubled"]}),
        (PLAIN | {"d_trull_kontra": "3"}, {"d_trull_kontra": ["not_announced"]}),
        (PLAIN | {"proba": "on"}, {"proba": ["beside_proba"]}),
        ({"contract": "3", "proba": "on", "d_trull": "on"}, {"proba": ["beside_proba"]}),
        ({"contract": "3", "proba": "on", "tarokks_0": "8"}, {"proba": ["beside_proba"]}),
        (PLAIN | {"points": "50", "counted_by": "x"}, {"counted_by": ["invalid_choice"]}),
    ],
)
def test_impossible_deal_gets_an_error_in_its_row(fields: dict[str, Any], codes: dict[str, list[str]]) -> None:
    for language in ("en", "hu"):
        with translation.override(language):
            form = form_of(**fields)
            assert not form.is_valid()
            assert codes_of(form) == codes
            for sentences in form.errors.values():
                assert all(str(sentence).endswith((".", "?")) for sentence in sentences)


def test_dealer_of_five_is_neither_declarer_nor_partner() -> None:
    assert codes_of(form_of(seats=5, **PLAIN | {"partner": "0"})) == {"partner": ["no_partner"]}
    assert codes_of(form_of(seats=5, **PLAIN | {"tarokks_0": "8"})) == {"tarokks_0": ["sits_out"]}
    assert codes_of(form_of(seats=5, **PLAIN | {"declarer": "0"}))["declarer"] == ["sits_out"]
    # Counter-clockwise after Béla, without Anna: Edit, Dani, Cili.
    assert line_of(form_of(seats=5, **PLAIN | {"partner": "4"})) == "2+1 +"


def test_the_house_rules_say_what_is_offered() -> None:
    low = GAME.rules_from_text("ladder=3")
    assert [value for value, _words in form_of(low).fields["game_kontra"].choices] == ["0", "1", "2", "3"]
    assert codes_of(form_of(low, **PLAIN | {"game_kontra": "4"})) == {"game_kontra": ["invalid_choice"]}
    tie = GAME.rules_from_text("tie_47=kontra_needs_48")
    assert codes_of(form_of(tie, **PLAIN | {"result": "-", "game_kontra": "1"})) == {"points": ["required"]}
    double = GAME.rules_from_text("after_throw_in=double")
    assert line_of(form_of(double, **PLAIN | {"times": "2"})) == "2+2 + *2"
    assert not form_of(BOOK).has_rounds


def test_fold_is_open_if_one_of_its_rows_is_filled() -> None:
    filled = ("d_trull=on", "kings=o", "tarokks_2=8", "proba=on", "pagat=d_won", "points=61")
    assert all(form_of(**PLAIN, **dict([said.split("=")])).has_more for said in filled)
    assert not form_of(**PLAIN, kings="none").has_more
    assert not form_of(**PLAIN).has_more


@pytest.mark.parametrize("fields", [{"trull": "none"}, {"pagat": "none"}, {"points": "0"}, {"counted_by": "x"}])
def test_folded_rows_are_cached_only_while_empty(fields: dict[str, str]) -> None:
    blank = folded_away(form_of())
    assert folded_away(form_of(**fields)) != blank or fields == {"counted_by": "x"}
    assert folded_away(form_of()) == blank


def test_a_line_leaves_nothing_of_what_was_tapped_before_it() -> None:
    form = form_of(**PLAIN | {"o_double": "on", "trull": "d", "line": "2+1 61"})
    assert line_of(form) == "2+1 61"
    assert line_of(form.again(form.spelled_out)) == "2+1 61"
