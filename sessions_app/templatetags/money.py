"""Suggested payments, what is owed and was paid, and stakes: {% load money %}."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from sessions_app.cached_templates import render_filled
from sessions_app.readers.evening.seating import SeatView
from sessions_app.readers.money.lists import Line
from sessions_app.words.amounts import (
    amount_words,
    currency_words,
    payment_words,
    signed_figure,
    signed_words,
    typed,
)
from sessions_app.words.wording import isolated, listed, money_words, stake_of, unsigned

register = template.Library()


register.filter(amount_words)
register.filter(currency_words)
register.filter(signed_figure)
register.filter(signed_words)
register.filter(typed)
register.filter(unsigned)


@register.filter
def named_among(positions: Iterable[int], seats: Sequence[SeatView]) -> str:
    """Join the names of the players at these seats: 'Béla and Cili'."""
    return listed(isolated(seats[position].name) for position in positions)


@register.simple_tag(takes_context=True)
def once_for_payments(
    context: Context, name: str, line: Line, circle_id: int, settle: int | str = "", query: str = ""
) -> SafeString:
    """Include the forms of a suggested payment, which lead back to this page; render them once for all payments."""
    payer, payee, said = line.payer, line.payee, amount_words(line.units, line.currency)
    alike = {
        "circle_id": circle_id,
        "settle": settle,
        "query": query,
        "currency": line.currency,
        "evenings": line.evenings,
    }
    filled = {
        "csrf_token": context["csrf_token"],
        "token": line.token,
        "seen": line.seen,
        "amount": typed(line.units, line.currency),
        "payer": payer.id,
        "payee": payee.id,
        "payer_name": payer.name,
        "payee_name": payee.name,
        "said": said,
        "label": payment_words(payer.name, payee.name, line.units, line.currency),
    }
    return render_filled(name, alike, filled)


@register.filter
def stake_words(recorded: dict[str, str]) -> str:
    """Return a stake of the history in words: 'HUF 10 a point', or 'points only'."""
    stake = stake_of(Decimal(recorded["stake"]), recorded["currency"]) if recorded["stake"] else None
    if stake is None:
        return pgettext("stake", "points only")
    return _("%(money)s a point") % {"money": money_words(stake.money(1), stake.currency)}
