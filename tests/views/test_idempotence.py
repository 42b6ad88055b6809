"""The same POST twice is one hand; two for one number are one hand and one page that says so; nothing is lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client

from sessions_app.models import Evening, Hand, Role, User
from tests.factories import MemberFactory, UserFactory, evening_of, hand_fields, record
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, hand_form, saved

BOTH = pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]), ids=["plain", "htmx"])


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/hands/new/"


@BOTH
def test_the_same_post_twice_makes_one_hand(owners: Client, evening: Evening, headers: dict[str, str]):
    posted = hand_fields(evening)
    answers = [owners.post(url(evening), posted, headers=headers) for _ in range(3)]
    assert [saved(answer) for answer in answers] == [f"/sessions/{evening.pk}/?saved=1"] * 3
    assert Hand.objects.count() == 1
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).balances == {0: -6, 1: 12, 2: -6}


@BOTH
@pytest.mark.parametrize("number", ["99", "2", "1000000"])
def test_number_that_is_not_next_is_saved_as_the_next_one_by_an_explicit_answer_only(
    owners: Client, evening: Evening, headers: dict[str, str], number: str
):
    posted = hand_fields(evening, number=number)
    page = Page.of(owners.post(url(evening), posted, headers=headers))
    again = owners.post(url(evening), hand_form(page), headers=headers)
    assert again.status_code == 409
    page = Page.of(again)
    assert "That is not the next hand" in page.text
    assert not Hand.objects.exists()
    answer = {"another": page.one("button", name="another").attrs["value"]}
    assert saved(owners.post(url(evening), hand_form(page) | answer, headers=headers)).endswith("?saved=1")


# All at once

WRITERS, EACH = 8, 3


def in_threads(*jobs: Callable[[], Any]) -> list[Any]:
    def closing(job: Callable[[], Any]) -> Any:
        try:
            return job()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(closing, jobs))


@pytest.fixture
def phones(transactional_db: None) -> tuple[Evening, list[Client]]:
    """An evening, and so many phones that may write to it."""
    evening = evening_of(UserFactory())
    clients = []
    for _ in range(WRITERS):
        client = Client(headers={"accept-language": "en"})
        client.force_login(MemberFactory(circle=evening.circle, role=Role.KEEPER).user)
        clients.append(client)
    return evening, clients


@pytest.mark.thorough
def test_eight_writers_at_once_lose_no_hand_and_break_nothing(phones: tuple[Evening, list[Client]]):
    evening, clients = phones

    def write(client: Client) -> list[int]:
        """Save hands as their forms come back, until each is on the sheet."""
        statuses = []
        for _ in range(EACH):
            form = hand_form(Page.of(client.get(url(evening))))
            form |= {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}
            while True:
                response = client.post(url(evening), form)
                statuses.append(response.status_code)
                if response.status_code != 409:
                    break
                # All write the same deal, and each means a hand of his own.
                page = Page.of(response)
                form = hand_form(page) | {"another": page.one("button", name="another").attrs["value"]}
        return statuses

    answers = in_threads(*(lambda client=client: write(client) for client in clients))
    seen = [status for statuses in answers for status in statuses]
    assert set(seen) <= {302, 409}
    assert seen.count(302) == WRITERS * EACH
    numbers = list(evening.hands.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, WRITERS * EACH + 1))
    evening.refresh_from_db()
    assert (evening.last_number, evening.hand_count) == (WRITERS * EACH, WRITERS * EACH)
    points = 6 * WRITERS * EACH
    assert Page.of(clients[0].get(f"/sessions/{evening.pk}/")).balances == {0: -points, 1: 2 * points, 2: -points}


def test_the_same_post_from_eight_phones_at_once_is_one_hand(phones: tuple[Evening, list[Client]]):
    evening, clients = phones
    posted = hand_fields(evening)
    answers = in_threads(*(lambda client=client: client.post(url(evening), posted) for client in clients))
    assert [saved(answer) for answer in answers] == [f"/sessions/{evening.pk}/?saved=1"] * WRITERS
    assert Hand.objects.count() == 1


def test_eight_different_posts_for_one_number_at_once_are_one_hand_and_seven_conflicts(
    phones: tuple[Evening, list[Client]],
):
    evening, clients = phones
    posts = [hand_fields(evening, tricks=str(tricks), opponent_tricks="0") for tricks in range(WRITERS)]
    jobs = [lambda pair=pair: pair[0].post(url(evening), pair[1]) for pair in zip(clients, posts, strict=True)]
    statuses = sorted(answer.status_code for answer in in_threads(*jobs))
    assert statuses == [302] + [409] * (WRITERS - 1)
    assert Hand.objects.count() == 1


def test_eight_voids_and_restores_at_once_leave_the_balances_right(phones: tuple[Evening, list[Client]]):
    evening, clients = phones
    record(evening, User.objects.first(), "2H 7", declarer=0)
    verbs = ["void", "restore"] * (WRITERS // 2)
    jobs = [
        lambda pair=pair: pair[0].post(f"/sessions/{evening.pk}/hands/1/{pair[1]}/")
        for pair in zip(clients, verbs, strict=True)
    ]
    assert {answer.status_code for answer in in_threads(*jobs)} == {302}
    balances = Page.of(clients[0].get(f"/sessions/{evening.pk}/")).balances
    assert balances == ({0: 0, 1: 0, 2: 0} if Hand.objects.get().is_void else {0: 12, 1: -6, 2: -6})


def test_a_session_started_from_one_form_by_eight_taps_at_once_is_one(phones: tuple[Evening, list[Client]]):
    _evening, clients = phones
    client = clients[0]
    posted = {"token": str(uuid4()), "player_1": "A", "player_2": "B", "player_3": "C", "first_dealer": "1"}
    answers = in_threads(*(lambda: client.post("/sessions/new/", posted) for _ in range(WRITERS)))
    assert {answer.status_code for answer in answers} == {302}
    assert Evening.objects.count() == 2
