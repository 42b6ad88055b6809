"""Dear pages and downloads: one is made at a time in a worker, others go on meanwhile, and each has its limits."""

import gzip
import os
import time
import tracemalloc
from contextlib import closing
from threading import Lock
from typing import IO

import pytest
from django.http import FileResponse
from django.test import Client, RequestFactory

from scorekeeper.http.asgi_bridge import PIECE
from sessions_app import dear_pages
from sessions_app.models import Circle, Evening
from sessions_app.rate_limits import NotYet
from sessions_app.views import export
from sessions_app.views.export import download, file_name, in_time
from tests.views.page import Page, filled

pytestmark = pytest.mark.django_db
#: The pages and files of a circle, and of an evening.
PATHS = (
    *("", "statistics/", "players/{player}/statistics/", "players/{player}/statistics/points/", "years/2026/"),
    *("export.csv", "export.xlsx", "export.json"),
)
OF_EVENING = ("settle/", "export.csv", "export.xlsx", "export.json", "print/")


@pytest.fixture(autouse=True)
def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page of a circle is dear, and waits for no time."""
    monkeypatch.setattr(dear_pages, "DEAR", 0)
    monkeypatch.setattr(dear_pages, "SECONDS_TO_WAIT", 0)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Lock:
    """Somebody's turn, which does not end."""
    lock = Lock()
    lock.acquire()
    monkeypatch.setattr(dear_pages, "_turn", lock)
    return lock


def of(evening: Evening) -> str:
    return f"/circles/{evening.circle_id}/"


def test_dear_page_waits_for_its_turn_and_is_refused_in_words(owners: Client, evening: Evening, taken: Lock) -> None:
    player = evening.seats.values_list("player", flat=True)[0]
    addresses = [f"{of(evening)}{path.format(player=player)}" for path in PATHS]
    addresses += [f"/sessions/{evening.pk}/{path}" for path in OF_EVENING]
    for address in addresses:
        assert owners.get(address).status_code == 200, "it was not known to be dear"
        refused = owners.get(address)
        assert (refused.status_code, refused["Retry-After"]) == (429, "0"), address
        assert "no-store" in refused["Cache-Control"]
        assert "The server is busy with other large pages." in Page.of(refused).text
        taken.release()
        for _the_turn_was_given_back in range(2):
            assert owners.get(address).status_code == 200
        taken.acquire()
        dear_pages.forget()


def test_pages_of_others_and_of_the_table_go_on_beside_a_dear_one(
    cast: dict[str, Client], evening: Evening, taken: Lock
) -> None:
    owners = cast["owner"]
    owners.get(of(evening))
    assert cast["stranger"].get(of(evening)).status_code == 404, "a stranger takes no turn"
    other = Evening.objects.exclude(pk=evening.pk).get()
    assert cast["outsider"].get(of(other)).status_code == 200
    for path in ("", "hands/new/", "members/", "table/"):
        assert owners.get(f"/sessions/{evening.pk}/{path}").status_code == 200


def test_user_who_has_used_up_his_hour_is_refused_and_others_are_not(
    owners: Client, keepers: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dear_pages, "ALLOWED", 1)
    ticks = iter(range(1000))
    monkeypatch.setattr(time, "thread_time", lambda: next(ticks))
    owners.get(of(evening))
    refused = owners.get(f"{of(evening)}statistics/")
    assert 3590 < int(refused["Retry-After"]) <= 3600
    assert "opened too often" in Page.of(refused, 429).text
    assert keepers.get(of(evening)).status_code == 200
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 3601)
    assert owners.get(of(evening)).status_code == 200


def test_refused_payment_comes_with_its_fields_to_be_sent_again(owners: Client, evening: Evening, taken: Lock) -> None:
    owners.get(of(evening))
    address, posted = f"{of(evening)}repayments/", {"amount": "12", "currency": "HUF"}
    refused = Page.of(owners.post(address, posted), 429)
    assert posted.items() <= filled(refused.form(address)).items()
    assert not Circle.objects.get(pk=evening.circle_id).repayments.exists()


def test_costs_of_so_many_are_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dear_pages, "MOST", 3)
    costs = dear_pages.Costs()
    for key in ("a", "b", "c", "a", "d"):
        costs.add(key, 1)
    assert [costs.of(key)[0] for key in "abcd"] == [2, 0, 1, 1]


def test_long_page_makes_way_for_those_that_wait_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    turn, free = Lock(), []
    monkeypatch.setattr(dear_pages, "_turn", turn)
    monkeypatch.setattr(time, "sleep", lambda _seconds: free.append(not turn.locked()))
    dear_pages.make_way()
    with dear_pages.measured("circle", "user"):
        dear_pages.make_way()
    with dear_pages.measured("circle", "user"):
        assert turn.locked(), "it is known to be dear"
        dear_pages.make_way()
        assert turn.locked()
    assert free == [True, True, True]
    assert not turn.locked()


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


def test_file_name_keeps_what_every_system_takes_of_a_title() -> None:
    for title, name in (
        ("Péntek & társai: 1/2?", "Péntek & társai 1-2"),
        ('a\\b|c "d" <e> *', "a-b-c d e"),
        ("../../etc/passwd", "etc-passwd"),
        ("👨‍👩‍👧 שלום", "👨‍👩‍👧 שלום"),
        ("😀" * 300, "😀" * 50),
        ("Fin. ...", "Fin"),
    ):
        assert file_name(title, "2026-11-27") == f"{name} 2026-11-27"
        assert len(f"{name} 2026-11-27.json".encode()) < 255
    assert file_name("?", "2026-11-27") == "2026-11-27"


def test_large_file_is_made_and_sent_in_flat_memory() -> None:
    def write_much(out: IO[bytes]) -> None:
        out.writelines(os.urandom(PIECE) for _ in range(500))

    tracemalloc.start()
    try:
        response = download(RequestFactory().get("/"), "x", "text/plain", write_much)
        assert response.file_to_stream
        with closing(response.file_to_stream):
            assert sum(map(len, response)) == int(response["Content-Length"]) == 500 * PIECE
        assert tracemalloc.get_traced_memory()[1] < 10 * PIECE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("accepts", "packed", "is_zipped"), [("", False, False), ("gzip, br", False, True), ("gzip", True, False)]
)
def test_download_has_its_name_its_length_and_pieces_and_is_compressed_once(
    accepts: str, packed: bool, is_zipped: bool
) -> None:
    response, parts = answer(accepts, packed=packed)
    content = b"".join(parts)
    assert response["Content-Disposition"] == "attachment; filename*=utf-8''P%C3%A9ntek%201.csv"
    assert response["Content-Type"] == "text/csv"
    assert is_zipped or max(map(len, parts)) == PIECE, "it comes piece by piece"
    assert response["Content-Length"] == str(len(content))
    assert ("Content-Encoding" in response, "Vary" in response) == (is_zipped, not packed)
    assert (gzip.decompress(content) if is_zipped else content) == TEXT


def test_long_file_makes_way_for_other_pages_and_raises_not_yet_if_it_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks, made_way = iter(range(100)), list[int]()
    monkeypatch.setattr(dear_pages, "SECONDS_ON_END", 2)
    monkeypatch.setattr(dear_pages.time, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(dear_pages, "make_way", lambda: made_way.append(1))
    assert list(in_time(range(12))) == list(range(12))
    assert len(made_way) == 4
    monkeypatch.setattr(export, "SECONDS", -1)
    with pytest.raises(NotYet):
        list(in_time([TEXT]))


def test_page_links_its_downloads_for_a_viewer(viewers: Client, evening: Evening) -> None:
    for address in (f"/sessions/{evening.pk}/", f"/circles/{evening.circle_id}/"):
        links = Page.of(viewers.get(address)).links
        assert links["CSV with decimal points"] == f"{address}export.csv"
        assert links["CSV with semicolons and decimal commas"] == f"{address}export.csv?style=hu"
        assert links["Spreadsheet (XLSX)"] == f"{address}export.xlsx"
        assert links["Everything, for another Strigula (JSON)"] == f"{address}export.json"
