"""Lists of a user's evenings, and the circles in which a user may start one with the names that each knows."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from sessions_app.hand_facts import Facts
from sessions_app.models import CIRCLE_NAME_LENGTH, NAME_LENGTH, Circle, Evening, Player, Role, User
from sessions_app.readers.book import lists
from sessions_app.readers.book.lists import EveningCard
from sessions_app.readers.evening import seating
from sessions_app.readers.people.circles import (
    MOST_SUGGESTED,
    EveningCircle,
    circles_of,
    evening_circles,
    offered_name,
)
from sessions_app.writers import demo, ledger, players
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.reading import NAMES, as_it_is


def latest(user: User, size: int = 20) -> tuple[tuple[EveningCard, ...], bool]:
    return lists.latest(circles_of(user), size)


def dated(evening: Evening, days: int, ended: bool = False) -> Evening:
    began = datetime(2025, 1, 1, 19, tzinfo=UTC) + timedelta(days=days)
    Evening.objects.filter(pk=evening.pk).update(started_at=began, ended_at=began if ended else None)
    return evening


def test_running_and_past_evenings_stand_in_their_own_lists_the_latest_first(owner: User) -> None:
    running = [dated(evening_of(owner), days) for days in (2, 5, 1)]
    ended = [dated(evening_of(owner), days, ended=True) for days in (3, 6, 4)]
    assert [card.id for card in lists.running(owner)] == [running[1].pk, running[0].pk, running[2].pk]
    for size, more in ((4, False), (3, False), (2, True)):
        cards, are_more = latest(owner, size)
        assert [card.id for card in cards] == [ended[1].pk, ended[2].pk, ended[0].pk][:size]
        assert are_more is more
        assert {card.has_ended for card in cards} == {True}
    newest = lists.latest_evening(owner)
    assert newest == ended[1], "ended or not"
    assert [seat.player.name for seat in newest.seats.all()] == NAMES


def test_running_card_has_seats_hands_and_the_turn_without_a_query_of_its_own(
    owner: User, three_hands: Evening, django_assert_num_queries: Callable[..., AbstractContextManager[object]]
) -> None:
    dated(three_hands, -1)
    new, played, thrown_in, void = (dated(evening_of(owner, first_dealer=2), days) for days in range(4))
    record(played, owner)
    facts = Facts(2, deal_stays=True)
    ledger.record(thrown_in.pk, token=uuid4(), number=1, facts=facts, by=owner)
    record(void, owner)
    ledger.void(void.pk, 1, by=owner)
    over = dated(evening_of(owner), 5, ended=True)
    with django_assert_num_queries(2):
        cards = lists.running(owner)
    known = [as_it_is(evening) for evening in (void, thrown_in, played, new, three_hands)]
    assert [(card.id, card.started_at, card.hand_count) for card in cards] == [
        (evening.pk, evening.started_at, evening.hand_count) for evening in known
    ]
    assert [card.turn for card in cards] == [seating.turn(evening) for evening in known]
    assert [card.turn.dealer for card in cards if card.turn] == [2, 2, 0, 2, 0]
    assert cards[-1].seats == seating.seats_of(known[-1])
    assert [(card.id, card.turn) for card in latest(owner)[0]] == [(over.pk, None)]


def test_outsider_has_no_lists(three_hands: Evening) -> None:
    outsider = UserFactory()
    assert lists.running(outsider) == evening_circles(outsider) == ()
    assert latest(outsider) == ((), False)
    assert lists.latest_evening(outsider) is None


@pytest.mark.parametrize("role", Role)
def test_member_sees_the_evenings_and_may_start_one_where_the_role_writes(evening: Evening, role: Role) -> None:
    user = MemberFactory(circle=evening.circle, role=role).user
    may_write = role != Role.VIEWER
    assert [card.id for card in lists.running(user)] == [evening.pk]
    assert lists.latest_evening(user) == (evening if may_write else None)
    assert [circle.id for circle in evening_circles(user)] == ([evening.circle_id] if may_write else [])


# --- The circles in which a user may start an evening ---


def only(user: User) -> EveningCircle:
    (circle,) = evening_circles(user)
    return circle


def test_circle_seated_last_is_first_and_demos_say_what_they_are(owner: User) -> None:
    older, newer = evening_of(owner).circle_id, evening_of(owner, ("Dóra", "Emil", "Flóra")).circle_id
    shown = demo.lay(owner)
    evening_of(owner)
    found = [(circle.id, circle.is_demo) for circle in evening_circles(owner)]
    assert found == [(older, False), (shown.pk, True), (newer, False)]


def test_suggested_names_are_those_who_sat_last_first_and_known_ones_are_all_of_the_circle(owner: User) -> None:
    evening = evening_of(owner)
    assert only(owner).name == "Anna, Béla, Cili"
    Circle.objects.update(name="Friday")
    assert only(owner).name == "Friday"
    evening_of(owner, ("Cili", "Dóra", "Anna"))
    Player.objects.create(circle=evening.circle, name="Zita")
    assert only(owner).suggested == ("Cili", "Dóra", "Anna", "Béla", "Zita")
    assert only(owner).suggested_besides(["cili", "ANNA"]) == ("Dóra", "Béla", "Zita")
    other = Player.objects.create(circle=evening.circle, name="Bözsi")
    players.merge(evening.circle_id, Player.objects.get(name="Béla").pk, other.pk, by=owner)
    players.set_plays_no_more(evening.circle_id, Player.objects.get(name="Cili").pk, True)
    assert only(owner).unknown(["ANNA", "bözsi", "Ci\u200bli", "Gábor", "Beata"]) == ("Gábor", "Beata")
    assert only(owner).suggested == ("Dóra", "Anna", "Béla", "Zita")
    Player.objects.bulk_create(Player(circle=evening.circle, name=f"P{n}") for n in range(30))
    assert len(only(owner).suggested) == MOST_SUGGESTED


def test_circle_without_players_is_there_too(owner: User) -> None:
    circle = MemberFactory(user=owner, role=Role.OWNER).circle
    assert only(owner) == EveningCircle(circle.pk, "", False, (), frozenset())


def test_circle_s_name_is_offered_of_four_players_names_at_most_and_can_be_stored() -> None:
    names = ["Anna", "Béla", "Cili", "Dóra", "Emil"]
    assert [offered_name(names[:count]) for count in (0, 1, 4, 5)] == [
        *("", "Anna", "Anna, Béla, Cili, Dóra", "Anna, Béla, Cili, Dóra …")
    ]
    assert len(offered_name(["x" * NAME_LENGTH] * 9)) <= CIRCLE_NAME_LENGTH
