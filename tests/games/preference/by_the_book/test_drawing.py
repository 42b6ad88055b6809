"""The second count, on hands at random: drawn hands are possible, and keep the properties of any hand."""

from itertools import combinations
from random import Random

import pytest

from tests.games.preference.by_the_book import (
    CHOICES,
    After,
    clash,
    count,
    random_before,
    random_line,
    random_switches,
    refusals,
    settle,
    whole,
)


class Drawn:
    """A house, a table, a standing and a hand at random."""

    def __init__(self, seed: int) -> None:
        chance = Random(seed)  # noqa: S311
        self.switches, self.n = random_switches(chance), chance.choice((3, 4))
        self.dealer = chance.randrange(self.n)
        self.before = random_before(chance, self.switches, self.n)
        self.declarer, self.line = random_line(chance, self.switches, self.n, self.dealer)

    def after(self, **turned: str | int) -> After:
        return count(self.switches | turned, self.n, self.dealer, self.declarer, self.line, self.before)


@pytest.fixture(scope="module")
def drawn() -> list[Drawn]:
    return [Drawn(seed) for seed in range(6_000)]


def test_what_is_drawn_can_be(drawn: list[Drawn]) -> None:
    for each in drawn:
        wrong = refusals(each.switches, each.n, each.dealer, each.declarer, each.line)
        assert not wrong, (wrong, each.line, each.switches)


def test_every_kind_is_drawn(drawn: list[Drawn]) -> None:
    kinds = {word for each in drawn for word in each.line.split()[:2] if word[0] in "MR=" or word.islower()}
    assert kinds >= {"M", "R", "=", "pp", "ph", "wp", "pw", "ww", "rh", "cc", "g"}


def test_the_standing_is_the_sum_of_the_entries_and_nobody_gains_from_nothing(drawn: list[Drawn]) -> None:
    for each in drawn:
        after = each.after()
        assert 0 not in after.entries.values()
        for seat in range(each.n):
            assert after.pools[seat] - each.before.pools[seat] == after.entries.get(("pool", seat, None), 0)
            assert after.dumps[seat] - each.before.dumps[seat] == after.entries.get(("dump", seat, None), 0)
        results = settle(each.n, after.entries, each.switches)
        units = whole(results)
        assert sum(units) == 0
        assert all(abs(unit - result) < 1 for unit, result in zip(units, results, strict=True))


def test_a_pool_point_is_worth_the_same_whenever_it_is_won(drawn: list[Drawn]) -> None:
    """Pool, dump 2: settlement is as if there were no target at all, when a point given is paid at its worth."""
    for each in drawn:
        switches = each.switches | {"aid": "yes"}
        if each.before.over or clash(switches):
            continue
        settled = [
            settle(each.n, each.after(aid=aid, made_to=to, aid_rate=switches["pool_point"]).entries, switches)
            for aid, to in (("yes", "pool"), ("no", "pool"), ("yes", "dump_first"))
        ]
        assert settled[0] == settled[1] == settled[2], (each.line, switches)


def test_no_pool_passes_the_target_with_aid(drawn: list[Drawn]) -> None:
    for each in drawn:
        if each.switches["aid"] == "yes" and not each.line.startswith("="):
            assert max(each.after().pools) <= int(each.switches["target"])


ASKED_ELSEWHERE = {"give_up", "ten", "half_whist", "stalingrad", "raspasy_dealer", "raspasy_exit"}


@pytest.mark.parametrize("switch", sorted(set(CHOICES) - ASKED_ELSEWHERE))
def test_any_two_values_of_a_switch_count_otherwise_in_some_hand(drawn: list[Drawn], switch: str) -> None:
    alike = set(combinations(CHOICES[switch], 2))
    for each in drawn:
        for one, other in sorted(alike, key=str):
            if clash(each.switches | {switch: one}) or clash(each.switches | {switch: other}):
                continue
            if each.after(**{switch: one}) != each.after(**{switch: other}):
                alike.remove((one, other))
        if not alike:
            return
    assert not alike
