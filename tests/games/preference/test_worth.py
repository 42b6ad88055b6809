"""The worth of a hand in play: all certain entries, and no others."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Place
from scorekeeper.games.preference import Answers, Contract, Mizer, Standing, count, sheet_to_text, standing_from_text
from scorekeeper.games.preference.announcing import Named
from scorekeeper.games.preference.counting import MOST_MISSING, Prospect, prospects
from scorekeeper.games.preference.deal import ALL_TRICKS
from tests.games.preference.hands import rules_and_seats, some_rules

#: By the worked hands of docs/rules/preference.md §12: seat 0 declares, the last deals; made and down one, two, three.
WORTH = [
    ("", "", "6S", "wp", "P0+2 B1>0+8 | D0+2 B1>0+12 B2>0+2 | D0+4 B1>0+16 B2>0+4 | D0+6 B1>0+20 B2>0+6"),
    ("", "", "8H", "wp", "P0+6 B1>0+12 | D0+6 B1>0+24 B2>0+6 | D0+12 B1>0+36 B2>0+12 | D0+18 B1>0+48 B2>0+18"),
    ("", "", "8H", "ww", "P0+6 | D0+6 | D0+12 | D0+18"),
    ("", "", "8H", "", "P0+6 | D0+6 | D0+12 | D0+18"),
    ("/4", "", "6C", "", "P0+2 | D0+2 B3>0+2 | D0+4 B3>0+4 | D0+6 B3>0+6"),
    ("", "", "M", "", "P0+10 | D0+10 B1>0+10 B2>0+10 | D0+20 B1>0+20 B2>0+20 | D0+30 B1>0+30 B2>0+30"),
    (
        "leningrad",
        "",
        "7H",
        "wp",
        "P0+4 B1>0+24 | D0+8 B1>0+24 B2>0+24 | D0+16 B1>0+36 B2>0+36 | D0+24 B1>0+48 B2>0+48",
    ),
    ("target=10", "P9,4,7", "8S", "", "P0+1 P1+2 P2+3 B0>1+20 B0>2+30 | D0+6 | D0+12 | D0+18"),
    # Of two only the entries of every split: halves of the same, and nothing that one of them may yet have to himself.
    (
        "pair_shares=yes short_one=strict",
        "",
        "9H",
        "ww",
        "P0+8 B1>0+4 B2>0+4 | D0+8 B1>0+16 B2>0+16 | D0+16 B1>0+28 B2>0+28 | D0+24 B1>0+40 B2>0+40",
    ),
    ("short_one=second_strict", "", "9H", "ww", "P0+8 | D0+8 | D0+16 | D0+24"),
    ("", "", "6S", "pp", ""),
    ("", "", "6S", "ph", ""),
    ("give_up=3", "", "6S", "g", ""),
]


def written(found: tuple[Prospect, ...]) -> str:
    return " | ".join(sheet_to_text(each.written) for each in found)


@pytest.mark.parametrize(("house", "before", "named", "answers", "expected"), WORTH)
def test_it_is_what_the_worked_hands_write(house: str, before: str, named: str, answers: str, expected: str) -> None:
    rules, seats = rules_and_seats(house)
    place = Place(seats, seats[-1], 0)
    result = Answers(answers) if answers else None
    found = prospects(Named.from_text(named), result, place, standing_from_text(before), rules)
    assert written(found) == expected


@given(st.randoms(use_true_random=False))
def test_whatever_comes_of_the_hand_it_is_written(chance: Random) -> None:
    rules = replace(some_rules(chance), stalingrad=False)
    seats = tuple(range(chance.choice((3, 4))))
    place, standing = Place(seats, seats[-1], 0), Standing(row=chance.randrange(3))
    named = Named(chance.choice((None, 6, 7, 8, 9, 10)))
    whisting = named.whisting((), rules)
    checked = Answers.CHECKED if whisting and whisting.is_over else None
    known = checked or chance.choice((None, Answers.FIRST, Answers.SECOND, Answers.BOTH, Answers.RETRIEVED))
    if known is Answers.RETRIEVED and not (rules.half_whist and named.level in (6, 7)):
        known = Answers.FIRST
    for missing, expected in prospects(named, known, place, standing, rules):
        deal = _some_hand(chance, named, known, missing)
        sheet: dict[object, int] = {}
        for entry in count(deal, place, standing, rules).entries:
            sheet[entry.of] = sheet.get(entry.of, 0) + entry.amount
        assert expected.items() <= sheet.items()
        assert missing in range(MOST_MISSING + 1)


def _some_hand(chance: Random, named: Named, known: Answers | None, missing: int) -> Contract | Mizer:
    if named.level is None:
        return Mizer(missing)
    answers = known or chance.choice((Answers.FIRST, Answers.SECOND, Answers.BOTH))
    taken = named.level - missing
    first = chance.randint(0, ALL_TRICKS - taken)
    tricks = (taken, first, ALL_TRICKS - taken - first) if answers.of_two else (taken,)
    return Contract(named.level, answers, tricks)
