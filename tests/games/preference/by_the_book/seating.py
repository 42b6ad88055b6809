"""The players, the seat that sits out, and the first and second against a declarer."""

from typing import NamedTuple

from tests.games.preference.by_the_book.switches import Switches


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
