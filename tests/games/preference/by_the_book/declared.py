"""A hand with a declarer: the entries of a contract or a mizer, paragraphs 1 to 3 and 5."""

from tests.games.preference.by_the_book.paper import Paper
from tests.games.preference.by_the_book.pools import win
from tests.games.preference.by_the_book.reading import Hand
from tests.games.preference.by_the_book.seating import Table
from tests.games.preference.by_the_book.short import QUOTA, shares_as_a_pair, who_is_short, write_short
from tests.games.preference.by_the_book.switches import Switches

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
