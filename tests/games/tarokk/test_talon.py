"""The dealing out of the talon."""

import pytest

from scorekeeper.games.tarokk import Contract
from scorekeeper.games.tarokk.enums import TALON, drawn


@pytest.mark.parametrize(
    ("contract", "cards"), [("3", (3, 1, 1, 1)), ("2", (2, 2, 1, 1)), ("1", (1, 2, 2, 1)), ("s", (0, 2, 2, 2))]
)
def test_rest_of_the_talon_goes_round_as_evenly_as_it_can(contract: str, cards: tuple[int, ...]) -> None:
    assert drawn(Contract(contract)) == cards
    assert sum(cards) == TALON
