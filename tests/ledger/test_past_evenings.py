"""Evenings and circles as lists show and find them: past ones page by page, running ones, by their search texts."""

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.text.hungarian_order import sort_key
from scorekeeper.text.names import words_of
from sessions_app.hand_facts import Facts
from sessions_app.models import CIRCLE_NAME_LENGTH, NAME_LENGTH, Circle, Evening, Player, Role, Seat, User, search_text
from sessions_app.readers.book import lists
from sessions_app.readers.book.lists import Cursor, EveningCard, Filter, State
from sessions_app.readers.evening import seating
from sessions_app.readers.people.circles import (
    MOST_SUGGESTED,
    EveningCircle,
    circles_of,
    evening_circles,
    offered_name,
)
from sessions_app.writers import circles, demo, evening_edit, evenings, ledger, players
from tests.factories import MemberFactory, UserFactory, evening_of, record
from tests.ledger.books import NAMES, as_it_is, edit, nothing_written
from tests.selection import first

SIX = ("Anna", "Béla", "Cili", "Őrsi", "Zsófi", "Ábel")
TITLES = ("", "", "Szilveszter", "100%_os este", "back\\slash")
GAMES = ("asszorti", "tarokk", "preference")


@pytest.fixture
def archive(owner: User) -> list[Evening]:
    """Sixty evenings of three circles, many of which began at the same moment, and another user's like them."""
    chance = random.Random(1)  # noqa: S311
    for user in (owner, owner, owner, UserFactory()):
        circle = evenings.new_circle(user)
        players = Player.objects.bulk_create(Player(circle=circle, name=name) for name in SIX)
        made = []
        for _ in range(20):
            began = datetime(2025, 12, 28, 22, tzinfo=UTC) + timedelta(hours=12 * chance.randrange(12))
            sat, title = chance.sample(players, 3), chance.choice(TITLES)
            evening = Evening(
                circle=circle,
                token=uuid4(),
                game_key=chance.choice(GAMES),
                first_dealer=0,
                started_at=began,
                ended_at=chance.choice([None, began, began, began]),
                title=title,
                search_text=search_text("", title, "", [player.name for player in sat]),
            )
            made.append((evening, sat))
        Evening.objects.bulk_create(evening for evening, _sat in made)
        Seat.objects.bulk_create(
            Seat(evening=evening, position=at, player=who) for evening, sat in made for at, who in enumerate(sat)
        )
    mine = Evening.objects.filter(circle__members__user=owner).order_by("-started_at", "-id")
    return list(mine.prefetch_related("seats__player"))


def holds(evening: Evening, wanted: Filter) -> bool:
    """Recount in plain Python whether an evening is wanted."""
    players = [seat.player for seat in evening.seats.all()]
    texts = " ".join([*(player.name for player in players), evening.title])
    day = timezone.localdate(evening.started_at)
    return (
        all(any(word in each for each in words_of(texts)) for word in wanted.words)
        and wanted.game_key in ("", evening.game_key)
        and wanted.player in (None, *(player.pk for player in players))
        and (wanted.first_day or day) <= day <= (wanted.last_day or day)
        and (wanted.state == State.ALL or evening.has_ended == (wanted.state == State.ENDED))
    )


def pages(owner: User, wanted: Filter, size: int) -> Iterator[list[int]]:
    """Turn the pages to the end and back, and yield them on the way there."""
    circles = circles_of(owner)
    there = [lists.find(circles, wanted, size=size)]
    while there[-1].earlier:
        there.append(lists.find(circles, wanted, after=there[-1].earlier, size=size))
    for later, earlier in reversed(list(pairwise(there))):
        back = lists.find(circles, wanted, before=earlier.later, size=size)
        assert [card.id for card in back.cards] == [card.id for card in later.cards]
        assert (back.later is None) == (later is there[0])
    assert len({found.count for found in there}) == 1
    yield from ([card.id for card in found.cards] for found in there)


@pytest.mark.parametrize("seed", first(1, range(6)))
def test_every_page_holds_what_a_plain_filter_finds(owner: User, archive: list[Evening], seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    players = [None, *Player.objects.filter(circle__members__user=owner).values_list("pk", flat=True)]
    days = [None, *(date(2025, 12, 27) + timedelta(days=day) for day in range(10))]
    for _ in range(25):
        wanted = Filter(
            tuple(chance.sample(["bela", "o", "zs", "szil", "%", "_", "\\", "nobody", "anna"], chance.randrange(3))),
            chance.choice(["", "", *GAMES]),
            chance.choice([None, chance.choice(players)]),
            chance.choice([None, chance.choice(days)]),
            chance.choice([None, chance.choice(days)]),
            chance.choice(list(State)),
        )
        found = list(pages(owner, wanted, size=chance.choice([1, 3, 7, 60])))
        expected = [evening.pk for evening in archive if holds(evening, wanted)]
        assert [pk for page in found for pk in page] == expected
        assert lists.find(circles_of(owner), wanted).count == len(expected)


def test_an_evening_that_ends_meanwhile_moves_nothing(owner: User, archive: list[Evening]) -> None:
    circles = circles_of(owner)
    newest = lists.find(circles, Filter(), size=5)
    was = lists.find(circles, Filter(), after=newest.earlier, size=5)
    for _ in range(3):
        evenings.end(evening_of(owner, SIX[:3]).pk)
    assert lists.find(circles, Filter(), after=newest.earlier, size=5).cards == was.cards


def test_a_day_is_the_place_of_the_evenings_that_began_on_it_or_before(owner: User, archive: list[Evening]) -> None:
    circles, day, everything = circles_of(owner), date(2025, 12, 31), Filter(state=State.ALL)
    found = lists.find(circles, Filter(), after=Cursor.after_day(day))
    expected = [each.pk for each in archive if each.has_ended and timezone.localdate(each.started_at) <= day]
    assert [card.id for card in found.cards] == expected[:20]
    assert found.later
    assert found.cards[0].month == date(2025, 12, 1)
    after_all = lists.find(circles, everything, after=Cursor.after_day(date(2999, 12, 31)))
    assert after_all.cards
    assert after_all.later is None
    before_all = lists.find(circles, everything, after=Cursor.after_day(date(1970, 1, 1)))
    assert not before_all.cards
    assert before_all.later, "it shows the way to them"
    oldest = lists.find(circles, everything, before=before_all.later, size=60)
    assert [card.id for card in oldest.cards] == [evening.pk for evening in archive]


@pytest.mark.parametrize(
    ("bound", "wanted"),
    [("MOST_COUNTED", Filter(state=State.ALL)), ("MOST_READ", Filter(game_key="asszorti", state=State.ALL))],
)
def test_evenings_found_are_counted_up_to_a_bound(
    owner: User, archive: list[Evening], monkeypatch: pytest.MonkeyPatch, bound: str, wanted: Filter
) -> None:
    circles = circles_of(owner)
    all_of_them = lists.find(circles, wanted).count
    for most, told in ((-1, (all_of_them - 1, True)), (0, (all_of_them, False)), (1, (all_of_them, False))):
        monkeypatch.setattr(lists, bound, all_of_them + most)
        found = lists.find(circles, wanted)
        assert (found.count, found.is_more) == told


def test_the_circles_are_those_of_the_user_with_their_players_in_hungarian_order(owner: User, archive: object) -> None:
    named = Circle.objects.filter(members__user=owner).earliest("pk")
    Circle.objects.filter(pk=named.pk).update(name="Pénteki kör")
    circles = circles_of(owner)
    assert [circle.name for circle in circles] == ["Anna, Béla, Cili, Őrsi …"] * 2 + ["Pénteki kör"]
    assert [name for _pk, name in circles[0].players] == ["Ábel", "Anna", "Béla", "Cili", "Őrsi", "Zsófi"]


@pytest.mark.parametrize("text", ["", "1", "-1", "1-", "x-1", "1-1-1", "²-1", "9" * 18 + "-1", "1-" + "9" * 19])
def test_place_is_read_as_it_is_written_and_one_that_is_none_is_not(text: str) -> None:
    assert Cursor.from_text(text) is None
    for at in (datetime(2025, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)):
        assert Cursor.from_text(str(Cursor(at, 42))) == Cursor(at, 42)


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


@pytest.mark.parametrize("role", Role)
def test_member_sees_the_evenings_and_may_start_one_where_the_role_writes(evening: Evening, role: Role) -> None:
    user = MemberFactory(circle=evening.circle, role=role).user
    may_write = role != Role.VIEWER
    assert [card.id for card in lists.running(user)] == [evening.pk]
    assert lists.latest_evening(user) == (evening if may_write else None)
    assert [circle.id for circle in evening_circles(user)] == ([evening.circle_id] if may_write else [])


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


def test_circle_without_players_is_among_those_of_a_new_evening(owner: User) -> None:
    circle = MemberFactory(user=owner, role=Role.OWNER).circle
    assert only(owner) == EveningCircle(circle.pk, "", False, (), frozenset())


def test_circle_s_name_is_offered_of_four_players_names_at_most_and_can_be_stored() -> None:
    names = ["Anna", "Béla", "Cili", "Dóra", "Emil"]
    assert [offered_name(names[:count]) for count in (0, 1, 4, 5)] == [
        *("", "Anna", "Anna, Béla, Cili, Dóra", "Anna, Béla, Cili, Dóra …")
    ]
    assert len(offered_name(["x" * NAME_LENGTH] * 9)) <= CIRCLE_NAME_LENGTH


def text(evening: Evening) -> str:
    return Evening.objects.get(pk=evening.pk).search_text


def test_evening_is_found_by_players_circle_title_and_note_as_they_are_now(evening: Evening, owner: User) -> None:
    assert text(evening) == "anna bela cili"
    other, without = evening_of(owner, ("Anna", "Béla", "Dóra")), evening_of(owner, ("Anna", "Cili", "Dóra"))
    edit(evening, owner, names=("Anna", "Őze", "Cili"))
    assert [text(each) for each in (evening, other, without)] == ["anna cili oze", "anna dora oze", "anna cili dora"]
    assert Player.objects.get(name="Őze").sort_key == sort_key("Őze")
    seat = evening_edit.join_lineup(evening.pk, "Ödön", 2, seen=0, by=owner)
    assert text(evening) == "anna cili odon oze"
    evening_edit.leave_lineup(evening.pk, seat.position, by=owner)
    edit(evening, owner, title="Szilveszter Éve", note="Két\nsor")
    circles.rename(evening.circle_id, "Pénteki Kör")
    assert text(evening) == "anna cili oze penteki kor szilveszter eve ket sor"
    with nothing_written():
        circles.rename(evening.circle_id, "Pénteki Kör")


@pytest.mark.parametrize("count", [1, 30])
def test_a_name_costs_as_many_statements_whatever_it_is_found_in(
    owner: User, count: int, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    made = [evening_of(owner) for _ in range(count)]
    # Savepoint, lock, name, two reads, one statement for all evenings, release.
    with django_assert_num_queries(7):
        circles.rename(made[0].circle_id, "Kör")
    assert {text(each) for each in made} == {"anna bela cili kor"}
