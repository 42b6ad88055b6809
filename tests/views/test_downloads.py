"""Downloads: their links, names and compression, and the time that one may take."""

import gzip
import os
import tracemalloc
from contextlib import closing
from typing import IO

import pytest
from django.http import FileResponse
from django.test import Client, RequestFactory

from scorekeeper.http.asgi_bridge import PIECE
from sessions_app import downloads
from sessions_app.downloads import download, file_name, in_time
from sessions_app.models import Evening
from sessions_app.rate_limits import NotYet
from tests.views.page import Page

TEXT = b"Anna;12\r\n" * 100_000


def write(out: IO[bytes]) -> None:
    out.write(TEXT)


def answer(accepts: str, *, packed: bool = False) -> tuple[FileResponse, list[bytes]]:
    """The download, and its parts."""
    request = RequestFactory().get("/", headers={"Accept-Encoding": accepts})
    response = download(request, "Péntek 1.csv", "text/csv", write, packed=packed)
    assert response.file_to_stream
    with closing(response.file_to_stream):
        return response, list(response)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Péntek & társai: 1/2?", "Péntek & társai 1-2"),
        ('a\\b|c "d" <e> *', "a-b-c d e"),
        ("../../etc/passwd", "etc-passwd"),
        ("👨‍👩‍👧 שלום", "👨‍👩‍👧 שלום"),
        ("😀" * 300, "😀" * 50),
        ("Fin. ...", "Fin"),
    ],
)
def test_file_name_keeps_what_every_system_takes_of_a_title(title: str, name: str) -> None:
    assert file_name(title, "2026-11-27") == f"{name} 2026-11-27"
    assert len(f"{name} 2026-11-27.json".encode()) < 255
    assert file_name("?", "2026-11-27") == "2026-11-27"


def test_download_has_its_name_in_utf8_its_length_and_pieces() -> None:
    response, parts = answer("")
    assert response["Content-Disposition"] == "attachment; filename*=utf-8''P%C3%A9ntek%201.csv"
    assert response["Content-Type"] == "text/csv"
    assert response["Content-Length"] == str(len(TEXT))
    assert b"".join(parts) == TEXT
    assert max(map(len, parts)) == PIECE, "it comes piece by piece"


def test_large_file_is_made_and_sent_in_flat_memory() -> None:
    def write_much(out: IO[bytes]) -> None:
        out.writelines(os.urandom(PIECE) for _ in range(500))

    request = RequestFactory().get("/")
    tracemalloc.start()
    try:
        response = download(request, "x", "text/plain", write_much)
        assert response.file_to_stream
        with closing(response.file_to_stream):
            assert sum(map(len, response)) == int(response["Content-Length"]) == 500 * PIECE
        assert tracemalloc.get_traced_memory()[1] < 10 * PIECE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("accepts", "packed", "is_zipped"), [("gzip, br", False, True), ("gzip", True, False)])
def test_download_is_compressed_once_and_of_known_length(accepts: str, packed: bool, is_zipped: bool) -> None:
    response, parts = answer(accepts, packed=packed)
    content = b"".join(parts)
    assert response["Content-Length"] == str(len(content))
    assert ("Content-Encoding" in response) is ("Vary" in response) is is_zipped
    assert (gzip.decompress(content) if is_zipped else content) == TEXT


def test_file_that_takes_too_long_raises_not_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "SECONDS", -1)
    with pytest.raises(NotYet):
        list(in_time([TEXT]))


def test_long_file_makes_way_for_other_pages_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks, made_way = iter(range(100)), list[int]()
    monkeypatch.setattr(downloads, "SECONDS_ON_END", 2)
    monkeypatch.setattr(downloads.time, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(downloads.dear_pages, "make_way", lambda: made_way.append(1))
    assert list(in_time(range(12))) == list(range(12))
    assert len(made_way) == 4


@pytest.mark.parametrize("page", ["/sessions/{evening}/", "/circles/{circle}/"])
def test_page_links_its_downloads_for_a_viewer(viewers: Client, evening: Evening, page: str) -> None:
    address = page.format(evening=evening.pk, circle=evening.circle_id)
    links = Page.of(viewers.get(address)).links
    assert links["CSV with decimal points"] == f"{address}export.csv"
    assert links["CSV with semicolons and decimal commas"] == f"{address}export.csv?style=hu"
    assert links["Spreadsheet (XLSX)"] == f"{address}export.xlsx"
    assert links["Everything, for another Strigula (JSON)"] == f"{address}export.json"
