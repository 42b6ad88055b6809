"""Cached includes, keyed by their arguments. A builtin library: no template loads it."""

from collections.abc import Callable, Hashable, Mapping
from secrets import token_hex
from sys import getsizeof
from typing import Any, Final, cast

from django import template
from django.db.models import Model
from django.forms import BoundField
from django.forms.utils import ErrorList
from django.template import Context
from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from scorekeeper.db.cache import LRUCache
from sessions_app.faces.choices import Choices

register = template.Library()
#: Bytes of cached HTML: a sheet has up to 60,000, a line of it 2,000. The keys are estimated at KEY_SIZE each; the
#: whole cache was measured at 21 MB.
MOST: Final = 16_000_000
KEY_SIZE: Final = 1000


def weight(piece: SafeString) -> int:
    return getsizeof(piece) + KEY_SIZE


_drawn: LRUCache[SafeString] = LRUCache(MOST, weight)
#: Stands for a page's CSRF token in what is cached. Random, so that no text that somebody has typed holds it.
_ANY_TOKEN: Final = token_hex()


@register.simple_tag
def once(name: str, **shown: Any) -> SafeString:
    """Include a template with these arguments only; render it once per arguments and language.

    The arguments are the cache key, so they must be immutable values. A model instance raises TypeError: it equals any
    other of the same row, with any fields. The year is part of the key, since days of this year are written without it.
    """
    if any(isinstance(value, Model) for value in shown.values()):
        raise TypeError(f"{name}: a model instance cannot be part of a cache key")
    values = ((key, tuple(value) if isinstance(value, list) else value) for key, value in sorted(shown.items()))
    key = (name, get_language(), timezone.localdate().year, *values)
    return _drawn.get_or_make(key, lambda: _draw(name, shown))


@register.simple_tag
def once_by(key: tuple[Hashable, ...] | None, name: str, **shown: Any) -> SafeString:
    """Include a template with these arguments only; render it once per `key` and language, each time if that is None.

    The key must hold all that the template shows of the arguments.
    """
    return _drawn_by(key, name, lambda: shown)


@register.simple_tag(takes_context=True)
def once_with_forms(context: Context, name: str, **shown: Any) -> SafeString:
    """Include as `once` does a template with forms that are posted: each has the CSRF token of this page."""
    return _with_token_of(context, once(name, csrf_token=_ANY_TOKEN, **shown))


@register.simple_tag(takes_context=True)
def once_by_with_forms(
    context: Context, key: tuple[Hashable, ...] | None, name: str, shown: Mapping[str, Any]
) -> SafeString:
    """Include as `once_by` does a template with forms that are posted: each has the CSRF token of this page.

    `shown` may be lazy: it is asked for only when the template is rendered.
    """
    return _with_token_of(context, _drawn_by(key, name, lambda: {**shown, "csrf_token": _ANY_TOKEN}))


def _drawn_by(key: tuple[Hashable, ...] | None, name: str, shown: Callable[[], dict[str, Any]]) -> SafeString:
    if key is None:
        return _draw(name, shown())
    return _drawn.get_or_make((name, get_language(), *key), lambda: _draw(name, shown()))


def _with_token_of(context: Context, drawn: SafeString) -> SafeString:
    """Return cached HTML with the page's CSRF token, of letters and digits, in its forms."""
    return mark_safe(drawn.replace(_ANY_TOKEN, str(context["csrf_token"])))


@register.filter
def codes(errors: ErrorList) -> str:
    """Return the error codes of a field, each once."""
    return " ".join(dict.fromkeys(error.code or "" for error in errors.as_data()))


@register.simple_tag
def choices(bound: BoundField, **how: Any) -> SafeString:
    """Include components/choices.html, cached by the choices offered and the one chosen."""
    shown, offered = {"bound": bound, **how}, getattr(bound.field, "choices", None)
    field, errors = bound.field, (*bound.errors, codes(bound.errors))
    value = "" if bound.value() is None else str(bound.value())
    # A posted value may be anything, of any length: only offered ones are cached.
    if not isinstance(offered, Choices) or value not in ("", *(each for each, _offer in offered)):
        return _draw("components/choices.html", shown)
    key = (offered, bound.html_name, str(bound.label), value, field.required, errors)
    return _drawn.get_or_make(
        (*key, get_language(), *sorted(how.items())), lambda: _draw("components/choices.html", shown)
    )


def _draw(name: str, shown: dict[str, Any]) -> SafeString:
    return cast(SafeString, get_template(name).render(shown))
