"""Words for the changes of an evening: {% load evening_edit %}."""

from decimal import Decimal

from django import template
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from sessions_app.money import stake_of, written

register = template.Library()


@register.filter
def stake_words(recorded: dict[str, str]) -> str:
    """Return a stake of the history in words: 'HUF 10 a point', or 'points only'."""
    stake = stake_of(Decimal(recorded["stake"]), recorded["currency"]) if recorded["stake"] else None
    if stake is None:
        return pgettext("stake", "points only")
    money = written(stake.money(1), stake.currency, get_language() or "hu")
    return _("%(money)s a point") % {"money": money}
