"""Data for the scripts and the service worker: {% load phone %}."""

from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from scorekeeper.http import bundles
from sessions_app.context_processors import phone_key
from sessions_app.words.script_messages import version

register = template.Library()


# The URLs of a page's style sheets and scripts, in order; those of the archive are loaded by its pages alone.
register.simple_tag(bundles.styles, name="stylesheets")
register.simple_tag(bundles.archive_styles, name="archive_stylesheets")
register.simple_tag(bundles.scripts)


@register.simple_tag
def script_messages() -> str:
    """Return the URL of the script with the messages of the page's language."""
    language = get_language() or settings.LANGUAGE_CODE
    return reverse("messages", args=[language, version(language)])


@register.simple_tag(takes_context=True, name="phone_key")
def phone_key_of_page(context: dict[str, Any]) -> str:
    """Return the key of the phone that asks for the page; in a shell, which all phones share, its blank."""
    shared: str | None = context.get("phone_key")
    return phone_key(context.get("request")) if shared is None else shared
