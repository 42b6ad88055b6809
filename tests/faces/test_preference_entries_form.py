"""The form of agreed entries in Preference: every possible entry fills it, and comes out of it unchanged."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.utils import translation

from scorekeeper.games.errors import Message, NotationError
from scorekeeper.games.preference import BOOK, Agreed, deal_to_text
from scorekeeper.games.preference.deal import BANK, DUMP, POOL
from sessions_app.faces.preference.hand_form import EntriesForm
from sessions_app.faces.preference.words import refusal
from sessions_app.hand_facts import Facts
from sessions_app.models import Hand

NAMES = ["Anna", "Béla", "Cili", "Dani"]
#: The errors of agreed entries by the rules.
CODES = ("bank_self", "place_twice", "amount_range", "seat_unknown", "game_over", "pool_below", "pool_above")


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
def test_it_has_as_many_places_as_the_table(seats: int, places: int):
    form = form_at(seats, initial={"rows": 99})
    assert (form.most_rows, form.row_count, form.has_room) == (places, places, False)
    assert [row.number for row in form.rows] == list(range(1, places + 1))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("P0+3", "P0+3"),
        ("b2>0+20 d1-2\tp0+3", "P0+3 D1-2 B2>0+20"),
        ("=P0+3", "P0+3"),
        ("D1−2", "D1-2"),
        ("D1–2", "D1-2"),
        ("", ""),
    ],
)
def test_a_line_is_read_as_it_is_likely_to_be_typed(typed: str, read: str):
    amounts = form_at(3).amounts_from_text(typed)
    assert deal_to_text(Agreed(amounts)).removeprefix("=").strip() == read


@pytest.mark.parametrize("typed", ["P0", "P+3", "P0+0", "P0+3D1-2", "P0>1+3", "B0+3", "X1+3", "P0++3", "= = P0+3"])
def test_unreadable_line_of_entries_is_refused(typed: str):
    with pytest.raises(NotationError):
        form_at(3).amounts_from_text(typed)


@pytest.mark.parametrize(
    ("sign", "typed", "amount"),
    [
        *(("+", "5", 5), ("-", "5", -5), ("+", "+5", 5)),
        *((sign, f"{minus}5", -5) for sign in "+-" for minus in "-−–"),
    ],
)
def test_typed_minus_overrides_the_preselected_plus(sign: str, typed: str, amount: int):
    form = form_at(3, posted(rows=1, account_0=DUMP, seat_0=1, sign_0=sign, amount_0=typed))
    assert form.is_valid()
    assert form.deal == Agreed((((DUMP, 1, None), amount),))


def test_a_chosen_minus_beside_a_typed_plus_is_asked_about():
    form = form_at(3, posted(rows=1, account_0=DUMP, seat_0=1, sign_0="-", amount_0="+12"))
    assert [error.code for error in form.errors.as_data()["amount_0"]] == ["two_signs"]


def test_against_whom_counts_for_whists_alone():
    form = form_at(3, posted(rows=1, account_0=POOL, seat_0=1, against_0=2, sign_0="+", amount_0=3))
    assert form.is_valid()
    assert form.deal == Agreed((((POOL, 1, None), 3),))


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_has_its_sentence(code: str, language: str):
    message = Message(code, {"seat": 1, "account": POOL, "most": 9999, "target": 10})
    with translation.override(language):
        assert form_at(3).refusal(message).endswith(".")
        assert form_at(3).refusal(message) == refusal(message)
