"""The hand form of Preference: every possible deal can be entered, and every impossible one gets its error."""

import inspect
import re
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.errors import NotationError
from scorekeeper.games.preference import BOOK, GAME, Agreed, Raspasovka, deal_to_text, validation
from scorekeeper.games.preference.deal import BANK, DUMP, POOL
from sessions_app.faces.preference.entries_form import EntriesForm, amounts_from_text
from sessions_app.faces.preference.hand_form import HandForm
from sessions_app.faces.preference.words import REFUSALS, deal_words, short_words
from sessions_app.hand_facts import Facts
from sessions_app.models import Hand, lineup_to_text
from tests.forms.errors import codes_of
from tests.games.preference.hands import some_hand, some_rules

NAMES = ["Anna", "Béla", "Cili", "Dani"]
TOKEN = UUID(int=4)


def form_of(rules: str = "", seats: int = 3, **fields: Any) -> HandForm:
    """The form of a hand that Cili deals, or of four Dani, and Anna plays."""
    posted = {"token": TOKEN, "number": 1, "dealer": seats - 1, "declarer": 0, **fields}
    said = {name: str(value) for name, value in posted.items()}
    return HandForm(said, names=NAMES[:seats], rules=GAME.rules_from_text(rules))


def line_of(form: HandForm) -> str:
    assert form.is_valid(), form.errors
    return deal_to_text(form.deal)


@given(st.randoms(use_true_random=False))
def test_every_hand_fills_the_form_from_which_it_comes(chance: Random) -> None:
    rules = some_rules(chance)
    seats = chance.choice((3, 4))
    sitting, dealer = tuple(range(seats)), chance.randrange(seats)
    declarer, deal = some_hand(chance, sitting, dealer, rules)
    line = deal_to_text(deal)
    facts = {"number": 1, "token": TOKEN, "dealer": dealer, "declarer": declarer, "deal": line}
    hand = Hand(lineup=lineup_to_text(sitting), deal_stays=isinstance(deal, Agreed), **facts)
    form = HandForm(HandForm.values_of(hand, deal), names=NAMES[:seats], rules=rules)
    assert line_of(form) == line
    said = {"token": TOKEN, "number": 1, "dealer": dealer, "line": line}
    said |= {"declarer": "" if declarer is None else declarer}
    typed = HandForm({name: str(value) for name, value in said.items()}, names=NAMES[:seats], rules=rules)
    assert line_of(typed) == line
    assert line_of(typed.again(typed.spelled_out)) == line


SIX = {"level": 6}
TAPPED: list[tuple[str, int, dict[str, Any], str]] = [
    ("", 3, SIX | {"answers": "pp"}, "6 pp"),
    ("", 3, SIX | {"answers": "pp", "strain": "S"}, "6S pp"),
    ("", 3, SIX | {"answers": "ph"}, "6 ph"),
    ("", 3, SIX | {"answers": "w1", "tricks": 6}, "6 wp 6"),
    ("", 3, SIX | {"answers": "w2", "tricks": 6}, "6 pw 6"),
    ("", 3, SIX | {"answers": "rh", "tricks": 6}, "6 rh 6"),
    ("", 3, SIX | {"answers": "ww", "tricks": 6, "first_tricks": 3}, "6 ww 6-3-1"),
    ("", 3, SIX | {"answers": "ww", "tricks": 10}, "6 ww 10-0-0"),
    ("", 3, {"level": "M", "tricks": 0}, "M 0"),
    ("", 3, {"declarer": "", "taken_0": 4, "taken_1": 3}, "R 4-3-3"),
    ("", 3, {"declarer": "", "taken_0": 4, "taken_2": 3}, "R 4-3-3"),
    ("", 3, {"declarer": "", "dealer": 0, "taken_1": 4, "taken_2": 1}, "R 4-1-5"),
    ("", 4, {"declarer": "", "taken_0": 4, "taken_1": 3, "taken_2": 2}, "R 4-3-2-1"),
    ("rostov", 4, {"declarer": "", "taken_0": 4, "taken_1": 3}, "R 4-3-3"),
    ("", 4, SIX | {"declarer": 1, "dealer": 2, "answers": "w3", "tricks": 6}, "6 wp 6"),
    ("", 4, SIX | {"declarer": 1, "dealer": 2, "answers": "w0", "tricks": 6}, "6 pw 6"),
    ("ten=checked", 3, {"level": 10, "tricks": 9, "first_tricks": 1}, "10 cc 9-1-0"),
    ("stalingrad=yes", 3, SIX | {"strain": "S", "tricks": 6, "first_tricks": 3}, "6S ww 6-3-1"),
    ("stalingrad=yes", 3, SIX | {"strain": "S", "answers": "ww", "tricks": 10}, "6S ww 10-0-0"),
    ("stalingrad=yes give_up=3", 3, SIX | {"strain": "S", "answers": "g", "tricks": 6}, "6S g"),
    ("give_up=3", 3, {"level": 8, "answers": "g"}, "8 g"),
    ("ten=checked give_up=3", 3, {"level": 10, "answers": "g"}, "10 g"),
    # Values of rows that are not there any more are ignored.
    ("", 3, SIX | {"answers": "pp", "tricks": 7, "first_tricks": 1, "taken_0": 3}, "6 pp"),
    ("", 3, SIX | {"answers": "w1", "tricks": 7, "first_tricks": 1}, "6 wp 7"),
    ("", 3, {"level": "M", "answers": "ww", "tricks": 1, "first_tricks": 1, "strain": "S"}, "M 1"),
    ("", 3, {"declarer": "", "level": 6, "answers": "ww", "taken_0": 4, "taken_1": 3}, "R 4-3-3"),
]


@pytest.mark.parametrize(("rules", "seats", "fields", "line"), TAPPED)
def test_tapped_fields_are_read_as_the_deal(rules: str, seats: int, fields: dict[str, Any], line: str) -> None:
    assert line_of(form_of(rules, seats, **fields)) == line


WRONG: list[tuple[str, int, dict[str, Any], dict[str, list[str]]]] = [
    ("", 3, {}, {"level": ["required"], "answers": ["required"]}),
    ("", 3, {"declarer": ""}, {"taken_0": ["required"], "taken_1": ["required"]}),
    ("", 3, {"declarer": "", "taken_0": 4}, {"taken_1": ["required"]}),
    ("", 3, {"declarer": "", "level": 6}, {"declarer": ["declarer_needed"]}),
    ("", 3, SIX, {"answers": ["required"]}),
    ("", 3, SIX | {"answers": "w1"}, {"tricks": ["required"]}),
    ("", 3, SIX | {"answers": "ww"}, {"tricks": ["required"], "first_tricks": ["required"]}),
    ("", 3, SIX | {"answers": "ww", "tricks": 6}, {"first_tricks": ["required"]}),
    ("", 3, {"level": "M"}, {"tricks": ["required"]}),
    ("", 3, SIX | {"answers": "w0", "tricks": 6}, {"answers": ["no_whister"]}),
    ("", 4, SIX | {"answers": "w3", "tricks": 6}, {"answers": ["no_whister"]}),
    ("", 3, SIX | {"answers": "w3", "tricks": 6}, {"answers": ["invalid_choice"]}),
    ("", 3, SIX | {"answers": "w1", "tricks": 11}, {"tricks": ["invalid_choice"]}),
    ("", 3, {"level": 11}, {"level": ["invalid_choice"]}),
    ("", 3, SIX | {"answers": "pp", "strain": "X"}, {"strain": ["invalid_choice"]}),
    ("", 3, SIX | {"answers": "ww", "tricks": 8, "first_tricks": 3}, {"first_tricks": ["tricks_sum"]}),
    ("", 3, {"declarer": "", "taken_0": 8, "taken_1": 3}, {"taken_1": ["tricks_sum"]}),
    ("", 4, {"declarer": "", "taken_0": 2, "taken_1": 3, "taken_2": 2}, {"taken_2": ["talon_tricks"]}),
    ("", 3, {"level": 8, "answers": "ph"}, {"answers": ["half_level"]}),
    ("half_whist=no", 3, SIX | {"answers": "ph"}, {"answers": ["invalid_choice"]}),
    ("", 3, SIX | {"answers": "g"}, {"answers": ["invalid_choice"]}),
    ("stalingrad=yes", 3, SIX | {"answers": "pp"}, {"strain": ["required"]}),
    ("stalingrad=yes", 3, SIX | {"answers": "pp", "strain": "S"}, {"answers": ["must_whist"]}),
    ("stalingrad=yes", 3, SIX | {"answers": "w1", "strain": "S", "tricks": 6}, {"answers": ["must_whist"]}),
    ("stalingrad=yes", 3, SIX | {"strain": "S"}, {"tricks": ["required"], "first_tricks": ["required"]}),
    ("stalingrad=yes", 3, SIX | {"strain": "C"}, {"answers": ["required"]}),
    ("stalingrad=yes", 3, SIX, {"strain": ["required"], "answers": ["required"]}),
    ("", 3, {"dealer": 3}, {"dealer": ["dealer_unknown"]}),
    ("", 3, {"declarer": 3}, {"declarer": ["declarer_unknown"]}),
    ("", 4, {"declarer": 3, "line": "6 pp"}, {"declarer": ["declarer_sits_out"]}),
    ("", 3, {"declarer": "", "line": "6 pp"}, {"declarer": ["declarer_needed"]}),
    ("", 3, {"line": "R 4-3-3"}, {"declarer": ["declarer_extra"]}),
    ("", 3, {"line": "= P0+3"}, {"declarer": ["declarer_extra"]}),
    ("", 3, {"declarer": "", "line": "= P3+3"}, {"line": ["seat_unknown"]}),
    ("", 4, {"declarer": "", "line": "R 4-3-3"}, {"line": ["raspasy_count"]}),
    ("", 3, {"line": "6 xx"}, {"line": ["notation"]}),
    ("", 3, {"line": "6 hw 6"}, {"line": ["half_second"]}),
]


@pytest.mark.parametrize(("rules", "seats", "fields", "codes"), WRONG)
def test_impossible_deal_gets_an_error_in_its_row(
    rules: str, seats: int, fields: dict[str, Any], codes: dict[str, list[str]]
) -> None:
    form = form_of(rules, seats, **fields)
    assert not form.is_valid()
    assert codes_of(form) == codes


def test_every_refusal_of_the_rules_has_its_sentence() -> None:
    listed = inspect.getdoc(validation) or ""
    codes = set(re.findall(r"`(\w+)`", listed))
    assert codes == REFUSALS


def rows_of(form: HandForm) -> dict[str, str]:
    """The attributes of the rows that the script reads: when they are there."""
    return {"answers": f"{form.unless_answered}|{form.at_given_up}", "tricks": form.at_play}


def test_checked_ten_offers_only_giving_up() -> None:
    """Nothing else can, and nothing is asked of tricks then."""
    assert rows_of(form_of("ten=checked"))["answers"] == "level=M level=10|"
    assert rows_of(form_of("give_up=3"))["answers"] == "level=M|"
    both = form_of("ten=checked give_up=3")
    assert rows_of(both)["answers"] == "|level=6 level=7 level=8 level=9 level=10"
    assert {value for value, offer in both.fields["answers"].choices if "level=10" not in offer.excluded} == {"g"}
    assert {value for value, offer in form_of("give_up=3").fields["answers"].choices} >= {"g", "pp"}


def test_stalingrad_asks_no_answers_but_giving_up() -> None:
    """Six of spades under Stalingrad answers itself; another six is asked, also while its trumps are not said."""
    form, spades = form_of("stalingrad=yes"), "level=6&strain=S"
    assert rows_of(form)["answers"] == f"level=M {spades}|"
    assert spades in form.at_play.split()
    assert spades in form.at_two.split()
    asked = form.at_levels.split()
    later = [f"level={level}" for level in range(7, 11)]
    assert spades not in asked
    assert asked == [*(f"level=6&strain={each}" for each in ("", *"CDHN")), *later, "level="]
    offered = form_of("stalingrad=yes give_up=3").fields["answers"].choices
    assert {value for value, offer in offered if spades not in offer.excluded} == {"g"}


@pytest.mark.parametrize(("rules", "seats", "count"), [("", 3, 3), ("rostov", 4, 3)])
def test_raspasovka_error_names_the_number_of_players_at_this_table(rules: str, seats: int, count: int) -> None:
    for line in ("R 4", "R 4-3", "R 4-3-2-1"):
        form = form_of(rules, seats, declarer="", line=line)
        assert codes_of(form) == {"line": ["raspasy_count"]}
        assert str(count) in form.errors["line"][0]


@pytest.mark.parametrize(
    ("players", "tricks", "short"),
    [
        ((), (0, 3, 7), "0-3-7"),
        (("Béla", "Cili", "Anna", "Dani"), (0, 3, 7), "Béla 0, Cili 3, Anna 7"),
        (("Maximilian", "Magdolna", "Annamária"), (10, 0, 0), "Max 10, Mag 0, A 0"),
        (("Anna", "Annamária Luca", "Bartholomeus"), (4, 4, 2), "Anna 4, Annam 4, B 2"),
    ],
)
def test_tricks_of_a_raspasovka_are_said_with_their_names(
    players: tuple[str, ...], tricks: tuple[int, ...], short: str
) -> None:
    with translation.override("en"):
        assert short_words(Raspasovka(tricks), players) == short
        said = deal_words(Raspasovka(tricks), players)
    assert said == f"raspasovka ({short})" or all(name in said for name in players)


# --- The form of agreed entries in Preference: every possible entry fills it, and comes out of it unchanged ---


def form_at(seats: int, *args: Any, **kwargs: Any) -> EntriesForm:
    return EntriesForm(*args, names=NAMES[:seats], sitting=tuple(range(seats)), rules=BOOK, **kwargs)


def posted(**fields: Any) -> dict[str, Any]:
    return {"token": uuid4(), "number": 1, **fields}


def agreed(chance: Random, seats: int) -> Agreed:
    """Some places of all there are, in any order."""
    pairs = [(BANK, one, other) for one in range(seats) for other in range(seats) if one != other]
    everywhere = [*((account, seat, None) for account in (POOL, DUMP) for seat in range(seats)), *pairs]
    chosen = chance.sample(everywhere, chance.randint(1, len(everywhere)))
    return Agreed(tuple((account, chance.choice((-1, 1)) * chance.randint(1, 9999)) for account in chosen))


@pytest.mark.parametrize("seats", [3, 4])
def test_recorded_entries_fill_the_form_that_corrects_them(seats: int):
    chance = Random(7)  # noqa: S311  cards, not keys
    for _ in range(50):
        deal = agreed(chance, seats)
        text = deal_to_text(deal)
        values = EntriesForm.values_of(Hand(number=1, token=uuid4(), deal=text), deal)
        form = form_at(seats, values)
        assert form.is_valid(), form.errors
        assert form.facts(2) == Facts(2, None, text, deal_stays=True)
        line = form_at(seats, posted(line=text))
        assert (line.is_valid(), line.deal) == (True, deal)
        assert len(text) <= Hand._meta.get_field("deal").max_length  # type: ignore[operator]


@pytest.mark.parametrize(("seats", "places"), [(3, 12), (4, 20)])
def test_entries_form_has_as_many_places_as_the_table(seats: int, places: int):
    form = form_at(seats, initial={"rows": 99})
    assert (form.most_rows, form.row_count, form.has_room) == (places, places, False)
    assert [row.number for row in form.rows] == list(range(1, places + 1))


def test_a_line_is_read_as_it_is_likely_to_be_typed():
    lines = {"P0+3": "P0+3", "b2>0+20 d1-2\tp0+3": "P0+3 D1-2 B2>0+20", "=P0+3": "P0+3", "D1−2": "D1-2", "D1–2": "D1-2"}
    for typed, read in {**lines, "": ""}.items():
        amounts = amounts_from_text(typed)
        assert deal_to_text(Agreed(amounts)).removeprefix("=").strip() == read
    for typed in ("P0", "P+3", "P0+0", "P0+3D1-2", "P0>1+3", "B0+3", "X1+3", "P0++3", "= = P0+3"):
        with pytest.raises(NotationError):
            amounts_from_text(typed)


def test_typed_minus_overrides_the_preselected_plus():
    typed = [
        ("+", "5", 5),
        ("-", "5", -5),
        ("+", "+5", 5),
        *((sign, f"{minus}5", -5) for sign in "+-" for minus in "-−–"),
    ]
    for sign, amount, read in typed:
        form = form_at(3, posted(rows=1, account_0=DUMP, seat_0=1, sign_0=sign, amount_0=amount))
        assert form.is_valid()
        assert form.deal == Agreed((((DUMP, 1, None), read),))
    both = form_at(3, posted(rows=1, account_0=DUMP, seat_0=1, sign_0="-", amount_0="+12"))
    assert [error.code for error in both.errors.as_data()["amount_0"]] == ["two_signs"]


def test_against_whom_counts_for_whists_alone():
    form = form_at(3, posted(rows=1, account_0=POOL, seat_0=1, against_0=2, sign_0="+", amount_0=3))
    assert form.is_valid()
    assert form.deal == Agreed((((POOL, 1, None), 3),))
