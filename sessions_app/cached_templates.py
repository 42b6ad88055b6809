"""Templates rendered once per arguments and language, for all phones."""

import re
import time
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from html import escape
from secrets import token_hex
from typing import Any, Final, cast

from django.db.models import Model
from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeData, SafeString, mark_safe
from django.utils.translation import get_language

from scorekeeper.db.cache import LRUCache

#: The mark of a blank in rendered HTML. Random, so that no typed text holds it.
_BLANK: Final = token_hex()
_BLANKS: Final = re.compile(rf"{_BLANK}(\w+)\.")


_rendered: LRUCache[SafeString] = LRUCache()


def render(name: str, shown: Mapping[str, Any]) -> SafeString:
    """Return a template rendered with these arguments only, without a request."""
    return cast(SafeString, get_template(name).render(dict(shown)))


def render_once(name: str, shown: Mapping[str, Hashable]) -> SafeString:
    """Return a template rendered with these arguments only, once per arguments and language.

    The arguments are the cache key, so they must be immutable values. A model instance raises TypeError: it equals any
    other of the same row, with any fields. The year is part of the key, since days of this year are written without it.
    """
    if any(isinstance(value, Model) for value in shown.values()):
        raise TypeError(f"{name}: a model instance cannot be part of a cache key")
    values = ((key, tuple(value) if isinstance(value, list) else value) for key, value in sorted(shown.items()))
    return render_by((_year_at(int(time.time()) // 60), *values), name, lambda: shown)


@lru_cache(maxsize=1)
def _year_at(_minute: int) -> int:
    """Return the present year; `_minute` is the time that it was asked for, as it is asked for very often."""
    return timezone.localdate().year


def render_by(key: tuple[Hashable, ...] | None, name: str, shown: Callable[[], Mapping[str, Any]]) -> SafeString:
    """Return a template rendered with these arguments only, once per `key` and language; each time if that is None.

    The key must hold all that the template shows of the arguments.
    """
    if key is None:
        return render(name, shown())
    return _rendered.get_or_make((name, get_language(), *key), lambda: render(name, shown()))


def render_filled(name: str, shown: Mapping[str, Hashable], filled: Mapping[str, Any]) -> SafeString:
    """Return a template rendered once per `shown`, as by `render_once`, with the values of `filled` put into it.

    The template may print these values, escaped as ever, and must not ask or change them: they are blanks to it.
    """
    return fill(render_once(name, {**shown, **blanks(*filled)}), filled)


def blanks(*names: str) -> dict[str, str]:
    """Return a blank for each of these names, as an argument of a template."""
    return {name: f"{_BLANK}{name}." for name in names}


def fill(rendered: SafeString, values: Mapping[str, Any]) -> SafeString:
    """Return a rendered template with the values, escaped unless they are marked safe, in the place of its blanks.

    Raise KeyError for a blank without a value.
    """
    escaped = {name: _escaped(value) for name, value in values.items()}
    return mark_safe(_BLANKS.sub(lambda blank: escaped[blank[1]], rendered))  # noqa: S308  values are escaped


def _escaped(value: object) -> str:
    """Return a value as a template prints it. Django's own `conditional_escape` takes five times as long."""
    return str(value) if isinstance(value, SafeData | int) else escape(str(value))
