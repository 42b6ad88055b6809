"""The line in which every game writes its house rules: its reading, its errors, and its one spelling."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.base import Game
from scorekeeper.games.errors import InvalidRules
from scorekeeper.games.house_rules import Difference, HouseRules, Switch, number, one_of, yes_no

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
EVERY_SWITCH = [
    pytest.param(game, switch, id=f"{key} {switch.name}") for key, game in GAMES.items() for switch in game.SWITCHES
]
NUMBERS = [param for param in EVERY_SWITCH if not param.values[1].values]


@dataclass(frozen=True, slots=True)
class Rules:
    """House rules of no game."""

    ten: int = one_of(free=1, checked=2)
    pool: int = number(10, 1, 50)
    whist: bool = yes_no(True)


def book(game: Game[Any, Any, Any]) -> Any:
    return next(iter(game.PROFILES.values()))


def possible(game: Game[Any, Any, Any], text: str) -> Any:
    """The rules of a line, or None where it says two things that exclude each other."""
    try:
        return game.rules_from_text(text)
    except InvalidRules as refused:
        wrong = {message.code for message in refused.errors.values()}
    assert wrong == {"not_with"}
    return None


def codes(read: Callable[[], object]) -> dict[str, str]:
    """The errors of each switch."""
    with pytest.raises(InvalidRules) as refused:
        read()
    assert all(message.code in str(refused.value) for message in refused.value.errors.values())
    return {name: message.code for name, message in refused.value.errors.items()}


@pytest.mark.parametrize(("game", "switch"), EVERY_SWITCH)
def test_each_value_of_a_switch_is_another_rule(game: Game[Any, Any, Any], switch: Switch) -> None:
    values = switch.values or [str(value) for value in range(switch.low, switch.high + 1)]
    read = [possible(game, f"{switch.name}={value}") for value in values]
    stand = [rules for rules in read if rules is not None]
    assert len(set(stand)) == len(stand)
    assert stand.count(book(game)) == 1


@pytest.mark.parametrize(("game", "switch"), NUMBERS)
def test_a_number_ends_where_it_says(game: Game[Any, Any, Any], switch: Switch) -> None:
    for value in (switch.low, switch.high):
        possible(game, f"{switch.name}={value}")
    for value in (switch.low - 1, switch.high + 1, int(f"9{switch.high}")):
        assert codes(lambda value=value: game.rules_from_text(f"{switch.name}={value}")) == {
            switch.name: "unknown_value"
        }


@pytest.mark.parametrize(
    "value", ["05", "+5", "-0", "−1", "5.0", "5,0", "٥", "５", "²", "1e1", "0x5", "1_0", "None", "", "9" * 5000]
)
@pytest.mark.parametrize(("game", "switch"), NUMBERS)
def test_a_number_has_one_spelling(game: Game[Any, Any, Any], switch: Switch, value: str) -> None:
    assert codes(lambda: game.rules_from_text(f"{switch.name}={value}")) == {switch.name: "unknown_value"}


@pytest.mark.parametrize("value", ["", "x", "Yes", "YES", "true", "1", "ja", "yes\0", "None"])
def test_a_word_has_one_spelling(value: str) -> None:
    game = GAMES["asszorti"]
    assert codes(lambda: game.rules_from_text(f"six_five_nil={value}")) == {"six_five_nil": "unknown_value"}


@every_game
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pagat", {"": "unknown_profile"}),
        ("BOOK", {"": "unknown_profile"}),
        ("x y z", {"": "unknown_profile"}),
        ("x hands=3", {"": "unknown_profile"}),
        ("\0", {"": "unknown_profile"}),
        ("x=1", {"x": "unknown_switch"}),
        ("=", {"": "unknown_switch"}),
        ("=1", {"": "unknown_switch"}),
        ("x=1 y=2 x=3", {"x": "unknown_switch", "y": "unknown_switch"}),
        ("__class__=1", {"__class__": "unknown_switch"}),
    ],
)
def test_unknown_rule_is_named_in_the_refusal(game: Game[Any, Any, Any], text: str, wrong: dict[str, str]) -> None:
    assert codes(lambda: game.rules_from_text(text)) == wrong


@pytest.mark.parametrize(("game", "switch"), EVERY_SWITCH)
def test_a_switch_stands_once_and_has_a_value(game: Game[Any, Any, Any], switch: Switch) -> None:
    value = switch.values[0] if switch.values else switch.low
    first = next(iter(game.PROFILES))
    for text, code in (
        (f"{switch.name}={value} {switch.name}={value}", "twice"),
        (f"{first} {switch.name}", "unknown_value"),
        (f"{switch.name}==", "unknown_value"),
        (f"{switch.name}={value}=", "unknown_value"),
    ):
        assert codes(lambda text=text: game.rules_from_text(text)) == {switch.name: code}
    assert codes(lambda: game.rules_from_text(f"{switch.name.upper()}={value}")) == {
        switch.name.upper(): "unknown_switch"
    }


def test_all_that_is_wrong_is_named_with_what_was_written() -> None:
    with pytest.raises(InvalidRules) as refused:
        GAMES["asszorti"].rules_from_text("book ladder=6 points=5 points=5 kontra=no")
    assert refused.value.errors == {
        "ladder": ("unknown_value", {"switch": "ladder", "value": "6"}),
        "points": ("twice", {"switch": "points"}),
        "kontra": ("unknown_switch", {"switch": "kontra"}),
    }


def test_the_line_says_most_by_a_profile() -> None:
    """A game with profiles, as the next ones have."""
    sochi = Rules(ten=2, pool=20)
    house = HouseRules({"book": Rules(), "sochi": sochi})
    assert house.write(sochi) == "sochi"
    assert house.write(Rules(2, 20, False)) == "sochi whist=no"
    assert house.write(Rules(pool=20)) == "pool=20"
    assert house.read("sochi ten=free") == Rules(pool=20)
    assert house.read("sochi pool=20") == sochi
    assert house.differences(sochi) == (Difference("ten", "checked", "free"), Difference("pool", "20", "10"))
    assert house.switches == (
        Switch("ten", ("free", "checked"), book="free"),
        Switch("pool", (), 1, 50, book="10"),
        Switch("whist", ("yes", "no"), book="yes"),
    )


def test_rules_are_held_against_others_too() -> None:
    sochi = Rules(ten=2, pool=20)
    house = HouseRules({"book": Rules(), "sochi": sochi})
    assert house.differences(sochi, sochi) == ()
    assert house.differences(Rules(), sochi) == (Difference("ten", "free", "checked"), Difference("pool", "10", "20"))
    assert house.differences(Rules(2, 15), sochi) == (Difference("pool", "15", "20"),)
