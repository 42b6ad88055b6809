"""What templates need to write cards, points and money. Nothing here counts; a builtin library, so no {% load %}."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django import template
from django.utils.translation import get_language

from scorekeeper.games.asszorti import Contract, Trump
from scorekeeper.games.base import Amount, ScoreLine
from sessions_app import wording
from sessions_app.figures import signed, unsigned
from sessions_app.money import written
from sessions_app.readers.queries import HandLine, SeatView

register = template.Library()

register.filter(signed)
register.filter(unsigned)
register.filter(wording.minus)
register.filter(wording.result)
register.filter(wording.step)
register.filter(wording.isolated)
register.filter(wording.kontra_mark)
register.filter(wording.arrivazs_mark)
register.filter(wording.arrivazs_words)
register.filter("kontra", wording.kontra_words)
register.filter("six_five_nil", wording.is_six_five_nil)
register.simple_tag(wording.who_pays)
register.simple_tag(wording.sum_of)


@register.filter
def contract(called: Contract) -> wording.Words:
    return wording.CONTRACTS[called]


@register.filter
def trump(called: Trump) -> wording.Words:
    return wording.TRUMPS[called]


@register.filter
def money(amount: Decimal, currency: str) -> str:
    """An amount with its currency, in the user's language."""
    return written(amount, currency, get_language() or "hu")


@register.filter
def tone(points: Amount | None) -> str:
    """The class of a figure: won, lost or neither."""
    return "" if not points else "plus" if points > 0 else "minus"


@register.filter
def widest(seats: Sequence[SeatView]) -> int:
    """How many characters the longest balance takes, so that all can be set in the size that fits it."""
    return max(len(signed(seat.balance)) for seat in seats)


@register.filter
def widest_money(seats: Sequence[SeatView], currency: str) -> int:
    """The same of what the balances come to in money, 0 where there is no stake."""
    return max((len(money(seat.money, currency)) for seat in seats if seat.money is not None), default=0)


@register.filter
def at(values: Sequence[object], position: int) -> object:
    """The value at a position, a seat's for example."""
    return values[position]


@register.filter
def of(values: Mapping[int, list[str]] | None, key: int) -> list[str]:
    """The entries under a key, none where there are none."""
    return values.get(key, []) if values else []


@register.filter
def of_item(lines: Sequence[ScoreLine], item: str) -> list[ScoreLine]:
    """The steps of a count that belong to one item."""
    return [line for line in lines if line.item == item]


@register.filter
def differs(line: HandLine, other: HandLine | None) -> bool:
    """Whether two states of a hand would read differently on the sheet."""
    return other is None or (line.deal, line.declarer, line.dealer) != (other.deal, other.declarer, other.dealer)
