"""A method that a page does not answer gets a 405 page, for strangers and members alike."""

import pytest
from django.test import Client

from sessions_app.models import Evening
from tests.selection import first
from tests.views.page import ENGLISH, HTMX_COUNT, HUNGARIAN, Page

WHO = ("owner", "keeper", "viewer", "outsider", "stranger")
LANGUAGES = [pytest.param(ENGLISH, "en", id="en"), pytest.param(HUNGARIAN, "hu", id="hu")]


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
@pytest.mark.parametrize("htmx", first(1, [{}, HTMX_COUNT]), ids=["plain", "htmx"])
def test_it_is_a_page_of_ours_in_the_reader_s_language(
    cast: dict[str, Client], evening: Evening, headers: dict[str, str], language: str, htmx: dict[str, str]
):
    for who in WHO:
        response = cast[who].get(f"/sessions/{evening.pk}/end/", headers=headers | htmx)
        page = Page.of(response)
        assert (response.status_code, response["Allow"]) == (405, "POST"), who
        assert page.is_whole
        assert page.language == language
        assert ("This page cannot be opened" in page.text) is (language == "en")
        assert "no-store" in response["Cache-Control"]
        assert f"/sessions/{evening.pk}/" in page.links.values(), "the way on"
        assert "/" in page.links.values(), "a way home"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_every_method_is_answered_so(owners: Client, evening: Evening, method: str):
    address = f"/sessions/{evening.pk}/settle/"
    response = getattr(owners, method)(address, headers=ENGLISH)
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
    assert address in Page.of(response).links.values()


def test_it_says_nothing_of_an_evening(strangers: Client, evening: Evening):
    there, nowhere = (strangers.get(f"/sessions/{pk}/end/") for pk in (evening.pk, 987654))
    assert there.content.count(b"Anna") == 0
    assert Page.of(there).text == Page.of(nowhere).text
