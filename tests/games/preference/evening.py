"""An evening of the vectors: its hands one after another, with the remarks in between."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scorekeeper.games.base import Place
from scorekeeper.games.preference import (
    GAME,
    Rules,
    balances,
    count,
    deal_from_text,
    entries_to_text,
    pairwise,
    standing_to_text,
    start,
)
from scorekeeper.money.settlement import in_whole_units
from tests.games.preference.hands import lines, seats_of


@dataclass
class Evening:
    """`at` is where it begins in the file; `said` are its lines."""

    at: str
    rules: Rules
    seats: tuple[int, ...]
    said: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, name: str) -> list["Evening"]:
        found: list[Evening] = []
        for at, line in lines(name):
            rules, bar, seats = line.partition("|")
            if bar:
                found.append(cls(at, GAME.rules_from_text(rules), seats_of(seats)))
            else:
                found[-1].said.append(line)
        return found

    def play(self) -> None:
        """Count its hands from the first, and compare all that is said."""
        standing, sheet = start(self.rules), dict[Any, int]()
        for line in self.said:
            word, _space, expected = line.partition(" ")
            match word:
                case "x":
                    continue
                case "standing":
                    assert standing_to_text(standing) == expected.removeprefix("; ")
                case "results" | "pairs" | "whole":
                    assert " ".join(self._comes_to(word, sheet)) == expected[2:], line
                case _:
                    hand, _equals, written = line.rpartition(" = ")
                    dealer, declarer, text = hand.split(" ", 2)
                    deal = None if text == "thrown in" else deal_from_text(text, self.rules)
                    place = Place(self.seats, int(dealer), None if declarer == "-" else int(declarer))
                    counted = count(deal, place, standing, self.rules)
                    assert (entries_to_text(counted.entries) or "-") == written, line
                    standing = counted.standing
                    for entry in counted.entries:
                        sheet[entry.of] = sheet.get(entry.of, 0) + entry.amount

    def _comes_to(self, word: str, sheet: dict[Any, int]) -> Iterator[str]:
        won = balances(sheet, self.seats, self.rules)
        if word == "results":
            yield from (f"{'+' if points > 0 else ''}{Fraction(points)}" for points in won.values())
        elif word == "whole":
            yield from map(str, in_whole_units(list(won.values())))
        else:
            pairs = pairwise(sheet, self.seats, self.rules)
            yield ", ".join(f"{payer}>{payee} {points}" for (payer, payee), points in pairs.items())
