"""Responses are compressed, and their length reveals no secret."""

import gzip
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from sessions_app.models import Evening
from tests.views.page import HTMX_HAND_FORM, Page

ZIPPED = {"accept-encoding": "gzip, deflate, br, zstd"}


@pytest.fixture
def full(evening: Evening, play: Callable[..., Evening]) -> Evening:
    return play(evening, 20)


def unzipped(response: HttpResponse) -> Page:
    assert "Accept-Encoding" in response["Vary"]
    assert response["Content-Length"] == str(len(response.content))
    plain = HttpResponse(gzip.decompress(response.content))
    assert len(response.content) < len(plain.content) / 2
    return Page.of(plain)


@pytest.mark.parametrize(
    "path", ["/", "/sessions/", "/sessions/{}/", "/sessions/{}/hands/new/", "/sessions/{}/settle/"]
)
def test_page_is_gzipped_for_a_browser_that_accepts_it(owners: Client, full: Evening, path: str):
    plain = owners.get(path.format(full.pk))
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"], "no cache may mix them up"
    zipped = owners.get(path.format(full.pk), headers=ZIPPED)
    assert zipped["Content-Encoding"] == "gzip"
    assert unzipped(zipped).title == Page.of(plain).title
    assert zipped["Cache-Control"] == plain["Cache-Control"]


def test_parts_of_pages_and_errors_are_gzipped(owners: Client, full: Evening):
    part = owners.get(f"/sessions/{full.pk}/hands/new/", headers={**HTMX_HAND_FORM, **ZIPPED})
    assert not unzipped(part).is_whole
    assert unzipped(owners.get("/nowhere/", headers=ZIPPED)).title


def test_short_answer_is_not_compressed(owners: Client, full: Evening):
    full.refresh_from_db()
    poll = owners.get(f"/sessions/{full.pk}/live/?v={full.version}", headers=ZIPPED)
    assert (poll.status_code, poll.content) == (204, b"")
    assert owners.get("/healthz", headers=ZIPPED).content == b"ok\n"
    assert "Content-Encoding" not in poll


def test_a_page_is_never_twice_of_one_length_nor_its_forms_token_twice_the_same(owners: Client, full: Evening):
    answers = [owners.get(f"/sessions/{full.pk}/settle/", headers=ZIPPED) for _time in range(20)]
    tokens = {token_of(unzipped(answer)) for answer in answers}
    assert len(tokens) == len(answers)
    assert len({len(answer.content) for answer in answers}) > 5


def token_of(page: Page) -> str:
    """The one of the first form on the page."""
    return next(node.attrs["value"] for node in page.nodes() if node.attrs.get("name") == "csrfmiddlewaretoken")


def test_equal_answers_differ_in_length(owners: Client, full: Evening):
    live = f"/sessions/{full.pk}/live/?v=0"
    answers = [owners.get(live, headers=ZIPPED) for _time in range(20)]
    assert len({gzip.decompress(answer.content) for answer in answers}) == 1
    assert len({len(answer.content) for answer in answers}) > 5


@pytest.mark.parametrize("role", ["keeper", "viewer"])
def test_a_page_that_shows_a_link_to_the_table_is_not_compressed(owners: Client, evening: Evening, role: str):
    owners.post(f"/sessions/{evening.pk}/invite/", {"role": role})
    response = owners.get(f"/sessions/{evening.pk}/invite/{role}/", headers=ZIPPED)
    assert "Content-Encoding" not in response
    assert "/join/" in response.content.decode()
