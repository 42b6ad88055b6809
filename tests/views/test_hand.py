"""A hand's page: its count explained, its payments, its history."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandMark, Revision, User
from sessions_app.readers.evening import hand_history
from sessions_app.writers import evenings, ledger, members
from tests.factories import MemberFactory, record
from tests.views.page import Page

#: The page's number of queries, after any change of the hand.
QUERIES = 9


def url(evening: Evening, number: int = 1, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/hands/{number}/{rest}"


def steps(page: Page) -> list[tuple[str, str]]:
    rows = [row for row in page.one("table").all("tr") if row.all("td")]
    return [(row.one("th").text, row.one("td").text) for row in rows]


def test_the_count_is_explained_line_by_line_in_words_and_numbers(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7-3-1 K", declarer=1)
    page = Page.of(owners.get(url(evening)))
    assert steps(page) == [
        ("2, hearts", "+4"),
        ("1 trick above six, 2 each", "+2"),
        ("kontra ×2", "+6"),
        ("Points", "+12"),
    ]
    assert page.points == 12
    assert "(4 + 2) × 2 = 12" in page.text
    assert "Anna dealt · 7 tricks (7 : 3 : 1)" in page.text
    assert [item.text for item in page.of_class("amounts")[0].all("li")] == ["Anna −12", "Béla +24", "Cili −12"]


def test_a_deal_thrown_in_says_so_and_counts_nothing(owners: Client, owner: User, evening: Evening):
    ledger.record(evening.pk, token=evening.token, number=1, facts=Facts(0, deal_stays=True), by=owner)
    page = Page.of(owners.get(url(evening)))
    assert "Thrown in" in page.text
    assert "Anna dealt · same dealer again" in page.text
    assert page.points is None


def test_the_history_says_who_what_when_before_and_after(
    client_of: Callable[..., Client], owners: Client, owner: User, evening: Evening
):
    other = MemberFactory(circle=evening.circle).user
    record(evening, owner, "2H 7", declarer=1)
    ledger.amend(evening.pk, 1, facts=Facts(0, 2, "3S 8"), by=other)
    ledger.void(evening.pk, 1, by=owner)
    ledger.restore(evening.pk, 1, by=owner)
    page = Page.of(owners.get(url(evening)))
    entries = [entry.text for entry in page.of_class("history")[0].all("li")]
    verbs = ["Restored", "Made void", "Corrected", "Recorded"]
    assert [verb for verb, entry in zip(verbs, entries, strict=True) if not entry.startswith(verb)] == []
    corrected, recorded = entries[2], entries[3]
    assert "on another phone" in corrected
    assert "on this phone" in recorded
    was, now = corrected.split("now:")
    assert "Béla 2 hearts +1" in was
    assert "+6" in was
    assert "Cili 3 spades +2" in now
    assert "was:" not in entries[0] + entries[1] + entries[3]
    assert "dealt" not in corrected, "the dealer stayed"
    others = Page.of(client_of(other).get(url(evening)))
    assert "on another phone" in others.of_class("history")[0].all("li")[3].text


def test_the_history_names_the_dealer_where_a_correction_changes_it(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    ledger.amend(evening.pk, 1, facts=Facts(2, 1, "2H 7"), by=owner)
    corrected, recorded = (entry.text for entry in Page.of(owners.get(url(evening))).of_class("history")[0].all("li"))
    was, now = corrected.split("now:")
    assert ("Anna dealt" in was, "Cili dealt" in now, "dealt" in recorded) == (True, True, False)


@pytest.fixture
def many_changes(owner: User, evening: Evening) -> int:
    """A hand with a history of three pages, the last of them with one entry; how many changes there are."""
    count = 2 * hand_history.ENTRIES_PER_PAGE + 1
    hand = record(evening, owner, "2H 7", declarer=1)
    made = hand.revisions.get()
    Revision.objects.bulk_create(
        Revision(
            hand=hand,
            number=number,
            action="amend",
            made_by=owner,
            before=made.after,
            after=made.after | {"facts": made.after["facts"] | {"deal": f"2H {1 + number % 5}"}},
        )
        for number in range(2, count + 1)
    )
    Hand.objects.filter(pk=hand.pk).update(revision_count=count)
    return count


def test_a_long_history_comes_in_pages_the_latest_first(
    viewers: Client,
    evening: Evening,
    many_changes: int,
    django_assert_num_queries: Callable[..., Any],
):
    with django_assert_num_queries(QUERIES):
        response = viewers.get(url(evening))
    first = Page.of(response)
    assert len(response.content) < 40_000
    size = hand_history.ENTRIES_PER_PAGE
    assert len(first.of_class("history")[0].all("li")) == size
    second = Page.of(viewers.get(url(evening) + first.links["Earlier changes"].partition("#")[0]))
    assert second.links["Latest changes"] == url(evening) + "#history"
    assert len(second.of_class("history")[0].all("li")) == size
    last = Page.of(viewers.get(url(evening) + second.links["Earlier changes"].partition("#")[0]))
    assert [entry.text.split()[0] for entry in last.of_class("history")[0].all("li")] == ["Recorded"]
    assert "Earlier changes" not in last.links
    assert [way in first.links for way in ("Latest changes", "Earlier changes")] == [False, True]


def test_the_history_names_who_said_whose_phone_he_holds(owners: Client, evening: Evening):
    bela = MemberFactory(circle=evening.circle, player=evening.seats.get(position=1).player)
    record(evening, bela.user, "2H 7", declarer=1)
    assert Page.of(owners.get(url(evening))).of_class("history")[0].one("li").text.split(" · ")[-1].startswith("Béla")
    members.leave(bela)
    assert Page.of(owners.get(url(evening))).of_class("history")[0].one("li").text.split(" · ")[-1].startswith("Béla")


def test_a_doubt_is_settled_where_the_count_is_explained(
    owners: Client, viewers: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=1)
    evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=MemberFactory(circle=evening.circle).user)
    page = Page.of(owners.get(url(evening)))
    assert page.of_class("doubt")[0].text.startswith("Hand 1 is doubted.")
    assert "Settled" not in Page.of(viewers.get(url(evening))).buttons
    assert Page.of(owners.get(url(evening, 2))).of_class("doubt") == []
    owners.post(url(evening, 1, "mark/"), {"mark": "settled"})
    assert Page.of(owners.get(url(evening))).of_class("doubt") == []


@pytest.mark.parametrize(("game", "deal"), [("asszorti", "2H 7"), ("tarokk", "3+3 50"), ("preference", "6S pw 6")])
def test_amounts_of_a_void_hand_are_struck_through(owners: Client, owner: User, game: str, deal: str):
    names = ("Anna", "Béla", "Cili", "Dóra")[: min(GAMES[game].seat_counts)]
    evening = evenings.start(evenings.Opening(names, 0, game_key=game), token=uuid4(), by=owner)
    record(evening, owner, deal, declarer=1)
    before = Page.of(owners.get(url(evening)))
    figures = [figure.text for figure in before.one("ul", class_="amounts").all("b")]
    assert len(figures) == len(names)
    assert before.all("s") == []
    ledger.void(evening.pk, 1, by=owner)
    page = Page.of(owners.get(url(evening)))
    assert "Struck through: what it would have been." in page.text
    assert [figure.text for figure in page.one("ul", class_="amounts").all("s")] == figures
    assert page.one("ul", class_="amounts").all("b") == []


def test_in_an_ended_session_it_says_what_to_do_first(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    evenings.end(evening.pk)
    page = Page.of(owners.get(url(evening)))
    assert "reopen it first" in page.text
    assert not {"Correct", "Void"} & set(page.buttons)
