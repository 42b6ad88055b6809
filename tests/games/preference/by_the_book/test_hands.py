"""The second count, before anything is compared with it: the hands of docs/rules/preference.md §12, rows and ends."""

from collections.abc import Iterator

import pytest

from tests.games.preference.by_the_book import BOOK, LENINGRAD, ROSTOV, SOCHI, Before, count, refusals, short_form

PROFILES = {"book": BOOK, "sochi": SOCHI, "leningrad": LENINGRAD, "rostov": ROSTOV}

# The worked hands (§12), as they are printed there.
WORKED = """
| `book` | | `6H ph` | `P0+2 B2>0+4` | half: two of the four tricks |
| `book` | | `6S wp 6` | `P0+2 B1>0+8` | all four tricks are the lone whister's |
| `book` | | `6S wp 7` | `P0+2 B0>1+2` | three of four: one short, and nothing for the three |
| `book` | | `6S ww 6-3-1` | `P0+2 B1>0+6 B2>0+2` | four between them: nobody is short |
| `book` | | `6S ww 7-3-0` | `P0+2 B0>2+2 B1>0+6` | three: the one with fewer answers; he lacks two, the side one: one |
| `book` | | `6S ww 9-1-0` | `P0+2 B0>1+2 B0>2+4` | the side lacks three: one and two |
| `book` | | `7D rh 9` | `P0+4 B0>1+4` | retrieved: the first alone, one short |
| `book` | | `8H ww 10-0-0` | `P0+6 B0>2+6` | only one trick is needed: the second answers |
| `book` | | `8H wp 5` | `D0+18 B1>0+48 B2>0+18` | down three: 18 to each; the whister 5 × 6 more |
| `book` | | `10N ww 9-1-0` | `D0+10 B1>0+20 B2>0+10` | down one: 10 each, and 10 for the trick |
| `book` | | `M 2` | `D0+20 B1>0+20 B2>0+20` | caught twice |
| `book` | `R2` | `R 5-0-5` | `D0+15 D2+15` | third in a row, 3 a trick |
| `book/4` | | `6C pw 5` | `D0+2 B1>0+2 B2>0+12 B3>0+2` | the dealer writes the consolation |
| `book/4` | | `R 3-5-1-1` | `D0+3 D1+5 D2+1 D3+1` | the dealer took one with the talon |
| `book` | `T10 P9,4,7` | `8S pp` | `P0+1 P1+2 P2+3 B0>1+20 B0>2+30` | own pool, the higher of the others, then the other |
| `sochi` | | `7S wp 9` | `P0+4 D1+4 B1>0+4` | short: into his own dump, and he keeps his trick |
| `sochi` | | `6S ww 7-0-3` | `P0+2 D1+4 B2>0+6` | he answers for his own two |
| `sochi` | `R4` | `R 0-4-6` | `P0+3 D1+12 D2+18` | the fifth still at 3; none: the price of a trick into the pool |
| `leningrad` | | `7H wp 5` | `D0+16 B1>0+36 B2>0+36` | 8 a trick: five tricks halved, and 16 each |
| `leningrad` | | `8H ww 10-0-0` | `P0+6 D1+6 D2+6` | both answer, at half of 12 |
| `leningrad/4` | | `7S rh 6` | `D0+8 B1>0+40 B3>0+8` | retrieved: the second writes nothing |
| `rostov` | | `8H wp 6` | `D0+12 B1>0+32 B2>0+32` | 6 a trick, four halved, and 20 each |
| `rostov` | | `R 2-2-6` | `B0>2+15 B1>2+15` | two lowest share 30 |
| `sochi ten=checked` | | `10S cc 9-0-1` | `D0+10 B1>0+10 B2>0+20` | consolation, and each his own tricks |
"""  # noqa: E501 (a row of the page is left as it is)

# Worked here with pencil and the page's tables; the same columns.
BY_HAND = """
| `book pair_shares=yes` | | `6S ww 6-3-1` | `P0+2 B1>0+4 B2>0+4` | four tricks, two each |
| `book pair_shares=yes` | | `6S ww 9-1-0` | `P0+2 B0>1+3 B0>2+3` | one and two, halved; nobody writes the trick |
| `book pair_shares=yes short_keeps=yes` | | `6S ww 9-1-0` | `P0+2 B0>1+3 B0>2+3 B1>0+1 B2>0+1` | the trick halved |
| `book pair_shares=yes short_share=own` | | `6S ww 7-3-0` | `P0+2 B0>1+1 B0>2+1` | the side lacks one: half each |
| `book pair_shares=yes short_share=strict` | | `6S ww 6-4-0` | `P0+2 B1>0+4 B2>0+4` | the side lacks none |
| `book pair_shares=yes short_one=both` | | `8S ww 10-0-0` | `P0+6 B0>1+3 B0>2+3` | one trick, in halves |
| `book pair_shares=yes short_one=strict` | | `8S ww 9-1-0` | `P0+6 B1>0+3 B2>0+3` | the side has its one |
| `book pair_shares=yes` | | `7S ww 6-4-0` | `D0+4 B1>0+12 B2>0+12` | 4 each, and four tricks in halves |
| `book short_share=strict` | | `6S ww 6-4-0` | `P0+2 B0>2+4 B1>0+8` | the side has four; he lacks two |
| `book short_share=strict` | | `6S ww 5-4-1` | `D0+2 B0>2+2 B1>0+10 B2>0+2` | so he does when declarer is down |
| `book short_share=own` | | `6S ww 6-4-0` | `P0+2 B1>0+8` | the side has four |
| `book short_share=own` | | `6S ww 7-3-0` | `P0+2 B0>2+4 B1>0+6` | the side lacks one, he two |
| `book short_one=strict` | | `8S ww 9-0-1` | `P0+6 B0>1+6 B2>0+6` | no trick of his own |
| `book short_one=strict` | | `9S ww 10-0-0` | `P0+8 B0>1+8 B0>2+8` | neither |
| `book short_one=second_strict` | | `8S ww 9-1-0` | `P0+6 B0>2+6 B1>0+6` | the first's trick does not help him |
| `book short_one=second_strict` | | `8S ww 9-0-1` | `P0+6 B2>0+6` | the first need not have one |
| `book short_one=both` | | `9S ww 9-0-1` | `P0+8 B2>0+8` | the side has its one |
| `book short_factor=½` | | `6S wp 8` | `P0+2 B0>1+2` | two missing at half of 2 |
| `leningrad` | | `7H wp 4` | `D0+24 B1>0+48 B2>0+48` | 24 each, and six tricks in halves |
| `leningrad` | | `6H ph` | `P0+2 B2>0+8` | two tricks at 4 |
| `leningrad retrieved=pass` | | `7S rh 6` | `D0+8 B1>0+24 B2>0+24` | then the second shares |
| `rostov` | | `M 2` | `D0+20` | |
| `rostov` | | `R 0-4-6` | `P0+1 B0>1+20 B0>2+30` | |
| `rostov/4` | | `R 0-4-6` | `P0+1 B0>1+20 B0>2+30` | the dealer has no part in it |
| `rostov` | | `7H pw 9` | `P0+4 D2+2 B2>0+4` | half of 4 |
| `leningrad mizer_bank=yes` | | `M 1` | `D0+20 B1>0+20 B2>0+20` | both factors |
| `book mizer_bank=yes consolation=5` | | `M 1` | `D0+10 B1>0+10 B2>0+10` | a flat consolation is no mizer's |
| `leningrad consolation=5` | | `6S pw 5` | `D0+4 B1>0+15 B2>0+15` | 5 flat, and five tricks in halves |
| `book give_up=3` | | `8N g` | `D0+18` | three down |
| `leningrad give_up=3` | | `8N g` | `D0+36` | |
| `book ten=checked` | | `10S cc 10-0-0` | `P0+10` | no liability |
| `book/4 raspasy_amnesty=yes` | | `R 4-3-2-1` | `D0+3 D1+2 D2+1` | one off all |
| `book raspasy_amnesty=yes raspasy_zero=1` | | `R 1-4-5` | `D1+3 D2+4` | he had a trick |
| `book/4 raspasy_zero=2` | | `R 5-0-5-0` | `P1+2 D0+5 D2+5` | of the three |
| `book raspasy_growth=double` | `R3` | `R 0-0-10` | `D2+80` | |
| `book raspasy_growth=double raspasy_cap=3` | `R2` | `R 0-0-10` | `D2+30` | not four times |
| `book raspasy_growth=double` | `R14` | `R 0-0-10` | `D2+10240` | 1024 times at most |
| `book made_to=dump_first` | `D3,0,0` | `7S pp` | `P0+1 D0-3` | |
| `leningrad made_to=dump_first` | `D3,0,0` | `7S pp` | `P0+3 D0-2` | two off for a point; one cannot be halved |
| `book made_to=dump_first` | `T10 P10,10,10 D1,0,0` | `6S pp` | `` | the game is over |
| `leningrad` | `T10 P10,0,0` | `7S pp` | `P0+4` | no aid: past T |
| `book pool_point=20` | `T10 P9,10,10` | `7S pp` | `P0+1 D0-6` | three over, two each |
| `book` | `T10 P10,5,5` | `6S pp` | `P1+2 B0>1+20` | equals: clockwise |
| `book` | `T10 P5,10,5` | `= P0+1 B0>1-3` | `P0+1 B0>1-3` | as it is said |
| `book` | `T10 P10,10,10` | `= P0+1 D0+2` | `D0+2` | after the end: what is outside the pool |
| `book raspasy_zero=3` | `T10 P9,9,9` | `R 0-0-10` | `P0+1 P1+1 P2+1 D1-3 D2+10 B0>1+10 B0>2+10` | eldest first |
"""


def rows(table: str) -> Iterator[list[str]]:
    for line in table.strip().splitlines():
        house, before, hand, entries, _why = (cell.strip().replace("`", "") for cell in line.strip("|").split("|"))
        yield [house, before, hand, entries]


def is_with_a_declarer(line: str) -> bool:
    return line[0] not in "R="


@pytest.mark.parametrize(("house", "standing", "line", "expected"), [*rows(WORKED), *rows(BY_HAND)])
def test_worked_hand(house: str, standing: str, line: str, expected: str) -> None:
    profile, *turned = house.split()
    name, _, four = profile.partition("/")
    n = 4 if four else 3
    switches = PROFILES[name] | dict(word.split("=") for word in turned)
    told = {word[0]: [int(number) for number in word[1:].split(",")] for word in standing.split()}
    switches["target"] = told.get("T", [20])[0]
    pools = told.get("P", [0] * n)
    over = min(pools) >= int(switches["target"])
    before = Before(pools, told.get("D", [0] * n), told.get("R", [0])[0], over)
    declarer = 0 if is_with_a_declarer(line) else None
    assert refusals(switches, n, n - 1, declarer, line) == set()
    assert short_form(count(switches, n, n - 1, declarer, line, before).entries) == expected


def test_all_worked_hands_are_here() -> None:
    assert len(list(rows(WORKED))) == 24


# The row of raspasovkas and the end

ENDS = {  # line -> whether it ends a row under any, played, made, whisted
    "6S pp": "yes no yes no",
    "6S ph": "yes no yes no",
    "6S wp 6": "yes yes yes yes",
    "6S rh 7": "yes yes yes yes",
    "6S pw 5": "yes yes no no",
    "8S ww 7-2-1": "yes yes no no",
    "10S cc 10-0-0": "yes yes yes no",
    "10S cc 9-1-0": "yes yes no no",
    "M 0": "yes yes yes no",
    "M 1": "yes yes no no",
    "8N g": "yes no no no",
    "= P0+1": "no no no no",
}


@pytest.mark.parametrize("line", ENDS)
def test_what_ends_a_row(line: str) -> None:
    for reset, ends in zip(("any", "played", "made", "whisted"), ENDS[line].split(), strict=True):
        switches = BOOK | {"raspasy_reset": reset, "ten": "checked", "give_up": 3}
        after = count(switches, 3, 2, 0 if is_with_a_declarer(line) else None, line, Before([0] * 3, [0] * 3, 4, False))
        assert after.row == (0 if ends == "yes" else 4), reset


@pytest.mark.parametrize(("pool_end", "pools", "over"), [
    ("each", [19, 20, 20], False), ("each", [20, 20, 20], True), ("sum", [40, 19, 0], False),
    ("sum", [40, 20, 0], True), ("never", [60, 60, 60], False),
])  # fmt: skip
def test_the_end(pool_end: str, pools: list[int], over: bool) -> None:
    switches = LENINGRAD | {"pool_end": pool_end}
    assert count(switches, 3, 2, None, "R 3-3-4", Before(pools, [0] * 3, 0, False)).over == over
