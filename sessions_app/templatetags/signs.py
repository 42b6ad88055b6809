"""Signs in words, drawn: {% load signs %}."""

import re
from functools import lru_cache
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from sessions_app.wording import Words

register = template.Library()

#: A sign, with the variation selector that may follow it.
_SIGN: Final = re.compile("([♥♦♣♠]\ufe0e?)")


@register.filter
def with_signs(words: Words) -> SafeString:
    """Return words with their signs drawn; screen readers get the characters."""
    return mark_safe("".join(_drawn(part) for part in _SIGN.split(str(words))))  # noqa: S308  each part is escaped


@lru_cache(maxsize=256)
def _drawn(part: str) -> SafeString:
    if not _SIGN.fullmatch(part):
        return conditional_escape(part)
    return render_to_string("games/sign.html", {"sign": part, "shape": part[0]})
