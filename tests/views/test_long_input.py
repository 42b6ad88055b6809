"""Input far longer than any field takes is not read; the answer is short and names the error."""

from itertools import cycle

import pytest
from django.http import QueryDict
from django.test import Client

from scorekeeper.http.middleware import MAX_CHARACTERS, MAX_ENCODED_QUERY, bounded
from sessions_app.models import Evening, User
from tests.selection import first
from tests.views.every_url import patterns, row_of
from tests.views.long_input import BYTES, ENCODED, FORM, GET_FIELDS, bodies
from tests.views.page import Page
from tests.views.scene import Scene, taken_back

pytestmark = pytest.mark.usefixtures("normalizes_nothing_long")
#: The demo's every answer is eighty hands.
POSTED = [path for path, _pattern in patterns() if "POST" in row_of(path) and path != "demo/"]
ASKED = [path for path, pattern in patterns() if pattern.name in GET_FIELDS]
#: The longest answer of a page for a typed value.
LONGER = 40_000


@pytest.mark.parametrize("path", first(5, POSTED))
def test_a_field_far_too_long_reaches_no_view(
    cast: dict[str, Client], owner: User, evening: Evening, path: str
) -> None:
    scene, phone = Scene(path, evening, owner), cast["owner"]
    for name, body in bodies(scene, cycle(ENCODED)):
        with taken_back(phone):
            response = phone.post(scene.address, body, content_type=FORM)
        # A book is pasted whole, and nothing normalises it.
        assert scene.name == "import" or longest(response.wsgi_request.POST) <= MAX_CHARACTERS, name
        assert response.status_code < 500, name
        assert len(response.content) < LONGER, name
        # Rules that have a name already are offered none: that page has no field to say it beside.
        assert response.status_code != 422 or scene.name == "house-profile-save" or says_why(Page.of(response)), name


def longest(fields: QueryDict) -> int:
    return max(len(value) for _name, values in fields.lists() for value in values)


def says_why(page: Page) -> bool:
    return any(text.strip() for text in page.errors) or any(node.text.strip() for node in page.of_class("notice"))


@pytest.mark.parametrize("path", first(4, ASKED))
def test_an_address_far_too_long_reaches_no_view(
    cast: dict[str, Client], owner: User, evening: Evening, path: str
) -> None:
    scene = Scene(path, evening, owner)
    for name, kind in zip(GET_FIELDS[scene.name], cycle(ENCODED), strict=False):
        response = cast["owner"].get(f"{scene.address}?{name}=" + ENCODED[kind][:60_000].decode())
        assert longest(response.wsgi_request.GET) <= MAX_CHARACTERS, name
        assert len(response.wsgi_request.get_full_path()) < MAX_ENCODED_QUERY + 100
        assert response.status_code < 500, name


def test_a_path_far_too_long_is_not_found(strangers: Client) -> None:
    response = strangers.get("/join/" + "x" * 60_000 + "/")
    assert response.status_code == 404
    assert len(response.content) < LONGER


def test_too_many_fields_are_refused_before_they_are_taken_apart(strangers: Client) -> None:
    for field in (b"&", b"a&", b"a=1&"):
        body = field * (BYTES // len(field))
        assert bounded(body, len(body)) is body
        assert strangers.post("/sessions/new/", body, content_type=FORM).status_code == 400
