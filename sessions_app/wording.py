"""Words common to all games, in the user's language: names in a sentence, payments, the deal. Counts nothing."""

import unicodedata
from collections.abc import Iterable, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.games.amounts import Amount
from sessions_app.formatting import signed, unsigned

type Words = str | Promise


def minus(number: int) -> str:
    """Return a number with a typographic minus and no plus."""
    return str(number).replace("-", "−")


def isolated(name: str) -> str:
    """Return the name, in Unicode isolates if it is right-to-left, so that the sentence keeps its direction."""
    turns = any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in name)
    return f"\u2068{name}\u2069" if turns else name


def listed(names: Iterable[str]) -> str:
    """Join names: 'Béla and Cili'; '' for none."""
    *first, last = tuple(names) or ("",)
    return pgettext("names", "%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def who_pays(amounts: Sequence[Amount | None], names: Sequence[str]) -> str:
    """Return the payments of a hand as a sentence; `amounts` are each seat's win (+) or loss (−)."""
    names = [isolated(name) for name in names]
    payers = [name for name, amount in zip(names, amounts, strict=True) if amount and amount < 0]
    payees = [name for name, amount in zip(names, amounts, strict=True) if amount and amount > 0]
    if not payers:
        return _("Nobody pays anybody.")
    if not _is_even(amounts) or len(payers) > 1 < len(payees):
        return _won_and_lost(amounts, names)
    each = min(amount if amount > 0 else -amount for amount in amounts if amount)
    if len(payers) == 1 and len(payees) == 1:
        text = _("%(payers)s pays %(payees)s %(points)s.")
    elif len(payers) == 1:
        text = _("%(payers)s pays %(payees)s %(points)s each.")
    else:
        text = _("%(payers)s pay %(payees)s %(points)s each.")
    return text % {"payers": listed(payers), "payees": listed(payees), "points": unsigned(each)}


def _is_even(amounts: Sequence[Amount | None]) -> bool:
    """Return whether all payers pay the same amount and all payees get the same."""
    won, lost = ({amount for amount in amounts if amount and (amount > 0) == wins} for wins in (True, False))
    return len(won) == len(lost) == 1


def _won_and_lost(amounts: Sequence[Amount | None], names: Sequence[str]) -> str:
    """Return each player's amount, where two sides are not enough: 'Anna +1⅓, Béla −⅔, Cili −⅔.'."""
    figures = (f"{name} {signed(amount)}" for name, amount in zip(names, amounts, strict=True) if amount)
    return f"{', '.join(figures)}."


def duration(minutes: int) -> str:
    """Return a time of play in words: '45 min', '2 h', '2 h 10'."""
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": minutes}
    if not minutes:
        return _("%(hours)d h") % {"hours": hours}
    return _("%(hours)d h %(minutes)d") % {"hours": hours, "minutes": minutes}


def who_deals(dealer: str, first: str) -> str:
    """Return the dealer and the first to speak: 'Béla deals · Cili speaks first'."""
    return _("%(dealer)s deals · %(first)s speaks first") % {"dealer": isolated(dealer), "first": isolated(first)}
