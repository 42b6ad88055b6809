"""Responses are compressed, and their length reveals no secret."""

import gzip
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest
from django.http import HttpResponse
from django.test import Client

from sessions_app.models import Evening
from sessions_app.views.pwa import messages_of_all_languages
from tests.views.page import HTMX_HAND_FORM, Page

#: A browser asks so by plain http.
ZIPPED = {"accept-encoding": "gzip, deflate"}
BROTLI = {"accept-encoding": "gzip, deflate, br, zstd"}
DECOMPRESSED = {"gzip": gzip.decompress, "br": brotli.decompress}


@pytest.fixture(params=["gzip", "br"])
def accepted(request: pytest.FixtureRequest) -> dict[str, str]:
    return {"gzip": ZIPPED, "br": BROTLI}[request.param]


@pytest.fixture
def full(evening: Evening, play: Callable[..., Evening]) -> Evening:
    return play(evening, 20)


def decompressed(response: HttpResponse) -> bytes:
    return DECOMPRESSED[response["Content-Encoding"]](response.content)


def on_the_wire(response: HttpResponse) -> int:
    """The length of what is sent, but for what every page has."""
    return len(response.content) + len(response.headers.get("X-Padding", ""))


def unzipped(response: HttpResponse) -> Page:
    assert "Accept-Encoding" in response["Vary"]
    assert response["Content-Length"] == str(len(response.content))
    plain = HttpResponse(decompressed(response))
    assert len(response.content) < len(plain.content) / 2
    return Page.of(plain)


@pytest.mark.parametrize(
    "path", ["/", "/sessions/", "/sessions/{}/", "/sessions/{}/hands/new/", "/sessions/{}/settle/"]
)
def test_a_page_is_compressed_for_who_takes_it(owners: Client, full: Evening, accepted: dict[str, str], path: str):
    plain = owners.get(path.format(full.pk))
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"], "no cache may mix them up"
    zipped = owners.get(path.format(full.pk), headers=accepted)
    assert zipped["Content-Encoding"] == ("br" if accepted == BROTLI else "gzip")
    assert unzipped(zipped).title == Page.of(plain).title
    assert zipped["Cache-Control"] == plain["Cache-Control"]


def test_so_are_parts_of_pages_and_errors(owners: Client, full: Evening, accepted: dict[str, str]):
    part = owners.get(f"/sessions/{full.pk}/hands/new/", headers={**HTMX_HAND_FORM, **accepted})
    assert not unzipped(part).is_whole
    assert unzipped(owners.get("/nowhere/", headers=accepted)).title


@pytest.mark.parametrize("accepting", ["gzip, br;q=0", "br;q=0.0 , gzip", "gzip, brx"])
def test_who_does_not_take_brotli_gets_none(owners: Client, accepting: str):
    assert owners.get("/", headers={"accept-encoding": accepting})["Content-Encoding"] == "gzip"


def test_brotli_is_a_tenth_shorter_than_gzip(owners: Client, full: Evening):
    zipped, smaller = (owners.get(f"/sessions/{full.pk}/hands/new/", headers=how) for how in (ZIPPED, BROTLI))
    assert len(smaller.content) < len(zipped.content) * 0.95


def test_what_is_the_same_for_every_phone_is_not_padded(owners: Client):
    assert "X-Padding" in owners.get("/", headers=BROTLI)
    for address in messages_of_all_languages():
        answer = owners.get(address, headers=BROTLI)
        assert answer["Content-Encoding"] == "br"
        assert "X-Padding" not in answer


def test_what_is_short_goes_as_it_is(owners: Client, full: Evening, accepted: dict[str, str]):
    full.refresh_from_db()
    poll = owners.get(f"/sessions/{full.pk}/live/?v={full.version}", headers=accepted)
    assert (poll.status_code, poll.content) == (204, b"")
    assert owners.get("/healthz", headers=accepted).content == b"ok\n"
    assert "Content-Encoding" not in poll


def test_a_page_is_never_twice_of_one_length_nor_its_forms_token_twice_the_same(
    owners: Client, full: Evening, accepted: dict[str, str]
):
    answers = [owners.get(f"/sessions/{full.pk}/settle/", headers=accepted) for _time in range(20)]
    tokens = {token_of(unzipped(answer)) for answer in answers}
    assert len(tokens) == len(answers)
    assert len({on_the_wire(answer) for answer in answers}) > 5


def token_of(page: Page) -> str:
    """The one of the first form on the page."""
    return next(node.attrs["value"] for node in page.nodes() if node.attrs.get("name") == "csrfmiddlewaretoken")


def test_its_length_changes_even_where_nothing_else_does(owners: Client, full: Evening, accepted: dict[str, str]):
    live = f"/sessions/{full.pk}/live/?v=0"
    answers = [owners.get(live, headers=accepted) for _time in range(20)]
    assert len({decompressed(answer) for answer in answers}) == 1
    assert len({on_the_wire(answer) for answer in answers}) > 5


@pytest.mark.parametrize("role", ["keeper", "viewer"])
def test_a_page_that_shows_a_link_to_the_table_is_not_compressed(
    owners: Client, evening: Evening, accepted: dict[str, str], role: str
):
    owners.post(f"/sessions/{evening.pk}/invite/", {"role": role})
    response = owners.get(f"/sessions/{evening.pk}/invite/{role}/", headers=accepted)
    assert "Content-Encoding" not in response
    assert "/join/" in response.content.decode()
