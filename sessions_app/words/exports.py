"""Exports: CSV of the hands of evenings, and a spreadsheet (XLSX) of evenings, payments and balances."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from io import TextIOWrapper
from itertools import chain
from typing import IO, Any, Final, NamedTuple

import xlsxwriter  # type: ignore[import-untyped]
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games.amounts import Amount
from scorekeeper.tables.grid import MADE_HERE
from sessions_app.faces import FACES
from sessions_app.models import Hand, Repayment
from sessions_app.readers.book.exported import ExportedEvening, ExportedHand
from sessions_app.readers.money.repayments import points_last
from sessions_app.words.amounts import currency_words

# --- CSV: one line a hand, in the columns that docs/export.md lists ---

#: A spreadsheet takes a text that begins so for a formula, whatever it is in quotes for. In Asia also the wide forms.
_FORMULA: Final = re.compile(r"'*[=+\-−@\t\r\n＝＋－＠]")
#: Decimals of a figure that is not whole: a sum of a thousand thirds is right to the fourth.
DECIMALS: Final = 6


class Style(NamedTuple):
    """Separator of cells, decimal point, and encoding of a file."""

    separator: str
    point: str
    encoding: str


PLAIN: Final = Style(",", ".", "utf-8")
#: For spreadsheets in Hungarian, German or Russian, which take a file without a byte order mark for an old encoding.
HUNGARIAN: Final = Style(";", ",", "utf-8-sig")


def write_hands(evenings: Iterable[ExportedEvening], most_seats: int, style: Style, out: IO[bytes]) -> None:
    """Write a line for each hand, after one of the columns' names; each line has `most_seats` seats."""
    text = TextIOWrapper(out, style.encoding, newline="", write_through=False)
    try:
        lines = csv.writer(text, delimiter=style.separator, lineterminator="\r\n")
        lines.writerow(columns(most_seats))
        for each in evenings:
            head = _head(each, style)
            lines.writerows([*head, *_line(each, hand, most_seats, style)] for hand in each.hands)
    finally:
        text.detach()


def columns(seats: int) -> list[str]:
    """Return the names of the columns."""
    of_seats = [f"{name}_{seat}" for seat in range(1, seats + 1) for name in ("player", "change")]
    return [
        *("session", "day", "title", "game", "stake", "currency"),
        *("number", "kind", "dealer", "declarer", "deal", *of_seats, "note", "voided", "corrected"),
    ]


def _head(each: ExportedEvening, style: Style) -> list[str]:
    evening = each.evening
    return [
        str(evening.pk),
        timezone.localdate(evening.started_at).isoformat(),
        text_cell(evening.title),
        evening.game_key,
        "" if evening.stake is None else figure(Fraction(evening.stake), style),
        "" if evening.stake is None else evening.currency,
    ]


def _line(each: ExportedEvening, hand: ExportedHand, most_seats: int, style: Style) -> Sequence[str]:
    of_seats: list[str] = []
    for seat, change in zip(each.seats, hand.changes, strict=True):
        of_seats += [text_cell(seat.player.name), "" if change is None else figure(change, style)]
    return [
        *(str(hand.number), hand.kind, text_cell(hand.dealer), text_cell(hand.declarer), text_cell(hand.deal)),
        *of_seats,
        *[""] * 2 * (most_seats - len(each.seats)),
        *(text_cell(each.evening.note), _yes(hand.is_void), _yes(hand.is_corrected)),
    ]


def text_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with a ' before it if it begins as one would."""
    return f"'{text}" if _FORMULA.match(text) else text


def figure(amount: Amount, style: Style) -> str:
    """Return a figure: whole, or with at most DECIMALS decimals."""
    if isinstance(amount, int):
        return str(amount)
    rounded = round(amount, DECIMALS)
    places = Decimal(rounded.numerator) / Decimal(rounded.denominator)
    return f"{places.normalize():f}".replace(".", style.point)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


# --- XLSX, with heads in the user's language, row by row in flat memory; a text is no formula and no link ---

#: Rows of a sheet: a spreadsheet takes no more.
MOST_ROWS: Final = 1_048_576
OPTIONS: Final = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
DAY: Final = "yyyy-mm-dd"
WIDTH, WIDE = 12, 22

type Cell = str | Amount | date | None


class Sheet:
    """A sheet that is written row by row. One that is full goes on in another one, under a number."""

    def __init__(self, book: Any, title: str, heads: Sequence[str], wide: Sequence[str] = ()) -> None:
        self._book, self._title, self._heads, self._wide = book, title, heads, wide
        self._head, self._formats = book.add_format({"bold": True}), dict[str, Any]()
        self._sheets = 0
        self._begin()

    def add(self, *cells: Cell, currency: str = "") -> None:
        """Add a row; fractions and, if it is money, all figures have the decimals of the `currency`."""
        if self._row == MOST_ROWS:
            self._begin()
        for column, cell in enumerate(cells):
            self._write(column, cell, currency)
        self._row += 1

    def _begin(self) -> None:
        self._sheets += 1
        self._sheet = self._book.add_worksheet(self._title if self._sheets == 1 else f"{self._title} {self._sheets}")
        self._sheet.freeze_panes(1, 0)
        for column, head in enumerate(self._heads):
            self._sheet.set_column(column, column, WIDE if head in self._wide else WIDTH)
            self._sheet.write_string(0, column, head, self._head)
        self._row = 1

    def _write(self, column: int, cell: Cell, currency: str) -> None:
        if isinstance(cell, str):
            if cell:
                self._sheet.write_string(self._row, column, cell)
        elif isinstance(cell, date):
            self._sheet.write_datetime(self._row, column, cell, self._format(DAY))
        elif cell is not None:
            self._sheet.write_number(self._row, column, float(cell), self._format(_decimals(cell, currency)))

    def _format(self, name: str) -> Any:
        if name not in self._formats:
            self._formats[name] = self._book.add_format({"num_format": name})
        return self._formats[name]


def _decimals(amount: Amount, currency: str) -> str:
    """Return the number format of an amount, which shows it rounded; the cell has the whole figure."""
    decimals = CURRENCIES.get(currency)
    if decimals is None:
        return "General" if amount == int(amount) else "0.00"
    return f"#,##0{'.' * bool(decimals)}{'0' * decimals}"


# --- The sheets ---


def write_workbook(
    evenings: Iterable[ExportedEvening],
    most_seats: int,
    payments: Iterable[Repayment],
    out: IO[bytes],
    *,
    is_demo: bool,
) -> None:
    """Write results, hands, payments and balances. In a demo nobody owes anything: there are no balances."""
    with xlsxwriter.Workbook(out, OPTIONS) as book:
        book.set_properties({"keywords": MADE_HERE})
        results, hands = _results(book), _hands(book, most_seats)
        balances = Balances()
        for each in evenings:
            _add_results(results, each)
            _add_hands(hands, each, most_seats)
            balances.add_results(each)
        paid = _payments(book)
        for row in payments:
            _add_payment(paid, row)
            if not (is_demo or row.is_undone):
                balances.add_payment(row)
        balances.write(book)


def _of_session() -> tuple[str, ...]:
    return _("Session"), _("Day"), _("Title"), pgettext("a column", "Game")


def _results(book: Any) -> Sheet:
    heads = (*_of_session(), _("Player"), _("Points"), _("Amount"), _("Currency"))
    return Sheet(book, _("Results"), heads, (_("Title"), _("Player")))


def _add_results(sheet: Sheet, each: ExportedEvening) -> None:
    """Add each player's points, and the result that his balance has: none of a session that runs or was paid."""
    session, currency = _session(each), each.evening.result_currency
    for seat in each.seats:
        result = seat.exact_result
        amount = None if result is None else in_major_units(result, currency)
        words = currency_words(currency) if amount is not None else ""
        balance = each.balances[seat.position]
        sheet.add(*session, seat.player.name, balance, amount, words, currency=currency)


def _hands(book: Any, most_seats: int) -> Sheet:
    seats = [
        head % {"number": seat}
        for seat in range(1, most_seats + 1)
        for head in (_("Player %(number)s"), _("Points %(number)s"))
    ]
    heads = (*_of_session(), _("Hand"), _("Kind"), _("Dealer"), _("Declarer"), _("Deal"), *seats)
    heads = (*heads, pgettext("a hand", "Voided"), pgettext("a hand", "Corrected"))
    return Sheet(book, _("Hands"), heads, (_("Title"), _("Deal")))


def _add_hands(sheet: Sheet, each: ExportedEvening, most_seats: int) -> None:
    session, yes = _session(each), _("yes")
    kinds = {Hand.Kind.PLAYED: _("Played"), Hand.Kind.THROWN_IN: _("Thrown in"), Hand.Kind.AGREED: _("Agreed entry")}
    empty = [None] * 2 * (most_seats - len(each.seats))
    for hand in each.hands:
        pairs = zip((seat.player.name for seat in each.seats), hand.changes, strict=True)
        facts = hand.number, str(kinds[Hand.Kind(hand.kind)]), hand.dealer, hand.declarer, hand.deal
        marks = yes if hand.is_void else "", yes if hand.is_corrected else ""
        sheet.add(*session, *facts, *chain.from_iterable(pairs), *empty, *marks)


def _payments(book: Any) -> Sheet:
    heads = (_("Day"), _("Payer"), _("Payee"), _("Amount"), _("Currency"), _("Kind"), _("For sessions"), _("Note"))
    return Sheet(book, pgettext("that were made", "Payments"), (*heads, _("Taken back")), (_("Kind"), _("Note")))


def _add_payment(sheet: Sheet, row: Repayment) -> None:
    kind = _("Owed from a paper book") if row.is_opening else pgettext("that was made", "Payment")
    paid_on, taken_back_on = timezone.localdate(row.made_at), row.undone_at and timezone.localdate(row.undone_at)
    sessions = ", ".join(str(evening.pk) for evening in row.evenings.all())
    sheet.add(
        *(paid_on, row.payer.name, row.payee.name, in_major_units(Fraction(row.units), row.currency)),
        *(currency_words(row.currency), kind, sessions, row.note, taken_back_on),
        currency=row.currency,
    )


class Balances:
    """Parts of each player's balance in a currency: results, paid, was paid, paper debts; in its smallest unit."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._sums: dict[tuple[str, int], list[Fraction]] = defaultdict(lambda: [Fraction()] * 4)

    def add_results(self, each: ExportedEvening) -> None:
        for seat in each.seats:
            if (result := seat.exact_result) is not None:
                self._add(each.evening.result_currency, seat.player_id, seat.player.name, 0, result)

    def add_payment(self, row: Repayment) -> None:
        """Add a payment to the two who made it, or a debt from a paper book, which is the other way round."""
        units, paper = Fraction(row.units), row.is_opening
        self._add(row.currency, row.payer_id, row.payer.name, 3 if paper else 1, -units if paper else units)
        self._add(row.currency, row.payee_id, row.payee.name, 3 if paper else 2, units if paper else -units)

    def write(self, book: Any) -> None:
        heads = (_("Player"), _("Currency"), _("Results"), _("Paid"), _("Was paid"), _("From a paper book"))
        sheet = Sheet(book, _("Balances"), (*heads, _("Balance")), (_("Player"), _("From a paper book")))
        ordered = sorted(self._sums, key=lambda key: (points_last(key[0]), self._names[key[1]], key[1]))
        for currency, player in ordered:
            parts = self._sums[currency, player]
            amounts = (in_major_units(part, currency) for part in (*parts, sum(parts, Fraction())))
            sheet.add(self._names[player], currency_words(currency), *amounts, currency=currency)

    def _add(self, currency: str, player: int, name: str, part: int, amount: Fraction) -> None:
        self._names[player] = name
        self._sums[currency, player][part] += amount


def in_major_units(amount: Fraction, currency: str) -> Fraction:
    """Return an amount of the currency's smallest unit in forints, euros or points."""
    return Fraction(amount, 10 ** CURRENCIES.get(currency, 0))


def _session(each: ExportedEvening) -> tuple[Cell, ...]:
    evening = each.evening
    return evening.pk, timezone.localdate(evening.started_at), evening.title, str(FACES[evening.game_key].name)
