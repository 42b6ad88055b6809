"""The count, against another that was written from docs/rules/preference.md alone; its lines, and a hand's worth."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Account, Place
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import (
    GAME,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Rules,
    Standing,
    balances,
    count,
    deal_from_text,
    deal_to_text,
    is_finished,
    may_follow,
    next_price,
    pairwise,
    reads_as,
    sheet_to_text,
    standing_from_text,
    start,
)
from scorekeeper.games.preference.announcing import Named
from scorekeeper.games.preference.counting import MOST_MISSING, prospects
from scorekeeper.games.preference.deal import ALL_TRICKS
from scorekeeper.games.preference.standing import after
from scorekeeper.money.settlement import in_whole_units
from sessions_app.readers.evening.recount import sheet_of
from tests.games.preference import by_the_book
from tests.games.preference.by_the_book import Before, Paper
from tests.games.preference.by_the_book_reading import BOOK, Switches
from tests.games.preference.hands import counted, rules_and_seats, some_evening, some_hand, some_rules, summed
from tests.selection import first

chances = st.randoms(use_true_random=False)
HANDS, HOUSES = 2_500, 10
EVENINGS = 12


def some_house(chance: Random) -> tuple[Rules, Switches]:
    """Rules of any kind, and their switches for the second count."""
    rules = some_rules(chance)
    said = {each.switch: each.value for each in GAME.differences(rules)}
    return rules, BOOK | {name: int(value) if value.isdigit() else value for name, value in said.items()}


def some_line(chance: Random, n: int, dealer: int, rules: Rules) -> tuple[int | None, str]:
    declarer, deal = some_hand(chance, tuple(range(n)), dealer, rules)
    return declarer, deal_to_text(deal)


def random_before(chance: Random, switches: Switches, n: int) -> Before:
    """A standing that can be: pools often next to T, above it only without aid."""
    target = int(switches["target"])
    top = target if switches["aid"] == "yes" else target + 12
    pools = [min(top, max(0, chance.choice((target, target - 1, chance.randint(0, top))))) for _ in range(n)]
    dumps = [chance.choice((0, 1, chance.randint(-8, 60))) for _ in range(n)]
    row = chance.choice((0, 1, 2, 3, chance.randint(4, 14)))
    return Before(pools, dumps, row, Paper(switches, n, Before(pools, dumps, row, False)).full())


def standing_of(before: Before, rules: Rules) -> Standing:
    return after(dict(enumerate(before.pools)), dict(enumerate(before.dumps)), before.row, rules)


@pytest.mark.parametrize("seed", first(3, range(HOUSES)))
def test_entries_agree_with_the_second_count(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for _ in range(HANDS // 10):
        rules, switches = some_house(chance)
        for _ in range(10):
            n = chance.choice((3, 4))
            dealer = chance.randrange(n)
            before = random_before(chance, switches, n)
            declarer, line = some_line(chance, n, dealer, rules)
            said = (switches, before, n, dealer, declarer, line)
            deal, standing = deal_from_text(line, rules), standing_of(before, rules)
            assert (deal_to_text(deal), is_finished(standing, rules)) == (line, before.over), said
            assert next_price(standing, rules) == by_the_book.price(switches, before.row), said
            one = count(deal, Place(tuple(range(n)), dealer, declarer), standing, rules)
            other = by_the_book.count(switches, n, dealer, declarer, line, before)
            assert summed(one.entries) == other.entries, said
            assert one.standing == standing_of(Before(other.pools, other.dumps, other.row, other.over), rules), said


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_balances_agree_with_the_second_count(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    (rules, switches), n = some_house(chance), chance.choice((3, 4))
    before, sheet = Before([0] * n, [0] * n, 0, False), dict[Account, int]()
    for number in range(40):
        dealer = number % n
        declarer, line = some_line(chance, n, dealer, rules)
        after_it = by_the_book.count(switches, n, dealer, declarer, line, before)
        before = Before(after_it.pools, after_it.dumps, after_it.row, after_it.over)
        for of, amount in after_it.entries.items():
            sheet[of] = sheet.get(of, 0) + amount
    seats = tuple(range(n))
    results = by_the_book.settle(n, sheet, switches)
    assert [balances(sheet, seats, rules)[seat] for seat in seats] == results
    owed: Mapping[tuple[int, int], object] = pairwise(sheet, seats, rules)
    received = by_the_book.pairs(n, sheet, switches)
    assert owed == {(payer, payee): got for (payee, payer), got in received.items() if got > 0}
    cut = chance.sample(seats, chance.randint(0, n))
    assert list(in_whole_units(results, cut)) == by_the_book.whole(results, cut)


#: By the worked hands of docs/rules/preference.md §12: seat 0 declares, the last deals; made and down one, two, three.
PROSPECTS = [
    ("", "", "6S", "wp", "P0+2 B1>0+8 | D0+2 B1>0+12 B2>0+2 | D0+4 B1>0+16 B2>0+4 | D0+6 B1>0+20 B2>0+6"),
    ("", "", "8H", "ww", "P0+6 | D0+6 | D0+12 | D0+18"),
    ("", "", "8H", "", "P0+6 | D0+6 | D0+12 | D0+18"),
    ("/4", "", "6C", "", "P0+2 | D0+2 B3>0+2 | D0+4 B3>0+4 | D0+6 B3>0+6"),
    ("", "", "M", "", "P0+10 | D0+10 B1>0+10 B2>0+10 | D0+20 B1>0+20 B2>0+20 | D0+30 B1>0+30 B2>0+30"),
    ("target=10", "P9,4,7", "8S", "", "P0+1 P1+2 P2+3 B0>1+20 B0>2+30 | D0+6 | D0+12 | D0+18"),
    *((house, "", "6S", answers, "") for house, answers in (("", "pp"), ("", "ph"), ("give_up=3", "g"))),
]


@pytest.mark.parametrize(("house", "before", "named", "answers", "expected"), PROSPECTS)
def test_prospects_are_what_the_worked_hands_write(
    house: str, before: str, named: str, answers: str, expected: str
) -> None:
    rules, seats = rules_and_seats(house)
    place = Place(seats, seats[-1], 0)
    result = Answers(answers) if answers else None
    found = prospects(Named.from_text(named), result, place, standing_from_text(before), rules)
    assert " | ".join(sheet_to_text(each.written) for each in found) == expected


@given(chances)
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
        assert expected.items() <= sheet_of(count(deal, place, standing, rules).entries).items()
        assert missing in range(MOST_MISSING + 1)


def _some_hand(chance: Random, named: Named, known: Answers | None, missing: int) -> Contract | Mizer:
    if named.level is None:
        return Mizer(missing)
    answers = known or chance.choice((Answers.FIRST, Answers.SECOND, Answers.BOTH))
    taken = named.level - missing
    first = chance.randint(0, ALL_TRICKS - taken)
    tricks = (taken, first, ALL_TRICKS - taken - first) if answers.of_two else (taken,)
    return Contract(named.level, answers, tricks)


@given(chances)
def test_only_a_strain_that_was_not_noted_is_no_other_hand(chance: Random) -> None:
    rules = some_rules(chance)
    _declarer, one = some_hand(chance, (0, 1, 2), 0, rules)
    _declarer, other = some_hand(chance, (0, 1, 2), 0, rules)
    assert reads_as(one, one, rules)
    assert reads_as(one, other, rules) is reads_as(other, one, rules)
    if isinstance(one, Contract):
        assert reads_as(one, replace(one, strain=None), rules)
        assert not reads_as(one, replace(one, level=16 - one.level if one.level != 8 else 6), rules)
    if one != other and not isinstance(one, Contract):
        assert not reads_as(one, other, rules)


@given(chances)
def test_after_the_end_only_agreed_entries_outside_the_pool_count(chance: Random) -> None:
    rules = some_rules(chance)
    standing, evening = start(rules), some_evening(chance, rules)
    for dealt, each in zip(evening, counted(evening, rules), strict=True):
        if is_finished(standing, rules):
            assert all(entry.reason == "agreed" and entry.account != "pool" for entry in each.entries)
            assert (each.standing.pools, each.standing.row) == (standing.pools, standing.row)
            if dealt.deal and not isinstance(dealt.deal, Agreed):
                assert [line.code for line in each.lines] == ["after_end"]
                _is_refused(dealt.deal, standing, rules)
        standing = each.standing


def _is_refused(deal: Deal, standing: Standing, rules: Rules) -> None:
    try:
        may_follow(deal, standing, rules)
    except InvalidDeal as refused:
        codes = [message.code for message in refused.errors.values()]
    assert codes == ["game_over"]
