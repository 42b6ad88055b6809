"""What the templates tell the scripts and the service worker: {% load phone %}."""

from typing import Any

from django import template
from django.contrib.auth import SESSION_KEY
from django.utils.crypto import salted_hmac

from scorekeeper.http import bundles

register = template.Library()


@register.simple_tag
def stylesheets() -> list[str]:
    """The addresses of the styles that a page needs, in order."""
    return bundles.styles()


@register.simple_tag
def scripts() -> list[str]:
    """The addresses of the scripts of every page, in order."""
    return bundles.scripts()


@register.simple_tag(takes_context=True)
def phone_key(context: dict[str, Any]) -> str:
    """A key for who is signed in on this phone, '' for a stranger: it changes when somebody else signs in.

    It tells the service worker whose pages it keeps, opens nothing, and costs no query: the session names the user.
    """
    session = getattr(context.get("request"), "session", None)
    user = session.get(SESSION_KEY) if session is not None else None
    return salted_hmac("phone", str(user), algorithm="sha256").hexdigest()[:16] if user else ""
