"""Pieces of pages that are drawn once for all that they show. They are built in: no template loads them."""

from sys import getsizeof
from typing import Any, Final, cast

from django import template
from django.db.models import Model
from django.forms import BoundField
from django.forms.utils import ErrorList
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scorekeeper.db.cache import LRUCache
from sessions_app.faces.choices import Offers

register = template.Library()
#: Bytes: a whole sheet has up to sixty thousand, a line of it two. What a piece is known by is not weighed but guessed
#: at: all together they have been seen to take 21 MB.
MOST: Final = 16_000_000
KNOWN_BY: Final = 1000


def weight(piece: SafeString) -> int:
    return getsizeof(piece) + KNOWN_BY


_drawn: LRUCache[SafeString] = LRUCache(MOST, weight)


@register.simple_tag
def once(name: str, **shown: Any) -> SafeString:
    """A template drawn of what it is given, and nothing else: of the same in the same language it is drawn once.

    Values alone may be given, which are equal only as long as all of them is: no row of a database, which is equal to
    itself whatever stands in it, and nothing that changes.
    """
    if any(isinstance(value, Model) for value in shown.values()):
        raise TypeError(f"{name}: a model instance cannot be part of a cache key")
    values = ((key, tuple(value) if isinstance(value, list) else value) for key, value in sorted(shown.items()))
    return _drawn.get_or_make((name, get_language(), *values), lambda: _draw(name, shown))


@register.filter
def codes(errors: ErrorList) -> str:
    """The codes of what is wrong with a field, each once."""
    return " ".join(dict.fromkeys(error.code or "" for error in errors.as_data()))


@register.simple_tag
def choices(bound: BoundField, **how: Any) -> SafeString:
    """A row of choices (components/choices.html), drawn once for those offered and the one chosen of them."""
    shown, offered = {"bound": bound, **how}, getattr(bound.field, "choices", None)
    field, errors = bound.field, (*bound.errors, codes(bound.errors))
    value = "" if bound.value() is None else str(bound.value())
    # Anything may be posted, and of any length: what is not offered is not kept.
    if not isinstance(offered, Offers) or value not in ("", *(each for each, _offer in offered)):
        return _draw("components/choices.html", shown)
    key = (offered, bound.html_name, str(bound.label), value, field.required, errors)
    return _drawn.get_or_make(
        (*key, get_language(), *sorted(how.items())), lambda: _draw("components/choices.html", shown)
    )


def _draw(name: str, shown: dict[str, Any]) -> SafeString:
    return cast(SafeString, get_template(name).render(shown))
