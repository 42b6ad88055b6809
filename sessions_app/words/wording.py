"""Words common to all games, in the user's language: names in a sentence, payments, the deal. Counts nothing."""

import unicodedata
from collections.abc import Iterable, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.games.amounts import Amount
from sessions_app.words.formatting import signed

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
    """Return each player's win (+) or loss (−) in a hand, winners first: 'Béla +4 · Anna −2 · Cili −2'."""
    of_each = sorted(zip(names, amounts, strict=True), key=lambda each: not each[1] or each[1] < 0)
    # A line breaks after a dot only: it parts no name from its figure.
    figures = [f"{isolated(name)}\N{NO-BREAK SPACE}{signed(amount)}" for name, amount in of_each if amount]
    return "\N{NO-BREAK SPACE}· ".join(figures) or _("Nobody pays anybody.")


def uncapitalized(label: str) -> str:
    """Return a label as a word of a sentence: 'declarer', 'card points'; an abbreviation keeps its capitals."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


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
