"""Past evenings found: each page against a plain filter of all evenings, from both ends, while evenings end."""

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.utils import timezone

from scorekeeper.text.names import words_of
from sessions_app.models import Circle, Evening, Player, Seat, User, search_text
from sessions_app.readers.book import lists
from sessions_app.readers.book.lists import Cursor, Filter, State
from sessions_app.readers.people.circles import circles_of
from sessions_app.writers import evenings
from tests.factories import UserFactory, evening_of
from tests.selection import first

NAMES = ("Anna", "Béla", "Cili", "Őrsi", "Zsófi", "Ábel")
TITLES = ("", "", "Szilveszter", "100%_os este", "back\\slash")
GAMES = ("asszorti", "tarokk", "preference")


@pytest.fixture
def archive(owner: User) -> list[Evening]:
    """Sixty evenings of three circles, many of which began at the same moment, and another user's like them."""
    chance = random.Random(1)  # noqa: S311
    for user in (owner, owner, owner, UserFactory()):
        circle = evenings.new_circle(user)
        players = [Player.objects.create(circle=circle, name=name) for name in NAMES]
        for _ in range(20):
            began = datetime(2025, 12, 28, 22, tzinfo=UTC) + timedelta(hours=12 * chance.randrange(12))
            sat, title = chance.sample(players, 3), chance.choice(TITLES)
            evening = Evening.objects.create(
                circle=circle,
                token=uuid4(),
                game_key=chance.choice(GAMES),
                first_dealer=0,
                started_at=began,
                ended_at=chance.choice([None, began, began, began]),
                title=title,
                search_text=search_text("", title, "", [player.name for player in sat]),
            )
            Seat.objects.bulk_create(Seat(evening=evening, position=at, player=who) for at, who in enumerate(sat))
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


@pytest.mark.parametrize("seed", first(2, range(6)))
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
        evenings.end(evening_of(owner, NAMES[:3]).pk)
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
def test_they_are_counted_up_to_a_bound(
    owner: User, archive: list[Evening], monkeypatch: pytest.MonkeyPatch, bound: str, wanted: Filter
) -> None:
    circles = circles_of(owner)
    all_of_them = lists.find(circles, wanted).count
    for most, told in ((-1, (all_of_them - 1, True)), (0, (all_of_them, False)), (1, (all_of_them, False))):
        monkeypatch.setattr(lists, bound, all_of_them + most)
        found = lists.find(circles, wanted)
        assert (found.count, found.is_more) == told


@pytest.mark.parametrize(("place", "queries"), [({}, 3), ({"after": 0}, 4), ({"before": -1}, 4)])
def test_a_page_costs_as_many_queries_wherever_it_is(
    owner: User,
    archive: list[Evening],
    place: dict[str, int],
    queries: int,
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    ended = [evening for evening in archive if evening.has_ended]
    at = {name: Cursor(ended[index].started_at, ended[index].pk) for name, index in place.items()}
    circles = circles_of(owner)
    for wanted in (Filter(), Filter(("b", "e"), "", None, date(2025, 1, 1), date(2026, 12, 1))):
        with django_assert_num_queries(queries):
            lists.find(circles, wanted, **at)


def test_the_circles_are_those_of_the_user_with_their_players_in_hungarian_order(owner: User, archive: object) -> None:
    named = Circle.objects.filter(members__user=owner).earliest("pk")
    Circle.objects.filter(pk=named.pk).update(name="Pénteki kör")
    circles = circles_of(owner)
    assert [circle.name for circle in circles] == ["Anna, Béla, Cili, Őrsi …"] * 2 + ["Pénteki kör"]
    assert [name for _pk, name in circles[0].players] == ["Ábel", "Anna", "Béla", "Cili", "Őrsi", "Zsófi"]


@pytest.mark.parametrize("text", ["", "1", "-1", "1-", "x-1", "1-1-1", "²-1", "9" * 18 + "-1", "1-" + "9" * 19])
def test_a_place_that_is_none_is_not_read(text: str) -> None:
    assert Cursor.from_text(text) is None


def test_a_place_is_read_as_it_is_written() -> None:
    for at in (datetime(2025, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)):
        assert Cursor.from_text(str(Cursor(at, 42))) == Cursor(at, 42)
