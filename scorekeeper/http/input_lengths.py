"""Middleware that bounds the length of everything that is posted or stands in the address, before it is read.

Normalising text is quadratic in its combining marks, and half of a page's work is linear in the length of the input:
one value of 300 kB would hold a worker for 39 seconds. Bytes are counted before the body is decoded, characters before
anything else sees the values. A value that is too long is cut, not refused: every field of a form takes less than the
rest (sessions_app/bounded_form.py), so the form says beside the field that it is too long.
"""

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict

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

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if len(request.path) > MAX_PATH:
            request.path = request.path_info = request.path[:MAX_PATH]  # the 404 page shows it
            raise Http404
        query = request.META.get("QUERY_STRING", "")
        if len(query) > MAX_CHARACTERS:
            request.META["QUERY_STRING"] = bounded(query.encode("latin-1"), MAX_ENCODED_QUERY).decode("latin-1")
            request.GET = cut(QueryDict(request.META["QUERY_STRING"]))  # type: ignore[assignment]
        if request.method == "POST" and len(request.body) > MAX_CHARACTERS:
            is_form = request.content_type == FORM
            request.POST = cut(QueryDict(bounded(request.body, MAX_ENCODED_FORM)) if is_form else request.POST)  # type: ignore[assignment]
        return self.get_response(request)


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
