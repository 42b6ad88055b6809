from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Role, User
from sessions_app.readers.book import lists
from sessions_app.readers.book import past as past_evenings
from sessions_app.readers.book.lists import EveningCard
from sessions_app.readers.evening import next_deal, seating
from sessions_app.readers.people.circles import circles_of
from sessions_app.writers import ledger
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.reading import NAMES, as_it_is


def latest(user: User, size: int = 20) -> tuple[tuple[EveningCard, ...], bool]:
    return past_evenings.latest(circles_of(user), size)


def dated(evening: Evening, days: int, ended: bool = False) -> Evening:
    began = datetime(2025, 1, 1, 19, tzinfo=UTC) + timedelta(days=days)
    Evening.objects.filter(pk=evening.pk).update(started_at=began, ended_at=began if ended else None)
    return evening


def test_running_and_past_evenings_stand_in_their_own_lists_the_latest_first(owner: User) -> None:
    running = [dated(evening_of(owner), days) for days in (2, 5, 1)]
    past = [dated(evening_of(owner), days, ended=True) for days in (3, 6, 4)]
    assert [card.id for card in lists.running(owner)] == [running[1].pk, running[0].pk, running[2].pk]
    cards, more = latest(owner)
    assert [card.id for card in cards] == [past[1].pk, past[2].pk, past[0].pk]
    assert not more
    assert {card.has_ended for card in cards} == {True}


def test_a_card_shows_players_balances_money_and_hands(three_hands: Evening, owner: User) -> None:
    record(three_hands, owner, "2C 6-5-0")
    ledger.void(three_hands.pk, 4, by=owner)
    [card] = lists.running(owner)
    assert card.id == three_hands.pk
    assert card.started_at == three_hands.started_at
    assert (card.has_ended, card.hand_count) == (False, 3)
    assert card.seats == seating.seats_of(as_it_is(three_hands))


def test_a_running_card_has_the_turn_without_a_query_of_its_own(
    owner: User, django_assert_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    new, played, thrown_in, void = (dated(evening_of(owner, first_dealer=2), days) for days in range(4))
    record(played, owner)
    facts = Facts(2, deal_stays=True)
    ledger.record(thrown_in.pk, token=uuid4(), number=1, facts=facts, by=owner)
    record(void, owner)
    ledger.void(void.pk, 1, by=owner)
    over = dated(evening_of(owner), 5, ended=True)
    with django_assert_num_queries(2):
        cards = lists.running(owner)
    assert [card.turn for card in cards] == [
        next_deal.turn(as_it_is(evening)) for evening in (void, thrown_in, played, new)
    ]
    assert [card.turn.dealer for card in cards if card.turn] == [2, 2, 0, 2]
    assert [(card.id, card.turn) for card in latest(owner)[0]] == [(over.pk, None)]


@pytest.mark.parametrize(("count", "more"), [(0, False), (2, False), (3, False), (4, True)])
def test_the_latest_past_evenings_are_some_and_whether_there_are_more(owner: User, count: int, more: bool) -> None:
    made = [dated(evening_of(owner), days, ended=True) for days in range(count)]
    dated(evening_of(owner), 9)
    cards, are_more = latest(owner, 3)
    assert [card.id for card in cards] == [evening.pk for evening in reversed(made)][:3]
    assert are_more is more


def test_evenings_of_other_circles_are_not_listed(three_hands: Evening) -> None:
    outsider = UserFactory()
    assert lists.running(outsider) == ()
    assert latest(outsider) == ((), False)
    assert lists.latest_evening(outsider) is None


@pytest.mark.parametrize("role", Role)
def test_every_member_sees_the_evenings_once(three_hands: Evening, role: Role) -> None:
    member = MemberFactory(circle=three_hands.circle, role=role)
    assert [card.id for card in lists.running(member.user)] == [three_hands.pk]


@pytest.mark.parametrize(("role", "sees"), [(Role.OWNER, True), (Role.KEEPER, True), (Role.VIEWER, False)])
def test_the_latest_evening_is_one_that_may_be_written_to(evening: Evening, role: Role, sees: bool) -> None:
    member = MemberFactory(circle=evening.circle, role=role)
    assert lists.latest_evening(member.user) == (evening if sees else None)


def test_the_latest_evening_is_the_one_that_began_last_ended_or_not(owner: User) -> None:
    evenings_of_owner = [dated(evening_of(owner), days, ended) for days, ended in ((2, False), (5, True), (1, False))]
    latest = lists.latest_evening(owner)
    assert latest == evenings_of_owner[1]
    assert [seat.player.name for seat in latest.seats.all()] == NAMES
