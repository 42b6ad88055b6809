"""Hypothesis throws files at the import: it answers in a sentence, never with a 500, and never takes in half of one."""

import csv
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_app.models import Circle, Evening, Import, Repayment, User
from sessions_app.readers.book import document, document_reading
from tests.ledger.books import assert_verified
from tests.views.test_import import book

__all__ = ["book"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy", "uncounted")]

quick = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=12
)
#: Bytes that JSON, UTF-8, the page or the database might stumble over.
SHARDS = (
    *(b"\x00", b"\xff", b"\xed\xa0\x80", b'"\\ud800"', b"\\", b'"', b"{", b"}", b"[", b"]", b",", b":", b"null"),
    *(b"1.5", b"-1", b"1e400", b"9" * 5_000, b"[" * 5_000, b'"' + b"x" * 300_000 + b'"', b"\xe2\x80\xae"),
    *(b"\xef\xbb\xbf", b'"id"', b'"sessions":[]', b"true", b" " * 50_000, b"\n", b'"\\u0000"'),
)
cuts = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 40), st.one_of(st.sampled_from(SHARDS), st.binary(max_size=8))),
    min_size=1,
    max_size=4,
)
FIELDS = (
    *("circle", "of_circle", "player-1", "player-2", "player-3", "player-x", "look", "page"),
    *("listed", "out-1", "out-2", "out-3", "leave"),
)
ANSWERS = st.dictionaries(
    st.sampled_from(FIELDS),
    st.sampled_from(["", "0", "1", "-1", "9" * 30, "x", "²", "\x00", "\ud800", "1 2 3", "unreadable"]).map(
        lambda text: text.encode("utf-8", "replace")
    ),
    max_size=8,
)


def broken(data: bytes, cuts: list[tuple[float, int, bytes]]) -> bytes:
    for place, length, shard in cuts:
        at = int(place * len(data))
        data = data[:at] + shard + data[at + length :]
    return data


def rolled_back(act: Callable[[], None]) -> None:
    with transaction.atomic():
        act()
        transaction.set_rollback(True)


def assert_whole_or_nothing(client: Client, data: bytes, answers: dict[str, Any]) -> None:
    """Bring the file and take it in; then all of it is in the book and right, or none."""
    brought = client.post("/import/", {"file": SimpleUploadedFile("book.json", data)})
    assert brought.status_code in (302, 422), brought.status_code
    if brought.status_code == 302:
        address = brought["Location"]
        assert client.get(address).status_code == 200
        assert client.post(address, answers).status_code in (302, 404, 409)
        assert client.post(address, {"take": "yes"}).status_code in (302, 409)
        assert client.get(address).status_code == 200
    row = Import.objects.last()
    if row is None or row.state != Import.State.TAKEN:
        assert (Evening.objects.count(), Repayment.objects.count()) == (0, 0)
        return
    out = len(row.answers.get("out", ()))
    assert Evening.objects.count() == row.found["sessions"] - out
    assert Repayment.objects.count() == row.found["payments"] or out
    assert_verified()


@settings(quick, max_examples=16)
@given(cuts | st.binary(max_size=200) | st.sampled_from(SHARDS), ANSWERS)
def test_broken_file_or_any_bytes_are_refused_in_a_sentence_or_taken_in_whole(
    owners: Client, owner: User, book: bytes, cuts: Any, answers: Any
) -> None:
    data = cuts if isinstance(cuts, bytes) else broken(book, cuts)
    rolled_back(lambda: assert_whole_or_nothing(owners, data, answers))


#: Cells of a table, of which some make a session and most do not.
VALUES = (
    *("2024-03-01", "01/03/2024", "March 1 2024", "2030-01-01", "5", "-5", "0", "2,5", "(5)", "5 Ft", "", "-", '"'),
    *("asszorti", "tarokk", "Összesen", "Anna", "anna", "=1+1", "NaN", "1e400", "9" * 80, "\u202ex", "\x07"),
)
CELLS = st.sampled_from(VALUES) | st.text(max_size=6)
LINES = st.lists(
    st.tuples(st.sampled_from(["2024-03-01", "01/02/2024", "x", ""]), CELLS, *[st.sampled_from(["5", "-5", "0"])] * 3)
    | st.lists(CELLS, min_size=3, max_size=7),
    min_size=1,
    max_size=8,
)


@quick
@given(LINES, ANSWERS)
def test_table_of_any_cells_is_refused_in_a_sentence_or_taken_in_whole_as_a_book_that_can_be_read(
    owners: Client, owner: User, lines: Any, answers: Any
) -> None:
    def act() -> None:
        file = StringIO(newline="")
        csv.writer(file).writerows([("date", "note", "Anna", "Béla", "Cili"), *lines])
        assert_whole_or_nothing(owners, file.getvalue().encode("utf-8", "replace"), answers)
        for circle in Circle.objects.all():
            document_reading.read(b"".join(document.of_circle(circle)))

    rolled_back(act)
