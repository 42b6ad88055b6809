"""The exclusions of a half-filled deal: known ones, and what is offered with two fields open.

Whole fillings of the form are tried by taps: tests/views/test_fuzz.py.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.tarokk import (
    GAME,
    Band,
    Contract,
    Deal,
    Kontra,
    Pagat,
    Rules,
    Side,
    exclusions,
)
from scorekeeper.games.tarokk.exclusions import Exclusion
from tests.games.tarokk.hands import some_hand, some_rules

SIDES = (None, *Side)
VALUES: Mapping[str, tuple[Any, ...]] = {
    "contract": tuple(Contract),
    "partner": (None, 1, 2, 3),
    "volat": SIDES,
    "trull": SIDES,
    "kings": SIDES,
    "xxi": SIDES,
    "pagat": tuple(Pagat),
    "points": (*range(95), *Band),
}
MADE = [name for name in VALUES if name != "points"]
TAROKKS = [f"tarokks_{place}" for place in range(4)]
type Noted = dict[str, Any]
#: A seed, and not a source of chance: the least of those is a lost próba for ever.
seeds = st.integers(0, 2**32)


def offered(table: Iterable[Exclusion], noted: Noted, name: str, values: Iterable[Any]) -> list[Any]:
    """The values of a field with which no exclusion is met, as the form evaluates them; its noted value is ignored."""
    near = [
        exclusion
        for exclusion in table
        if any(each.field == name for each in exclusion)
        and all(each.field == name or (each.field in noted and noted[each.field] in each.values) for each in exclusion)
    ]
    return [
        value
        for value in values
        if not any(all(value in each.values for each in exclusion if each.field == name) for exclusion in near)
    ]


@given(seeds)
def test_possible_deal_has_no_excluded_value(seed: int) -> None:
    chance = Random(seed)  # noqa: S311  cards, not keys
    rules = some_rules(chance)
    deal = some_hand(chance, rules)
    noted = {name: getattr(deal, name) for name in (*MADE, "game_kontra", "is_proba")}
    noted |= {"points": deal.points} if deal.points is not None else {}
    noted |= dict(zip(TAROKKS, deal.tarokks, strict=True))
    for name, value in noted.items():
        assert offered(exclusions(rules), noted, name, [value]) == [value], (deal, name)


@given(seeds)
def test_values_offered_are_those_that_some_value_of_another_open_field_makes_a_deal_of(seed: int) -> None:
    chance = Random(seed)  # noqa: S311  cards, not keys
    rules = some_rules(chance)
    while (deal := some_hand(chance, rules)).is_proba:
        pass
    name, other = chance.sample(list(VALUES), 2)
    noted = {each: getattr(deal, each) for each in (*VALUES, "game_kontra") if each not in (name, other)}
    left = []
    for value in VALUES[name]:
        if any(can_be({**noted, name: value, other: one}, rules) for one in VALUES[other]):
            left.append(value)
    assert offered(exclusions(rules), noted, name, VALUES[name]) == left, noted


def can_be(noted: Noted, rules: Rules) -> bool:
    try:
        Deal(**noted, rules=rules)
    except InvalidDeal:
        return False
    return True


DS, OS = Side


@pytest.mark.parametrize(
    ("rules", "noted", "field", "gone"),
    [
        ("", {"xxi": OS}, "trull", {DS}),
        ("", {"partner": None, "volat": DS}, "pagat", {Pagat.DECLARERS_LOST, Pagat.OPPONENTS_WON}),
        ("", {"points": Band.FROM_71, "contract": Contract.TWO}, "kings", {OS}),
        ("", {"points": Band.FROM_71, "contract": Contract.THREE}, "kings", set()),
        ("", {"points": Band.TO_23, "kings": DS}, "trull", {DS}),
        ("", {"points": 15}, "trull", {DS}),
        ("", {"points": 16}, "trull", set()),
        ("", {"points": 16, "contract": Contract.ONE}, "trull", {DS}),
        ("lone_discards=all", {"points": Band.FROM_71, "contract": Contract.TWO}, "kings", set()),
        ("lone_discards=all", {"points": Band.FROM_71, "contract": Contract.TWO, "partner": 1}, "kings", {OS}),
        ("", {"tarokks_0": 8, "tarokks_2": 9}, "tarokks_1", {8, 9}),
        ("", {"tarokks_0": 8, "tarokks_2": 0}, "tarokks_1", set()),
        ("", {"is_fourth": False}, "is_proba", {True}),
        ("", {"is_fourth": True}, "is_proba", set()),
        ("", {"contract": Contract.SOLO}, "is_proba", {True}),
        ("tie_47=kontra_needs_48", {"points": Band.FROM_24}, "game_kontra", set(Kontra) - {Kontra.NONE}),
        ("tie_47=last_kontra_loses", {"game_kontra": Kontra.KONTRA}, "points", {Band.FROM_24, 92, 93, 94}),
    ],
)
def test_known_exclusions_are_the_only_values_not_offered(rules: str, noted: Noted, field: str, gone: set[Any]) -> None:
    more = {"game_kontra": tuple(Kontra), "is_proba": (False, True), **dict.fromkeys(TAROKKS, (0, 8, 9))}
    values = {**VALUES, **more}[field]
    assert set(values) - set(offered(exclusions(GAME.rules_from_text(rules)), noted, field, values)) == gone
