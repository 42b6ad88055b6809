"""Filters and forms for what is owed and was paid: {% load open_debts %}."""

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from sessions_app.cached_templates import render_filled
from sessions_app.open_amounts import amount_words, currency_words, signed_words, typed, unit_of
from sessions_app.readers.who_owes import Line
from sessions_app.wording import isolated

register = template.Library()

register.filter(amount_words)
register.filter(currency_words)
register.filter(signed_words)
register.filter(typed)
register.filter(unit_of)


@register.simple_tag(takes_context=True)
def once_for_payments(context: Context, name: str, line: Line, circle_id: int, settle: int | str = "") -> SafeString:
    """Include the forms of a suggested payment, which lead back to this page; render them once for all payments."""
    payer, payee, said = line.payer, line.payee, amount_words(line.units, line.currency)
    alike = {"circle_id": circle_id, "settle": settle, "currency": line.currency, "evenings": line.evenings}
    filled = {
        "csrf_token": context["csrf_token"],
        "token": line.token,
        "amount": typed(line.units, line.currency),
        "payer": payer.id,
        "payee": payee.id,
        "payer_name": payer.name,
        "payee_name": payee.name,
        "said": said,
        "label": f"{isolated(payer.name)} → {isolated(payee.name)} {said}",
    }
    return render_filled(name, alike, filled)
