"""Charts drawn as SVG by the server, and the tables of their figures: {% load charts %}."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, Final

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.games.amounts import Amount
from sessions_app.drawing.charts import Amounts, bar_chart, line_chart
from sessions_app.faces.measure_words import Bars, KeyTable
from sessions_app.faces.statistics import StatisticsChoice
from sessions_app.readers.book.highlights import Course
from sessions_app.readers.book.statistics import Person
from sessions_app.readers.evening.result import BalanceCurve
from sessions_app.templatetags.statistics import KeyRow
from sessions_app.words import wording
from sessions_app.words.wording import exact_money, signed

register = template.Library()

#: More bars than these would be higher than a phone's screen; the table below has all.
MOST_BARS: Final = 12


@register.inclusion_tag("charts/bar_chart.html")
def key_bars(choice: StatisticsChoice, table: KeyTable, person: Person, rows: Sequence[KeyRow]) -> dict[str, Any]:
    """Draw the rows of a table that has bars, at most MOST_BARS with the largest figures, in their order."""
    if table.bars is None:
        return {}
    amounts = [_amounts(choice, table.bars, person, row) for row in rows]
    largest = sorted(range(len(amounts)), key=lambda at: -amounts[at].whole)[:MOST_BARS]
    drawn = [amounts[at] for at in sorted(largest) if amounts[at].whole]
    if len(drawn) < 2:
        return {}
    return {
        "chart": bar_chart(drawn),
        "key": f"bars-{table.bars.whole.name}",
        "title": table.bars.title,
        "seen": _seen(table.bars, drawn, len(amounts)),
    }


def _amounts(choice: StatisticsChoice, bars: Bars, person: Person, row: KeyRow) -> Amounts:
    whole, part = (
        int(choice.statistics.figure(choice.game, person.pk, words.name, row.key).value) if words else None
        for words in (bars.whole, bars.part)
    )
    return Amounts(str(row.words), whole or 0, part)


def _seen(bars: Bars, drawn: Sequence[Amounts], of: int) -> str:
    """Return the sentence that says what is to be seen."""
    longest = max(drawn, key=lambda row: row.whole)
    said = {
        "whole": bars.whole.label,
        "part": bars.part.label if bars.part else "",
        "longest": longest.label,
        "most": longest.whole,
        "of": longest.part,
    }
    if bars.part:
        sentence = _(
            "The length is “%(whole)s”, the filled part “%(part)s”; the longest: %(longest)s, %(of)s of %(most)s."
        )
    else:
        sentence = _("The length is “%(whole)s”; the longest: %(longest)s, %(most)s.")
    more = _("Drawn are the %(bars)s largest.") % {"bars": len(drawn)}
    return f"{sentence % said} {more}" if len(drawn) < of else sentence % said


@register.inclusion_tag("charts/line_chart.html")
def balance_lines(curve: BalanceCurve, names: Sequence[str], key: str, currency: str = "") -> dict[str, Any]:
    """Draw each player's balance step by step as a line, in points or a currency.

    `key` begins the ids of the picture's title and sentence.
    """
    chart = line_chart([(wording.isolated(name), values) for name, values in zip(names, curve.by_seat, strict=True)])
    top, bottom = (balance_text(edge, currency) if edge else "" for edge in (chart.top, chart.bottom))
    lines = list(zip(chart.lines, curve.after_each, strict=True))
    return {"chart": chart, "lines": lines, "key": key, "top": top, "bottom": bottom}


@register.filter
def balance_text(balance: Amount, currency: str) -> str:
    """Return a balance with its sign, or as money of the currency."""
    return exact_money(balance, currency) if currency else signed(balance)


@register.filter
def leaders(curve: BalanceCurve, names: Sequence[str]) -> str:
    """Join the names of the players in the lead after the last hand; '' where all are even."""
    return wording.listed(wording.isolated(names[seat]) for seat in curve.leaders)


@register.filter
def values_text(values: Iterable[Amount]) -> str:
    """Return exact values with spaces between, as `data-curve` has them."""
    return " ".join(map(str, values))


@register.filter
def signed_rows(curve: BalanceCurve) -> SafeString:
    """Return the rows of a table: each hand's number with the players' balances after it."""
    # A template would take a third of the page's time for them.
    columns = [_cells(balances, "") for balances in curve.after_each]
    rows = zip(curve.numbers, zip(*columns, strict=True), strict=True)
    lines = (f'<tr><th scope="row">{number}</th>{"".join(cells)}</tr>' for number, cells in rows)
    return mark_safe("\n".join(lines))  # noqa: S308  whole numbers, and cells of numbers


@register.filter
def course_rows(course: Course, currency: str) -> list[tuple[str, SafeString]]:
    """Return each evening's day with the players' balances after it, in points or a currency, as cells of a table."""
    days = (timezone.localtime(evening.started_at) for evening in course.evenings)
    columns = [_cells(balances, currency) for balances in course.curve.after_each]
    rows = zip(days, zip(*columns, strict=True), strict=True)
    # A year has some thousand cells.
    text = pgettext("day and month in a narrow column", "%(day)s/%(month)s")
    return [
        (text % {"day": day.day, "month": day.month}, mark_safe("".join(cells)))  # noqa: S308  cells of numbers
        for day, cells in rows
    ]


def _cells(balances: Iterable[Amount], currency: str) -> Iterator[str]:
    """Yield the cell of each balance; one that is the balance before is not written again."""
    known, cell = None, ""
    for balance in balances:
        if balance is not known:
            known, cell = balance, f"<td>{escape(balance_text(balance, currency))}</td>"
        yield cell
