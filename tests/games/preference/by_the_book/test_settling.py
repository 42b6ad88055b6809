"""The second count's settlement: the worked settlements of docs/rules/preference.md §13, and the errata (§15)."""

from fractions import Fraction

from tests.games.preference.by_the_book import (
    BOOK,
    After,
    Before,
    Place,
    Switches,
    count,
    pairs,
    settle,
    short_form,
    whole,
)


def test_settlement_1_the_books_table_of_four() -> None:
    written = [[0, 24, 8, 32], [6, 0, 20, 6], [12, 4, 0, 10], [28, 32, 28, 0]]
    sheet: dict[Place, int] = {("bank", i, j): written[i][j] for i in range(4) for j in range(4) if i != j}
    sheet |= {("dump", seat, None): dump for seat, dump in enumerate((29, 37, 21, 17))}
    sheet |= {("pool", seat, None): 10 for seat in range(4)}
    assert settle(4, sheet, BOOK) == [-12, -138, 20, 130]
    boris, anna, grigori, vera = range(4)
    paid = pairs(4, sheet, BOOK)
    assert [paid[boris, anna], paid[grigori, anna], paid[vera, anna]] == [38, 24, 76]
    assert [paid[grigori, boris], paid[vera, boris], paid[vera, grigori]] == [24, 26, 28]


EVENING = [
    (2, 0, "6S ww 7-2-1", "P0+2 B0>2+2 B1>0+4"),
    (0, 1, "8H wp 5", "D1+18 B0>1+18 B2>1+48"),
    (1, None, "R 4-4-2", "D0+4 D1+2 D2+4"),
    (2, None, "R 0-3-7", "D1+6 D2+14"),
    (0, 2, "7D pw 8", "P2+4 B1>2+8"),
    (1, 2, "6C ph", "P2+2 B1>2+4"),
    (2, 1, "M 2", "D1+20 B0>1+20 B2>1+20"),
    (0, 1, "M 0", "P1+8 P2+2 B1>2+20"),
    (1, 0, "7N pp", "P0+4"),
    (2, 0, "9H pp", "P0+2 D0-6"),
]


def test_settlement_2_an_evening_of_three() -> None:
    switches: Switches = BOOK | {"target": 8}
    sheet: dict[Place, int] = {}
    standing = After({}, [0, 0, 0], [0, 0, 0], 0, False)
    for dealer, declarer, line, expected in EVENING:
        assert not standing.over
        standing = count(switches, 3, dealer, declarer, line, Before(*standing[1:]))
        assert short_form(standing.entries) == expected
        for place, amount in standing.entries.items():
            sheet[place] = sheet.get(place, 0) + amount
    assert standing.over
    assert standing.dumps == [sheet[("dump", seat, None)] for seat in range(3)] == [-2, 46, 18]
    assert standing.pools == [8, 8, 8]
    results, paid = settle(3, sheet, switches), pairs(3, sheet, switches)
    assert results == [Fraction(788, 3), Fraction(-970, 3), Fraction(182, 3)]
    assert [paid[0, 1], paid[2, 1], paid[0, 2]] == [194, Fraction(388, 3), Fraction(206, 3)]
    assert whole(results) == [263, -323, 60]
    assert whole(results, (2, 1)) == [262, -323, 61]
    late = count(switches, 3, 0, 1, "8S pp", Before(*standing[1:]))
    assert late == After({}, *standing[1:])


def test_settlement_2_with_hand_3_void() -> None:
    fourth = count(BOOK, 3, 2, None, "R 0-3-7", Before([2, 0, 0], [0, 18, 0], 0, False))
    assert short_form(fourth.entries) == "D1+3 D2+7"


def test_settlement_3_broken_off() -> None:
    sheet: dict[Place, int] = {("pool", 0, None): 6, ("pool", 1, None): 2, ("dump", 0, None): 4, ("dump", 2, None): 7}
    sheet |= {("bank", 1, 0): 12, ("bank", 2, 1): 4}
    assert settle(3, sheet, BOOK) == [18, 38, -56]


def test_errata_the_signs_of_the_dumps() -> None:
    sheet: dict[Place, int] = {("dump", 0, None): 18, ("dump", 1, None): 23, ("dump", 2, None): 32}
    assert settle(3, sheet, BOOK) == [Fraction(190, 3), Fraction(40, 3), Fraction(-230, 3)]
