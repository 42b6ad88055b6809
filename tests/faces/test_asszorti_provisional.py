"""A phone's lookup tables count every possible deal of Asszorti as the rules do."""

import json
from itertools import product
from math import prod
from typing import Any

import pytest

from scorekeeper.games.asszorti import BOOK, GAME, Arrivazs, Contract, Deal, Kontra, Trump, playing_seats, score
from scorekeeper.games.base import Place
from scorekeeper.games.errors import InvalidDeal
from sessions_app.faces.asszorti.provisional import tables

SPLITS = [(d, a, 11 - d - a) for d in range(12) for a in range(12 - d)]


def counted(fields: dict[str, str]) -> int:
    """Count as the script does (static/js/provisional.js)."""
    total = 0
    for term in tables(3)["points"]:
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
    assert counted(fields) == score(deal).points, deal
    return 1


def test_provisional_tables_count_every_deal_as_the_rules():
    """A deal's points are its game's and its arrivázs's, and neither depends on the other's fields (that is so of every
    deal: tests/games/asszorti/test_every_deal.py). So both are gone through, and not each with each.
    """
    games = sum(agrees(*parts) for parts in product(Contract, Trump, SPLITS, Kontra))
    assert games == 4 * 5 * len(SPLITS) * 6
    doubled = product(Trump, Arrivazs, Kontra)
    extras = sum(agrees(Contract.TWO, trump, (7, 2, 2), Kontra.NONE, *said) for trump, *said in doubled)
    assert extras == 5 + 5 * 2 * 6 + 4 * 6


def test_a_split_that_was_not_noted_counts_nothing():
    fields = {"contract": "2", "trump": "hearts", "tricks": "7", "game_kontra": "0", "arrivazs": "none"}
    assert counted(fields) == score(Deal(Contract.TWO, Trump.HEARTS, (7, None, None))).points


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("tricks", [8, 4])
def test_provisional_amounts_are_the_payments_of_the_rules(seats: int, tricks: int):
    deal = Deal(Contract.HAND, Trump.NONE, (tricks, None, None))
    points = score(deal).points
    for dealer in range(seats):
        playing = playing_seats(seats, dealer)
        assert tables(seats)["first"][dealer] == playing[0]
        for declarer in playing:
            place = Place(tuple(range(seats)), dealer, declarer)
            written = {entry.of: entry.amount for entry in GAME.count(deal, place, None, BOOK).entries}
            ways = tables(seats)["amounts"][f"{dealer},{declarer}"]
            assert [points * way for way in ways] == list(GAME.balances(written, place.seats).values())
    assert len(tables(seats)["amounts"]) == seats * 3


def test_provisional_tables_are_small():
    assert len(json.dumps(tables(4), separators=(",", ":"))) < 1_700
