"""The second count's refusals: table, dealer, declarer (or -), line, a bar before the switches; then the codes."""

import pytest

from tests.games.preference.by_the_book import BOOK, refusals

REFUSED = """
3 2 0 6 ww 6-3-2 = tricks_sum
3 2 - R 3-3-3 = tricks_sum
3 2 0 6 wp 11 = tricks_range
3 2 0 M 11 = tricks_range
3 2 0 M = tricks_needed
3 2 0 6 wp = tricks_needed
3 2 0 6 ww = tricks_needed
3 2 - R = tricks_needed
3 2 0 6 ww 6 = split_needed
3 2 0 6 pp 6 = tricks_extra
3 2 0 6 ph 6 = tricks_extra
3 2 - R 3-3-3-1 = raspasy_count
4 3 - R 3-3-4 = raspasy_count
4 3 - R 3-3-3-1 | raspasy_dealer=no = raspasy_count
4 3 - R 3-3-1-3 = talon_tricks
3 2 0 8 ph = half_level
3 2 0 8 rh 8 = half_level
3 2 0 6 hp = half_second
3 2 0 6 hw 6 = half_second
3 2 0 6 wh = half_after_pass
3 2 0 6 rp 6 = half_after_pass
3 2 0 6 ph | half_whist=no = half_off
3 2 0 8 ph | half_whist=no = half_level half_off
3 2 0 10 wp 10 | ten=checked = ten_checked
3 2 0 10 pp | ten=checked = ten_checked
3 2 0 10 cc 10-0-0 = ten_whisted
3 2 0 9 cc 10-0-0 | ten=checked = ten_whisted
3 2 0 6S wp 6 | stalingrad=yes = must_whist
3 2 0 6 ww 6-2-2 | stalingrad=yes = strain_needed
3 2 0 6 g = give_up_off
3 3 0 6 pp = dealer_unknown
3 2 3 6 pp = declarer_unknown
3 2 - = P3+1 = seat_unknown
3 2 - = B0>3+1 = seat_unknown
4 3 3 6 pp = declarer_sits_out
3 2 - 6 pp = declarer_needed
3 2 - M 0 = declarer_needed
3 2 0 R 3-3-4 = declarer_extra
3 2 0 = P0+1 = declarer_extra
3 2 - = B1>1+1 = bank_self
3 2 - = D0+1 P0+1 = malformed
3 2 - = P0+1 P0+1 = malformed
3 2 - = P0+0 = malformed
3 2 0 5 pp = malformed
3 2 0 6 ww 6-4 = malformed
3 2 0 6 wp 06 = malformed
3 2 0 6X pp = malformed
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_refused(row: str) -> None:
    told, _, codes = row.rpartition(" = ")
    told, _, turned = told.partition(" | ")
    n, dealer, declarer, line = told.split(maxsplit=3)
    switches = BOOK | {name: value for name, _, value in [turned.partition("=")] if name}
    seat = None if declarer == "-" else int(declarer)
    assert refusals(switches, int(n), int(dealer), seat, line) == set(codes.split())
