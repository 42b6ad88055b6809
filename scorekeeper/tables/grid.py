"""The grid of a table: its lines with their numbers, each cell a text. Read from a text or an XLSX workbook.

Everything is bounded before it is looked at: bytes, lines, columns and the length of a cell. Data that cannot be a
table raise TableRefused with a code, and nothing else is ever raised.
"""

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from openpyxl import load_workbook  # type: ignore[import-untyped]

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
#: Codes of the refusals of other files, by their first bytes.
_OTHERS: Final = {b"\xd0\xcf\x11\xe0": "old_workbook", b"%PDF": "no_text"}
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


def from_file(data: bytes) -> Grid:
    """Return the grid of a workbook or a text file. Raise TableRefused, also for an old workbook and a PDF."""
    for mark, code in _OTHERS.items():
        if data.startswith(mark):
            raise TableRefused(code)
    if len(data) > MOST_BYTES:
        raise TableRefused("too_large", most=MOST_BYTES // 10**6)
    return from_workbook(data) if data.startswith(b"PK\x03\x04") else from_text(decoded(data))


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


# --- The first sheet of an XLSX workbook that has anything ---
#
# A workbook is a zip file that may come to much more than it weighs, so the sizes that it declares are asked first:
# zipfile reads no more of a member than that. Its elements are counted before they are parsed, and it may define no
# entities, which multiply them. Cells may stand a million lines apart; what lies between costs nothing.

#: The most that all members of a workbook come to.
MOST_UNPACKED: Final = 30_000_000
#: The most elements of all members: openpyxl takes up to 600 bytes for each. 3,000 lines of 20 figures have 150,000.
MOST_ELEMENTS: Final = 500_000
#: The last line of a spreadsheet.
LAST_LINE: Final = 1_048_576
#: No figure of a game is so large.
MOST_FIGURE: Final = 10**15
#: A word among the keywords of every workbook that the program writes.
MADE_HERE: Final = "strigula"

type Cells = tuple[Any, ...]


def from_workbook(data: bytes) -> Grid:
    """Return the grid of a workbook. Raise TableRefused, for whatever a hostile file makes its reader raise."""
    try:
        _check_sizes(data)
        return bounded(_lines(data))
    except TableRefused:
        raise
    except Exception:
        raise TableRefused("no_workbook") from None


def _check_sizes(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        members = packed.infolist()
        if sum(member.file_size for member in members) > MOST_UNPACKED:
            raise TableRefused("too_large", most=MOST_UNPACKED // 10**6)
        if any(member.filename == "mimetype" for member in members):
            raise TableRefused("open_document")
        elements = 0
        for member in members:
            text = packed.read(member).replace(b"\0", b"")  # UTF-16 reads alike without
            elements += text.count(b"<") - text.count(b"</")
            if elements > MOST_ELEMENTS or b"<!DOCTYPE" in text:
                raise TableRefused("no_workbook")


def _lines(data: bytes) -> list[Line]:
    """Return the lines of the first sheet with anything in it. Raise TableRefused for formulas without their values."""
    with closing(_opened(data, data_only=True)) as values, closing(_opened(data, data_only=False)) as formulas:
        if MADE_HERE in (values.properties.keywords or ""):
            raise TableRefused("own_export")
        for sheet in values.worksheets:
            lines = list(_of_sheet(_rows(sheet), _rows(formulas[sheet.title])))
            if lines:
                return lines
    raise TableRefused("empty")


def _opened(data: bytes, *, data_only: bool) -> Any:
    return load_workbook(io.BytesIO(data), read_only=True, data_only=data_only)


def _of_sheet(values: Iterator[Cells], formulas: Iterator[Cells]) -> Iterator[Line]:
    """Yield the lines that are not empty. A formula has no value if the workbook was never opened in a spreadsheet.

    One whose value is an empty text looks alike, but not if all the others do.
    """
    kept = counted = uncounted = 0
    for number, (found, written) in enumerate(zip(values, formulas, strict=True), start=1):
        if number > LAST_LINE:
            raise TableRefused("no_workbook")
        if all(cell is None for cell in written):
            continue
        kept += 1
        if kept > MOST_LINES:
            raise TableRefused("too_long", most=MOST_LINES)
        for cell, formula in zip(found, written, strict=True):
            counted += cell is not None and cell != formula
            uncounted = uncounted or (number if cell is None and formula is not None else 0)
        yield Line(number, tuple(map(_text, found)))
    if uncounted and not counted:
        raise TableRefused("formula", line=uncounted)


def _rows(sheet: Any) -> Iterator[Cells]:
    sheet.reset_dimensions()
    return iter(sheet.iter_rows(max_col=MOST_COLUMNS + 1, values_only=True))


def _text(value: Any) -> str:
    """Return a cell as it would be typed."""
    match value:
        case None:
            return ""
        case datetime():
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case int() | float() if not isinstance(value, bool):
            return _figure(value)
    return str(value)


def _figure(value: float) -> str:
    """Return a figure, rounded if it was counted as 0.1 + 0.2; never with three decimals, which may be thousands."""
    amount = Decimal(str(value))
    if not amount.is_finite() or abs(amount) >= MOST_FIGURE:
        return str(value)
    text = f"{round(amount, 6).normalize():f}"
    return f"{text}0" if text[-4:-3] == "." else text
