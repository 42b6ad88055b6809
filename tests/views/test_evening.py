"""The evening's page, its live part, and its page for paper."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.drawing.svg_parts import qr_code
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, HandMark, Member, Role, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.writers import evenings, ledger
from tests import moves
from tests.factories import evening_of, record, strike_out
from tests.views.page import Node, Page, at


def test_page_says_whose_deal_it_is_and_a_hand_changes_balances_turn_and_sheet(owners: Client, owner: User):
    evening = evening_of(owner, stake=Decimal("0.5"), currency="EUR")
    page = Page.of(owners.get(at(evening)))
    assert page.balances == {0: 0, 1: 0, 2: 0}
    duties = [seat.of_class("duty")[0].text.strip("\xa0") for seat in page.of_class("seat")]
    assert duties == ["deals", "speaks first", ""]
    assert "No hand has been played yet." in page.text
    fold = page.one("section", id="turn").one("details")
    assert fold.one("summary").text == "Hand 1 · Anna deals · Béla speaks first"
    assert "if Anna plays, Cili leads" in fold.text
    assert page.links["Enter hand 1"] == at(evening, "hands/new/")
    assert page.links["Settle up"] == at(evening, "settle/")
    record(evening, owner, "2H 7 K", declarer=1)
    page = Page.of(owners.get(at(evening)))
    assert page.balances == {0: -12, 1: 24, 2: -12}
    assert [money.text for money in page.of_class("money")] == ["−€6.00", "€12.00", "−€6.00"]
    line = page.line(1)
    assert all(word in line.text for word in ("Béla", "2", "hearts", "+1", "K×2", "kontra ×2"))
    assert [cell.text for cell in line.all("td")] == ["−12", "+24", "−12"]
    assert "Enter hand 2" in page.links
    assert page.of_class("deals")[0].attrs["data-seat"] == "1"


def test_void_hand_is_struck_through_and_a_deal_thrown_in_stays_or_passes(
    owners: Client, owner: User, evening: Evening
):
    for number, stays, dealer in ((1, True, "0"), (2, False, "1")):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(0, deal_stays=stays), by=owner)
        page = Page.of(owners.get(at(evening)))
        assert "thrown in Anna dealt" in page.line(number).text
        assert page.of_class("deals")[0].attrs["data-seat"] == dealer
        assert page.balances == {0: 0, 1: 0, 2: 0}
    record(evening, owner, "2H 7")
    record(evening, owner, "2H 7", declarer=0)
    strike_out(evening, 3, owner)
    page = Page.of(owners.get(at(evening)))
    assert page.numbers == [4, 3, 2, 1]
    assert ["void" in page.line(number).attrs["class"].split() for number in (3, 4)] == [True, False]
    assert page.line(3).text.startswith("3 void:")
    assert page.balances == {0: 12, 1: -6, 2: -6}


def test_long_session_is_paged_and_the_page_for_paper_has_all_hands(
    owners: Client, evening: Evening, play: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
):
    play(evening, 30)
    seen: list[int] = []
    address: str | None = at(evening)
    while address:
        page = Page.of(owners.get(address))
        seen += page.numbers
        address = page.links.get("Earlier hands")
    assert seen == list(range(30, 0, -1))
    latest = Page.of(owners.get(at(evening)))
    whole = Page.of(owners.get(latest.links["All 30 hands"]))
    assert (whole.numbers, whole.balances) == (seen, latest.balances)
    assert not {"Earlier hands", "All 30 hands"} & whole.links.keys()
    assert whole.one("div", id="state").attrs["data-before"] == "31", "it does not poll"
    monkeypatch.setattr("sessions_app.views.evening.MOST_PRINTED", 20)
    cut = Page.of(owners.get(at(evening, "?all=1")))
    assert (cut.numbers, Page.of(owners.get(cut.links["Earlier hands"])).numbers) == (seen[:20], seen[20:])


def test_a_phone_that_shows_more_hands_is_given_those_again(
    owners: Client, evening: Evening, play: Callable[..., Evening]
):
    play(evening, 30)
    for shown, lowest in (("19", 19), ("9", 9), ("1", 1), ("31", 19), ("", 19), ("-4", 19), ("9" * 9, 19)):
        page = Page.of(owners.get(at(evening, f"live/?v=0&from={shown}")))
        assert page.numbers == list(range(30, lowest - 1, -1))
        assert page.one("div", id="state").attrs["data-from"] == str(lowest)
        assert page.links.get("Earlier hands") == (at(evening, f"?before={lowest}") if lowest > 1 else None)


def test_page_after_saving_marks_the_new_line_with_undo_in_reach_and_moves_the_chip(
    owners: Client, owner: User, evening: Evening
):
    def chip(rest: str = "") -> list[str]:
        return Page.of(owners.get(at(evening, rest))).of_class("dealer-chip")[0].attrs["class"].split()

    assert chip() == ["dealer-chip", "dealer-0"]
    record(evening, owner)
    record(evening, owner)
    page = Page.of(owners.get(at(evening, "?saved=2")))
    assert ["fresh" in page.line(number).attrs["class"].split() for number in (1, 2)] == [False, True]
    assert "Hand 2 is saved." in page.text
    assert page.one("div", id="state").attrs["data-saved"] == "2"
    form = page.form(at(evening, "hands/2/void/"))
    assert form.text.endswith("Correct Undo")
    assert form.one("a").attrs["href"] == at(evening, "hands/2/edit/")
    assert Page.of(owners.get(at(evening, "?before=2"))).one("div", id="state").attrs["data-before"] == "2"
    assert chip() == ["dealer-chip", "dealer-2"]
    assert chip("?saved=2") == ["dealer-chip", "dealer-2", "from-1"]
    assert chip("?saved=1") == ["dealer-chip", "dealer-2"], "a correction of an earlier hand"
    ledger.void(evening.pk, 2, by=owner)
    assert chip("?saved=2") == ["dealer-chip", "dealer-1"]


def test_following_members_are_named_to_each_other(cast: dict[str, Client], owner: User, evening: Evening):
    def named(who: str) -> list[str]:
        return [node.text for node in Page.of(cast[who].get(at(evening))).of_class("follower")]

    Member.objects.filter(user=owner).update(player=evening.seats.get(position=1).player)
    assert named("owner") == [], "nobody else does"
    cast["viewer"].get(live(evening, evening.version))
    assert named("keeper") == ["Béla", "2 watching"]
    Member.objects.filter(user=owner).update(last_seen_at=timezone.now() - timedelta(seconds=60))
    assert named("keeper") == ["2 watching"]
    cast["owner"].get(live(evening, evening.version))
    Member.objects.filter(role=Role.VIEWER).update(last_seen_at=timezone.now() - timedelta(seconds=60))
    assert named("keeper") == ["Béla", "watching"]


LIVE = {"HX-Request": "true", "HX-Target": "div#state"}


def live(evening: Evening, version: int | str) -> str:
    return at(evening, f"live/?v={version}")


def test_live_gives_the_part_of_the_page_to_every_member_and_nothing_to_who_knows_it_all(
    cast: dict[str, Client], owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=0)
    for who in ("owner", "keeper", "viewer"):
        whole = Page.of(cast[who].get(at(evening)))
        assert (at(evening, "hands/new/") in whole.links.values()) is (who != "viewer")
        assert whole.of_class("bar")[0].text, "no empty bar"
        for headers in ({}, LIVE):
            response = cast[who].get(live(evening, 1), headers=headers)
            page = Page.of(response)
            assert (response.status_code, page.is_whole, "<html" in page.html) == (200, False, False)
            part = page.one("div", id="state")
            assert (part.attrs["data-version"], part.attrs["data-live"]) == ("2", at(evening, "live/"))
            assert page.balances == {0: 12, 1: -6, 2: -6}
            assert part.text == whole.one("div", id="state").text
            assert attributes(part) == attributes(whole.one("div", id="state"))
            answers = [at(evening, "hands/1/mark/")] if who == "keeper" else []
            assert [form.attrs["action"] for form in page.all("form")] == answers, "what another wrote is to be agreed"
        response = cast[who].get(live(evening, 2), headers=LIVE)
        assert (response.status_code, response.content) == (204, b"")
        assert response["Cache-Control"] == "private, no-store"
    for version in ("", "x", "-1", "9" * 40, "0"):
        assert Page.of(cast["owner"].get(live(evening, version))).balances == {0: 12, 1: -6, 2: -6}


def attributes(part: Node) -> list[dict[str, str]]:
    """The attributes of all its elements, but for values that differ in every answer."""
    return [node.attrs for node in part.nodes() if node.attrs.get("name") != "csrfmiddlewaretoken"]


def test_every_write_gives_live_something_to_say(owners: Client, owner: User, evening: Evening):
    writes = [
        lambda: record(evening, owner, "2H 7"),
        lambda: ledger.amend(evening.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner),
        lambda: ledger.void(evening.pk, 1, by=owner),
        lambda: ledger.restore(evening.pk, 1, by=owner),
        lambda: evenings.mark_hand(evening.pk, 1, HandMark.Kind.HM, by=owner),
        lambda: evenings.settle_doubts(evening.pk, 1),
        lambda: moves.let_play(evening.pk, 2, seen=Seen(2, 0), by=owner),
        lambda: evenings.end(evening.pk),
        lambda: evenings.reopen(evening.pk),
    ]
    for write in writes:
        evening.refresh_from_db()
        known = evening.version
        assert owners.get(live(evening, known)).status_code == 204
        write()
        assert owners.get(live(evening, known)).status_code == 200


def rows_of(page: Page) -> list[list[str]]:
    [table] = page.of_class("paper")
    rows = [[cell for cell in row.all() if cell.tag in ("th", "td")] for row in table.one("tbody").all("tr")]
    return [[cell.text for cell in row] for row in rows]


def test_sheet_on_paper_has_totals_what_was_struck_out_and_its_check_figure_and_goes_on_on_other_pages(
    owners: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    for deal in ("2H 7", "3N 5", "2H 7"):
        record(evening, owner, deal, declarer=1)
    strike_out(evening, 2, owner)
    page = Page.of(owners.get(at(evening, "print/")))
    first, second, third, balance = rows_of(page)
    assert [first[0], *first[2:]] == ["1", "−6 −6", "+12 +12", "−6 −6"]
    assert (second[0], second[1].endswith("void")) == ("2", True)
    assert [third[0], *third[2:]] == ["3", "−6 −12", "+12 +24", "−6 −12"]
    assert balance[0] == "Balance"
    assert [each.split()[0] for each in balance[1:]] == ["−12", "+24", "−12"]
    assert [row.text for row in page.one("section", class_="signatures").all("li")] == ["Anna", "Béla", "Cili"]
    assert page.one("dl").all("dt")
    monkeypatch.setattr("sessions_app.views.evening.MOST_PRINTED", 2)
    evening.refresh_from_db()
    figure, paper = figure_of(evening), Page.of(owners.get(at(evening))).links["On paper, to be signed"]
    page = Page.of(owners.get(paper))
    assert [row[0] for row in rows_of(page)] == ["2", "3", "Balance"]
    earlier = Page.of(owners.get(f"{paper}{page.links['Earlier hands']}"))
    assert [row[0] for row in rows_of(earlier)] == ["1"]
    address = f"http://testserver/check/{figure}/"
    assert page.links[figure] == address
    assert qr_code(address).path in page.html
    assert owners.get(address).status_code == 200
