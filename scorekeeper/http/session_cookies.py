"""Cookies that last a year from the last visit, and that are renamed when the server changes to HTTPS."""

import time
from typing import Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.middleware import SessionMiddleware
from django.core import signing
from django.http import HttpRequest, HttpResponse

#: Seconds after which a cookie is renewed: a phone that follows an evening asks every two seconds.
RENEWED_AFTER: Final = 7 * 24 * 3600
#: Cookie names without HTTPS (and formerly with it). Their session and language are moved to today's names; the CSRF
#: cookie is made anew, as after any lost cookie.
SESSION: Final = "sessionid"
CSRF: Final = "csrftoken"
LANGUAGE: Final = "django_language"


class RenewingSessionMiddleware(SessionMiddleware):
    """Django's session middleware, which also renews an old cookie. The cookie is signed with its time: no query."""

    def process_request(self, request: HttpRequest) -> None:
        moved = _rename_old_cookies(request)
        super().process_request(request)
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if (moved or _age(cookie) > RENEWED_AFTER) and request.session.get(SESSION_KEY):
            request.session.modified = True

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        if _has_csrf_cookie(request, response):
            del response.cookies[settings.CSRF_COOKIE_NAME]
        if response.status_code >= 500:
            return response  # Django sets no session cookie then: the old one must stay
        old = [name for name in (SESSION, CSRF, LANGUAGE) if name in request.COOKIES and name not in _names()]
        renewed = settings.SESSION_COOKIE_NAME in response.cookies
        if renewed:
            _renew(request, response, "CSRF")
        if (renewed or LANGUAGE in old) and _language(request) in dict(settings.LANGUAGES):
            _renew(request, response, "LANGUAGE")
        for name in old:
            response.delete_cookie(name)
        return response


def _names() -> tuple[str, str, str]:
    return settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME


def _language(request: HttpRequest) -> str | None:
    """Return the language chosen on this phone."""
    return request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)


def _has_csrf_cookie(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the phone has this CSRF cookie already: Django sets it with every form."""
    given = response.cookies.get(settings.CSRF_COOKIE_NAME)
    return given is not None and given.value == request.COOKIES.get(settings.CSRF_COOKIE_NAME)


def _rename_old_cookies(request: HttpRequest) -> bool:
    """Read cookies by their old names where the new ones are missing; return whether the session was among them."""
    moved = False
    for old, new in ((SESSION, settings.SESSION_COOKIE_NAME), (LANGUAGE, settings.LANGUAGE_COOKIE_NAME)):
        if old in request.COOKIES and new not in request.COOKIES:
            request.COOKIES[new] = request.COOKIES[old]
            moved = moved or old == SESSION
    return moved


def _age(cookie: str) -> int:
    """Return the seconds since the cookie was signed, by its own unverified timestamp; 0 if it has none."""
    try:
        return int(time.time()) - signing.b62_decode(cookie.rsplit(":", 2)[1])
    except (IndexError, ValueError):
        return 0


def _renew(request: HttpRequest, response: HttpResponse, kind: str) -> None:
    """Renew a cookie of the phone so that it lasts as long as the session."""
    name = getattr(settings, f"{kind}_COOKIE_NAME")
    if name not in request.COOKIES or name in response.cookies:
        return
    response.set_cookie(
        name,
        request.COOKIES[name],
        max_age=getattr(settings, f"{kind}_COOKIE_AGE"),
        secure=getattr(settings, f"{kind}_COOKIE_SECURE"),
        httponly=getattr(settings, f"{kind}_COOKIE_HTTPONLY"),
        samesite="Lax",
    )
