"""Bar charts drawn as SVG by the server: {% load bar_charts %}."""

from collections.abc import Sequence
from typing import Any, Final

from django import template
from django.utils.translation import gettext as _

from sessions_app.bar_chart import Amounts, bar_chart
from sessions_app.faces.measure_words import Bars, KeyTable
from sessions_app.readers.statistics import Person
from sessions_app.templatetags.statistics import KeyRow, StatisticsChoice

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
