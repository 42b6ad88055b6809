"""The QR code of the start, as a terminal draws it."""

import segno

from sessions_app.management.commands.serve import RESET, WHITE_ON_BLACK, qr_code

ADDRESS = "http://192.168.1.7:8000/"
#: Whether the upper and the lower half are in the letter's colour.
HALVES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def modules(drawn: list[str]) -> list[list[int]]:
    """Return the rows of the code; 1 is dark. The letters are white, their ground is black."""
    return [[1 - HALVES[letter][half] for letter in line] for line in drawn for half in (0, 1)]


def test_qr_code_is_dark_on_light_in_a_terminal_of_any_colours() -> None:
    lines = qr_code(ADDRESS, is_terminal=True).splitlines()
    assert all(line.startswith("\x1b[38;5;231;48;5;16m") and line.endswith("\x1b[0m") for line in lines)
    drawn = [line.removeprefix(WHITE_ON_BLACK).removesuffix(RESET) for line in lines]
    code = [list(row) for row in segno.make(ADDRESS, micro=False).matrix_iter(border=2)]
    assert modules(drawn)[: len(code)] == code
    assert qr_code(ADDRESS, is_terminal=False).splitlines() == drawn, "no colours in a file"
