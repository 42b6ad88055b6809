"""A second, deliberately naive count of Russian Preference, to hold against the program's own.

It is written from docs/rules/preference.md alone and shares nothing with the program: no import, no constant, no reader
of the line. It counts as a slow person with a pencil does: every trick, every missing trick and every pool point is a
stroke of its own on the paper. `count` expects a legal hand and checks nothing.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from tests.games.preference.by_the_book_reading import (
    Hand,
    Place,
    Switches,
    Table,
    dealer_plays_talon,
    read,
    seats,
    three_who_play,
)

# --- The paper while one hand is written on it, with the state before the hand and after it. ---


class Before(NamedTuple):
    """The state of earlier hands that a hand needs; `over`: it comes after the end."""

    pools: list[int]
    dumps: list[int]
    row: int
    over: bool


class After(NamedTuple):
    """The entries of a hand, summed by place and without zeros, and the state for the next one."""

    entries: dict[Place, int]
    pools: list[int]
    dumps: list[int]
    row: int
    over: bool


class Paper:
    """The paper while one hand is written on it."""

    def __init__(self, switches: Switches, n: int, before: Before) -> None:
        self.switches, self.n = switches, n
        self.pools, self.dumps = list(before.pools), list(before.dumps)
        self.entries: dict[Place, int] = {}

    def pool(self, seat: int, amount: int) -> None:
        self.pools[seat] += amount
        self._write(("pool", seat, None), amount)

    def dump(self, seat: int, amount: int) -> None:
        self.dumps[seat] += amount
        self._write(("dump", seat, None), amount)

    def bank(self, seat: int, against: int, amount: int) -> None:
        self._write(("bank", seat, against), amount)

    def _write(self, place: Place, amount: int) -> None:
        self.entries[place] = self.entries.get(place, 0) + amount

    def number(self, switch: str) -> int:
        return int(self.switches[switch])

    def full(self) -> bool:
        """Return whether the pools are as full as `pool_end` asks."""
        target = self.number("target")
        match self.switches["pool_end"]:
            case "each":
                return min(self.pools) >= target
            case "sum":
                return sum(self.pools) >= self.n * target
        return False


# --- Whisters who are short: the missing tricks that each whister answers for, and his entries. Paragraph 4. ---


QUOTA = {6: 4, 7: 2, 8: 1, 9: 1, 10: 1}


def who_is_short(switches: Switches, hand: Hand, table: Table, tricks: dict[int, int]) -> dict[int, int]:
    """Paragraph 4: for how many tricks each whister answers; a whister who answers for none is left out.

    The share of a pair is named once: `write_short` halves it.
    """
    missing = max(0, QUOTA[hand.level] - sum(tricks.values()))
    if len(tricks) == 1:
        answers = dict.fromkeys(tricks, missing)
    elif shares_as_a_pair(switches, hand):
        answers = {table.second: missing}
    elif QUOTA[hand.level] > 1:
        answers = short_at_six_and_seven(switches, tricks, QUOTA[hand.level] // 2, missing)
    elif switches["short_one"] == "strict":
        answers = {seat: 1 for seat, taken in tricks.items() if taken == 0}
    elif switches["short_one"] == "second_strict":
        answers = {table.second: 1 if tricks[table.second] == 0 else 0}
    elif switches["short_one"] == "both":
        answers = dict.fromkeys(tricks, missing)
    else:
        answers = {table.second: missing}
    return {seat: number for seat, number in answers.items() if number}


def short_at_six_and_seven(switches: Switches, tricks: dict[int, int], half: int, missing: int) -> dict[int, int]:
    """The side's missing tricks go round one by one, to the whister who still lacks most himself."""
    lacks = {seat: max(0, half - taken) for seat, taken in tricks.items()}
    if switches["short_share"] == "strict" or (switches["short_share"] == "own" and missing):
        return lacks
    answers = dict.fromkeys(tricks, 0)
    for _ in range(missing):
        whose = max(tricks, key=lambda seat: lacks[seat] - answers[seat])
        answers[whose] += 1
    return answers


def write_short(paper: Paper, hand: Hand, table: Table, short: dict[int, int], v: int) -> None:
    """Each missing trick, by him who answers or by the pair in halves, into the bank against him or into his dump."""
    for whister, number in short.items():
        payers = [table.first, table.second] if shares_as_a_pair(paper.switches, hand) else [whister]
        parts = 2 if paper.switches["short_factor"] == "½" or len(payers) == 2 else 1
        for _ in range(number):
            for payer in payers:
                if paper.switches["short_to"] == "bank":
                    paper.bank(table.declarer, payer, v // parts)
                else:
                    paper.dump(payer, v // parts)


def shares_as_a_pair(switches: Switches, hand: Hand) -> bool:
    """`pair_shares`, of two whisters; a ten that is checked has none."""
    return hand.answers == "ww" and switches["pair_shares"] == "yes"


# --- The way of a pool point that is won: dump, own pool, or another's as aid. ---


def win(paper: Paper, seat: int, points: int) -> None:
    """Pool points won, one by one: off the own dump if that is first, the own pool, the others', the own dump."""
    for _ in range(points):
        receiver = who_is_aided(paper, seat)
        if paper.switches["made_to"] == "dump_first" and paper.dumps[seat] >= off_the_dump(paper):
            paper.dump(seat, -off_the_dump(paper))
        elif paper.switches["aid"] == "no" or paper.pools[seat] < paper.number("target"):
            paper.pool(seat, 1)
        elif receiver is not None:
            paper.pool(receiver, 1)
            paper.bank(seat, receiver, paper.number("aid_rate"))
        else:
            paper.dump(seat, -off_the_dump(paper))


def off_the_dump(paper: Paper) -> int:
    """The points that one pool point takes off a dump."""
    return paper.number("pool_point") // paper.number("dump_point")


def who_is_aided(paper: Paper, donor: int) -> int | None:
    """The seat below T with the highest pool; of equals the first clockwise from the donor."""
    best = None
    for step in range(1, paper.n):
        seat = (donor + step) % paper.n
        has_room = paper.pools[seat] < paper.number("target")
        if has_room and (best is None or paper.pools[seat] > paper.pools[best]):
            best = seat
    return best


# --- A hand with a declarer: the entries of a contract or a mizer, paragraphs 1 to 3 and 5. ---


VALUE = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}


def write_declared(paper: Paper, hand: Hand, table: Table) -> None:
    """A mizer, or a contract that is passed out, half whisted, given up or played."""
    v = VALUE.get(hand.level, 10)
    if hand.kind == "mizer":
        write_mizer(paper, hand.numbers[0], table)
    elif hand.answers == "g":
        paper.dump(table.declarer, v * paper.number("dump_factor") * paper.number("give_up"))
    elif hand.answers in ("pp", "ph"):
        win(paper, table.declarer, v)
        if hand.answers == "ph":
            paper.bank(table.second, table.declarer, v * paper.number("bank_factor") * QUOTA[hand.level] // 2)
    else:
        write_played(paper, hand, table, v)


def write_mizer(paper: Paper, tricks: int, table: Table) -> None:
    """Paragraph 5."""
    if tricks == 0:
        win(paper, table.declarer, 10)
    for _ in range(tricks):
        paper.dump(table.declarer, 10 * paper.number("dump_factor"))
        if paper.switches["mizer_bank"] == "yes":
            for other in table.others:
                paper.bank(other, table.declarer, 10 * paper.number("bank_factor"))


def write_played(paper: Paper, hand: Hand, table: Table, v: int) -> None:
    """Paragraphs 2 to 4."""
    tricks, went_home = tricks_by_whister(hand, table), None
    if hand.answers == "rh" and paper.switches["retrieved"] == "nothing":
        went_home = table.second
    if hand.numbers[0] >= hand.level:
        win(paper, table.declarer, v)
    for _ in range(hand.numbers[0], hand.level):
        paper.dump(table.declarer, v * paper.number("dump_factor"))
        for other in table.others:
            if other != went_home:
                paper.bank(other, table.declarer, consolation(paper, v))
    short = {} if hand.answers == "cc" else who_is_short(paper.switches, hand, table, tricks)
    write_short(paper, hand, table, short, v)
    for whister, taken in tricks.items():
        writers = who_writes(paper.switches, hand, table, whister, short)
        for _ in range(taken):
            for writer in writers:
                paper.bank(writer, table.declarer, v * paper.number("bank_factor") // len(writers))


def tricks_by_whister(hand: Hand, table: Table) -> dict[int, int]:
    """A lone whister has all that the declarer has not; of two each has his own."""
    if hand.answers in ("wp", "rh"):
        return {table.first: 10 - hand.numbers[0]}
    if hand.answers == "pw":
        return {table.second: 10 - hand.numbers[0]}
    return {table.first: hand.numbers[1], table.second: hand.numbers[2]}


def consolation(paper: Paper, v: int) -> int:
    """For one trick down; a flat number takes no factor."""
    if paper.switches["consolation"] == "value":
        return v * paper.number("bank_factor")
    return paper.number("consolation")


def who_writes(switches: Switches, hand: Hand, table: Table, whister: int, short: dict[int, int]) -> list[int]:
    """The seats that write, in equal parts, a trick that this whister took."""
    both, keeps = [table.first, table.second], switches["short_keeps"] == "yes"
    if shares_as_a_pair(switches, hand):
        return both if keeps or not short else []
    if whister in short and not keeps:
        return []
    is_lone, is_down = hand.answers in ("wp", "pw", "rh"), hand.numbers[0] < hand.level
    if switches["whist_style"] == "gentleman" and is_lone and is_down:
        second_is_out = hand.answers == "rh" and switches["retrieved"] == "nothing"
        return [table.first] if second_is_out else both
    return [whister]


# --- The raspasovka, paragraph 6: the price of a trick, the entries, and the end of a row. ---


def price(switches: Switches, row: int) -> int:
    """The price r of a trick after so many raspasovkas in a row."""
    times, cap = 1, int(switches["raspasy_cap"])
    for _ in range(row):
        if switches["raspasy_growth"] == "add":
            times += 1
        if switches["raspasy_growth"] == "double":
            times = min(times * 2, 1024)
        if cap:
            times = min(times, cap)
    return int(switches["raspasy_base"]) * times


def write_raspasovka(paper: Paper, hand: Hand, dealer: int, r: int) -> None:
    """The tricks of all who take part, then the entries for no trick, eldest first."""
    three = three_who_play(paper.n, dealer)
    participants = [*three, dealer] if dealer_plays_talon(paper.switches, paper.n) else three
    tricks = dict(zip(participants, hand.numbers, strict=True))
    lowest = min(tricks.values())
    if paper.switches["raspasy_to"] == "bank":
        write_to_lowest(paper, tricks, r)
    else:
        forgiven = lowest if paper.switches["raspasy_amnesty"] == "yes" else 0
        for seat, taken in tricks.items():
            for _ in range(taken - forgiven):
                paper.dump(seat, r)
    for seat in three:
        if tricks[seat] == 0:
            zero = paper.switches["raspasy_zero"]
            win(paper, seat, r if zero == "rate" else int(zero))


def write_to_lowest(paper: Paper, tricks: dict[int, int], r: int) -> None:
    """Every trick of each who has more; two lowest share the whole of it."""
    lowest = [seat for seat, taken in tricks.items() if taken == min(tricks.values())]
    for seat, taken in tricks.items():
        if seat not in lowest:
            for writer in lowest:
                paper.bank(writer, seat, r * taken // len(lowest))


def row_after(switches: Switches, hand: Hand, row: int) -> int:
    """The number of raspasovkas in a row by now."""
    if hand.kind == "raspasovka":
        return row + 1
    is_played = hand.answers not in ("pp", "ph", "g")
    if hand.kind == "mizer":
        is_made = hand.numbers[0] == 0
    else:
        is_made = hand.answers in ("pp", "ph") or (is_played and hand.numbers[0] >= hand.level)
    ends = {
        "any": True,
        "played": is_played,
        "made": is_made,
        "whisted": is_made and hand.answers in ("wp", "pw", "ww", "rh"),
    }
    return 0 if ends[str(switches["raspasy_reset"])] else row


# --- One hand of any kind, from the line to the entries and the standing after it. ---


def count(switches: Switches, n: int, dealer: int, declarer: int | None, line: str, before: Before) -> After:
    """The entries of one legal hand (or agreed entry) at a table of n, and the standing after it."""
    hand, paper = read(line), Paper(switches, n, before)
    row = before.row
    if hand.kind == "agreed":
        write_agreed(paper, hand, before.over)
    elif not before.over:
        if hand.kind == "raspasovka":
            write_raspasovka(paper, hand, dealer, price(switches, before.row))
        else:
            assert declarer is not None
            write_declared(paper, hand, seats(n, dealer, declarer))
        row = row_after(switches, hand, before.row)
    entries = {place: amount for place, amount in paper.entries.items() if amount}
    return After(entries, paper.pools, paper.dumps, row, before.over or paper.full())


def write_agreed(paper: Paper, hand: Hand, over: bool) -> None:
    """Paragraph 8: as they are said; after the end those outside the pool."""
    for (account, seat, against), amount in hand.places:
        if account == "pool" and not over:
            paper.pool(seat, amount)
        elif account == "dump":
            paper.dump(seat, amount)
        elif against is not None:
            paper.bank(seat, against, amount)


# --- Settlement: the result of a sheet, by the mean and by pairs, and in whole units. ---


def pairs(n: int, sheet: Mapping[Place, int], switches: Switches) -> dict[tuple[int, int], Fraction]:
    """The points that i receives from j (below zero: pays), for every i and j: each place a payment in n-ths of a
    point.
    """
    nths = {(i, j): 0 for i in range(n) for j in range(n) if i != j}
    for (account, seat, against), amount in sheet.items():
        for other in range(n):
            if other == seat or (account == "bank" and other != against):
                continue
            one = {"bank": n, "dump": -int(switches["dump_point"]), "pool": int(switches["pool_point"])}[account]
            nths[seat, other] += amount * one
            nths[other, seat] -= amount * one
    return {pair: Fraction(number, n) for pair, number in nths.items()}


def settle(n: int, sheet: Mapping[Place, int], switches: Switches) -> list[Fraction]:
    """The result of each seat, once against the mean and once as the sum of its pairs, which must agree."""
    by_pairs, results = pairs(n, sheet, switches), []
    mean_dump, mean_pool = _mean(n, sheet, "dump"), _mean(n, sheet, "pool")
    for i in range(n):
        banks = sum(sheet.get(("bank", i, j), 0) - sheet.get(("bank", j, i), 0) for j in range(n))
        dumps = int(switches["dump_point"]) * (mean_dump - sheet.get(("dump", i, None), 0))
        pools = int(switches["pool_point"]) * (sheet.get(("pool", i, None), 0) - mean_pool)
        result = banks + dumps + pools
        assert result == sum(by_pairs[i, j] for j in range(n) if j != i)
        results.append(result)
    assert sum(results) == 0
    return results


def _mean(n: int, sheet: Mapping[Place, int], account: str) -> Fraction:
    return Fraction(sum(sheet.get((account, seat, None), 0) for seat in range(n)), n)


def whole(results: Sequence[Fraction], cut: Sequence[int] = ()) -> list[int]:
    """All down to whole units; those missing one each to the largest fractions. `cut`: seats, highest card first."""
    units = [floor(result) for result in results]
    queue = [*cut, *(seat for seat in range(len(results)) if seat not in cut)]
    while sum(units) < 0:
        luckiest = max(queue, key=lambda seat: results[seat] - floor(results[seat]))
        queue.remove(luckiest)
        units[luckiest] += 1
    return units
