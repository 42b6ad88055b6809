"""The numbers of SQL queries of pages and posts, which neither a long evening nor a large circle raises."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scorekeeper.games import GAMES
from sessions_app.models import Evening, Member, Player, Role, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.writers import circles, evening_edit, evenings, members, players, repayments
from tests.factories import MemberFactory, evening_of, hand_fields, record
from tests.views.agreed_entries import PENALTY, opened, played, pulka
from tests.views.page import HTMX_COUNT, Link
from tests.views.refereeing import Phone, form_of

pytestmark = pytest.mark.usefixtures("uncounted")


def queries(ask: Callable[[], Any], status: int = 200) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert ask().status_code == status
    return len(asked)


def of_pages(client: Client, paths: Iterable[str], under: str = "") -> dict[str, int]:
    return {path: queries(partial(client.get, under + path)) for path in paths}


def note_no_presence() -> None:
    """Keep the pages from noting that the member has looked, which they do every twenty seconds."""
    Member.objects.update(last_seen_at=timezone.now() + timedelta(hours=1))


EVENING = {
    "?saved=3": 14,
    "live/?v=1": 15,
    "settle/": 8,
    "table/": 5,
    "table/live/?v=0": 6,
    "hands/new/": 5,
    "hands/3/": 9,
    "hands/3/edit/": 4,
    "count-tables/?v=x": 3,
    "referee/": 5,
    "referee/live/?v=1": 6,
    "edit/": 10,
    "lineup/": 7,
    "remove/": 3,
    "invite/": 2,
}


@pytest.mark.parametrize(("hands", "in_chips"), [(3, True), (300, False)])
def test_pages_of_an_evening_ask_as_many_queries_whatever_was_played(
    owners: Client, owner: User, evening: Evening, play: Callable[..., Evening], hands: int, in_chips: bool
):
    for number in range(hands // 10):
        wanted = replace(shape_of(evening), stake=Decimal(11 + number))
        evening_edit.edit(evening.pk, wanted, seen=latest_change(evening), by=owner)
        evening.refresh_from_db()
        Player.objects.create(circle=evening.circle, name=f"P{number}")
    play(evening, hands)
    Evening.objects.update(in_chips=in_chips)
    note_no_presence()
    assert of_pages(owners, EVENING, f"/sessions/{evening.pk}/") == EVENING


@pytest.mark.parametrize("hands", [3, 300])
def test_posts_of_an_evening_ask_as_many_queries_whatever_was_played(
    owners: Client, evening: Evening, play: Callable[..., Evening], hands: int
):
    play(evening, hands)
    note_no_presence()

    def asked(path: str, posted: dict[str, str] | None = None, status: int = 302, **headers: str) -> int:
        address = f"/sessions/{evening.pk}/{path}"
        return queries(lambda: owners.post(address, posted or {}, headers=headers), status)

    def got(path: str) -> int:
        return queries(lambda: owners.get(f"/sessions/{evening.pk}/{path}"))

    assert asked("hands/new/", hand_fields(evening)) == 11
    evening.refresh_from_db()
    assert asked("hands/new/", hand_fields(evening, tricks="12"), 422) == 3
    assert asked("hands/new/", hand_fields(evening, number=1), 409) == 10
    assert asked("hands/preview/", hand_fields(evening), 200, **HTMX_COUNT) == 3
    last = evening.last_number
    assert asked(f"hands/{last}/edit/", hand_fields(evening, number=last, revision=1, tricks="9")) == 14
    for verb in ("void", "restore"):
        assert asked(f"hands/{last}/{verb}/") == 10, verb
    for mark, count in (("hm", 15), ("settled", 10), ("ok", 13)):
        assert asked(f"hands/{last}/mark/", {"mark": mark}) == count, mark
    said = form_of(owners, evening) | {"declarer": "1", "contract": "2", "trump": "hearts"}
    assert asked("announce/", said) == 11
    assert got("hands/new/") == 5, "of what is announced"
    assert got("announce/back/") == 4
    owners.post(f"/sessions/{evening.pk}/announce/back/", form_of(owners, evening))
    phone = Phone(owners, evening)
    assert queries(lambda: phone.tap("call", call="3")) == 12
    assert queries(lambda: phone.tap("call", call="2")) == 11
    assert asked("end/") == 18
    assert (got(""), got("settle/")) == (16, 21)
    assert asked("reopen/") == 10


CIRCLE = {
    "/": 17,
    "/sessions/": 5,
    "/sessions/?q=anna+b&game=asszorti&state=all&from=2020-01-01&to=2999-12-31": 5,
    "/sessions/?after=2999-12-31": 6,
    "/sessions/new/": 3,
    "/circles/{circle}/": 23,
    "/circles/{circle}/repayments/": 11,
    "/circles/{circle}/players/{player}/": 18,
    "/circles/{circle}/years/{year}/": 9,
    "/sessions/{evening}/": 14,
    "/sessions/{evening}/settle/": 12,
    "/sessions/{evening}/members/": 9,
    "/sessions/{evening}/profiles/": 3,
    "/sessions/{evening}/invite/keeper/": 3,
}


@pytest.mark.parametrize("count", [21, 24])
def test_pages_of_a_circle_ask_as_many_queries_however_large_it_is(
    owners: Client, viewers: Client, owner: User, evening: Evening, count: int
):
    anna, bela, _cili = evening.seats.values_list("player", flat=True)
    record(evening, owner)
    for number in range(count):
        record(each := evening_of(owner), owner, "2H 7", declarer=0)
        evenings.end(each.pk)
        wanted = repayments.Wanted(bela, anna, 1, "HUF", (each.pk,))
        repayments.book(evening.circle_id, wanted, token=uuid4(), by=owner)
        MemberFactory(circle=evening.circle, player_id=bela, role=Role.VIEWER)
        name = Player.objects.create(circle=evening.circle, name=f"Name {number}")
        players.merge(evening.circle_id, bela, name.pk, by=owner)
        if number < circles.MOST_PROFILES:
            circles.save_profile(evening.circle_id, "preference", f"Own {number}", f"target={number + 1}", by=owner)
    for role in (Role.KEEPER, Role.VIEWER):
        members.make_link(evening.circle_id, role, by=owner)
    note_no_presence()
    keys = {"circle": evening.circle_id, "player": bela, "evening": evening.pk, "year": timezone.localdate().year}
    asked = of_pages(owners, [path.format(**keys) for path in CIRCLE])
    assert dict(zip(CIRCLE, asked.values(), strict=True)) == CIRCLE
    assert queries(lambda: viewers.get(f"/sessions/{evening.pk}/members/")) == 4


@pytest.mark.parametrize("hands", [7, 10])
def test_drawn_sheet_and_agreed_entries_ask_as_many_queries_whatever_was_played(
    owners: Client, owner: User, hands: int
):
    evening = pulka(owner)
    for _ in range(hands):
        played(evening, owner, "R 4-4-2")
    note_no_presence()
    pages = {"": 16, "live/?v=0": 17, "entries/new/": 3}
    assert of_pages(owners, pages, f"/sessions/{evening.pk}/") == pages
    posted = opened(owners, evening) | PENALTY
    assert queries(lambda: owners.post(f"/sessions/{evening.pk}/entries/new/", posted), 302) == 13


@pytest.mark.parametrize("others", [0, 30])
def test_join_page_asks_as_many_queries_however_many_have_joined(
    strangers: Client, evening: Evening, link: Link, others: int
):
    address = link()
    for _one in range(others):
        MemberFactory(circle=evening.circle, player=evening.seats.all()[0].player)
    assert queries(lambda: strangers.get(address)) == 4
    strangers.post(address, {"player": ""})
    assert queries(lambda: strangers.get(address)) == 7


def test_page_of_a_stranger_asks_no_query(strangers: Client):
    of_games = (f"/games/{game}/{part}/" for game in GAMES for part in ("rules", "worth"))
    for path in ("/", "/demo/", "/token/", "/sw.js", "/manifest.webmanifest", "/offline/", *of_games):
        assert queries(partial(strangers.get, path)) == 0, path


def test_poll_without_news_costs_one_query_and_notes_the_phone_each_twenty_seconds(
    owners: Client, owner: User, evening: Evening
):
    address = f"/sessions/{evening.pk}/live/?v={evening.version}"
    for counts in ((2, 1), (2, 1)):
        assert (queries(lambda: owners.get(address), 204), queries(lambda: owners.get(address), 204)) == counts
        Member.objects.filter(user=owner).update(last_seen_at=timezone.now() - timedelta(seconds=21))
