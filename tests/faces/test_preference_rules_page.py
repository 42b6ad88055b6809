"""Preference's page of rules: it shows the house rules, and each figure is the one that a hand would write."""

import re
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from django.test import Client

from scorekeeper.games import preference
from scorekeeper.games.base import Entry, Place
from scorekeeper.games.errors import InvalidDeal, InvalidRules
from scorekeeper.games.house_rules import Switch
from scorekeeper.games.preference import (
    GAME,
    Rules,
    Standing,
    count,
    deal_from_text,
    lowest_level,
    standing_from_text,
)
from scorekeeper.games.preference.deal import quota
from sessions_app.faces.preference import rules_page
from sessions_app.readers.evening.recount import sheet_of
from sessions_app.words.wording import signed
from tests.games.preference.hands import VECTORS, Given, some_rules
from tests.games.vectors import lines
from tests.selection import first
from tests.views.page import ENGLISH, HUNGARIAN, Node, Page

#: The profiles, and houses with values that none of them has.
HOUSES = (
    *GAME.PROFILES,
    "sochi ten=checked give_up=3 consolation=0",
    "rostov stalingrad=yes half_whist=no raspasy_growth=double raspasy_cap=0 bank_factor=3",
    "leningrad dump_factor=5 mizer_bank=yes pair_shares=yes raspasy_cap=0 made_to=dump_first",
)
EVERY_HOUSE = pytest.mark.parametrize("house", HOUSES)
#: The other switches that a switch needs.
WITH = {"raspasy_to": "raspasy_dealer=no"}
#: Sections that list differences, or are hands: the effect of a switch must be seen in another.
NOT_THE_RULES = ("rules-profiles", "worked-hands")


@pytest.fixture
def client(strangers: Client) -> Client:
    return strangers


def page_of(client: Client, house: str, headers: dict[str, str] = ENGLISH) -> Page:
    line = GAME.rules_to_text(GAME.rules_from_text(house))
    return Page.of(client.get("/games/preference/rules/", {"rules": line}, headers=headers))


def section(page: Page, name: str) -> Node:
    return page.one("section", aria_labelledby=name)


def table(node: Node) -> dict[str, list[str]]:
    """The rows of a table by their heads."""
    rows = node.of_class("worth-table")[0].one("tbody").all("tr")
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in rows}


def entries(line: str, house: str, row: int = 0) -> tuple[Entry, ...]:
    """The entries of a hand of seat 0; nothing where it cannot be."""
    rules = GAME.rules_from_text(f"{house} target=999")
    place = Place((0, 1, 2), 2, None if line[0] == "R" else 0)
    try:
        return count(deal_from_text(line, rules), place, Standing(row=row), rules).entries
    except InvalidDeal:
        return ()


def sum_of(written: tuple[Entry, ...], *reasons: str, seat: int | None = None) -> int:
    return sum(entry.amount for entry in written if entry.reason in reasons and seat in (None, entry.seat))


def played(level: int, tricks: int, house: str) -> tuple[Entry, ...]:
    """One whists alone; or where a ten is checked, both have tricks."""
    return entries(f"{level}C wp {tricks}", house) or entries(f"{level}C cc {tricks}-{10 - tricks}-0", house)


def of_hands(house: str) -> Iterator[tuple[str, list[int]]]:
    """Each row of the table of values, 0 where nothing is written: as hands write it, contract by contract."""
    levels = range(6, 11)
    down = {level: played(level, level - 1, house) for level in levels}
    caught = entries("M 1", house)
    made = (sum_of(played(level, 10, house), "made", seat=0) for level in levels)
    yield "made: pool", [*made, sum_of(entries("M 0", house), "mizer")]
    yield (
        "a trick: whists",
        [sum_of(played(level, 10 - quota(level), house), "whist", "shared") // quota(level) for level in levels],
    )
    yield "half: whists", [sum_of(entries(f"{level}C ph", house), "half", seat=2) for level in levels]
    yield (
        "a trick down: dump",
        [*(sum_of(down[level], "undertricks") for level in levels), sum_of(caught, "mizer", seat=0)],
    )
    yield (
        "a trick down: consolation",
        [*(sum_of(down[level], "consolation", seat=2) for level in levels), sum_of(caught, "mizer", seat=2)],
    )
    missing = (entries(f"{level}C wp {11 - quota(level)}", house) for level in levels)
    yield "a trick below the quota", [sum_of(each, "short") for each in missing]
    yield "given up: dump", [sum_of(entries(f"{level}C g", house), "given_up") for level in levels]


@EVERY_HOUSE
def test_every_figure_of_the_table_of_values_is_what_a_hand_writes(house: str, client: Client):
    shown = table(section(page_of(client, house), "rules-values"))
    for name, amounts in of_hands(house):
        assert (name in shown) == any(amounts), name
        if any(amounts):
            found = [0 if text in ("", "–") else int(text) for text in shown[name]]
            assert found[: len(amounts)] == amounts, name
            assert not any(found[len(amounts) :]), name
    assert [text for text in shown["quota"] if text != "–"] == ["4", "2", "1", "1", "1"][
        : 4 if "checked" in house else 5
    ]


@EVERY_HOUSE
def test_every_price_in_a_row_is_what_a_raspasovka_writes_there(house: str, client: Client):
    rules, raspasovka = GAME.rules_from_text(house), section(page_of(client, house), "rules-raspasovka")
    prices = [_price(house, row) for row in range(5)]
    if raspasovka.of_class("worth-table"):
        shown = table(raspasovka)
        assert shown["a trick"] == [str(price) for price in prices]
        ladder = [lowest_level(Standing(row=row), rules) for row in range(5)]
        assert shown.get("lowest contract", ["6"] * 5) == [str(level) for level in ladder]
    else:
        assert f"A trick costs {prices[0]}, however many raspasovkas follow one another." in raspasovka.text
    highest = re.search(r"never costs more than (\d+)", raspasovka.text)
    if highest:
        assert {_price(house, row) for row in (20, 900)} == {int(highest[1])}
    else:
        assert rules.raspasy_growth == "none" or _price(house, 900) > _price(house, 20)


def _price(house: str, row: int) -> int:
    """Two have the fewest tricks, and write half each where it goes into the bank."""
    return sum_of(entries("R 10-0-0", f"{house} raspasy_amnesty=no raspasy_zero=0", row), "raspasy") // 10


@pytest.mark.parametrize(("at", "line"), list(lines(VECTORS / "worked.txt")))
def test_the_worked_hands_of_the_rule_sheet_are_on_the_pages_of_their_profiles(at: str, line: str, client: Client):
    given, _equals, expected = line.partition(" = ")
    hand, house = Given.of(given), given.partition("|")[0].partition("/4")[0]
    there = [node for node in worked(page_of(client, house)) if node.attrs["data-line"] == hand.text]
    found = [node for node in there if node.attrs["data-entries"] == expected]
    assert len(found) == 1, at
    assert all(node.text for node in found[0].of_class("worked-why"))
    assert len(found[0].attrs["data-amounts"].split()) == len(hand.seats)


def worked(page: Page) -> list[Node]:
    return page.of_class("worked-hand")


@pytest.mark.parametrize("seed", first(4, range(12)))
def test_the_worked_hands_are_counted_by_whatever_the_house_plays(seed: int, client: Client):
    rules = some_rules(Random(seed))  # noqa: S311  cards, not keys
    page = page_of(client, GAME.rules_to_text(rules), HUNGARIAN if seed % 2 else ENGLISH)
    hands = rules_page.worked_hands(rules)
    assert [node.attrs["data-line"] for node in worked(page)] == [hand.line for hand in hands]
    for node, hand in zip(worked(page), hands, strict=True):
        seats = tuple(range(hand.seats or 3))
        place = Place(seats, seats[-1], 0 if hand.has_declarer else None)
        before = standing_from_text(hand.before)
        counted = count(deal_from_text(hand.line, rules), place, before, rules)
        assert node.attrs["data-entries"] == preference.sheet_to_text(sheet_of(counted.entries)), hand.line
        assert not preference.is_finished(before, rules)


@pytest.mark.parametrize(
    ("house", "gone"),
    [
        ("half_whist=no", {"6H ph", "7D rh 9"}),
        ("stalingrad=yes", {"6S wp 6", "6S wp 7"}),
        ("ten=checked", {"10N ww 9-1-0"}),
        ("target=5", {"8S pp"}),
        ("aid=no", {"8S pp"}),
        ("raspasy_dealer=no", {"R 3-5-1-1"}),
        ("consolation=0", {"6C pw 5"}),
    ],
)
def test_page_leaves_out_worked_hands_that_the_house_does_not_have(house: str, gone: set[str], client: Client):
    by_the_book, here = ({node.attrs["data-line"] for node in worked(page_of(client, each))} for each in ("", house))
    assert by_the_book - here == gone


def values_of(switch: Switch) -> Iterator[str]:
    """A few that are not the book's."""
    book = GAME.rules_from_text("")
    some = switch.values or [str(each) for each in (switch.low, switch.low + 1, 20, 30, 40) if each <= switch.high]
    for value in some:
        line = f"{switch.name}={value} {WITH.get(switch.name, '')}"
        try:
            rules = GAME.rules_from_text(line.strip())
        except InvalidRules:
            continue
        if getattr(rules, switch.name) != getattr(book, switch.name):
            yield value


@pytest.mark.parametrize("switch", first(4, GAME.SWITCHES), ids=lambda switch: switch.name)
def test_every_value_of_a_switch_changes_the_rules_text(switch: Switch, client: Client):
    beside = WITH.get(switch.name, "")
    texts = {"book": _said(page_of(client, beside))}
    for value in values_of(switch):
        texts[value] = _said(page_of(client, f"{switch.name}={value} {beside}".strip()))
    assert len(texts) > 1
    assert len(set(texts.values())) == len(texts)


def _said(page: Page) -> str:
    sections = (node for node in page.all("section") if node.attrs["aria-labelledby"] not in NOT_THE_RULES)
    return " ".join(node.text for node in sections)


@EVERY_HOUSE
def test_a_sheet_is_settled_by_the_points_of_the_house(house: str, client: Client):
    rules, node = GAME.rules_from_text(house), section(page_of(client, house), "rules-settlement")
    assert f"{rules.dump_point} × (their dump − yours) ÷ players" in node.text
    assert f"{rules.pool_point} × (your pool − theirs) ÷ players" in node.text
    shown = table(node)
    for name, (pool, dump, whists) in {"A": (6, 4, -12), "B": (2, 0, 8), "C": (0, 7, 4)}.items():
        by_pool = rules.pool_point * (pool - Fraction(8, 3))
        by_dump = rules.dump_point * (Fraction(11, 3) - dump)
        parts = [f"{pool} {signed(by_pool)}", f"{dump} {signed(by_dump)}", signed(whists)]
        assert shown[name] == [*parts, signed(by_pool + by_dump + whists)]


def test_values_of_rules_pages_are_equal_only_for_equal_pages():
    assert rules_page.values(Rules()) == rules_page.values(Rules())
    assert len({rules_page.values(rules) for rules in GAME.PROFILES.values()}) == len(GAME.PROFILES)
