"""Middleware: response headers, what proxies say, compression, bounds of what is posted, uploads, the session's cookie.

Every response has a mark that the app sent it, a request id and the permissions policy. Scripts tell by the mark
whether a proxy or a hotel's network answered instead. The id is new for each request; a user can read it out from the
500 page, and the log has it beside the traceback.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import IO, Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.contrib.sessions.middleware import SessionMiddleware
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, parse_cookie
from django.http.request import split_domain_port, validate_host
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from scorekeeper.http.asgi_bridge import MAX_FILE, Environ

#: Browser features that share.js and wake_lock.js use. (Sharing is allowed unless denied; Chromium builds without
#: sharing or Bluetooth warn of their names; reading the clipboard asks the user.)
USED: Final = ("clipboard-write", "screen-wake-lock")
#: Features with which an injected script could spy or spend. Every page carries the list, so it is short: nothing is
#: framed, and no third-party script is loaded.
CAMERA: Final = "camera"  # scan_link.js uses it, on one page
UNUSED: Final = (CAMERA, "geolocation", "microphone", "payment", "usb")


def policy(*used: str) -> str:
    """Return the permissions policy of a page that uses these features besides those that every page may use."""
    return ", ".join(f"{name}={'(self)' if name in (*USED, *used) else '()'}" for name in (*USED, *UNUSED))


POLICY: Final = policy()
logger = logging.getLogger(__name__)

type Handler = Callable[[HttpRequest], HttpResponse]


#: The id of the request that this thread answers.
_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id(request: object) -> str:
    """Return the id of the request, else of the request that this thread answers; '' if there is none."""
    return getattr(request, "id", "") or _current.get()


def set_headers(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        request.id = secrets.token_hex(4)  # type: ignore[attr-defined]
        before = _current.set(request_id(request))
        try:
            response = get_response(request)
        finally:
            _current.reset(before)
        response["X-Scorekeeper"] = "1"
        response["X-Request-ID"] = request_id(request)
        if not response.streaming and not response.content:
            del response["Content-Security-Policy"]  # there is no page for it to apply to
        elif response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Permissions-Policy", POLICY)
        if "X-Act" in request.headers and "Location" in response.headers:
            _pass_redirect_to_script(response)
        return response

    return middleware


def _pass_redirect_to_script(response: HttpResponse) -> None:
    """Answer a script's form with X-Location: a browser follows a redirect without telling the script."""
    response["X-Location"] = response["Location"]
    del response["Location"]
    response.status_code = 200


# --- A proxy, which may name hosts otherwise than visitors do ---


def log_mistakes_of_proxy(get_response: Handler) -> Handler:
    """Log the first request that shows each of two mistakes in the setup of a proxy.

    A redirect to HTTPS leads back here if X-Forwarded-Proto is missing, or not to be trusted. Visitors for whom
    X-Forwarded-For names fewer addresses than there are proxies are one to the rate limits, or choose their address.
    """
    logged = set[str]()

    def log_once(message: str, *args: object) -> None:
        if message not in logged:
            logged.add(message)
            logger.warning(message, *args)

    def middleware(request: HttpRequest) -> HttpResponse:
        named = request.headers.get("X-Forwarded-For", "").count(",") + ("X-Forwarded-For" in request.headers)
        if named < settings.PROXY and request.path_info not in settings.MONITORS:
            log_once(
                "X-Forwarded-For names %s addresses, but SCOREKEEPER_PROXY is %s: visitors cannot be told apart. Each "
                "proxy must add the address it is asked from.",
                named,
                settings.PROXY,
            )
        response = get_response(request)
        says_so = settings.PROXY and "X-Forwarded-Proto" in request.headers
        if not says_so and _leads_to_https(request, response):
            remedy = "the proxy must set X-Forwarded-Proto" if settings.PROXY else "set SCOREKEEPER_PROXY=true"
            log_once(
                "A request was redirected to HTTPS; one that came by HTTPS already is redirected for ever: %s.", remedy
            )
        return response

    return middleware


def _leads_to_https(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the response redirects to the same address by HTTPS."""
    if request.is_secure() or response.status_code != HTTPStatus.MOVED_PERMANENTLY:
        return False
    return response.headers["Location"] == f"https://{request.get_host()}{request.get_full_path()}"


def answer_monitors_at_any_host(get_response: Handler) -> Handler:
    """Replace the Host header of a monitor by one of this server's: it may ask by address."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info in settings.MONITORS:
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0].removeprefix(".")
        return get_response(request)

    return middleware


def accept_own_origins(get_response: Handler) -> Handler:
    """Replace an Origin header that names one of this server's hosts by another port, for Django's CSRF check.

    A proxy may listen on another port without naming it. Nothing is lost by that: browsers send the cookies of a host
    to all of its ports.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if is_own_origin(request.META.get("HTTP_ORIGIN", "")):
            request.META["HTTP_ORIGIN"] = own_origin(request)
        return get_response(request)

    return middleware


def own_origin(request: HttpRequest) -> str:
    """Return the origin of this server's pages, as the request names it."""
    return f"{request.scheme}://{request.get_host()}"


def is_own_origin(origin: str) -> bool:
    """Return whether an Origin header names one of SCOREKEEPER_HOSTS, by any port; by HTTPS if all visitors use it."""
    scheme, _, netloc = origin.partition("://")
    hosts = [host for host in settings.ALLOWED_HOSTS if not host.startswith(".")]
    is_secure = scheme == "https" or (scheme == "http" and not settings.HTTPS)
    return is_secure and validate_host(split_domain_port(netloc)[0], hosts)


# --- Compression ---


def uncompressed(response: HttpResponse) -> HttpResponse:
    """Mark the response as one that holds a secret, and return it."""
    response.holds_secret = True  # type: ignore[attr-defined]
    return response


class Compression(GZipMiddleware):
    """Middleware: Django's gzip; pages with a constant secret stay uncompressed.

    An attacker who can make a phone request a page, put text of his own into it and watch the length of the response
    could guess such a secret from how well the page compresses (BREACH). Django defends against that with a random name
    in each gzipped response and a fresh mask over each CSRF token; invite links, shown in plain text, have no such
    defence.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        # A streamed response is a download, compressed while its file was made: gzip here would drop its length.
        if response.streaming or getattr(response, "holds_secret", False):
            return response
        return super().process_response(request, response)


# --- Lengths of what is posted ---
#
# Everything that is posted or stands in the address is bounded before it is read. Normalising text is quadratic in its
# combining marks, and half of a page's work is linear in the length of the input: one value of 300 kB would hold a
# worker for 39 seconds. Bytes are counted before the body is decoded, characters before anything else sees the values.
# A value that is too long is cut, not refused: every field of a form takes less than the rest
# (sessions_app/base_forms.py), so the form says beside the field that it is too long.

#: Characters of a value; no field takes as many.
MAX_CHARACTERS: Final = 2_000
#: Bytes of a value with its name as a form encodes them: a character has at most 4 bytes of UTF-8, a byte at most 3.
MAX_ENCODED: Final = 12 * MAX_CHARACTERS + 1_000
#: Bytes of all values: two that are cut, and a form as people fill it in.
MAX_ENCODED_FORM: Final = 2 * MAX_ENCODED + 16_000
#: Bytes of an address: no page has a path of that length, and a query has a few fields in it.
MAX_PATH: Final = 1_000
MAX_ENCODED_QUERY: Final = 8_000

FORM: Final = "application/x-www-form-urlencoded"
_HALF_A_BYTE: Final = re.compile(rb"%[0-9A-Fa-f]?\Z")


class InputLengths:
    """Cut values that are too long in `POST`, `GET` and the query; answer 404 to a path that is too long."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if len(request.path) > MAX_PATH:
            request.path = request.path_info = request.path[:MAX_PATH]  # the 404 page shows it
            raise Http404
        query = request.META.get("QUERY_STRING", "")
        if len(query) > MAX_CHARACTERS:
            request.META["QUERY_STRING"] = bounded(query.encode("latin-1"), MAX_ENCODED_QUERY).decode("latin-1")
            request.GET = cut(QueryDict(request.META["QUERY_STRING"]))  # type: ignore[assignment]
        if takes_upload(request):
            self._take_upload(request)
        elif request.method == "POST" and len(request.body) > MAX_CHARACTERS:
            is_form = request.content_type == FORM
            request.POST = cut(QueryDict(bounded(request.body, MAX_ENCODED_FORM)) if is_form else request.POST)  # type: ignore[assignment]
        return self.get_response(request)

    def _take_upload(self, request: HttpRequest) -> None:
        """Read a form with a file, which goes to disk, or with a text, which may be long."""
        request.upload_handlers = [ToDisk(request)]
        text = str(request.POST.get("text", ""))[: MAX_PASTED + 1]
        fields = cut(request.POST).copy()
        fields["text"] = text
        request.POST = fields  # type: ignore[assignment]


def bounded(encoded: bytes, room: int) -> bytes:
    """Cut each `name=value` of an encoded form to MAX_ENCODED bytes, and all of them to `room`.

    A form of more fields than Django takes comes back as it is: Django counts them, and refuses it, at once.
    """
    if encoded.count(b"&") >= settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        return encoded
    kept = []
    for pair in encoded.split(b"&"):
        most = min(MAX_ENCODED, room)
        kept.append(pair if len(pair) <= most else _HALF_A_BYTE.sub(b"", pair[:most]))
        room -= len(kept[-1])
    return b"&".join(kept)


def cut(fields: QueryDict) -> QueryDict:
    """Cut the names and values of a decoded form to MAX_CHARACTERS each."""
    most = MAX_CHARACTERS
    short = {name[:most]: [str(value)[:most] for value in values] for name, values in fields.lists()}
    return QueryDict(urlencode(short, doseq=True))


# --- Uploads: one address takes files, which go to disk, from users who have signed in ---
#
# `asgi_bridge` has read the request into a temporary file already. Django's own handlers would keep a small file in
# memory, and a large one under a name, which stays when the process is killed.

#: The address that takes files, and the characters of a text that is pasted there.
UPLOAD_PATH: Final = "/import/"
MAX_PASTED: Final = 250_000


def uploading_user(environ: Environ) -> str | None:
    """Return the key of the user who has signed in by the request's cookie, None if there is none.

    The cookie's signature is checked, and not whether the user is still active: the view does that.
    """
    cookie = parse_cookie(environ.get("HTTP_COOKIE", "")).get(settings.SESSION_COOKIE_NAME)
    return SessionStore(cookie).get(SESSION_KEY) if cookie else None


class ToDisk(FileUploadHandler):
    """Upload handler: the first file of a request goes to an unlinked temporary file, up to one byte above MAX_FILE."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if hasattr(self, "_file") or self.field_name != "file":
            raise SkipFile
        self._file: IO[bytes] = TemporaryFile(dir=settings.DATA)  # noqa: SIM115  # the request closes it
        self._size = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        kept = raw_data[: MAX_FILE + 1 - self._size]
        self._size += len(kept)
        self._file.write(kept)

    def file_complete(self, file_size: int) -> "UploadedFile[bytes]":
        self._file.seek(0)
        return UploadedFile(self._file, self.file_name, self.content_type, self._size)


def takes_upload(request: HttpRequest) -> bool:
    """Return whether the request may bring a file, or paste a long text."""
    return request.method == "POST" and request.path_info == UPLOAD_PATH


# --- Cookies that last a year from the last visit ---

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
            request.is_cookie_renewed = True  # type: ignore[attr-defined]

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        if _has_csrf_cookie(request, response):
            del response.cookies[settings.CSRF_COOKIE_NAME]
        if response.status_code >= 500:
            return response  # Django sets no session cookie then: the old one must stay
        names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME)
        old = [name for name in (SESSION, CSRF, LANGUAGE) if name in request.COOKIES and name not in names]
        renewed = settings.SESSION_COOKIE_NAME in response.cookies
        if renewed:
            _renew(request, response, "CSRF")
        chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        if (renewed or LANGUAGE in old) and chosen in dict(settings.LANGUAGES):
            _renew(request, response, "LANGUAGE")
        for name in old:
            response.delete_cookie(name)
        return response


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
