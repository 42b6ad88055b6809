from uuid import uuid4

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.readers.book import lists, past
from sessions_app.readers.evening import hand_history
from sessions_app.readers.people.circles import circles_of, evening_circles
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record, repeat
from tests.ledger.books import assert_books_balance
from tests.ledger.reading import NAMES


def test_hands_repeated_by_the_factory_are_as_the_ledger_writes_them(evening: Evening, owner: User) -> None:
    record(evening, owner, "2H 7 K")
    ledger.record(evening.pk, token=uuid4(), number=2, facts=Facts(1), by=owner)
    record(evening, owner, "hC 5")
    repeat(evening, 8)
    assert_books_balance(evening)
    assert (evening.version, evening.hand_count) == (9, 5)
    record(evening, owner, "1S 4")
    assert_books_balance(evening)


@pytest.mark.parametrize("corrections", [3, 60])
def test_a_page_of_a_history_is_one_query_whatever_its_length(
    three_hands: Evening, owner: User, django_assert_num_queries: DjangoAssertNumQueries, corrections: int
) -> None:
    for n in range(corrections):
        ledger.amend(three_hands.pk, 1, facts=Facts(0, n % 3, "2H 8"), by=owner)
    hand = three_hands.hands.get(number=1)
    with django_assert_num_queries(1):
        history = hand_history.of(three_hands, hand, NAMES, {}, owner)
    assert len(history.entries) == min(corrections + 1, hand_history.ENTRIES_PER_PAGE)


@pytest.mark.parametrize("count", [1, 12])
def test_lists_ask_as_often_for_many_evenings(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for _ in range(count):
        evenings.end(evening_of(owner).pk)
        evening_of(owner)
    for read, number in (
        (lists.running, 2),
        (lambda owner: past.latest(circles_of(owner), 20), 3),
        (lists.latest_evening, 1),
        (evening_circles, 1),
    ):
        with django_assert_num_queries(number):
            read(owner)
