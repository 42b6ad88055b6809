"""Reading for the second count of Preference, from docs/rules/preference.md alone.

The switches of a house by the page's four columns, the table, and the one-line notation.
"""

import re
from typing import NamedTuple

type Switches = dict[str, str | int]

PAGE = """
pool_point       10      10    20       10
dump_point       10      10    10       10
dump_factor      1       1     2        1
bank_factor      1       1     2        1
consolation      value   value value    10
mizer_bank       yes     no    no       no
whist_style      zhlob   zhlob gentleman gentleman
retrieved        pass    pass  nothing  nothing
pair_shares      no      no    no       no
short_to         bank    dump  dump     dump
short_factor     1       1     1        ½
short_keeps      no      yes   yes      yes
short_share      side    own   own      own
short_one        second  second both    second
ten              whisted whisted whisted whisted
half_whist       yes     yes   yes      yes
stalingrad       no      no    no       no
give_up          0       0     0        0
raspasy_to       dump    dump  dump     bank
raspasy_base     1       1     2        5
raspasy_growth   add     add   add      none
raspasy_cap      0       3     3        3
raspasy_reset    any     any   any      any
raspasy_zero     0       rate  rate     1
raspasy_dealer   yes     yes   yes      no
raspasy_amnesty  no      no    no       no
raspasy_exit     6       6     6-7-8    6
made_to          pool    pool  pool     pool
aid              yes     yes   no       yes
aid_rate         10      10    20       10
pool_end         each    each  sum      each
target           20      20    20       20
"""


def _column(number: int) -> Switches:
    rows = [row.split() for row in PAGE.split("\n") if row]
    return {row[0]: _plain(row[0], row[number]) for row in rows}


def _plain(name: str, word: str) -> str | int:
    return int(word) if word.isdigit() and name != "raspasy_exit" else word


BOOK, SOCHI, LENINGRAD, ROSTOV = (_column(number) for number in (1, 2, 3, 4))


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
