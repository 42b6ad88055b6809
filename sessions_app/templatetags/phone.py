"""The frame of a page: styles, scripts and their data, settings, the language switch: {% load phone %}."""

from typing import Any

from django import template
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language

from scorekeeper.http import bundles
from sessions_app.settings_cookie import settings_of
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


@register.simple_tag(takes_context=True)
def phone_key(context: dict[str, Any]) -> str:
    """Return a key of the signed-in user, '' for a stranger and on an ended phone; each user has another.

    The service worker keeps the pages of one key. It grants no access, and costs no query: the session has the user.
    """
    request = context.get("request")
    if getattr(request, "caller", request) is None:
        return ""
    session = getattr(request, "session", None)
    user = session.get(SESSION_KEY) if session is not None else None
    return salted_hmac("phone", str(user), algorithm="sha256").hexdigest()[:16] if user else ""


@register.simple_tag(takes_context=True)
def settings_here(context: dict[str, Any]) -> dict[str, str]:
    """Return the settings with which the page is shown: no query."""
    request = context.get("request")
    return {} if request is None else settings_of(request)


@register.simple_tag(takes_context=True)
def way_back(context: dict[str, Any]) -> str:
    """Return the address that the language switch leads back to: this address if it answers GET, else its nearest
    parent that does.

    The answer to a form may have an address that takes POST only.
    """
    request = context.get("request")
    if request is None:
        return ""
    if request.resolver_match is None or _answers_get(request.resolver_match):
        return str(request.get_full_path())
    above: str = request.path
    while not _can_be_read(above):
        above = above.rstrip("/").rpartition("/")[0] + "/"
    return above


def _can_be_read(path: str) -> bool:
    """Return whether this path answers GET; the home page always does."""
    try:
        return path == "/" or _answers_get(resolve(path))
    except Resolver404:
        return False


def _answers_get(match: ResolverMatch) -> bool:
    return "GET" in getattr(match.func, "methods", ("GET",))
