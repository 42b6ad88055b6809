"""The count, against another that was written from docs/rules/preference.md alone: 50,000 hands of any kind."""

import re
from collections.abc import Mapping
from random import Random

import pytest

from scorekeeper.games.base import Account, Entry, Place
from scorekeeper.games.errors import GameError, InvalidDeal, NotPlaying
from scorekeeper.games.preference import (
    GAME,
    Rules,
    Standing,
    balances,
    check,
    check_seats,
    count,
    deal_from_text,
    deal_to_text,
    is_finished,
    next_price,
    pairwise,
)
from scorekeeper.games.preference.standing import after
from scorekeeper.money.settlement import in_whole_units
from tests.games.preference import by_the_book
from tests.games.preference.by_the_book import Before, Switches
from tests.selection import first

HANDS, HOUSES = 2_500, 20
EVENINGS = 12


def rules_of(switches: Switches) -> Rules:
    return GAME.rules_from_text(" ".join(f"{name}={value}" for name, value in switches.items()))


def standing_of(before: Before, rules: Rules) -> Standing:
    return after(dict(enumerate(before.pools)), dict(enumerate(before.dumps)), before.row, rules)


def summed(entries: tuple[Entry, ...]) -> dict[Account, int]:
    sums: dict[Account, int] = {}
    for entry in entries:
        sums[entry.of] = sums.get(entry.of, 0) + entry.amount
    return {of: amount for of, amount in sums.items() if amount}


def refused(rules: Rules, place: Place, line: str) -> set[str]:
    """The codes by which a hand is refused after any standing."""
    try:
        deal = deal_from_text(line, rules)
        check(deal, rules)
        check_seats(deal, place.seats, place.dealer, place.declarer, rules)
    except InvalidDeal as invalid:
        return {message.code for message in invalid.errors.values()}
    except NotPlaying:
        return {"not_playing"}
    except GameError:
        return {"malformed"}
    return set()


@pytest.mark.parametrize("seed", first(3, range(HOUSES)))
def test_both_write_the_same(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for _ in range(HANDS // 10):
        switches = by_the_book.random_switches(chance)
        rules = rules_of(switches)
        for _ in range(10):
            n = chance.choice((3, 4))
            dealer = chance.randrange(n)
            before = by_the_book.random_before(chance, switches, n)
            declarer, line = by_the_book.random_line(chance, switches, n, dealer)
            said = (switches, before, n, dealer, declarer, line)
            deal, standing = deal_from_text(line, rules), standing_of(before, rules)
            assert (deal_to_text(deal), is_finished(standing, rules)) == (line, before.over), said
            assert next_price(standing, rules) == by_the_book.price(switches, before.row), said
            one = count(deal, Place(tuple(range(n)), dealer, declarer), standing, rules)
            other = by_the_book.count(switches, n, dealer, declarer, line, before)
            assert summed(one.entries) == other.entries, said
            assert one.standing == standing_of(Before(other.pools, other.dumps, other.row, other.over), rules), said


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_both_settle_alike(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    switches, n = by_the_book.random_switches(chance), chance.choice((3, 4))
    rules, before, sheet = rules_of(switches), Before([0] * n, [0] * n, 0, False), dict[Account, int]()
    for number in range(40):
        dealer = number % n
        declarer, line = by_the_book.random_line(chance, switches, n, dealer)
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


@pytest.mark.parametrize("seed", first(3, range(HOUSES)))
def test_both_refuse_the_same(seed: int) -> None:
    """A letter or a number of a hand is changed, or its players and dealer: both refuse it, or neither."""
    chance = Random(seed)  # noqa: S311
    for _ in range(100):
        switches, n = by_the_book.random_switches(chance), chance.choice((3, 4))
        rules, dealer = rules_of(switches), chance.randrange(n)
        declarer, line = by_the_book.random_line(chance, switches, n, dealer)
        at = chance.randrange(len(line))
        line = line[:at] + chance.choice("0123456789SCDHNwphrcgMR-= ") + line[at + 1 :]
        declarer = chance.choice((declarer, declarer, None, *range(n)))
        theirs = by_the_book.refusals(switches, n, dealer, declarer, line)
        ours = refused(rules, Place(tuple(range(n)), dealer, declarer), line)
        said = (switches, n, dealer, declarer, line, ours, theirs)
        assert bool(ours) == bool(theirs), said
        # Each chooses the first of several faults, and malformed lines, in its own way.
        assert not ours or theirs & {*ours, "malformed"} or re.search(r"\d{3}", line), said
