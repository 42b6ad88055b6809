from datetime import timedelta
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone

from scorekeeper.games import GAMES
from sessions_app.models import Circle, Evening, Hand, Member, Revision, Role, User
from sessions_app.readers.book import lists
from sessions_app.readers.book.lists import latest
from sessions_app.readers.evening import seating
from sessions_app.readers.people.circles import circles_of
from sessions_app.writers import demo, evenings
from tests.factories import UserFactory, evening_of
from tests.ledger.books import assert_verified, nothing_written
from tests.selection import first
from tests.toy.game import GAME as TOY


def facts_of(circle: Circle) -> list[tuple[object, ...]]:
    hands = Hand.objects.filter(evening__circle=circle).order_by("evening__started_at", "number")
    return list(hands.values_list("number", "dealer", "declarer", "deal", "deal_stays", "is_void"))


def test_the_demo_is_one_table_with_several_past_evenings_and_every_book_in_order(owner: User) -> None:
    circle = demo.lay(owner)
    past = list(circle.evenings.order_by("started_at"))
    assert Circle.objects.get() == circle
    assert len(past) == len(demo.DAYS_AGO)
    assert {evening.game_key for evening in past} == set(GAMES)
    assert [player.name for player in circle.players.order_by("name")] == list(demo.DEMO_NAMES)
    assert (circle.members.get().user, circle.members.get().role) == (owner, Role.OWNER)
    assert_verified()
    for evening in past:
        assert sum(seat.balance for seat in seating.seats_of(evening)) == 0
        assert (evening.stake, evening.currency) == (10, "HUF")
        assert 12 <= evening.last_number <= 24
    hands = Hand.objects.filter(evening__circle=circle)
    assert hands.filter(deal="", deal_stays=True).values("evening__game_key").distinct().count() == len(GAMES)
    assert hands.filter(deal__regex=r" [KRSHM]( |$)").exists()
    running = circle.evenings.get(ended_at=None).hands.all()  # the last one is still played
    assert running.count() >= 13
    for shown in (running.filter(is_void=True), running.filter(deal=""), running.filter(deal__contains=" A")):
        assert shown.exists()
    actions = Revision.objects.filter(hand__in=running).values_list("action", flat=True)
    assert set(actions) == {"record", "amend", "void"}
    assert timezone.now() - running.latest("number").recorded_at < timedelta(minutes=10)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("days_ago", first(1, range(12)))
def test_an_evening_in_which_not_every_hand_may_follow_every_other(owner: User, days_ago: int) -> None:
    circle = evenings.new_circle(owner, is_demo=True)
    demo._play(circle, owner, days_ago, TOY)
    evening = circle.evenings.get()
    assert evening.last_number >= 13
    assert_verified()
    recorded = [hand.revisions.earliest("number").after["facts"] for hand in evening.hands.order_by("number")]
    for facts, after in pairwise(recorded):
        stays = facts["deal_stays"]
        assert after["dealer"] == (facts["dealer"] if stays else TOY.next_dealer(3, facts["dealer"]))


def test_the_demo_is_the_same_for_all_and_stays_out_of_the_books_of_a_circle_with_such_names(owner: User) -> None:
    first, second = demo.lay(owner), demo.lay(UserFactory())
    assert first != second
    assert facts_of(first) == facts_of(second)
    assert lists.latest_evening(owner) is None
    mine = evening_of(owner, demo.DEMO_NAMES)
    assert list(mine.circle.evenings.all()) == [mine]
    assert demo.lay(owner) not in (first, mine.circle)
    assert lists.latest_evening(owner) == mine


def test_demo_that_is_loaded_belongs_to_the_user_who_opens_it_by_its_key_alone(owner: User, evening: Evening) -> None:
    path = demo.load()
    assert path.startswith(reverse("demo") + "?")
    [key], outsider = parse_qs(urlsplit(path).query)["key"], UserFactory()
    for wrong in ("", "x", str(evening.circle_id), key + "x", key.replace(":", ";"), key[1:]):
        with nothing_written():
            assert not demo.join(wrong, outsider)
    assert latest(circles_of(outsider), 20) == ((), False)
    assert demo.join(key, outsider)
    assert len(latest(circles_of(outsider), 20)[0]) == len(demo.DAYS_AGO) - 1
    assert len(lists.running(outsider)) == 1
    assert Member.objects.get(user=outsider).role == Role.OWNER
    with nothing_written():
        assert demo.join(key, outsider)
    shown = Circle.objects.get(is_demo=True)
    shown.evenings.all().delete()
    shown.delete()
    assert not demo.join(key, outsider)
