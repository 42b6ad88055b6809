"""Pictures drawn as SVG by the server: {% load pictures %}."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from scorekeeper.games.base import Amount
from sessions_app import wording
from sessions_app.formatting import signed
from sessions_app.line_chart import line_chart
from sessions_app.readers.balance_curve import BalanceCurve

register = template.Library()


@register.inclusion_tag("pictures/lines.html")
def balance_lines(curve: BalanceCurve, names: Sequence[str], key: str) -> dict[str, Any]:
    """Draw each player's balance hand by hand as a line. `key` begins the ids of the picture's title and sentence."""
    chart = line_chart([(wording.isolated(name), values) for name, values in zip(names, curve.by_seat, strict=True)])
    return {"chart": chart, "lines": list(zip(chart.lines, curve.after_each, strict=True)), "key": key}


@register.filter
def leaders(curve: BalanceCurve, names: Sequence[str]) -> str:
    """Join the names of the players in the lead after the last hand; '' where all are even."""
    return wording.listed(wording.isolated(names[seat]) for seat in curve.leaders) if curve.leaders else ""


@register.filter
def values_text(values: Iterable[Amount]) -> str:
    """Return exact values with spaces between, as `data-curve` has them."""
    return " ".join(map(str, values))


@register.filter
def signed_rows(curve: BalanceCurve) -> list[tuple[int, list[str]]]:
    """Return each hand's number with the players' balances after it, for a table."""
    rows = zip(curve.numbers, zip(*curve.after_each, strict=True), strict=True)
    return [(number, [signed(balance) for balance in balances]) for number, balances in rows]
