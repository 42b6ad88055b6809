"""A page reads one snapshot: a write between any two of its queries shows in none of it, or in all of it."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.transactions import is_open, outside_snapshot, read_once, snapshot
from sessions_app.writers import ledger
from tests.factories import record
from tests.selection import first

pytestmark = pytest.mark.django_db(transaction=True)

#: Chance, and the time of day.
CHANGING = re.compile(r'name="(?:csrfmiddlewaretoken|token)"\s+value="[^"]*"|<time.*?</time>', re.DOTALL)
PAGES = ("", "live/?v=0", "hands/1/", "settle/", "table/", "/")


def elsewhere(write: Callable[[], object]) -> None:
    """Let another phone write, over a connection of its own."""

    def written() -> None:
        try:
            write()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(written).result()


class WriteAfter:
    """An execute wrapper that lets another phone write once `queries` have been answered."""

    def __init__(self, queries: int, write: Callable[[], object]) -> None:
        self.left, self.write, self.has_written = queries, write, False

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        if self.left == 0 and not self.has_written:
            self.has_written = True
            elsewhere(self.write)
        self.left -= 1
        return execute(*args)


@pytest.mark.parametrize("path", first(3, PAGES))
def test_a_write_between_two_queries_shows_in_all_of_a_page_or_in_none(
    keepers: Client, evening: Evening, owner: User, path: str
) -> None:
    record(evening, owner, "2H 7")
    record(evening, owner, "1N 7 S")
    address = path if path.startswith("/") else f"/sessions/{evening.pk}/{path}"

    def page() -> str:
        return CHANGING.sub("", keepers.get(address).text)

    def write() -> None:
        hand = evening.hands.get(number=1)
        other = {"2H 7": "2H 8", "2H 8": "2H 7"}[hand.deal]
        ledger.amend(evening.pk, 1, facts=Facts(hand.dealer, hand.declarer, other), by=owner)
        record(evening, owner, "3S 9")

    page()
    before, queries = page(), 0
    while True:
        between = WriteAfter(queries, write)
        with connection.execute_wrapper(between):
            shown = page()
        if not between.has_written:
            break
        after = page()
        assert shown in (before, after), f"written before query {queries + 1}"
        before, queries = after, queries + 1
    assert queries > 1


def test_a_snapshot_shows_what_was_committed_when_it_was_first_read(evening: Evening, owner: User) -> None:
    with snapshot():
        before = Evening.objects.get(pk=evening.pk)
        elsewhere(lambda: record(Evening.objects.get(pk=evening.pk), owner))
        assert Evening.objects.get(pk=evening.pk).version == before.version
        assert not evening.hands.exists()
    assert evening.hands.count() == 1


def test_a_snapshot_keeps_no_writer_waiting_and_waits_for_none(evening: Evening, owner: User) -> None:
    with transaction.atomic():
        Evening.objects.select_for_update().get(pk=evening.pk)

        def read() -> None:
            with snapshot():
                Evening.objects.get(pk=evening.pk)
                evening.refresh_from_db()

        elsewhere(read)
        record(evening, owner)


def test_value_read_once_in_a_snapshot_is_read_again_after_a_writer(evening: Evening, owner: User) -> None:
    def hands() -> int:
        return read_once("hands", lambda: evening.hands.count())

    with snapshot():
        assert hands() == 0
        elsewhere(lambda: record(evening, owner))
        assert hands() == 0
        with outside_snapshot():
            pass
        assert hands() == 1


def test_write_in_a_snapshot_is_refused(evening: Evening) -> None:
    @snapshot()
    def write() -> None:
        Evening.objects.get(pk=evening.pk)
        Evening.objects.filter(pk=evening.pk).update(version=7)

    with pytest.raises(DatabaseError):
        write()
    with pytest.raises(DatabaseError), snapshot(), transaction.atomic():
        Evening.objects.filter(pk=evening.pk).update(version=7)
    evening.refresh_from_db()
    assert evening.version == 1


def test_after_a_snapshot_that_broke_the_connection_writes_and_reads_as_before(evening: Evening, owner: User) -> None:
    @snapshot()
    def fail() -> float:
        return evening.hands.count() / 0

    with pytest.raises(ZeroDivisionError):
        fail()
    with pytest.raises(DatabaseError), snapshot(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
    assert not is_open()
    record(evening, owner)
    assert evening.hands.count() == 1
