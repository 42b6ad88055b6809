"""Two keepers correct and strike out the same hands at the same moment, while others record."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client

from sessions_app.models import Evening, Role, User
from tests.factories import MemberFactory, UserFactory, evening_of, hand_fields, record
from tests.ledger.books import assert_books_balance, assert_verified
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

#: The pairs that meet, one after the other; each is begun with a hand that stands or one that is void.
PAIRS = (("edit", "void"), ("edit", "edit"), ("void", "void"), ("edit", "restore"), ("restore", "restore"))


def phone_of(user: User) -> Client:
    client = Client(raise_request_exception=False, headers={"accept-language": "en"})
    client.force_login(user)
    return client


def post(client: Client, evening: Evening, path: str, fields: dict[str, str]) -> int:
    return int(client.post(f"/sessions/{evening.pk}/hands/{path}/", fields).status_code)


def corrects(client: Client, evening: Evening, number: int, verb: str, tricks: int) -> int:
    fields = {} if verb != "edit" else hand_fields(evening, number=number, tricks=tricks, revision="1")
    return post(client, evening, f"{number}/{verb}", fields)


def records(client: Client, evening: Evening, until: Callable[[], bool]) -> Iterator[tuple[UUID, int]]:
    """Record one hand after the other, each again and again until it is taken; its answer each time."""
    while not until():
        token, status = uuid4(), 409
        while status == 409:
            number = Evening.objects.get(pk=evening.pk).last_number + 1
            fields = hand_fields(evening, token=token, number=number, tricks="8", another=number)
            status = post(client, evening, "new", fields)
            yield token, status


@pytest.mark.parametrize(("races", "writers"), first_rows(1, [(len(PAIRS), 3), (20, 8)]))
def test_corrections_and_voids_race_while_others_write_and_nothing_is_lost(races: int, writers: int) -> None:
    owner = UserFactory()
    evening = evening_of(owner)
    for number in range(1, races + 1):
        record(evening, owner, dealer=0, declarer=1)
        if "restore" in PAIRS[number % len(PAIRS)]:
            assert post(phone_of(owner), evening, f"{number}/void", {}) == 302
    keepers, clients = phones_of_keepers(evening, 2), phones_of_keepers(evening, writers)
    evening.refresh_from_db()
    said, answers = run(evening, races, keepers, clients)

    # The later of two corrections of a hand is answered 409; voiding a void hand changes nothing.
    assert {status for each in said for status in each} <= {302, 409}
    assert all(302 in pair for pair in zip(*said, strict=True))
    assert {status for _token, status in answers} <= {302, 409}
    acknowledged = [token for token, status in answers if status == 302]
    assert len(acknowledged) >= writers
    tokens = list(evening.hands.filter(number__gt=races).values_list("token", flat=True))
    assert sorted(tokens) == sorted(acknowledged)
    for number, (one, other) in zip(count(1), zip(*said, strict=True)):
        revisions = evening.hands.get(number=number).revision_count
        assert 2 <= revisions <= 1 + ("restore" in PAIRS[number % len(PAIRS)]) + (one == 302) + (other == 302)
    assert_books_balance(evening)
    assert_verified()


def phones_of_keepers(evening: Evening, number: int) -> list[Client]:
    return [phone_of(MemberFactory(circle=evening.circle, role=Role.KEEPER).user) for _ in range(number)]


def run(
    evening: Evening, races: int, keepers: list[Client], clients: list[Client]
) -> tuple[list[list[int]], list[tuple[UUID, int]]]:
    """Return the statuses that each keeper was answered, hand by hand, and the token and status of each recording."""
    over, together = Event(), Barrier(2, timeout=60)

    def keeping(place: int) -> list[int]:
        try:
            return [meet(place, number) for number in range(1, races + 1)]
        finally:
            over.set()
            connection.close()

    def meet(place: int, number: int) -> int:
        together.wait()
        return corrects(keepers[place], evening, number, PAIRS[number % len(PAIRS)][place], 9 + place)

    def writing(client: Client) -> list[tuple[UUID, int]]:
        try:
            return list(records(client, evening, until=over.is_set))
        finally:
            connection.close()

    with ThreadPoolExecutor(2 + len(clients)) as pool:
        written = [pool.submit(writing, client) for client in clients]
        kept = [pool.submit(keeping, place) for place in range(2)]
    return [each.result() for each in kept], [answer for each in written for answer in each.result()]
