"""The evening's page."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Member, Role, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record, strike_out
from tests.views.page import Page


def url(evening: Evening, rest: str = "") -> str:
    return f"/sessions/{evening.pk}/{rest}"


def test_before_the_first_hand_it_says_whose_deal_it_is_who_speaks_and_who_leads(owners: Client, evening: Evening):
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 0, 1: 0, 2: 0}
    duties = [seat.of_class("duty")[0].text.strip("\xa0") for seat in page.of_class("seat")]
    assert duties == ["deals", "speaks first", ""]
    assert "No hand has been played yet." in page.text
    fold = page.one("section", id="turn").one("details")
    assert fold.one("summary").text == "Hand 1 · Anna deals · Béla speaks first"
    assert "if Anna plays, Cili leads" in fold.text
    assert page.links["Enter hand 1"] == url(evening, "hands/new/")
    assert page.links["Settle up"] == url(evening, "settle/")


def test_a_hand_changes_balances_turn_and_sheet(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7 K", declarer=1)
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: -12, 1: 24, 2: -12}
    line = page.line(1)
    assert "Béla" in line.text
    assert "2" in line.text
    assert "hearts" in line.text
    assert "+1" in line.text
    assert "K×2" in line.text
    assert "kontra ×2" in line.text, "for who hears the page"
    assert [cell.text for cell in line.all("td")] == ["−12", "+24", "−12"]
    assert "Enter hand 2" in page.links
    assert page.of_class("deals")[0].attrs["data-seat"] == "1"


def test_money_stands_beside_the_points_in_the_reader_s_language(owners: Client, owner: User):
    evening = evening_of(owner, stake=Decimal("0.5"), currency="EUR")
    record(evening, owner, "2H 7", declarer=0)
    page = Page.of(owners.get(url(evening)))
    assert [money.text for money in page.of_class("money")] == ["€6.00", "−€3.00", "−€3.00"]


def test_a_void_hand_is_struck_through_and_counts_for_nothing(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    record(evening, owner, "2H 7", declarer=0)
    strike_out(evening, 1, owner)
    page = Page.of(owners.get(url(evening)))
    assert page.numbers == [2, 1]
    assert "void" in page.line(1).attrs["class"].split()
    assert "void" not in page.line(2).attrs["class"].split()
    assert page.line(1).text.startswith("1 void:")
    assert page.balances == {0: 12, 1: -6, 2: -6}


@pytest.mark.parametrize(("stays", "dealer"), [(True, "0"), (False, "1")])
def test_a_deal_thrown_in_is_on_the_sheet_and_the_deal_stays_or_passes(
    owners: Client, owner: User, evening: Evening, stays: bool, dealer: str
):
    ledger.record(evening.pk, token=evening.token, number=1, facts=Facts(0, deal_stays=stays), by=owner)
    page = Page.of(owners.get(url(evening)))
    assert "thrown in Anna dealt" in page.line(1).text
    assert page.of_class("deals")[0].attrs["data-seat"] == dealer
    assert page.balances == {0: 0, 1: 0, 2: 0}


def test_after_saving_the_new_line_is_marked_and_undo_is_in_reach(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    record(evening, owner, "2H 7")
    page = Page.of(owners.get(url(evening, "?saved=2")))
    assert "fresh" in page.line(2).attrs["class"].split()
    assert "fresh" not in page.line(1).attrs["class"].split()
    assert "Hand 2 is saved." in page.text
    form = page.form(url(evening, "hands/2/void/"))
    assert form.text.endswith("Correct Undo")
    assert form.one("a").attrs["href"] == url(evening, "hands/2/edit/")


def test_a_long_session_is_paged_and_every_hand_is_on_one_page(
    owners: Client, evening: Evening, play: Callable[..., Evening]
):
    play(evening, 30)
    seen: list[int] = []
    address: str | None = url(evening)
    while address:
        page = Page.of(owners.get(address))
        seen += page.numbers
        address = page.links.get("Earlier hands")
    assert seen == list(range(30, 0, -1))


def test_page_for_paper_has_all_hands_and_does_not_poll(
    owners: Client, evening: Evening, play: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
):
    play(evening, 30)
    latest = Page.of(owners.get(url(evening)))
    whole = Page.of(owners.get(latest.links["All 30 hands"]))
    assert whole.numbers == list(range(30, 0, -1))
    assert whole.balances == latest.balances
    assert not {"Earlier hands", "All 30 hands"} & whole.links.keys()
    assert whole.one("div", id="state").attrs["data-before"] == "31"
    monkeypatch.setattr("sessions_app.views.evening.MOST_PRINTED", 20)
    cut = Page.of(owners.get(url(evening, "?all=1")))
    assert cut.numbers == list(range(30, 10, -1))
    rest = Page.of(owners.get(cut.links["Earlier hands"]))
    assert rest.numbers == list(range(10, 0, -1))


@pytest.mark.parametrize(
    ("shown", "lowest"), [("19", 19), ("9", 9), ("1", 1), ("31", 19), ("", 19), ("-4", 19), ("9" * 9, 19)]
)
def test_a_phone_that_shows_more_hands_is_given_those_again(
    owners: Client, evening: Evening, play: Callable[..., Evening], shown: str, lowest: int
):
    play(evening, 30)
    page = Page.of(owners.get(url(evening, f"live/?v=0&from={shown}")))
    assert page.numbers == list(range(30, lowest - 1, -1))
    assert page.one("div", id="state").attrs["data-from"] == str(lowest)
    assert page.links.get("Earlier hands") == (url(evening, f"?before={lowest}") if lowest > 1 else None)


@pytest.mark.parametrize("ended", [False, True])
def test_a_viewer_sees_all_and_is_offered_nothing_to_write(viewers: Client, owner: User, evening: Evening, ended: bool):
    record(evening, owner, "2H 7", declarer=0)
    if ended:
        evenings.end(evening.pk)
    page = Page.of(viewers.get(url(evening, "?saved=1")))
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert page.numbers == [1]
    assert url(evening, "hands/new/") not in page.links.values()
    assert [form.attrs["action"] for form in page.all("form")] == ["/language/"]
    assert page.of_class("bar")[0].text, "no empty bar"


def test_the_phone_is_told_where_it_stands_in_the_sheet_and_what_it_saved(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    assert "data-saved" not in Page.of(owners.get(url(evening))).one("div", id="state").attrs
    assert Page.of(owners.get(url(evening, "?saved=1"))).one("div", id="state").attrs["data-saved"] == "1"
    assert Page.of(owners.get(url(evening, "?before=2"))).one("div", id="state").attrs["data-before"] == "2"


def test_the_chip_comes_from_the_dealer_of_the_hand_that_was_just_saved(owners: Client, owner: User, evening: Evening):
    def chip(rest: str = "") -> list[str]:
        return Page.of(owners.get(url(evening, rest))).of_class("dealer-chip")[0].attrs["class"].split()

    assert chip() == ["dealer-chip", "dealer-0"]
    record(evening, owner)
    record(evening, owner)
    assert chip() == ["dealer-chip", "dealer-2"]
    assert chip("?saved=2") == ["dealer-chip", "dealer-2", "from-1"]
    assert chip("?saved=1") == ["dealer-chip", "dealer-2"], "a correction of an earlier hand"
    ledger.void(evening.pk, 2, by=owner)
    assert chip("?saved=2") == ["dealer-chip", "dealer-1"]


def test_following_members_are_named_to_each_other(cast: dict[str, Client], owner: User, evening: Evening):
    Member.objects.filter(user=owner).update(player=evening.seats.get(position=1).player)
    assert Page.of(cast["owner"].get(url(evening))).of_class("following") == [], "nobody else does"
    cast["viewer"].get(url(evening, f"live/?v={evening.version}"))
    following = Page.of(cast["keeper"].get(url(evening))).of_class("following")[0]
    assert [follower.text for follower in following.of_class("follower")] == ["Béla", "2 watching"]
    Member.objects.filter(user=owner).update(last_seen_at=timezone.now() - timedelta(seconds=60))
    following = Page.of(cast["keeper"].get(url(evening))).of_class("following")[0]
    assert [follower.text for follower in following.of_class("follower")] == ["2 watching"]
    cast["owner"].get(url(evening, f"live/?v={evening.version}"))
    Member.objects.filter(role=Role.VIEWER).update(last_seen_at=timezone.now() - timedelta(seconds=60))
    following = Page.of(cast["keeper"].get(url(evening))).of_class("following")[0]
    assert [follower.text for follower in following.of_class("follower")] == ["Béla", "watching"]
