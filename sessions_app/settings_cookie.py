"""The cookie that copies a user's settings onto a phone, for pages that ask no query who it is; and a stranger's own.

It is not signed: it chooses among the values of `SETTINGS`, and any other is none.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from sessions_app.models import SETTINGS, User

COOKIE: Final = "settings"


def of_cookie(request: HttpRequest) -> dict[str, str]:
    """Return the settings that the phone has."""
    said = dict.fromkeys(SETTINGS, "") | dict(
        zip(SETTINGS, request.COOKIES.get(COOKIE, "")[:50].split("."), strict=False)
    )
    return {name: value if value in SETTINGS[name] else "" for name, value in said.items()}


def settings_of(request: HttpRequest) -> dict[str, str]:
    """Return the settings of the caller if the page has asked who that is, else those that the phone has: no query."""
    caller: User | None = getattr(request, "caller", None)
    return of_cookie(request) if caller is None else {name: getattr(caller, name) for name in SETTINGS}


def copy(request: HttpRequest, response: HttpResponseBase, values: dict[str, str]) -> None:
    """Give the phone a copy of these settings if it has others."""
    if values == of_cookie(request) or COOKIE in response.cookies:
        return
    if any(values.values()):
        _set(response, COOKIE, ".".join(values.values()))
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def copy_of_caller(request: HttpRequest, response: HttpResponseBase) -> None:
    """Give the phone a copy of the caller's settings and language, for pages that do not ask who he is."""
    caller: User | None = getattr(request, "caller", None)
    if caller is None:
        return
    copy(request, response, settings_of(request))
    name = settings.LANGUAGE_COOKIE_NAME
    if caller.language and request.COOKIES.get(name) != caller.language and name not in response.cookies:
        _set(response, name, caller.language)


def _set(response: HttpResponseBase, name: str, value: str) -> None:
    """Set a cookie as Django sets that of the language."""
    response.set_cookie(
        name,
        value,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
