"""Suggested payments, what is owed and was paid, and stakes: {% load money %}."""

from collections.abc import Hashable
from decimal import Decimal
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from sessions_app.cached_templates import render, render_filled
from sessions_app.readers.money.lists import Line
from sessions_app.readers.money.settlements import TransferView
from sessions_app.templatetags.builtin import names_of
from sessions_app.words.amounts import (
    amount_words,
    currency_words,
    payment_words,
    signed_figure,
    signed_words,
    typed,
    unit_of,
)
from sessions_app.words.formatting import signed, unsigned
from sessions_app.words.money import money_words, stake_of

register = template.Library()


@register.simple_tag
def once_for_transfers(
    name: str, paid: TransferView, kind: str, currency: str, per_point: Decimal | None, explained_by: str = ""
) -> SafeString:
    """Include a suggested payment that unfolds to its reason; render it once for all payments of a kind.

    `kind` is "pairwise" or "fewest", `explained_by` the game's template that explains a debt.
    """
    reason = _reason(paid, kind)
    alike: dict[str, Hashable] = {
        "reason": reason,
        "in_money": paid.money is not None,
        "is_one": paid.points == 1,
        "lost_hands": _plural(paid.paid[1]),
        "won_hands": _plural(paid.received[1]),
        "per_point": _written(per_point, currency),
    }
    filled = {
        "payer": paid.payer.name,
        "payee": paid.payee.name,
        "points": unsigned(paid.points),
        "money": _written(paid.money, currency),
        "lost": paid.paid[0],
        "lost_in": paid.paid[1],
        "won": paid.received[0],
        "won_in": paid.received[1],
        "why": render(explained_by, {"transfer": paid}) if reason == "game" else "",
        **_balances(paid, reason, currency),
    }
    return render_filled(name, alike, filled)


def _reason(paid: TransferView, kind: str) -> str:
    """Return why it is to be paid, as settle/_transfer.html tells the reasons apart."""
    if kind != "pairwise":
        return "zero in money" if paid.is_rounded else "zero"
    if paid.why:
        return "game"
    return "hands" if paid.is_of_hands else "sheet"


def _balances(paid: TransferView, reason: str, currency: str) -> dict[str, Any]:
    """Return the balances before the payment and the names of those that it clears, if they are the reason."""
    if reason == "zero in money":
        at = [_written(seat.money, currency) for seat in (paid.payer, paid.payee)]
    elif reason == "zero":
        at = [signed(seat.balance) for seat in (paid.payer, paid.payee)]
    else:
        return {"payer_at": "", "payee_at": "", "cleared": ""}
    return {"payer_at": at[0], "payee_at": at[1], "cleared": names_of(paid.cleared)}


def _plural(count: int) -> int:
    """Return a number of the same plural form in the languages of the app."""
    return 1 if count == 1 else 2


def _written(amount: Decimal | None, currency: str) -> str:
    return "" if amount is None else money_words(amount, currency)


register.filter(amount_words)
register.filter(currency_words)
register.filter(signed_figure)
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
