"""Properties of every hand and every evening of Preference."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.base import Count, Entry, Place
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import (
    Agreed,
    Contract,
    Deal,
    Rules,
    Standing,
    balances,
    deal_from_text,
    deal_to_text,
    entries_to_text,
    is_finished,
    may_follow,
    reads_as,
    sheet_from_text,
    sheet_to_text,
    standing_from_text,
    standing_to_text,
    start,
)
from scorekeeper.games.preference.house_rules import PoolEnd
from tests.games.preference.hands import Dealt, counted, some_evening, some_hand, some_rules

chances = st.randoms(use_true_random=False)


def sheet_of(counts: Iterable[Count[Standing]]) -> dict[Any, int]:
    return summed(entry for each in counts for entry in each.entries)


def summed(entries: Iterable[Entry]) -> dict[Any, int]:
    sheet: dict[Any, int] = {}
    for entry in entries:
        sheet[entry.of] = sheet.get(entry.of, 0) + entry.amount
    return sheet


def results(sheet: dict[Any, int], evening: list[Dealt], rules: Rules) -> dict[int, Fraction]:
    return dict(balances(sheet, evening[0].place.seats if evening else (0, 1, 2), rules))


# --- A hand ---


@given(chances)
def test_with_aid_no_hand_brings_a_pool_above_the_target(chance: Random) -> None:
    rules = replace(some_rules(chance), pool_point=20, dump_point=10, aid=True)
    standing = start(rules)
    for dealt, each in _paired(chance, rules):
        if not isinstance(dealt.deal, Agreed):
            before = standing.pools or (0,) * len(dealt.place.seats)
            after = each.standing.pools or (0,) * len(dealt.place.seats)
            assert all(now <= max(was, rules.target) for was, now in zip(before, after, strict=True))
        standing = each.standing


def _paired(chance: Random, rules: Rules) -> Iterator[tuple[Dealt, Count[Standing]]]:
    evening = some_evening(chance, rules)
    return zip(evening, counted(evening, rules), strict=True)


@given(chances, st.integers(1, 3))
def test_a_table_that_is_turned_round_writes_the_same_one_seat_on(chance: Random, turn: int) -> None:
    rules = some_rules(chance)
    evening = some_evening(chance, rules)

    def turned(seat: int | None, seats: tuple[int, ...]) -> int | None:
        return None if seat is None else (seat + turn) % len(seats)

    def moved(dealt: Dealt) -> Dealt:
        seats, deal = dealt.place.seats, dealt.deal
        if isinstance(deal, Agreed):
            deal = Agreed(tuple(((a, turned(b, seats), turned(c, seats)), n) for (a, b, c), n in deal.amounts))
        others = tuple(turned(seat, seats) for seat in seats)
        return Dealt(Place(others, turned(dealt.place.dealer, seats), turned(dealt.place.declarer, seats)), deal)

    here, there = counted(evening, rules), counted(map(moved, evening), rules)
    for dealt, one, other in zip(evening, here, there, strict=True):
        seats = dealt.place.seats
        expected = {
            (e.account, turned(e.seat, seats), turned(e.against, seats), e.amount, e.reason) for e in one.entries
        }
        assert {(e.account, e.seat, e.against, e.amount, e.reason) for e in other.entries} == expected


@given(chances)
def test_texts_round_trip(chance: Random) -> None:
    rules = some_rules(chance)
    for dealt, each in _paired(chance, rules):
        if dealt.deal:
            text = deal_to_text(dealt.deal)
            assert deal_from_text(text, rules) == dealt.deal
            assert deal_to_text(deal_from_text(text, rules)) == text
            assert len(text) <= 200
        assert standing_from_text(standing_to_text(each.standing)) == each.standing
        short = entries_to_text(each.entries)
        assert sheet_from_text(short) == {of: n for of, n in summed(each.entries).items() if n}
        assert sheet_to_text(sheet_from_text(short)) == short


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


# --- An evening ---


@given(chances)
def test_who_is_aided_changes_no_result(chance: Random) -> None:
    rules = some_rules(chance)
    rules = replace(rules, pool_point=10, dump_point=10, aid_rate=10, aid=True, target=chance.choice((1, 2, 6)))
    evening = some_evening(chance, rules)
    counts = list(counted(evening, rules))
    other = sheet_of(counts)
    for line in (line for each in counts for line in each.lines if line.code == "received"):
        donor, points = line.params["donor"], line.amount
        receiver = chance.choice([seat for seat in evening[0].place.seats if seat != donor])
        for seat, sign in ((line.params["seat"], -1), (receiver, 1)):
            other["pool", seat, None] = other.get(("pool", seat, None), 0) + sign * points
            other["bank", donor, seat] = other.get(("bank", donor, seat), 0) + sign * points * rules.aid_rate
    assert results(other, evening, rules) == results(sheet_of(counts), evening, rules)


@given(chances)
def test_it_settles_as_if_there_were_no_target(chance: Random) -> None:
    dump_point, times = chance.choice((1, 5, 10)), chance.choice((1, 2, 3))
    rules = replace(some_rules(chance), pool_point=10, dump_point=10, aid=True, pool_end=PoolEnd.NEVER)
    rules = replace(rules, dump_point=dump_point, pool_point=dump_point * times, aid_rate=dump_point * times)
    without = replace(rules, aid=False)
    evening = some_evening(chance, rules)
    here, there = sheet_of(counted(evening, rules)), sheet_of(counted(evening, without))
    assert results(here, evening, rules) == results(there, evening, without)


@given(chances)
def test_to_amend_a_hand_is_to_have_played_it_so(chance: Random) -> None:
    """Counted again from there, until the standing after a hand is the former one."""
    rules = some_rules(chance)
    evening = some_evening(chance, rules)
    counts = list(counted(evening, rules))
    if not evening:
        return
    at = chance.randrange(len(evening))
    place = evening[at].place
    declarer, deal = some_hand(chance, place.seats, place.dealer, rules)
    amended = [*evening[:at], Dealt(Place(place.seats, place.dealer, declarer), deal), *evening[at + 1 :]]
    corrected = list(counts)
    before = counts[at - 1].standing if at else start(rules)
    for number, again in enumerate(counted(amended[at:], rules, before), start=at):
        same = again.standing == counts[number].standing
        corrected[number] = again
        if same:
            break
    fresh = counted(amended, rules)
    for one, other in zip_longest(corrected, fresh):
        assert (one.entries, one.lines, one.standing) == (other.entries, other.lines, other.standing)


@given(chances)
def test_after_the_end_only_agreed_entries_outside_the_pool_count(chance: Random) -> None:
    rules = some_rules(chance)
    standing = start(rules)
    for dealt, each in _paired(chance, rules):
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
