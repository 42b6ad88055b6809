"""CSV of the hands of evenings, one line a hand, in the columns that docs/export.md lists."""

import csv
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from io import TextIOWrapper
from typing import IO, Final, NamedTuple

from django.utils import timezone

from scorekeeper.games.amounts import Amount
from sessions_app.readers.book.exported import ExportedEvening, ExportedHand

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
        of_seats += [text_cell(seat.name), "" if change is None else figure(change, style)]
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
