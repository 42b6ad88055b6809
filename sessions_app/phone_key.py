"""The key by which the service worker of a phone keeps pages."""

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.utils.crypto import salted_hmac


def phone_key(request: HttpRequest | None) -> str:
    """Return a key of the signed-in user, '' for a stranger; it changes when somebody else signs in.

    The service worker keeps the pages of one key. It grants no access, and costs no query: the session has the user.
    """
    session = getattr(request, "session", None)
    user = session.get(SESSION_KEY) if session is not None else None
    return salted_hmac("phone", str(user), algorithm="sha256").hexdigest()[:16] if user else ""
