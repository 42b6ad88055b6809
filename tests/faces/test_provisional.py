"""The tables by which a phone counts a hand in its outbox: they agree with the rules."""

import json
from dataclasses import replace
from itertools import product
from math import prod
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.asszorti import BOOK, Arrivazs, Contract, Deal, Kontra, Trump, playing_seats, score
from scorekeeper.games.asszorti import GAME as ASSZORTI
from scorekeeper.games.base import Place
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import GAME, Agreed, Rules, Standing, balances, count, deal_to_text
from sessions_app.faces.asszorti.provisional import tables as asszorti_tables
from sessions_app.faces.preference.hand_form import HandForm
from sessions_app.faces.preference.provisional import provisional_tables, tables
from sessions_app.models import Evening, Hand, lineup_to_text
from sessions_app.readers.evening.recount import sheet_of
from tests.games.preference.hands import some_hand, some_rules

# --- Asszorti ---


SPLITS = [(d, a, 11 - d - a) for d in range(12) for a in range(12 - d)]


def asszorti_counted(fields: dict[str, str]) -> int:
    """Count as the script does (static/js/provisional.js)."""
    total = 0
    for term in asszorti_tables(3)["points"]:
        keys = [(table["values"], ",".join(fields.get(name, "") for name in table["by"])) for table in term]
        total += prod(values[key] if key in values else values["*"] for values, key in keys)
    return total


def agrees(*parts: Any) -> int:
    """Return whether the tables say the same as the rules of this deal; 0 if there is none."""
    try:
        deal = Deal(*parts)
    except InvalidDeal:
        return 0
    fields = {
        "contract": deal.contract.value,
        "trump": deal.trump.value,
        "tricks": str(deal.tricks[0]),
        "opponent_tricks": str(deal.tricks[1]),
        "game_kontra": str(deal.game_kontra.value),
        "arrivazs": deal.arrivazs.value,
        "arrivazs_kontra": str(deal.arrivazs_kontra.value),
    }
    if deal.arrivazs is Arrivazs.NONE:
        # The form's row is not offered, and so not sent, while nothing is announced.
        del fields["arrivazs_kontra"]
    assert asszorti_counted(fields) == score(deal).points, deal
    return 1


def test_provisional_tables_count_every_deal_as_the_rules():
    """A deal's points are its game's and its arrivázs's, and neither depends on the other's fields (that is so of every
    deal: tests/games/asszorti/test_deal.py). So both are gone through, and not each with each.
    """
    games = sum(agrees(*parts) for parts in product(Contract, Trump, SPLITS, Kontra))
    assert games == 4 * 5 * len(SPLITS) * 6
    doubled = product(Trump, Arrivazs, Kontra)
    extras = sum(agrees(Contract.TWO, trump, (7, 2, 2), Kontra.NONE, *said) for trump, *said in doubled)
    assert extras == 5 + 5 * 2 * 6 + 4 * 6


def test_a_split_that_was_not_noted_counts_nothing():
    fields = {"contract": "2", "trump": "hearts", "tricks": "7", "game_kontra": "0", "arrivazs": "none"}
    assert asszorti_counted(fields) == score(Deal(Contract.TWO, Trump.HEARTS, (7, None, None))).points


@pytest.mark.parametrize(("seats", "tricks"), [(3, 8), (4, 4)])
def test_provisional_amounts_are_the_payments_of_the_rules(seats: int, tricks: int):
    deal = Deal(Contract.HAND, Trump.NONE, (tricks, None, None))
    points = score(deal).points
    for dealer in range(seats):
        playing = playing_seats(seats, dealer)
        assert asszorti_tables(seats)["first"][dealer] == playing[0]
        for declarer in playing:
            place = Place(tuple(range(seats)), dealer, declarer)
            written = {entry.of: entry.amount for entry in ASSZORTI.count(deal, place, None, BOOK).entries}
            ways = asszorti_tables(seats)["amounts"][f"{dealer},{declarer}"]
            assert [points * way for way in ways] == list(ASSZORTI.balances(written, place.seats).values())
    assert len(asszorti_tables(seats)["amounts"]) == seats * 3
    assert len(json.dumps(asszorti_tables(4), separators=(",", ":"))) < 1_700


# --- Preference ---


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
    # A page carries the tables as JSON.
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
