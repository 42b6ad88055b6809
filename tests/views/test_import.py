"""The page that takes a book in JSON, and its review: what comes in, into which circle, and what is refused."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.models import Circle, Evening, Import, Member, Repayment, User
from sessions_app.readers.book import document
from tests.ledger.books import assert_verified
from tests.ledger.whole_books import whole_book

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]


def written(circle: Circle) -> bytes:
    return b"".join(document.of_circle(circle))


@pytest.fixture
def book() -> bytes:
    """A book of another server."""
    circle = whole_book(GAMES["asszorti"], 3)
    data = written(circle)
    Repayment.objects.filter(circle=circle).delete()
    Evening.objects.filter(circle=circle).delete()
    circle.delete()
    return data


def bring(client: Client, data: bytes, **fields: Any) -> Any:
    return client.post("/import/", {"file": SimpleUploadedFile("könyv.json", data), **fields})


def test_book_brought_by_a_stranger_is_taken_into_a_circle_of_his_own(client: Client, book: bytes) -> None:
    address = bring(client, book)["Location"]
    shown = client.get(address)
    assert shown.status_code == 200
    assert "könyv.json" in shown.text
    assert not Circle.objects.exists()
    assert client.post(address, {"circle": "", "take": "yes"})["Location"] == address
    circle = Circle.objects.get()
    assert written(circle) == book
    assert Member.objects.get(circle=circle).role == "owner"
    assert_verified()
    client.post(address, {"circle": "", "take": "yes"})
    assert written(Circle.objects.get()) == book


def test_book_is_taken_into_a_circle_of_ones_own_and_no_other(
    owners: Client, outsiders: Client, owner: User, evening: Evening, book: bytes
) -> None:
    for client, expected in ((outsiders, 404), (owners, 302)):
        assert bring(client, book, circle=evening.circle_id).status_code == expected
    address = f"/import/{Import.objects.get(user=owner).token}/"
    owners.post(address, {"circle": evening.circle_id, "of_circle": evening.circle_id, "take": "yes"})
    assert evening.circle.evenings.count() == 1 + len(json.loads(book)["sessions"])
    assert_verified()
