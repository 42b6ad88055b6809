"""Whisters who are short: the missing tricks that each whister answers for, and his entries. Paragraph 4."""

from tests.games.preference.by_the_book.paper import Paper
from tests.games.preference.by_the_book.reading import Hand
from tests.games.preference.by_the_book.seating import Table
from tests.games.preference.by_the_book.switches import Switches

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
