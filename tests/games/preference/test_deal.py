"""Errors of deals that no line can express, the standing of a hand, the profiles and exclusions of house rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.errors import InvalidDeal, InvalidRules
from scorekeeper.games.preference import (
    BOOK,
    GAME,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Rules,
    Standing,
    Strain,
    check,
    deal_from_text,
    is_agreed,
    is_finished,
    lowest_level,
    reminder,
    standing_from_text,
    standing_to_text,
    start,
)
from scorekeeper.games.preference.deal import LEVELS, quota, value
from scorekeeper.games.preference.house_rules import PoolEnd
from tests.games.preference import by_the_book_reading
from tests.games.preference.hands import VECTORS

P0, D0, B01 = ("pool", 0, None), ("dump", 0, None), ("bank", 0, 1)


def anything(value: Any) -> Any:
    """A value that is none of its field's."""
    return value


def refused(deal: Deal) -> dict[str, str]:
    with pytest.raises(InvalidDeal) as invalid:
        check(deal, BOOK)
    return {name: message.code for name, message in invalid.value.errors.items()}


@pytest.mark.parametrize(
    ("field", "code", "deals"),
    [
        ("level", "unknown", [Contract(each, Answers.PASSED) for each in (5, 11, anything("6"), anything(True))]),
        ("answers", "unknown", [Contract(6, anything("pp"))]),
        ("strain", "unknown", [Contract(6, Answers.PASSED, strain=anything("S"))]),
        ("tricks", "unknown", [Contract(6, Answers.FIRST, anything(each)) for each in ([6], ("6",))]),
        ("tricks", "unknown", [Contract(6, Answers.BOTH, anything((6, 3, None))), Mizer(anything("0"))]),
        ("tricks", "unknown", [Raspasovka(anything(("4", 3, 3)))]),
        ("tricks", "tricks_range", [Contract(6, Answers.FIRST, (-1,)), Contract(6, Answers.BOTH, (1, 2, -5))]),
        ("tricks", "tricks_range", [Mizer(-1)]),
        ("tricks", "tricks_sum", [Contract(6, Answers.BOTH, (7, 5, -2)), Raspasovka((5, 3, 3, -1))]),
        ("tricks", "tricks_extra", [Contract(6, Answers.BOTH, (6, 2, 1, 1))]),
        ("tricks", "raspasy_count", [Raspasovka((5, 5, 0, 0, 0))]),
        ("amounts", "unknown", [Agreed(()), Agreed(((P0, 0),)), Agreed(((P0, anything("3")),))]),
        ("amounts", "unknown", [Agreed(((anything(("paid", 0, None)), 3),)), Agreed(((("pool", 0, 1), 3),))]),
        ("amounts", "unknown", [Agreed(((("bank", 0, None), 3),))]),
        ("amounts", "place_twice", [Agreed(((D0, 3), (D0, 2))), Agreed(((B01, 3), (D0, 3), (B01, 2)))]),
    ],
)
def test_value_that_no_notation_can_have_is_refused(field: str, code: str, deals: list[Deal]) -> None:
    for deal in deals:
        assert refused(deal) == {field: code}, deal


def test_agreed_entries_are_in_the_order_of_the_short_form_and_are_no_hand() -> None:
    assert Agreed(((B01, 1), (D0, 2), (P0, 3))) == Agreed(((P0, 3), (D0, 2), (B01, 1)))
    assert is_agreed(deal_from_text("= D0+1"))
    assert not any(is_agreed(deal_from_text(text)) for text in ("6S pp", "6S wp 6", "M 0", "R 4-3-3"))


def test_values_and_quotas_are_those_of_the_page() -> None:
    assert [(value(level), quota(level)) for level in range(6, 11)] == [(2, 4), (4, 2), (6, 1), (8, 1), (10, 1)]
    assert "".join(Strain) == "SCDHN"


# --- The standing of a hand, its text, and its consequences ---


some_numbers = st.lists(st.integers(-99, 999), min_size=3, max_size=4).map(tuple)


@given(st.builds(Standing, some_numbers, some_numbers, st.integers(0, 99)))
def test_text_of_a_standing_round_trips(standing: Standing) -> None:
    text = standing_to_text(standing)
    assert standing_from_text(text) == standing


def test_first_standing_is_empty_and_each_has_one_spelling() -> None:
    assert all(start(rules) == Standing() for rules in GAME.PROFILES.values())
    assert standing_to_text(start(BOOK)) == ""
    assert standing_from_text("") == start(BOOK)
    assert Standing((0, 0, 0), (0, 0, 0)) == start(BOOK)
    assert standing_to_text(Standing((9, 4, 7), (0, 3, 0), 2)) == "P9,4,7 D0,3,0 R2"
    texts = " |P|R0|R01|R-1|P0,0,0| R1|P1  R1|P1,2D1|P01|P1,2,3 |R1 P1,2,3|P1,,2|x"
    for text in texts.split("|"):
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
        ("target=10", (10, 10, 10, 0), False),
        ("target=10 pool_end=sum aid=no", (29, 0, 0), False),
        ("target=10 pool_end=sum aid=no", (30, 0, 0), True),
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


# --- The four profiles of docs/rules/preference.md §11, and which switches exclude each other ---


def test_the_profiles_are_those_of_the_page() -> None:
    page = {"book": by_the_book_reading.BOOK, "sochi": by_the_book_reading.SOCHI}
    page |= {"leningrad": by_the_book_reading.LENINGRAD, "rostov": by_the_book_reading.ROSTOV}
    assert list(GAME.PROFILES) == list(page)
    for (key, rules), switches in zip(GAME.PROFILES.items(), page.values(), strict=True):
        assert sorted(switches) == sorted(switch.name for switch in GAME.SWITCHES)
        assert GAME.rules_from_text(" ".join(f"{name}={value}" for name, value in switches.items())) == rules
        assert GAME.rules_to_text(rules) == ("" if key == "book" else key)
        assert rules.target == 20
    assert Rules() == BOOK


DIVIDED = ("pool_point=15", "pool_point=5", "dump_point=20", "pool_point=15 aid=no made_to=dump_first")


@pytest.mark.parametrize(
    ("text", "switch", "other"),
    [
        *(
            (text, "pair_shares", "short_factor")
            for text in ("pair_shares=yes short_factor=½", "rostov pair_shares=yes")
        ),
        *((text, "raspasy_to", "raspasy_dealer") for text in ("raspasy_to=bank", "rostov raspasy_dealer=yes")),
        ("rostov raspasy_amnesty=yes", "raspasy_to", "raspasy_amnesty"),
        *((text, "pool_point", "dump_point") for text in DIVIDED),
    ],
)
def test_switches_that_exclude_each_other_are_refused(text: str, switch: str, other: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        GAME.rules_from_text(text)
    [(name, message)] = refused.value.errors.items()
    assert (name, message.code, message.params["switch"]) == (switch, "not_with", other)


def test_switches_that_go_together_are_read() -> None:
    for text in (
        "pool_point=20",
        "dump_point=5",
        "aid=no pool_point=15",
        "rostov",
        "pair_shares=yes",
        "short_factor=½",
    ):
        assert GAME.rules_from_text(GAME.rules_to_text(GAME.rules_from_text(text))) == GAME.rules_from_text(text)


def test_half_of_what_a_side_lacks_is_whole_and_half_of_that_is_not() -> None:
    """So `pair_shares` may halve any lack, and may not stand with a `short_factor` of ½."""
    worth = [value(level) * lack for level in LEVELS for lack in range(quota(level) + 1)]
    assert not any(each % 2 for each in worth)
    assert any(each % 4 for each in worth)


def test_the_target_is_written_where_it_differs() -> None:
    assert GAME.rules_to_text(GAME.rules_from_text("leningrad target=20")) == "leningrad"
    assert GAME.rules_to_text(GAME.rules_from_text("leningrad target=10")) == "leningrad target=10"
    assert [each.switch for each in GAME.differences(GAME.rules_from_text("target=1"))] == ["target"]


def test_every_value_of_a_switch_has_a_vector() -> None:
    """Some of the numbers; and the exit ladder has its own test, as it only warns."""
    files = ("switches.txt", "refused.txt", "settlements.txt")
    said = "".join((VECTORS / name).read_text(encoding="utf-8") for name in files)
    for switch in GAME.SWITCHES:
        if switch.name != "raspasy_exit":
            assert f"{switch.name}=" in said, switch.name
            words = [value for value in switch.values[1:] if not value.isdigit()]
            assert all(f"{switch.name}={value}" in said for value in words), switch.name
