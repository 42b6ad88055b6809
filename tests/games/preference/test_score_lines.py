"""The parameters of a line account for its amount, so that a page can put it into words."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.preference.hands import Given, counted, some_evening, some_rules

HALF = Fraction(1, 2)
SHARE = {"1": 1, "half": HALF, 0: 1, 1: HALF}


def _tricks(said: Any) -> int:
    return said["value"] * said["factor"] * said["tricks"]


def _short(said: Any) -> Fraction:
    return said["value"] * SHARE[said["factor"]] * said["lack"] * SHARE[said["halved"]]


def _rate(said: Any) -> int:
    return said["rate"] * said["tricks"]


def _off_dump(said: Any) -> int:
    return -said["points"] * said["each"]


def _nothing(said: Any) -> int:
    return 0


_WHY = ("lone", "side", "own", "strict", "second", "both", "second_strict", "pair", "covered")
#: By item and code; pool points that were won apart.
WORTH: Mapping[str, Callable[[Any], int | Fraction]] = {
    **dict.fromkeys(["half half", "whist tricks", "mizer caught", "mizer written"], _tricks),
    **dict.fromkeys(["shared passer", "shared pair"], lambda said: HALF * _tricks(said)),
    **dict.fromkeys(["consolation value", "consolation flat"], lambda said: said["each"] * said["down"]),
    "undertricks down": lambda said: said["value"] * said["factor"] * said["down"],
    **{f"short {why}": _short for why in _WHY},
    **dict.fromkeys(["raspasy tricks", "raspasy lowest"], _rate),
    "raspasy two_lowest": lambda said: HALF * _rate(said),
    "raspasy amnesty": lambda said: said["rate"] * (said["tricks"] - said["off"]),
    "given_up given_up": lambda said: said["value"] * said["factor"] * said["times"],
    "aid received": lambda said: said["points"],
    "aid written": lambda said: said["points"] * said["rate"],
    "surplus off_dump": _off_dump,
    **{f"{item} cleared": _off_dump for item in ("made", "passed_out", "half", "mizer", "raspasy_zero")},
    **dict.fromkeys(["whist forfeited", "whist passed", "whist retrieved", "shared forfeited"], _nothing),
    **dict.fromkeys(["consolation retrieved", "raspasy none", "agreed after_end", "after_end after_end"], _nothing),
}


@given(st.randoms(use_true_random=False))
def test_a_line_comes_to_what_it_says(chance: Random) -> None:
    rules = some_rules(chance)
    for each in counted(some_evening(chance, rules), rules):
        for line in each.lines:
            if line.code == "won":
                assert 0 <= line.amount <= line.params["won"]
            elif line.code not in ("agreed", "pool_above", "pool_below"):
                assert line.amount == WORTH[f"{line.item} {line.code}"](line.params), line


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        (" | | 6S ww 7-3-0", [(2, 1, 2, 0, "1", 0)]),
        (" | | 6S ww 7-0-3", [(1, 1, 2, 0, "1", 0)]),
        (" | | 6S ww 6-3-1", [(2, 0, 1, 1, "1", 0)]),
        ("rostov | | 7S ww 9-1-0", [(2, 1, 1, 0, "half", 1)]),
        ("rostov | | 7S wp 9", [(1, 1, 1, 1, "half", 1)]),
        ("pair_shares=yes | | 6S ww 9-1-0", [(1, 3, 1, 1, "1", 0), (2, 3, 2, 0, "1", 0)]),
    ],
)
def test_who_is_short_is_told_of_what(given_: str, said: list[tuple[int | str, ...]]) -> None:
    """The whister, the tricks he answers for, lacks himself and took, their price, and whether he keeps them."""
    params = [line.params for line in Given.of(given_).count().lines if line.item == "short"]
    assert [tuple(map(each.get, ("whister", "lack", "own", "tricks", "factor", "keeps"))) for each in params] == said


@given(st.randoms(use_true_random=False))
def test_points_that_were_won_go_somewhere(chance: Random) -> None:
    """Into pools or off the dump, each of them once."""
    rules = some_rules(chance)
    for each in counted(some_evening(chance, rules), rules):
        won = sum(int(line.params["won"]) for line in each.lines if line.code == "won")
        kept = sum(line.amount for line in each.lines if line.code in ("won", "received"))
        off = sum(int(line.params["points"]) for line in each.lines if line.code in ("cleared", "off_dump"))
        assert won == kept + off
