"""The line in which every game writes its house rules: its reading, its errors, and its one spelling."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidRules
from scorekeeper.games.house_rules import Difference, HouseRules, Switch, number, one_of, yes_no


@dataclass(frozen=True, slots=True)
class Rules:
    """House rules of no game."""

    ten: int = one_of(free=1, checked=2)
    pool: int = number(10, 1, 50)
    whist: bool = yes_no(True)


SOCHI = Rules(ten=2, pool=20)
HOUSE = HouseRules({"book": Rules(), "sochi": SOCHI})


def refused(read: Callable[[], object]) -> dict[str, str]:
    """The errors of each switch."""
    with pytest.raises(InvalidRules) as refused:
        read()
    assert all(message.code in str(refused.value) for message in refused.value.errors.values())
    return {name: message.code for name, message in refused.value.errors.items()}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_value_of_each_switch_is_another_rule_and_a_number_ends_where_it_says(game: Game[Any, Any, Any]) -> None:
    for switch in game.SWITCHES:
        stand, excluded = [], set[str]()
        for value in switch.values or range(switch.low, switch.high + 1):
            try:
                stand.append(game.rules_from_text(f"{switch.name}={value}"))
            except InvalidRules as invalid:
                excluded |= {message.code for message in invalid.errors.values()}
        assert excluded <= {"not_with"}
        assert len(set(stand)) == len(stand)
        assert stand.count(game.PROFILES["book"]) == 1
        for value in () if switch.values else (switch.low - 1, switch.high + 1, int(f"9{switch.high}")):
            line = f"{switch.name}={value}"
            assert refused(lambda line=line: game.rules_from_text(line)) == {switch.name: "unknown_value"}


@pytest.mark.parametrize(
    ("switch", "values"),
    [
        ("pool", ["05", "+5", "-0", "−1", "5.0", "5,0", "٥", "５", "²", "1e1", "0x5", "1_0", "None", "", "9" * 5000]),
        ("pool", ["0", "51", "=", "5="]),
        ("whist", ["", "x", "Yes", "YES", "true", "1", "ja", "yes\0", "None", "=", "yes="]),
    ],
)
def test_a_value_has_one_spelling(switch: str, values: list[str]) -> None:
    for value in values:
        assert refused(lambda value=value: HOUSE.read(f"{switch}={value}")) == {switch: "unknown_value"}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        *((text, {"": "unknown_profile"}) for text in ("pagat", "BOOK", "x y z", "x hands=3", "\0")),
        *((text, {"": "unknown_switch"}) for text in ("=", "=1")),
        ("x=1 y=2 x=3", {"x": "unknown_switch", "y": "unknown_switch"}),
        ("__class__=1", {"__class__": "unknown_switch"}),
        ("POOL=5", {"POOL": "unknown_switch"}),
        ("pool=5 pool=5", {"pool": "twice"}),
        ("book pool", {"pool": "unknown_value"}),
    ],
)
def test_unknown_rule_is_named_in_the_refusal(text: str, wrong: dict[str, str]) -> None:
    assert refused(lambda: HOUSE.read(text)) == wrong


def test_refusal_of_rules_names_all_that_is_wrong_with_what_was_written() -> None:
    with pytest.raises(InvalidRules) as refused:
        GAMES["asszorti"].rules_from_text("book ladder=6 points=5 points=5 kontra=no")
    assert refused.value.errors == {
        "ladder": ("unknown_value", {"switch": "ladder", "value": "6"}),
        "points": ("twice", {"switch": "points"}),
        "kontra": ("unknown_switch", {"switch": "kontra"}),
    }


def test_the_line_says_most_by_a_profile() -> None:
    assert HOUSE.write(SOCHI) == "sochi"
    assert HOUSE.write(Rules(2, 20, False)) == "sochi whist=no"
    assert HOUSE.write(Rules(pool=20)) == "pool=20"
    assert HOUSE.read("sochi ten=free") == Rules(pool=20)
    assert HOUSE.read("sochi pool=20") == SOCHI
    assert HOUSE.switches == (
        Switch("ten", ("free", "checked"), book="free"),
        Switch("pool", (), 1, 50, book="10"),
        Switch("whist", ("yes", "no"), book="yes"),
    )


def test_rules_differ_from_the_book_or_from_others() -> None:
    assert HOUSE.differences(SOCHI) == (Difference("ten", "checked", "free"), Difference("pool", "20", "10"))
    assert HOUSE.differences(SOCHI, SOCHI) == ()
    assert HOUSE.differences(Rules(), SOCHI) == (Difference("ten", "free", "checked"), Difference("pool", "10", "20"))
    assert HOUSE.differences(Rules(2, 15), SOCHI) == (Difference("pool", "15", "20"),)
