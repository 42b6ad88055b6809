"""The four profiles of docs/rules/preference.md §11, and which switches exclude each other."""

import pytest

from scorekeeper.games.errors import InvalidRules
from scorekeeper.games.preference import BOOK, GAME, Rules
from scorekeeper.games.preference.deal import LEVELS, quota, value
from tests.games.preference import by_the_book_reading
from tests.games.preference.hands import VECTORS


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
