"""The one-line notation: a line read by four patterns, and entries in the short form of the page."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tests.games.preference.by_the_book.paper import Place


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


def short_form(entries: Mapping[Place, int]) -> str:
    """Entries as the page prints them: `P0+2 D1+18 B2>1+48`."""
    words = []
    for (account, seat, against), amount in sorted(
        entries.items(), key=lambda each: (("pool", "dump", "bank").index(each[0][0]), each[0][1], each[0][2] or 0)
    ):
        words.append(f"{account[0].upper()}{seat}{'' if against is None else f'>{against}'}{amount:+d}")
    return " ".join(words)
