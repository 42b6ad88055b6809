"""Whole evenings, hand by hand: those of the vectors, and two that were counted by hand."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import pytest

from scorekeeper.games.base import Account, Count, Place
from scorekeeper.games.preference import (
    GAME,
    Rules,
    Standing,
    balances,
    check_seats,
    count,
    deal_from_text,
    deal_to_text,
    is_agreed,
    is_finished,
    may_follow,
    pairwise,
    reminder,
    sheet_to_text,
    standing_to_text,
    start,
)
from scorekeeper.money.settlement import fewest_payments, in_whole_units
from tests.games.preference.hands import VECTORS, seats_of, summed
from tests.games.vectors import lines
from tests.pulka import FOUR, THREE, Amend, Hand, Sheet, read


@dataclass
class Table:
    """An evening as far as it has come: its hands, as they stand."""

    rules: Rules
    seats: tuple[int, ...]
    hands: list[Hand] = field(default_factory=list)

    def counted(self) -> Iterator[Count[Standing]]:
        """Every hand counted from the first, without the figures written beside it."""
        standing = start(self.rules)
        for hand in self.hands:
            deal = None if hand.is_thrown_in else deal_from_text(hand.deal, self.rules)
            counted = count(deal, Place(self.seats, hand.dealer, hand.declarer), standing, self.rules)
            yield counted
            standing = counted.standing

    @property
    def standing(self) -> Standing:
        return [start(self.rules), *(counted.standing for counted in self.counted())][-1]

    @property
    def sums(self) -> dict[Account, int]:
        return summed(entry for counted in self.counted() for entry in counted.entries)

    def entries(self) -> list[str]:
        return [sheet_to_text(summed(counted.entries)) for counted in self.counted()]

    def result(self, word: str) -> str:
        """The results, the debts of pairs, or the results in whole points, as the vectors write them."""
        won = balances(self.sums, self.seats, self.rules)
        if word == "results":
            return " ".join(f"{'+' if points > 0 else ''}{Fraction(points)}" for points in won.values())
        if word == "whole":
            return " ".join(map(str, in_whole_units(list(won.values()))))
        pairs = pairwise(self.sums, self.seats, self.rules)
        return ", ".join(f"{payer}>{payee} {points}" for (payer, payee), points in pairs.items())


def evenings() -> list[tuple[str, list[str]]]:
    """The heads of the evenings, each with its lines."""
    found: list[tuple[str, list[str]]] = []
    for _at, line in lines(VECTORS / "evenings.txt"):
        if "|" in line:
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize(("head", "said"), evenings())
def test_evening_comes_to_what_the_vectors_say(head: str, said: list[str]) -> None:
    rules, _bar, seats = head.partition("|")
    table = Table(GAME.rules_from_text(rules), seats_of(seats))
    for line in said:
        word, _space, expected = line.partition(" ")
        if word == "standing":
            assert standing_to_text(table.standing) == expected.removeprefix("; ")
        elif word in ("results", "pairs", "whole"):
            assert table.result(word) == expected[2:], line
        elif word != "x":
            hand, _equals, written = line.rpartition(" = ")
            dealer, declarer, text = hand.split(" ", 2)
            deal = "" if text == "thrown in" else text
            table.hands.append(Hand(0, int(dealer), None if declarer == "-" else int(declarer), deal, written))
            assert (table.entries()[-1] or "-") == written, line


@pytest.mark.parametrize("path", [THREE, FOUR], ids=lambda path: path.stem)
def test_every_line_of_a_hand_checked_evening_is_what_the_rules_make_of_it(path: Path) -> None:
    pulka = read(path)
    table = Table(GAME.rules_from_text(pulka.rules), pulka.seats)
    for line in pulka.lines:
        match line:
            case Hand():
                require_next(table, line)
                table.hands.append(line)
                assert table.entries()[-1] == line.entries, line
            case Amend(hand, changes):
                require_possible(table, hand)
                table.hands[hand.number - 1] = hand
                for number, entries in changes.items():
                    table.hands[number - 1] = replace(table.hands[number - 1], entries=entries)
                assert table.entries() == [each.entries for each in table.hands], line
            case Sheet():
                compare(table, line)
    assert isinstance(pulka.lines[-1], Sheet)
    assert pulka.lines[-1].settled


def require_next(table: Table, hand: Hand) -> None:
    """The deal passes on after every hand, a raspasovka too, and stays after an entry that was no hand."""
    assert hand.number == len(table.hands) + 1
    last = table.hands[-1] if table.hands else None
    if last is not None:
        stays = last.is_thrown_in or last.is_agreed
        assert hand.dealer == (last.dealer if stays else GAME.next_dealer(table.seats, last.dealer)), hand
    if not hand.is_thrown_in:
        require_possible(table, hand)
        may_follow(deal_from_text(hand.deal, table.rules), table.standing, table.rules)


def require_possible(table: Table, hand: Hand) -> None:
    deal = deal_from_text(hand.deal, table.rules)
    assert (deal_to_text(deal), is_agreed(deal)) == (hand.deal, hand.is_agreed)
    check_seats(deal, table.seats, hand.dealer, hand.declarer, table.rules)


def compare(table: Table, said: Sheet) -> None:
    results = tuple(balances(table.sums, table.seats, table.rules).values())
    assert (sheet_to_text(table.sums), results, sum(results)) == (said.sheet, said.results, 0)
    ended = [is_finished(counted.standing, table.rules) for counted in table.counted()]
    assert said.over == (table.hands[ended.index(True)].number if True in ended else None)
    assert (reminder(table.sums, len(table.hands), table.seats, table.rules) is not None) == (said.over is not None)
    if said.settled:
        pairs = pairwise(table.sums, table.seats, table.rules)
        assert tuple((*who, points) for who, points in pairs.items()) == said.pairs
        assert in_whole_units(list(results)) == said.whole
        assert tuple((each.payer, each.payee, each.points) for each in fewest_payments(said.whole)) == said.fewest
