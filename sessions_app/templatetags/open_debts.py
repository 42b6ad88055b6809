"""Filters for what is owed and was paid: {% load open_debts %}."""

from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from sessions_app.open_amounts import amount_words, currency_words, signed_words, typed, unit_of
from sessions_app.readers.who_owes import Line

register = template.Library()

register.filter(amount_words)
register.filter(currency_words)
register.filter(signed_words)
register.filter(typed)
register.filter(unit_of)


@register.simple_tag
def repay_fields(line: Line, settle: int | str = "") -> SafeString:
    """Return the hidden fields of the form that books a suggested payment, and leads back to this page."""
    what = [("token", line.token), ("amount", typed(line.units, line.currency)), *_asked(line, settle)]
    return format_html_join("\n", '<input type="hidden" name="{}" value="{}">', what)


@register.simple_tag
def other_amount(line: Line, circle_id: int, settle: int | str = "") -> str:
    """Return the URL of the form that books another amount of a suggested payment, and leads back to this page."""
    query = urlencode(_asked(line, settle))
    return f"{reverse('repayments', args=[circle_id])}?{query}#repayment-form"


def _asked(line: Line, settle: int | str) -> list[tuple[str, object]]:
    """Return what a form is told of a suggested payment, and of the page that it leads back to, as names and values."""
    back = ("settle", settle) if settle else ("page", "circle")
    between = [("payer", line.payer.id), ("payee", line.payee.id), ("currency", line.currency)]
    return [*between, *(("evening", evening) for evening in line.evenings), back]
