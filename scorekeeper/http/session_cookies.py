"""The cookies: they last a year from the last time the phone was used, and move to their names under HTTPS."""

import time
from typing import Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.middleware import SessionMiddleware
from django.core import signing
from django.http import HttpRequest, HttpResponse

#: A phone that follows an evening asks every two seconds: it is given a new cookie once a week, not each time.
RENEWED_AFTER: Final = 7 * 24 * 3600
#: What the cookies are called without HTTPS, and once were with it, too. Phones of that time keep their sign-in and
#: their language; the form's check is made anew, as after any cookie that was lost.
SESSION: Final = "sessionid"
CSRF: Final = "csrftoken"
LANGUAGE: Final = "django_language"


class SignIn(SessionMiddleware):
    """Django's own, which also renews the cookie that it reads. It is signed, with its time: no query, no write."""

    def process_request(self, request: HttpRequest) -> None:
        moved = _take_over(request)
        super().process_request(request)
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if (moved or _age(cookie) > RENEWED_AFTER) and request.session.get(SESSION_KEY):
            request.session.modified = True

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        if _knows_check(request, response):
            del response.cookies[settings.CSRF_COOKIE_NAME]
        if response.status_code >= 500:
            return response  # then Django sets no sign-in: what there is must stay
        old = [name for name in (SESSION, CSRF, LANGUAGE) if name in request.COOKIES and name not in _names()]
        renewed = settings.SESSION_COOKIE_NAME in response.cookies
        if renewed:
            _keep(request, response, "CSRF")
        if (renewed or LANGUAGE in old) and _language(request) in dict(settings.LANGUAGES):
            _keep(request, response, "LANGUAGE")
        for name in old:
            response.delete_cookie(name)
        return response


def _names() -> tuple[str, str, str]:
    return settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME


def _language(request: HttpRequest) -> str | None:
    """The one that was chosen on the phone."""
    return request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)


def _knows_check(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether the phone has the form's check already: Django would give it with every form."""
    given = response.cookies.get(settings.CSRF_COOKIE_NAME)
    return given is not None and given.value == request.COOKIES.get(settings.CSRF_COOKIE_NAME)


def _take_over(request: HttpRequest) -> bool:
    """Read the old names where the new ones are not there yet; whether the sign-in was among them."""
    moved = False
    for old, new in ((SESSION, settings.SESSION_COOKIE_NAME), (LANGUAGE, settings.LANGUAGE_COOKIE_NAME)):
        if old in request.COOKIES and new not in request.COOKIES:
            request.COOKIES[new] = request.COOKIES[old]
            moved = moved or old == SESSION
    return moved


def _age(cookie: str) -> int:
    """How many seconds ago the cookie was signed, as it says itself (it is not believed yet); 0 if it does not say."""
    try:
        return int(time.time()) - signing.b62_decode(cookie.rsplit(":", 2)[1])
    except (IndexError, ValueError):
        return 0


def _keep(request: HttpRequest, response: HttpResponse, kind: str) -> None:
    """Let a cookie that the phone has last as long as its sign-in."""
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
