"""A phone's lookup tables count hands of Preference as the rules do."""

import json
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Place
from scorekeeper.games.preference import GAME, Agreed, Raspasovka, Rules, Standing, balances, count, deal_to_text
from sessions_app.faces.preference.hand_form import HandForm
from sessions_app.faces.preference.provisional import provisional_tables, tables
from sessions_app.models import Evening, Hand, lineup_to_text
from sessions_app.readers.evening.hand_counts import sheet_of
from tests.games.preference.hands import some_hand, some_rules


def looked_up(found: Any, way: Any, fields: dict[str, str]) -> list[int] | None:
    """Look a hand up as the script does (static/js/provisional.js)."""
    for name in way["by"]:
        if found is None or isinstance(found[0] if isinstance(found, list) else None, int):
            break
        value = way["as"].get(fields.get(name, ""), fields.get(name, ""))
        found = (found[int(value)] if value else None) if isinstance(found, list) else found.get(value)
    return found


def counted(seats: int, rules: Rules, place: Place, fields: dict[str, str], row: int) -> tuple[list[int], int]:
    """Each seat's amount in n-ths, and the number of raspasovkas in a row after it."""
    # As a page carries them.
    read = json.loads(json.dumps(tables(seats, rules)))
    way = read["ways"][f"{place.dealer},{'' if place.declarer is None else place.declarer}"]
    found = looked_up(read["tables"][way["table"]], way, fields)
    assert found is not None
    by_seat = [way["seats"].index(seat) for seat in range(seats)]
    each = [found[at] for at in by_seat]
    if not way.get("in_a_row"):
        return each, row if len(found) > seats else 0
    fixed = [found[seats + at] for at in by_seat] if len(found) > seats else [0] * seats
    return [one * read["prices"][row] + flat for one, flat in zip(each, fixed, strict=True)], row + 1


def fields_of(deal: Any, place: Place) -> dict[str, str]:
    """The fields that the form would send."""
    facts = {"number": 1, "token": UUID(int=1), "dealer": place.dealer, "declarer": place.declarer}
    hand = Hand(lineup=lineup_to_text(place.seats), deal=deal_to_text(deal), **facts)
    return {name: str(value) for name, value in HandForm.values_of(hand, deal).items()}


@given(st.randoms(use_true_random=False))
def test_provisional_tables_count_random_hands_as_the_rules(chance: Random) -> None:
    rules = some_rules(chance)
    # An aid that is not worth the point it replaces depends on the pools: there are no tables then.
    rules = replace(rules, aid_rate=rules.pool_point)
    seats = tuple(range(chance.choice((3, 4))))
    dealer, row = chance.choice(seats), chance.randrange(6)
    declarer, deal = some_hand(chance, seats, dealer, rules)
    if isinstance(deal, Agreed):
        return
    pools = tuple(chance.randrange(rules.target) for _seat in seats)
    dumps = tuple(chance.randrange(30) for _seat in seats)
    place, before = Place(seats, dealer, declarer), Standing(pools, dumps, row)
    written = count(deal, place, before, rules)
    won = balances(sheet_of(written.entries), seats, rules)
    expected = [won[seat] * len(seats) for seat in seats], written.standing.row
    assert counted(len(seats), rules, place, fields_of(deal, place), row) == expected, deal


def test_a_row_goes_on_at_the_next_price() -> None:
    rules, place, row = GAME.rules_from_text("sochi"), Place((0, 1, 2), 2, None), 0
    spent = []
    for _hand in range(4):
        amounts, row = counted(3, rules, place, fields_of(Raspasovka((5, 3, 2)), place), row)
        spent.append(-amounts[0])
    assert spent == [50, 100, 150, 150], "5/3 of a trick more than the mean, at 10 a point, in thirds"


@pytest.mark.parametrize(
    ("rules", "sitting", "are_there"),
    [
        ("", (0, 1, 2), True),
        ("leningrad", (0, 1, 2), True),
        ("aid_rate=5", (0, 1, 2), False),
        ("aid_rate=5 aid=no", (0, 1, 2), True),
        ("", (0, 2, 1), False),
    ],
)
def test_provisional_tables_exist_only_where_they_can_count(
    rules: str, sitting: tuple[int, ...], are_there: bool
) -> None:
    evening = Evening(game_key="preference", rules=rules, lineup=lineup_to_text(sitting))
    assert (provisional_tables(evening, len(sitting)) is not None) is are_there


def test_provisional_tables_are_cached_and_small() -> None:
    short, long = GAME.rules_from_text("target=10"), GAME.rules_from_text("target=50 raspasy_exit=6-7-8")
    assert tables(4, short) is tables(4, long)
    assert len(json.dumps(tables(4, short), separators=(",", ":"))) < 16_000
