"""Tables of spreadsheets and paper books: how cells, columns and lines are read."""

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook  # type: ignore[import-untyped]

from scorekeeper.tables import columns, grid
from scorekeeper.tables.columns import DayOrder, Role
from scorekeeper.tables.grid import MOST_COLUMNS, MOST_LINES, TableRefused
from scorekeeper.tables.reading import Table, read

TODAY = date(2026, 11, 27)


def vectors(name: str) -> list[list[str]]:
    lines = (Path(__file__).parent / "vectors" / name).read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if not line.startswith("#")]


def table(text: str) -> Table:
    return read(grid.from_file(text.encode()), TODAY)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TableRefused) as caught:
        act()
    return caught.value.message.code


# --- Cells ---


@pytest.mark.parametrize(("text", "mark", "says"), vectors("figures.txt"))
def test_figure_is_read_as_it_is_written(text: str, mark: str, says: str) -> None:
    found = columns.figure(text, mark)
    unit = "" if found is None or found.unit is None else f" {found.unit or 'points'}"
    assert (f"{found.amount.normalize():f}{unit}" if found else "-") == says


@pytest.mark.parametrize(("text", "by_day", "by_month"), vectors("days.txt"))
def test_day_is_read_in_either_order(text: str, by_day: str, by_month: str) -> None:
    found = columns.day(text)
    both = [found.by_order.get(order) if found else None for order in (DayOrder.DAY, DayOrder.MONTH)]
    assert [str(each or "-") for each in both] == [by_day, by_month]


# --- Files ---


@pytest.mark.parametrize(
    ("data", "first"),
    [
        ("\ufeffDátum;Béla;Őze\n2024.03.01.;1,5;-1,5".encode(), ("Dátum", "Béla", "Őze")),
        ("Dátum;Béla;Őze\n2024.03.01.;1,5;-1,5".encode("cp1250"), ("Dátum", "Béla", "Őze")),
        ("\ufeffDátum\tBéla\tŐze\n2024.03.01.\t1,5\t-1,5".encode("utf-16-le"), ("Dátum", "Béla", "Őze")),
        (b"sep=|\ndate|a|b\n2024-03-01|1|-1", ("date", "a", "b")),
        (b'"date","a, b","c"\n"2024-03-01","1,5","-1,5"', ("date", "a, b", "c")),
        (b"date|a;b|c\n2024-03-01|1|-1", ("date", "a;b", "c")),
    ],
)
def test_encoding_and_separator_are_found(data: bytes, first: tuple[str, ...]) -> None:
    assert grid.from_file(data)[0].cells == first


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("a\0b", "no_text"),
        ("date;a;b\n" + "2024-03-01;1;-1\n" * (MOST_LINES + 1), "too_long"),
        ("date" + ";a" * MOST_COLUMNS, "too_wide"),
        ("x" * (grid.MOST_BYTES + 1), "too_large"),
        ("a;b;c\n1;2;3", "no_heads"),
        ('sep="\na"b\n1"2', "no_heads"),
        ("date;a;b\n;1;-1", "no_players"),
        ("session,day,title,game,stake,currency,number,kind,dealer\n1,2024-03-01,,x,,,1,played,A", "own_export"),
    ],
)
def test_text_that_is_no_table_is_refused_with_a_code(text: str, code: str) -> None:
    text = text if code != "no_players" else "date;a\n2024-03-01;1"
    assert refused(lambda: table(text)) == code


# --- Lines ---

BOOK = """\
Kártyakönyv 2024;;;;;
Dátum;Játék;Tét (Ft);Anna;BÉLA;Összesen
2024.03.01.;asszorti;10;1,5;-1,5;0
;;;;;
01/04/2024;;;x;-2;
DÁTUM;jatek;Tét (Ft);Anna;Béla;
szünet;;;;;
2024. május 1.;;;alma;2;
2030.01.01.;;;1;-1;
március;;;1;-1;
Összesen;;;3,5;-3,5;0
"""


def lines_of(read_table: Table) -> list[str]:
    """Each line with its number, what it is taken for, and what is odd about it."""
    return [" ".join([str(row.number), row.taken.value, *(odd.code for odd in row.odd)]) for row in read_table.rows]


def test_each_line_is_taken_for_a_session_heads_sums_or_text() -> None:
    read_table = table(BOOK)
    assert lines_of(read_table) == [
        *("3 session", "5 session", "6 heads", "7 text", "8 unread no_figure", "9 unread day_to_come"),
        *("10 unread no_day", "11 sums"),
    ]
    roles = [column.role.value for column in read_table.columns]
    assert roles == ["date", "game", "stake", "player", "player", "other"]
    first, second = read_table.sessions
    assert (first.currency, first.difference, second.difference) == ("HUF", 0, -2)
    assert list(second.won) == [4]  # Anna did not play


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param("2024-03-02,2,-2\n,3,-3", ["3 session", "4 sums"], id="sums without a word"),
        pytest.param("2024-03-02,2,-2\nTotal,3,-4", ["3 session", "4 sums other_sum"], id="sums that differ"),
        pytest.param("?,2.0,-2\nTotal,3,-3", ["3 unread no_day", "4 sums"], id="sums of lines left out, too"),
        pytest.param(
            "date,C,D\n2024-03-02,1,-1", ["3 heads other_heads", "4 unread below_other_heads"], id="other players"
        ),
    ],
)
def test_lines_of_sums_and_heads_are_known_by_those_above_them(lines: str, said: list[str]) -> None:
    read_table = table(f"date,A,B\n2024-03-01,1,-1\n{lines}")
    assert lines_of(read_table) == ["2 session", *said]
    wrong = [odd for row in read_table.rows for odd in row.odd if odd.code == "other_sum"]
    assert wrong == ([("other_sum", "-4", "B")] if "other_sum" in said[-1] else [])


def test_heads_without_a_word_for_the_day_are_those_above_the_first_day() -> None:
    found = table("mikor is;Anna;Béla\n2024.03.01.;1;-1")
    assert [column.role for column in found.columns] == [Role.DATE, Role.PLAYER, Role.PLAYER]


@pytest.mark.parametrize(
    ("days", "orders"),
    [
        (("01/03/2024", "13/03/2024"), "dmy"),
        (("01/03/2024", "03/13/2024"), "mdy"),
        (("01/03/2024", "01/04/2024", "01/05/2024"), "dmy mdy"),
        (("03/01/2024", "03/02/2024", "04/01/2024"), "mdy dmy"),
        (("04/01/2024", "03/02/2024", "03/01/2024"), "mdy dmy"),
        (("13/03/2024", "03/13/2024"), "dmy mdy"),
        (("2024.03.01.",), "dmy"),
    ],
)
def test_whole_column_decides_the_order_of_day_and_month(days: tuple[str, ...], orders: str) -> None:
    found = table("date,A,B\n" + "\n".join(f"{day},1,-1" for day in days))
    assert " ".join(found.orders) == orders


# --- Workbooks ---


def xlsx(*rows: tuple[Any, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    return saved(book)


def saved(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_workbook_is_read_as_it_shows() -> None:
    data = xlsx(("Dátum", "Anna", "Béla"), (datetime(2024, 3, 1, 18), 0.1 + 0.2, -0.3), (45352, 1.125, -1.125))
    found = read(grid.from_file(data), TODAY)
    assert [str(row.on(DayOrder.DAY)) for row in found.sessions] == ["2024-03-01", "2024-03-01"]
    assert [[str(float(amount)) for amount in row.won.values()] for row in found.sessions] == [
        ["0.3", "-0.3"],
        ["1.125", "-1.125"],
    ]


def with_sheet(xml: bytes) -> bytes:
    """A workbook whose only sheet is this XML."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx())) as plain, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in plain.namelist():
            packed.writestr(name, xml if name == "xl/worksheets/sheet1.xml" else plain.read(name))
    return out.getvalue()


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row>{}</row>'
SHEET += "</sheetData></worksheet>"


@pytest.mark.parametrize(
    "xml",
    [
        pytest.param(SHEET.format("<c/>" * grid.MOST_ELEMENTS).encode(), id="elements"),
        pytest.param(f'<!DOCTYPE x [<!ENTITY c "<c/>">]>{SHEET.format("&c;")}'.encode(), id="entities"),
        pytest.param(f'<!DOCTYPE x [<!ENTITY c "<c/>">]>{SHEET.format("&c;")}'.encode("utf-16"), id="UTF-16"),
    ],
)
def test_workbook_that_grows_in_memory_is_refused_unparsed(monkeypatch: pytest.MonkeyPatch, xml: bytes) -> None:
    parsed = list[bytes]()
    monkeypatch.setattr(grid, "_lines", parsed.append)
    assert refused(lambda: grid.from_file(with_sheet(xml))) == "no_workbook"
    assert not parsed


def test_hostile_workbook_is_refused_with_a_code() -> None:
    apart = Workbook()
    apart.active["A1"], apart.active["XFD1048576"] = "date", "x"
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * (grid.MOST_UNPACKED + 1))
    formula = xlsx(("date", "A", "B"), ("2024-03-01", 1, "=-B2"))
    assert refused(lambda: grid.from_file(formula)) == "formula"
    assert refused(lambda: grid.from_file(bomb.getvalue())) == "too_large"
    assert refused(lambda: grid.from_file(b"PK\x03\x04")) == "no_workbook"
    assert refused(lambda: grid.from_file(saved(Workbook()))) == "empty"
    assert refused(lambda: read(grid.from_file(saved(apart)), TODAY)) == "no_heads"


@given(st.binary(max_size=300) | st.text("0123456789.,;\t\n\"'-−(= Ftdae/áé", max_size=300).map(str.encode))
def test_any_bytes_are_read_as_a_table_or_refused(data: bytes) -> None:
    for mark in (b"", b"PK\x03\x04"):
        try:
            found = read(grid.from_file(mark + b"date;A;B\n" + data), TODAY)
        except TableRefused:
            continue
        assert all(row.on(order) for row in found.sessions for order in DayOrder)
