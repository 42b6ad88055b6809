"""The tables by which a phone counts a hand that it cannot send yet, at an address that names their content."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple, Self

from django.http import Http404, HttpResponse
from django.urls import reverse

from scorekeeper.db.cache import LRUCache
from sessions_app.access import EveningRequest, page
from sessions_app.faces import face_of
from sessions_app.models import Evening, Role
from sessions_app.readers.evening.seating import names_of

#: The Cache-Control of an address with the version of its content, which is of one circle's house rules.
FOR_GOOD: Final = "private, max-age=31536000, immutable"


class CountTables(NamedTuple):
    """The tables of a face, which stay referenced here; their JSON text, and the version that follows from it."""

    tables: Mapping[str, Any]
    text: str
    version: str

    @classmethod
    def of(cls, tables: Mapping[str, Any]) -> Self:
        text = json.dumps(tables, separators=(",", ":"))
        return cls(tables, text, sha256(text.encode()).hexdigest()[:8])


#: By the identity of the object, which the face keeps: while its tables are referenced, no other object has their id().
_cache: LRUCache[CountTables] = LRUCache()


def address(evening: Evening, columns: int) -> str:
    """Return the address of an evening's tables; '' if it has none."""
    found = _of_evening(evening, columns)
    return f"{reverse('count-tables', args=[evening.pk])}?v={found.version}" if found else ""


@page(Role.KEEPER, "GET", "HEAD")
def show(request: EveningRequest) -> HttpResponse:
    """Return the evening's tables as JSON. A phone keeps them for good if it asked for this version of them."""
    evening = request.evening
    found = _of_evening(evening, len(names_of(evening)))
    if found is None:
        raise Http404
    response = HttpResponse(found.text, content_type="application/json")
    if request.GET.get("v") == found.version:
        response["Cache-Control"] = FOR_GOOD
    return response


def _of_evening(evening: Evening, columns: int) -> CountTables | None:
    tables = face_of(evening).provisional_tables(evening, columns)
    return _cache.get_or_make(id(tables), lambda: CountTables.of(tables)) if tables else None
