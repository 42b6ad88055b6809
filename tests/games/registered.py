"""Every game that is registered, and the toy: a test of any game runs with each of these."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidRules
from sessions_app.hand_facts import MOST_SEATS
from tests.toy.game import GAME as TOY

ALL: list[Game[Any, Any, Any]] = [*GAMES.values(), TOY]

type AnyGame = Game[Any, Any, Any]

every_game = pytest.mark.parametrize("game", ALL, ids=lambda game: str(game.key))


def some_rules(game: Game[Any, Any, Any], chance: Random) -> Any:
    """House rules of any kind: each switch anyhow, or as the book has it; never two that exclude each other."""
    while True:
        switches = chance.sample(game.SWITCHES, chance.randint(0, len(game.SWITCHES)))
        profile = chance.choice(["", *game.PROFILES])
        words = (f"{each.name}={chance.choice(each.values or (each.low, each.high))}" for each in switches)
        with suppress(InvalidRules):
            return game.rules_from_text(" ".join(filter(None, (profile, *words))))


def some_table(game: Game[Any, Any, Any], chance: Random) -> tuple[int, ...]:
    """Any seats, in any order; of those who have a seat some may have gone home."""
    count = chance.choice(game.seat_counts)
    most = MOST_SEATS if game.seats_may_change else count
    return tuple(chance.sample(range(most), count))
