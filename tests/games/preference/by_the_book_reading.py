"""The table and the one-line notation for the second count of Preference, from docs/rules/preference.md alone."""

import re
from typing import NamedTuple

from tests.games.preference.by_the_book_house import Switches

type Place = tuple[str, int, int | None]  # account, seat, against


# --- The players, the seat that sits out, and the first and second against a declarer. ---


class Table(NamedTuple):
    """The seats of a hand with a declarer. `others`: all at the table but him, a dealer who sits out included."""

    declarer: int
    first: int
    second: int
    others: list[int]


def three_who_play(n: int, dealer: int) -> list[int]:
    """Eldest first; of three the dealer is the last, of four he sits out."""
    return [(dealer + 1) % n, (dealer + 2) % n, (dealer + 3) % n]


def dealer_plays_talon(switches: Switches, n: int) -> bool:
    """Return whether the dealer of four plays the talon, by `raspasy_dealer`."""
    return n == 4 and switches["raspasy_dealer"] == "yes"


def seats(n: int, dealer: int, declarer: int) -> Table:
    """First is the declarer's left neighbour among the three, second the right one."""
    three = three_who_play(n, dealer)
    while three[0] != declarer:
        three.append(three.pop(0))
    return Table(declarer, three[1], three[2], [seat for seat in range(n) if seat != declarer])


# --- The one-line notation: a line read by four patterns, and entries in the short form of the page. ---


class Hand(NamedTuple):
    """A line as it was read: kind `contract`, `mizer`, `raspasovka` or `agreed`."""

    kind: str
    level: int = 0
    strain: str = ""
    answers: str = ""  # two letters, or g
    numbers: tuple[int, ...] = ()
    places: tuple[tuple[Place, int], ...] = ()


NUMBER = r"(?:0|[1-9]\d*)"
NUMBERS = rf"(?: ({NUMBER}(?:-{NUMBER})*))?"
PLACE = rf"(?:[PD]{NUMBER}|B{NUMBER}>{NUMBER})[+-][1-9]\d*"
CONTRACT_LINE = re.compile(rf"(10|[6-9])([SCDHN]?) ([pwhr]{{2}}|cc|g){NUMBERS}", re.ASCII)
MIZER_LINE = re.compile(rf"M{NUMBERS}", re.ASCII)
RASPASOVKA_LINE = re.compile(rf"R{NUMBERS}", re.ASCII)
AGREED_LINE = re.compile(rf"=(?: {PLACE})+", re.ASCII)


def read(line: str) -> Hand:
    """One line, one spelling. Raise ValueError where it is none; its deal may still be impossible."""
    if found := CONTRACT_LINE.fullmatch(line):
        level, strain, answers, numbers = found.groups()
        return Hand("contract", int(level), strain, answers, _numbers(numbers))
    if found := MIZER_LINE.fullmatch(line):
        return Hand("mizer", numbers=_numbers(found[1]))
    if found := RASPASOVKA_LINE.fullmatch(line):
        return Hand("raspasovka", numbers=_numbers(found[1]))
    if AGREED_LINE.fullmatch(line):
        places = tuple(_place(word) for word in line.split()[1:])
        order = [("PDB".index(account[0].upper()), seat, against or 0) for (account, seat, against), _ in places]
        if order == sorted(set(order)):
            return Hand("agreed", places=places)
    raise ValueError(line)


def _numbers(text: str | None) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split("-")) if text else ()


def _place(word: str) -> tuple[Place, int]:
    cut = max(word.find("+"), word.find("-"))
    seat, _, against = word[1:cut].partition(">")
    account = {"P": "pool", "D": "dump", "B": "bank"}[word[0]]
    return (account, int(seat), int(against) if against else None), int(word[cut:])
