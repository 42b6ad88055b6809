"""Filters for what is owed and was paid: {% load open_debts %}."""

from urllib.parse import urlencode

from django import template
from django.urls import reverse

from sessions_app.open_amounts import amount_words, currency_words, signed_words, typed, unit_of
from sessions_app.readers.who_owes import Line

register = template.Library()

register.filter(amount_words)
register.filter(currency_words)
register.filter(signed_words)
register.filter(typed)
register.filter(unit_of)


@register.simple_tag
def other_amount(line: Line, circle_id: int, settle: int | str = "") -> str:
    """Return the URL of the form that books another amount of a suggested payment, and leads back to this page."""
    asked = {"payer": line.payer.id, "payee": line.payee.id, "currency": line.currency, "evening": line.evenings}
    back: dict[str, object] = {"settle": settle} if settle else {"page": "circle"}
    query = urlencode({**asked, **back}, doseq=True)
    return f"{reverse('repayments', args=[circle_id])}?{query}#repayment-form"
