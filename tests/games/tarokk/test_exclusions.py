"""The exclusions of a half-filled deal, beside brute force: all that leads to a deal that can be, and no more."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
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
from tests.selection import heavy

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
#: A deal that a house may want to have counted exactly.
EXACT = {Band.FROM_24}
FIRST = {"contract": Contract.THREE, "partner": 1, "points": Band.FROM_24}
#: A seed, and not a source of chance: the least of those is a lost próba for ever.
seeds = st.integers(0, 2**32)


@cache
def all_that_can_be(*, lone_discards: bool) -> Mapping[tuple[Any, ...], frozenset[Any]]:
    """The card points with which each combination of the other fields makes a deal: each of them is made."""
    rules = Rules(lone_discards=lone_discards)
    found = {}
    for said in product(*(VALUES[name] for name in MADE)):
        if said[1] in (2, 3):
            continue  # nothing but the amounts depends on his place
        if lone_discards and said[1]:
            found[said] = all_that_can_be(lone_discards=False)[said]  # it is of lone declarers alone
            continue
        noted = dict(zip(MADE, said, strict=True))
        found[said] = frozenset(_points_of(noted, rules))
    return found


def _points_of(noted: Noted, rules: Rules) -> Iterator[Any]:
    for points in VALUES["points"]:
        try:
            Deal(**noted, points=points, rules=rules)
        except InvalidDeal as invalid:
            if invalid.errors.keys() != {"points"}:
                return
        else:
            yield points


def points_left(noted: Noted, rules: Rules) -> frozenset[Any]:
    """All card points of any deal that says this, and more."""
    wanted = [_place(name, noted[name]) if name in noted else ... for name in MADE]
    every = all_that_can_be(lone_discards=rules.lone_discards).items()
    fits = (points for said, points in every if all(want in (..., one) for want, one in zip(wanted, said, strict=True)))
    left = frozenset[Any]().union(*fits)
    return left if can_be({**FIRST, "game_kontra": noted.get("game_kontra", Kontra.NONE)}, rules) else left - EXACT


def leads_somewhere(noted: Noted, rules: Rules) -> bool:
    left = points_left(noted, rules)
    return noted["points"] in left if "points" in noted else bool(left)


def _place(name: str, value: Any) -> Any:
    return 1 if name == "partner" and value else value


def can_be(noted: Noted, rules: Rules) -> bool:
    try:
        Deal(**noted, rules=rules)
    except InvalidDeal:
        return False
    return True


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


def half_filled(chance: Random, rules: Rules) -> Noted:
    """Some fields of a deal that can be, so that it leads somewhere."""
    while (deal := some_hand(chance, rules)).is_proba:
        pass
    names = chance.sample([*VALUES, "game_kontra"], chance.randint(0, len(VALUES)))
    return {name: getattr(deal, name) for name in names}


@pytest.mark.thorough
@heavy()
@given(seeds)
def test_values_offered_are_exactly_those_that_lead_to_a_deal(seed: int) -> None:
    chance = Random(seed)  # noqa: S311  cards, not keys
    rules = some_rules(chance)
    noted, table = half_filled(chance, rules), exclusions(rules)
    assert leads_somewhere(noted, rules)
    for name, values in (*VALUES.items(), ("game_kontra", tuple(Kontra)[: rules.ladder + 1])):
        others = {field: value for field, value in noted.items() if field != name}
        left = offered(table, noted, name, values)
        if name == "points":
            possible = points_left(others, rules)
            assert left == [value for value in values if value in possible], noted
        else:
            assert left == [value for value in values if leads_somewhere(others | {name: value}, rules)], noted


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


@pytest.mark.thorough
@pytest.mark.parametrize("rules", ["", "lone_discards=all tie_47=last_kontra_loses"])
def test_no_exclusion_says_more_than_it_must(rules: str) -> None:
    house = GAME.rules_from_text(rules)
    for exclusion in exclusions(house):
        if exclusion[0].field in ("is_proba", *TAROKKS):
            continue
        values = [next(iter(each.values)) for each in exclusion]  # type: ignore[attr-defined]
        noted = {each.field: value for each, value in zip(exclusion, values, strict=True)}
        assert not leads_somewhere(noted, house)
        for name in noted:
            assert leads_somewhere({field: value for field, value in noted.items() if field != name}, house), exclusion


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
