"""A player's statement: each session, payment and paper debt with the balance after it, page by page."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Player, Repayment, Seat, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.words.formatting import day
from sessions_app.writers import evening_edit, evenings, ledger, players, repayments
from tests.factories import evening_of, record
from tests.views.page import HUNGARIAN, Node, Page


def named(name: str) -> Player:
    return Player.objects.filter(name=name).earliest("pk")


def url(name: str, query: str = "") -> str:
    player = named(name)
    return f"/circles/{player.circle_id}/players/{player.pk}/statement/{query}"


def shown(client: Client, name: str, query: str = "", **headers: str) -> Page:
    return Page.of(client.get(url(name, query), headers=headers))


def entries(page: Page) -> list[Node]:
    return [row for row in page.nodes() if "data-entry" in row.attrs]


def amounts(page: Page) -> list[tuple[str, Fraction, Fraction]]:
    return [
        (row.attrs["data-entry"], Fraction(row.attrs["data-amount"]), Fraction(row.attrs["data-balance-after"]))
        for row in entries(page)
    ]


def pays(evening: Evening, payer: str, payee: str, units: int, by: User, **more: Any) -> int:
    wanted = repayments.Wanted(named(payer).pk, named(payee).pk, units, more.pop("currency", "HUF"), **more)
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row.pk


def test_viewer_sees_sessions_payments_and_paper_debts_with_the_balance_after_each(
    viewers: Client, owner: User, played: Evening
):
    paid = pays(played, "Béla", "Anna", 45, owner, note="in the car")
    undone = pays(played, "Béla", "Anna", 15, owner)
    repayments.undo(played.circle_id, undone, by=owner)
    paper = pays(played, "Béla", "Anna", 1_500, owner, kind="opening")
    page = shown(viewers, "Béla")
    assert amounts(page) == [
        (f"paper:{paper}", -1_500, -1_515),
        (f"payment:{paid}", 45, -15),
        (f"session:{played.pk}", -60, -60),
    ]
    of_paper, of_payment, of_session = (row.text for row in entries(page))
    assert "Paper book: owed to Anna" in of_paper
    assert "−1,500 −1,515" in of_paper
    assert "Paid to Anna in the car +45 −15" in of_payment
    assert "Asszorti −60 −60" in of_session
    assert "−HUF 1,515" in page.of_class("balance-now")[0].text
    links = [row.one("a").attrs["href"] for row in entries(page)]
    assert links[2] == f"/sessions/{played.pk}/"
    listed = Page.of(viewers.get(links[1].partition("#")[0]))
    assert next(row.attrs["data-repayment"] for row in listed.nodes() if "data-repayment" in row.attrs) == str(paid)
    others = {entry: amount for entry, amount, _after in amounts(shown(viewers, "Anna"))}
    assert others == {f"paper:{paper}": 1_500, f"payment:{paid}": -45, f"session:{played.pk}": 120}


def test_statement_says_in_hungarian_what_each_row_is(owners: Client, owner: User, played: Evening):
    pays(played, "Béla", "Anna", 60, owner)
    page = shown(owners, "Anna", **HUNGARIAN)
    assert [row.one("a").text for row in entries(page)] == ["Fizetés Béla részéről", "Asszorti"]
    assert "Kivonat" in page.text


def test_player_without_a_row_has_an_empty_statement(owners: Client, evening: Evening):
    for query in ("", "?currency=HUF", "?currency=points:asszorti"):
        page = shown(owners, "Anna", query)
        assert "No sessions or payments yet." in page.text
        assert not page.all("table")


def of_many(evening: Evening, count: int) -> Sequence[int]:
    """Let Anna have won a third of a forint of Béla in so many sessions more, the last one a day ago."""
    began = timezone.now() - timedelta(days=1)
    seated = Seat.objects.filter(evening=evening).order_by("position")[:2]
    made = Evening.objects.bulk_create(
        Evening(
            circle=evening.circle,
            first_dealer=0,
            started_at=began - timedelta(hours=number // 2),
            ended_at=began,
            result_currency="HUF",
        )
        for number in range(count)
    )
    Seat.objects.bulk_create(
        Seat(evening=each, position=seat.position, player=seat.player, result=1 - 2 * seat.position, result_parts=3)
        for each in made
        for seat in seated
    )
    return [each.pk for each in made]


def test_pages_of_fifty_hold_every_row_once_and_go_on_adding_up(owners: Client, owner: User, played: Evening):
    made = of_many(played, 130)
    paid = pays(played, "Béla", "Anna", 5, owner)
    query, found = "", []
    while True:
        page = shown(owners, "Anna", query)
        found.append(amounts(page))
        if "Earlier" not in page.links:
            break
        query = page.links["Earlier"]
    assert [len(rows) for rows in found] == [50, 50, 32]
    rows = [row for rows in found for row in rows]
    assert {entry for entry, _amount, _after in rows} == {
        *(f"session:{pk}" for pk in (*made, played.pk)),
        f"payment:{paid}",
    }
    for (_entry, amount, after), (_below, _amount, before) in pairwise(rows):
        assert after == before + amount
    assert rows[0][2] == 120 - 5 + Fraction(130, 3)
    assert rows[-1][1] == rows[-1][2]
    assert "+⅓" in entries(page)[-1].text
    assert page.links["Latest"] == "?currency=HUF"


@pytest.mark.parametrize(
    "after",
    ["x", "-1", "0-0-0", "1-2-3", f"{10**17 - 1}-1-{10**18 - 1}", f"{10**17}-1-1", "१-0-1", "1-0-1\n", "9" * 3000],
)
def test_hostile_cursor_answers_a_page(owners: Client, played: Evening, after: str):
    answer = owners.get(url("Anna"), {"currency": "HUF", "after": after})
    assert answer.status_code == 200
    assert len(entries(Page.of(answer))) == (after != "0-0-0")


@pytest.mark.parametrize("currency", ["XXX", "points:", "points:bridge", "huf", "\0", "H" * 3000])
def test_unknown_currency_is_not_found(owners: Client, played: Evening, currency: str):
    assert owners.get(url("Anna"), {"currency": currency}).status_code == 404


def test_two_currencies_have_a_statement_each_and_a_switch(owners: Client, owner: User, played: Evening):
    record(points := evening_of(owner, stake=None, currency=""), owner, "2H 7", declarer=1)
    evenings.end(points.pk)
    for query, entry, amount in (("", played, 120), ("?currency=points:asszorti", points, -6)):
        page = shown(owners, "Anna", query)
        assert amounts(page) == [(f"session:{entry.pk}", amount, amount)]
        switch = page.one("nav", aria_label="Currency")
        assert [(link.text, link.attrs["href"]) for link in switch.all("a")] == [
            ("HUF", "?currency=HUF"),
            ("Asszorti, in points", "?currency=points%3Aasszorti"),
        ]
        assert len(switch.all("a", aria_current="true")) == 1


def test_session_that_is_reopened_counts_as_it_ended_and_says_so(owners: Client, owner: User, played: Evening):
    assert "being corrected" not in shown(owners, "Anna").text
    evenings.reopen(played.pk)
    record(played, owner, "2H 7", declarer=0)
    page = shown(owners, "Anna")
    assert amounts(page) == [(f"session:{played.pk}", 120, 120)]
    assert "being corrected: counts as it ended" in entries(page)[0].text


def test_corrected_result_says_when_it_was_corrected_and_what_it_was(owners: Client, owner: User, played: Evening):
    on = day(timezone.now())
    evenings.reopen(played.pk)
    ledger.amend(played.pk, 1, facts=Facts(0, 0, "2H 8"), by=owner)
    assert "corrected on" not in shown(owners, "Anna").text
    evenings.end(played.pk)
    (row,) = entries(shown(owners, "Anna"))
    assert (row.attrs["data-amount"], row.one("small").text) == ("160", f"corrected on {on}, was +HUF 120")
    with_stake = replace(shape_of(Evening.objects.get(pk=played.pk)), stake=Decimal("0.05"), currency="EUR")
    evening_edit.edit(played.pk, with_stake, seen=0, by=owner)
    assert shown(owners, "Anna", "?currency=HUF").of_class("empty")
    (row,) = entries(shown(owners, "Anna"))
    assert (row.attrs["data-amount"], row.one("small").text) == ("80", f"corrected on {on}, was +HUF 160")
    (row,) = entries(shown(owners, "Anna", **HUNGARIAN))
    assert "előtte +160 Ft" in row.text


def test_result_that_came_back_says_the_one_between(owners: Client, owner: User, played: Evening):
    for change in (ledger.void, ledger.restore):
        evenings.reopen(played.pk)
        change(played.pk, 1, by=owner)
        evenings.end(played.pk)
    assert not entries(shown(owners, "Anna"))[0].all("small"), "it had no result between"
    for deal in ("2H 8", "2H 7"):
        evenings.reopen(played.pk)
        ledger.amend(played.pk, 1, facts=Facts(0, 0, deal), by=owner)
        evenings.end(played.pk)
    assert "was +HUF 160" in entries(shown(owners, "Anna"))[0].text


def test_statement_of_a_person_holds_all_his_names_and_says_which(owners: Client, owner: User, played: Evening):
    record(other := evening_of(owner, names=("Anna", "Bela", "Cili")), owner, "2H 7", declarer=1)
    evenings.end(other.pk)
    paid = pays(played, "Anna", "Bela", 100, owner)
    bela, merged = (named(name) for name in ("Béla", "Bela"))
    players.merge(played.circle_id, bela.pk, merged.pk, by=owner)
    page = shown(owners, "Béla")
    rows = {row.attrs["data-entry"]: row.text for row in entries(page)}
    assert [after for _entry, _amount, after in amounts(page)] == [-40, 60, -60]
    assert {entry for entry, text in rows.items() if "as Bela" in text} == {f"session:{other.pk}", f"payment:{paid}"}
    answer = owners.get(url("Bela", "?currency=HUF&after=9-0-9"))
    assert (answer.status_code, answer.url) == (302, url("Béla", "?currency=HUF&after=9-0-9"))
    players.unmerge(played.circle_id, merged.pk, by=owner)
    assert [entry for entry, _amount, _after in amounts(shown(owners, "Béla"))] == [f"session:{played.pk}"]


def test_player_of_another_circle_is_not_found(owners: Client, owner: User, played: Evening):
    other = evening_of(owner, names=("Xénia", "Ypszilon", "Zoé"))
    player = other.seats.get(position=0).player_id
    assert owners.get(f"/circles/{played.circle_id}/players/{player}/statement/").status_code == 404
    assert owners.get(f"/circles/{played.circle_id}/players/{2**70}/statement/").status_code == 404


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("sessions", [50, 1_000])
def test_statement_asks_as_many_queries_however_many_rows_it_has(
    owners: Client, owner: User, played: Evening, sessions: int
):
    of_many(played, sessions)
    anna, bela, _cili = played.seats.values_list("player", flat=True)
    Repayment.objects.bulk_create(
        Repayment(circle=played.circle, payer_id=bela, payee_id=anna, units=1, currency="HUF") for _ in range(sessions)
    )
    first = shown(owners, "Anna")
    asked: list[int] = []
    for query in ("", first.links["Earlier"]):
        with CaptureQueriesContext(connection) as queries:
            assert len(entries(shown(owners, "Anna", query))) == 50
        asked.append(len(queries) - 1)  # the test looks the player up by name
    assert asked == [8, 10]
