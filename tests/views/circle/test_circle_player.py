"""The page of a circle's player: results, name, mark, two names that are one person; and his statement."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player, Repayment, Seat, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.words.wording import day
from sessions_app.writers import evening_edit, evenings, ledger, players, repayments
from tests.factories import evening_of, record
from tests.ledger.books import everything
from tests.views.page import HTMX_BODY, HUNGARIAN, Node, Page, filled


def named(name: str) -> Player:
    return Player.objects.filter(name=name).order_by("pk")[0]


def url(name: str, rest: str = "") -> str:
    player = named(name)
    return f"/circles/{player.circle_id}/players/{player.pk}/{rest}"


@pytest.fixture
def other(owner: User, evening: Evening) -> Evening:
    """An evening of the same circle, with Bela in the place of Béla."""
    return evening_of(owner, names=("Anna", "Bela", "Cili"))


def test_every_member_sees_the_player_s_sums_and_sessions(cast: dict[str, Client], owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    for who in ("owner", "keeper", "viewer"):
        page = Page.of(cast[who].get(url("Béla")))
        assert page.one("h1").text == "Béla"
        sums = [(node.attrs["data-measure"], node.attrs["data-value"], node.text) for node in page.of_class("amount")]
        assert sums == [("points", "12", "+12"), ("money", "120", "HUF 120")]
        assert [card.one("a").attrs["href"] for card in page.of_class("card")] == [f"/sessions/{evening.pk}/"]
        past = f"/sessions/?circle={evening.circle_id}&player={named('Béla').pk}"
        assert page.links["All past sessions"] == past
        assert bool(page.all("form", action=url("Béla", "rename/"))) is (who != "viewer")


def test_a_player_of_a_foreign_circle_is_not_found(owners: Client, evening: Evening):
    foreign = Player.objects.create(circle=Circle.objects.create(), name="Foreign")
    before = everything()
    for player in (foreign.pk, 987_654, 2**63, 10**40):
        address = f"/circles/{evening.circle_id}/players/{player}/"
        assert owners.get(address).status_code == 404
        for verb in ("rename", "mark", "rest", "mine", "merge", "unmerge"):
            assert owners.post(f"{address}{verb}/", {"other": named("Béla").pk}).status_code == 404
    assert everything() == before


def test_renamed_player_has_the_new_name_in_all_sessions_and_histories(
    owners: Client, evening: Evening, other: Evening
):
    before = everything()
    for name, headers in product(("", "x" * 41, "\u202e", "béla", "Cili", "Be\u0301\u200bla"), ({}, HTMX_BODY)):
        response = owners.post(url("Anna", "rename/"), {"name": name}, headers=headers)
        assert response.status_code == 422
        assert Page.of(response).one("p", id="error-name").text
    assert everything() == before
    page = Page.of(owners.post(url("Anna", "rename/"), {"name": "Béla"}))
    assert not page.of_class("merge-ways"), "they sat at one table"
    assert "Add a letter to tell them apart." in page.error("name")
    assert page.of_class("notice")[0].one("a").attrs["href"] == f"/sessions/{evening.pk}/"
    response = owners.post(url("Anna", "rename/"), {"name": " Annuska "})
    assert (response.status_code, response.headers["Location"]) == (302, url("Annuska"))
    for each in (evening, other):
        assert "Annuska" in Page.of(owners.get(f"/sessions/{each.pk}/")).text
    assert "was: Anna" in Page.of(owners.get(url("Annuska"))).of_class("history")[0].text
    assert "was: Anna" in Page.of(owners.get(f"/sessions/{evening.pk}/edit/")).of_class("history")[0].text


def ways(page: Page) -> dict[str, tuple[str, str]]:
    """The ways to merge two players of one name: what each button says, its address, and the player who goes."""
    (offered,) = page.of_class("merge-ways")
    buttons = offered.all("button")
    return {each.text: (each.attrs["formaction"], each.attrs["value"]) for each in buttons}


def test_renaming_onto_another_player_offers_the_merge_and_the_name_that_stays(
    owners: Client, evening: Evening, other: Evening
):
    before = everything()
    page = Page.of(owners.post(url("Béla", "rename/"), {"name": "be\u200bla"}), 422)
    assert everything() == before
    assert page.error("name").startswith("That is another player. One person?")
    assert [*ways(page)] == ["Bela stays", "Béla stays"], "the wanted name first"
    address, goes = ways(page)["Béla stays"]
    kept = named("Béla")
    assert owners.post(address, {"name": "Bela", "other": goes})["Location"] == url("Béla")
    for each in (evening, other):
        assert kept in [seat.player for seat in each.seats.all()]
    assert Player.objects.exclude(merged_into=None).get().merged_into == kept


def test_renaming_in_a_session_offers_the_merge_too_and_leads_back(owners: Client, evening: Evening, other: Evening):
    edit = f"/sessions/{evening.pk}/edit/"
    fields = filled(Page.of(owners.get(edit)).form(edit)) | {"player_2": "Bela", "stake": "20"}
    page = Page.of(owners.post(edit, fields), 422)
    assert page.error("player_2").startswith("That is another player.")
    address, goes = ways(page)["Bela stays"]
    posted = filled(page.form(edit)) | {"other": goes}
    assert owners.post(address, posted)["Location"] == edit
    assert owners.post(address, posted, headers=HTMX_BODY)["HX-Redirect"] == edit
    assert [seat.player.name for seat in evening.seats.all()] == ["Anna", "Bela", "Cili"]


def test_a_mark_is_chosen_by_shape_and_colour(owners: Client, evening: Evening):
    assert owners.post(url("Béla", "mark/"), {"mark": "♠blue"}).status_code == 302
    page = Page.of(owners.get(url("Béla")))
    assert page.one("button", name="mark", value="♠blue").attrs["aria-pressed"] == "true"
    assert page.one("h1").of_class("blue-mark")[0].of_class("spades")
    theirs = Page.of(owners.get(url("Anna"))).one("button", name="mark", value="♠blue")
    assert "disabled" in theirs.attrs
    assert theirs.attrs["aria-label"] == "♠ blue, Béla"
    refused = owners.post(url("Anna", "mark/"), {"mark": "♠blue"})
    assert refused.status_code == 409
    assert "Another player in this circle has this mark." in Page.of(refused).text
    assert owners.post(url("Anna", "mark/"), {"mark": "♥blue"}).status_code == 302
    assert owners.post(url("Béla", "mark/"), {"mark": ""}).status_code == 302
    assert (named("Béla").mark_shape, named("Anna").mark_shape) == ("", "♥")


def test_resting_player_is_marked_and_no_longer_offered(owners: Client, evening: Evening):
    assert owners.post(url("Béla", "rest/"), {"plays": "no"}).status_code == 302
    assert Page.of(owners.get(url("Béla"))).of_class("tag")[0].text == "No longer plays"
    assert "Béla No longer plays" in Page.of(owners.get(f"/circles/{evening.circle_id}/")).text
    chips = Page.of(owners.get("/sessions/new/")).of_class("chip")
    assert [chip.text for chip in chips] == ["Anna", "Cili"]
    assert owners.post(url("Béla", "rest/"), {"plays": "yes"}).status_code == 302
    assert not named("Béla").plays_no_more


def test_likely_names_are_proposed_and_merged_in_one_tap(owners: Client, owner: User, evening: Evening, other: Evening):
    record(evening, owner, "2H 7", declarer=1)
    record(other, owner, "2H 7", declarer=1)
    assert "Bela – Béla" in Page.of(owners.get(f"/circles/{evening.circle_id}/")).text
    page = Page.of(owners.get(url("Béla")))
    assert page.one("form", action=url("Béla", "merge/")).one("button", name="other").text == "Bela"
    merged = named("Bela").pk
    assert owners.post(url("Béla", "merge/"), {"other": merged}).status_code == 302
    page = Page.of(owners.get(url("Béla")))
    assert page.of_class("amount")[0].attrs["data-value"] == "24"
    assert page.of_class("amount")[0].attrs["data-of"] == "2"
    assert "Also: Bela" in page.text
    assert "Two names merged" in page.text
    away = owners.get(f"/circles/{evening.circle_id}/players/{merged}/")
    assert (away.status_code, away.headers["Location"]) == (302, url("Béla"))
    assert "Bela" not in Page.of(owners.get(f"/circles/{evening.circle_id}/")).text
    figures = f"/circles/{evening.circle_id}/players/{merged}/statistics/"
    assert owners.get(figures).headers["Location"].startswith(url("Béla", "statistics/"))
    assert "Bela" not in Page.of(owners.get(f"/circles/{evening.circle_id}/statistics/")).text
    assert owners.post(url("Béla", "unmerge/"), {"other": merged}).status_code == 302
    page = Page.of(owners.get(url("Béla")))
    assert page.of_class("amount")[0].attrs["data-value"] == "12"
    assert "Two names separated" in page.text


def test_merge_and_session_of_two_names_that_cannot_be_are_refused_with_the_reason(
    owners: Client, owner: User, evening: Evening, other: Evening
):
    evening_of(owner, names=("Anna", "Cili", "Dóra"))
    foreign = Player.objects.create(circle=Circle.objects.create(), name="Foreign")
    players.merge(evening.circle_id, named("Béla").pk, named("Bela").pk, by=owner)
    before = everything()
    for into, name, sentence in (
        ("Béla", "Anna", "Both sat at one table, so they are two people:"),
        ("Dóra", "Bela", "One of the two is another name of somebody already."),
    ):
        for headers in ({}, HTMX_BODY):
            response = owners.post(url(into, "merge/"), {"other": named(name).pk}, headers=headers)
            assert response.status_code == 409
            assert sentence in Page.of(response).of_class("notice")[0].text
    for verb, hostile in product(("merge", "unmerge"), ("", "x", "0", "-1", "9" * 18, "9" * 40, "²", foreign.pk)):
        response = owners.post(url("Béla", f"{verb}/"), {"other": hostile})
        assert response.status_code == 409
        assert "This player is not in this circle any more." in Page.of(response).text
        assert "Foreign" not in Page.of(response).text
    fields = {"player_1": "Anna", "player_2": "Béla", "player_3": "Bela", "first_dealer": "1", "game": "asszorti"}
    response = owners.post("/sessions/new/", fields)
    assert response.status_code == 422
    assert "Béla and Bela are one person in this circle, under two names." in Page.of(response).text
    assert everything() == before


def shown(client: Client, name: str, query: str = "", **headers: str) -> Page:
    return Page.of(client.get(url(name, f"statement/{query}"), headers=headers))


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


def test_hostile_cursor_answers_a_page_and_an_unknown_currency_is_not_found(owners: Client, played: Evening):
    most = f"{10**17 - 1}-1-{10**18 - 1}"
    for after in ("x", "-1", "0-0-0", "1-2-3", most, f"{10**17}-1-1", "१-0-1", "1-0-1\n", "9" * 3000):
        answer = owners.get(url("Anna", "statement/"), {"currency": "HUF", "after": after})
        assert answer.status_code == 200
        assert len(entries(Page.of(answer))) == (after != "0-0-0")
    for currency in ("XXX", "points:", "points:bridge", "huf", "\0", "H" * 3000):
        assert owners.get(url("Anna", "statement/"), {"currency": currency}).status_code == 404


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


def test_corrected_result_says_when_it_was_corrected_and_what_it_was(owners: Client, owner: User, played: Evening):
    on = day(timezone.now())
    for change in (ledger.void, ledger.restore):
        evenings.reopen(played.pk)
        change(played.pk, 1, by=owner)
        evenings.end(played.pk)
    assert not entries(shown(owners, "Anna"))[0].all("small"), "it had no result between"
    for deal, amount, was in (("2H 8", "160", "120"), ("2H 7", "120", "160"), ("2H 8", "160", "120")):
        evenings.reopen(played.pk)
        ledger.amend(played.pk, 1, facts=Facts(0, 0, deal), by=owner)
        (row,) = entries(shown(owners, "Anna"))
        assert row.attrs["data-amount"] == was
        assert "being corrected: counts as it ended" in row.text
        evenings.end(played.pk)
        (row,) = entries(shown(owners, "Anna"))
        assert (row.attrs["data-amount"], row.one("small").text) == (amount, f"corrected on {on}, was +HUF {was}")
        assert "being corrected" not in row.text
    with_stake = replace(shape_of(Evening.objects.get(pk=played.pk)), stake=Decimal("0.05"), currency="EUR")
    evening_edit.edit(played.pk, with_stake, seen=0, by=owner)
    assert shown(owners, "Anna", "?currency=HUF").of_class("empty")
    (row,) = entries(shown(owners, "Anna"))
    assert (row.attrs["data-amount"], row.one("small").text) == ("80", f"corrected on {on}, was +HUF 160")
    page = shown(owners, "Anna", **HUNGARIAN)
    assert "Kivonat" in page.text
    assert "előtte +160 Ft" in entries(page)[0].text


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
    answer = owners.get(url("Bela", "statement/?currency=HUF&after=9-0-9"))
    assert (answer.status_code, answer.url) == (302, url("Béla", "statement/?currency=HUF&after=9-0-9"))
    players.unmerge(played.circle_id, merged.pk, by=owner)
    assert [entry for entry, _amount, _after in amounts(shown(owners, "Béla"))] == [f"session:{played.pk}"]


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
