"""The feats of hands: the plain-text vectors of each game, and what must hold of any hand of any game."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games import GAMES
from scorekeeper.games.base import Place
from tests.games.registered import AnyGame, every_game, some_rules, some_table
from tests.games.test_measures import given_hand, measures_of

HERE = Path(__file__).parent


def vectors() -> Iterator[Any]:
    for path in sorted(HERE.glob("*/vectors/feats/*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line and not line.startswith("#"):
                key = path.relative_to(HERE).parts[0]
                yield pytest.param(GAMES[key], *line.split(" => "), id=f"{key}:{number} {line}")


@pytest.mark.parametrize(("game", "given", "expected"), list(vectors()))
def test_a_hand_has_these_feats(game: AnyGame, given: str, expected: str) -> None:
    hand = given_hand(game, given)
    found = [
        f"{feat.code} {'-'.join(map(str, feat.seats))} {feat.number}"
        for feat in game.feats(hand.deal, hand.place, hand.measures)
    ]
    assert "; ".join(sorted(found)) == ("" if expected == "-" else expected)


@every_game
@given(chance=st.randoms(use_true_random=False))
def test_what_holds_of_the_feats_of_any_hand(game: AnyGame, chance: Random) -> None:
    rules, seats = some_rules(game, chance), some_table(game, chance)
    dealer = chance.choice(seats)
    declarer, deal = game.likely(chance, seats, dealer, rules)
    if game.is_agreed(deal):
        return
    place = Place(seats, dealer, declarer)
    measures = measures_of(game, deal, place, game.start(rules), rules)
    feats = tuple(game.feats(deal, place, measures))
    part = {each.seat for each in measures}
    for feat in feats:
        assert feat.seats, "somebody's feat"
        assert set(feat.seats) <= part
        assert len(set(feat.seats)) == len(feat.seats)
