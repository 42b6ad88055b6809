"""The standing of a hand, its text, and its consequences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.preference import (
    BOOK,
    GAME,
    Standing,
    is_finished,
    lowest_level,
    reminder,
    standing_from_text,
    standing_to_text,
    start,
)
from scorekeeper.games.preference.house_rules import PoolEnd

some_numbers = st.lists(st.integers(-99, 999), min_size=3, max_size=4).map(tuple)


@given(st.builds(Standing, some_numbers, some_numbers, st.integers(0, 99)))
def test_text_of_a_standing_round_trips(standing: Standing) -> None:
    text = standing_to_text(standing)
    assert standing_from_text(text) == standing
    assert standing_to_text(standing_from_text(text)) == text


def test_first_standing_is_empty() -> None:
    assert all(start(rules) == Standing() for rules in GAME.PROFILES.values())
    assert standing_to_text(start(BOOK)) == ""
    assert standing_from_text("") == start(BOOK)
    assert Standing((0, 0, 0), (0, 0, 0)) == start(BOOK)
    assert standing_to_text(Standing((9, 4, 7), (0, 3, 0), 2)) == "P9,4,7 D0,3,0 R2"


def test_standing_has_one_spelling() -> None:
    for text in (
        *(
            " ",
            "P",
            "R0",
            "R01",
            "R-1",
            "P0,0,0",
            " R1",
            "P1  R1",
            "P1,2D1",
            "P01",
            "P1,2,3 ",
            "R1 P1,2,3",
            "P1,,2",
            "x",
        ),
    ):
        with pytest.raises(ValueError, match="standing"):
            standing_from_text(text)


@pytest.mark.parametrize(
    ("rules", "levels"),
    [("", [6, 6, 6, 6]), ("leningrad", [6, 7, 8, 8]), ("raspasy_exit=6-7", [6, 7, 7, 7])],
)
def test_the_exit_ladder_repeats_its_last_step(rules: str, levels: list[int]) -> None:
    assert [lowest_level(Standing(row=row), GAME.rules_from_text(rules)) for row in range(4)] == levels


@pytest.mark.parametrize(
    ("rules", "pools", "finished"),
    [
        ("target=10", (), False),
        ("target=10", (10, 10, 9), False),
        ("target=10", (10, 10, 10), True),
        ("target=10", (10, 11, 10), True),
        ("target=10", (10, 10, 10, 0), False),
        ("target=10", (10, 10, 10, 10), True),
        ("target=10 pool_end=sum aid=no", (29, 0, 0), False),
        ("target=10 pool_end=sum aid=no", (30, 0, 0), True),
        ("target=10 pool_end=sum aid=no", (31, 0, 0), True),
        ("target=10 pool_end=sum aid=no", (30, 0, 0, 9), False),
        ("target=10 pool_end=never", (10, 10, 10), False),
    ],
)
def test_game_ends_when_the_pools_are_full(rules: str, pools: tuple[int, ...], finished: bool) -> None:
    house = GAME.rules_from_text(rules)
    assert is_finished(Standing(pools), house) is finished
    sheet = {("pool", seat, None): pool for seat, pool in enumerate(pools)}
    message = reminder(sheet, 7, tuple(range(len(pools) or 3)), house)
    together = ("game_over_together", {"target": 10 * len(pools)})
    one_by_one = ("game_over", {"target": 10})
    assert message == ((together if house.pool_end is PoolEnd.SUM else one_by_one) if finished else None)
