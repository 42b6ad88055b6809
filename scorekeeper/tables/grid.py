"""The grid of a table: its lines with their numbers, each cell a text. Read from what was uploaded or pasted.

Everything is bounded before it is looked at: bytes, lines, columns and the length of a cell. Data that cannot be a
table raise TableRefused with a code, and nothing else is ever raised.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from scorekeeper.games.errors import Message, Params
from scorekeeper.text.names import UNSHOWABLE

MOST_BYTES: Final = 5_000_000
MOST_LINES: Final = 3_000
MOST_COLUMNS: Final = 60
#: Characters that are kept of a cell: the longest that is read is a note.
MOST_CHARACTERS: Final = 500

#: Separators of cells, the likeliest first where two divide the lines alike.
SEPARATORS: Final = "\t;|,"
#: Lines by which the separator is found.
_SAMPLE: Final = 60
#: The first line of a file that names its separator, as Excel writes it. The quotation mark cannot be one.
_SEPARATOR_LINE: Final = re.compile('sep=([^"]?)', re.IGNORECASE)
_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class TableRefused(Exception):
    """This is no table that can be read: `message` says why, by a code."""

    def __init__(self, code: str, **params: int | str) -> None:
        super().__init__(code, params)
        said: Params = params
        self.message = Message(code, said)


class Line(NamedTuple):
    """A line that is not empty, by its number in the file, and its cells, trimmed."""

    number: int
    cells: tuple[str, ...]


type Grid = tuple[Line, ...]


def from_bytes(data: bytes) -> Grid:
    """Return the grid of a text file. Raise TableRefused."""
    if len(data) > MOST_BYTES:
        raise TableRefused("too_large", most=MOST_BYTES // 10**6)
    return from_text(decoded(data))


def from_text(text: str) -> Grid:
    """Return the grid of comma-, semicolon- or tab-separated text. Raise TableRefused."""
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise TableRefused("no_text")
    head, _end, rest = text.partition("\n")
    if named := _SEPARATOR_LINE.fullmatch(head.strip()):
        return bounded(_parsed(rest, named[1] or "\t", first=2))
    return bounded(_parsed(text, separator_of(text)))


def decoded(data: bytes) -> str:
    """Return the text of a file: by its byte order mark, else UTF-8, else Windows-1250, as Hungarian Excel writes."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.removeprefix(mark).decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1250", "replace")


def separator_of(text: str) -> str:
    """Return the separator that divides the most lines into the same number of cells, at least two."""
    sample = "\n".join(text[: _SAMPLE * 2_000].splitlines()[:_SAMPLE])
    best, most = SEPARATORS[0], 0
    for separator in SEPARATORS:
        widths = Counter(len(line.cells) for line in _parsed(sample, separator))
        alike = max((count for width, count in widths.items() if width > 1), default=0)
        if alike > most:
            best, most = separator, alike
    return best


def _parsed(text: str, separator: str, first: int = 1) -> Iterator[Line]:
    """Yield the lines, with the number of the one on which each begins."""
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, skipinitialspace=separator != "\t")
    while True:
        number = reader.line_num + first
        try:
            cells = next(reader, None)
        except csv.Error:
            raise TableRefused("cell_too_long", line=number) from None
        if cells is None:
            return
        yield Line(number, tuple(cells))


def _trimmed(cell: str) -> str:
    """Return the text of a cell, its words one space apart, without characters that no text of a book may have."""
    text = " ".join(cell[:MOST_CHARACTERS].split())
    return text if text.isascii() and text.isprintable() else " ".join(UNSHOWABLE.sub("", text).split())


def bounded(lines: Iterable[Line]) -> Grid:
    """Return the lines that are not empty, their cells trimmed. Raise TableRefused for too many, or none."""
    kept: list[Line] = []
    for number, cells in lines:
        trimmed = tuple(map(_trimmed, cells[:MOST_COLUMNS]))
        if any(trimmed):
            kept.append(Line(number, trimmed))
        if any(cells[MOST_COLUMNS:]):
            raise TableRefused("too_wide", line=number, most=MOST_COLUMNS)
        if len(kept) > MOST_LINES:
            raise TableRefused("too_long", most=MOST_LINES)
    if not kept:
        raise TableRefused("empty")
    return tuple(kept)
