"""Settling up."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client

from sessions_app import evenings, ledger
from sessions_app.models import GameSession, User
from tests.factories import evening_of, record
from tests.views.page import HTMX_BODY, Node, Page


def url(evening: GameSession) -> str:
    return f"/sessions/{evening.pk}/settle/"


def way(page: Page, name: str) -> list[Node]:
    return page.one("section", aria_labelledby=name).all("details")


def routes(page: Page, name: str) -> list[str]:
    return [details.one("summary").text for details in way(page, name)]


def test_both_ways_stand_side_by_side_in_points_and_money(owners: Client, owner: User, evening: GameSession):
    record(evening, owner, "2H 7", declarer=0)  # Anna +12, Béla −6, Cili −6
    record(evening, owner, "1S 5", declarer=1)  # Béla −12, Anna +6, Cili +6
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 18, 1: -18, 2: 0}
    assert routes(page, "fewest") == ["Béla →pays Anna 18 HUF 180"]
    assert routes(page, "pairwise") == [
        "Béla →pays Anna 12 HUF 120",
        "Béla →pays Cili 6 HUF 60",
        "Cili →pays Anna 6 HUF 60",
    ]
    assert "HUF\u00a0180" in page.html, "no line breaks between the two"
    assert "Both ways come to the same" in page.text


def test_the_pairwise_payments_come_to_the_balances(
    owners: Client, evening: GameSession, play: Callable[..., GameSession]
):
    play(evening, 40)
    page = Page.of(owners.get(url(evening)))
    seats = ["Anna", "Béla", "Cili"]
    for name in ("pairwise", "fewest"):
        sums = dict.fromkeys(range(3), 0)
        for details in way(page, name):
            payer, payee = (seats.index(bdi.text) for bdi in details.one("summary").all("bdi"))
            points = int(details.of_class("figure")[0].text)
            sums[payer] -= points
            sums[payee] += points
        assert sums == page.balances
    assert len(way(page, "fewest")) <= 2


def test_each_payment_opens_to_why(owners: Client, owner: User, evening: GameSession):
    record(evening, owner, "2H 7", declarer=0)  # Béla and Cili pay Anna 6 each
    record(evening, owner, "2H 5", declarer=0)  # Anna pays both 4
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 4, 1: -2, 2: -2}
    why = [details.of_class("why")[0].text for details in way(page, "pairwise")]
    assert "Béla lost to Anna in 1 hand: 6" in why[0]
    assert "Béla won from Anna in 1 hand: 4" in why[0]
    assert "6 − 4 = 2" in why[0]
    assert "2 × HUF 10 = HUF 20" in why[0]
    fewest = [details.of_class("why")[0].text for details in way(page, "fewest")]
    assert "stands at −2, Anna at +4." in fewest[0]
    assert "stands at −2, Anna at +2." in fewest[1], "after the first payment"


def test_a_small_stake_is_paid_to_the_cent(owners: Client, owner: User):
    evening = evening_of(owner, stake=Decimal("0.05"), currency="EUR")
    record(evening, owner, "2H 7", declarer=0)
    page = Page.of(owners.get(url(evening)))
    assert "A point is worth €0.05." in page.text
    assert [money.text for money in page.of_class("seats")[0].of_class("money")] == ["€0.60", "−€0.30", "−€0.30"]
    assert "€0.30" in routes(page, "fewest")[0]


def test_for_points_only_no_money_is_spoken_of(owners: Client, owner: User):
    evening = evening_of(owner, stake=None, currency="")
    record(evening, owner, "2H 7", declarer=0)
    page = Page.of(owners.get(url(evening)))
    assert page.of_class("money") == []
    assert "A point is worth" not in page.text
    assert [route.split()[-1] for route in routes(page, "fewest")] == ["6", "6"]


def test_a_session_without_hands_says_so(owners: Client, evening: GameSession):
    page = Page.of(owners.get(url(evening)))
    assert "No hand counts in this session" in page.text
    assert page.balances == {0: 0, 1: 0, 2: 0}
    assert page.all("details") == []


def test_a_session_of_void_hands_only_says_so(owners: Client, owner: User, evening: GameSession):
    record(evening, owner, "2H 7")
    ledger.void(evening.pk, 1, by=owner)
    assert "No hand counts in this session" in Page.of(owners.get(url(evening))).text


def test_when_everybody_is_even_it_says_so(owners: Client, owner: User, evening: GameSession):
    record(evening, owner, "2H 6-5-0")
    assert "Everybody is even" in Page.of(owners.get(url(evening))).text


def test_when_each_has_won_as_much_nobody_owes_anybody(owners: Client, owner: User, evening: GameSession):
    for declarer in range(3):
        record(evening, owner, "2H 7", declarer=declarer)
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 0, 1: 0, 2: 0}
    assert "Everybody is even: nobody owes anybody anything." in page.text


def test_a_ring_of_debts_is_told_from_nothing_to_pay(owners: Client, owner: User, evening_of_four: GameSession):
    """At a table of four all balances can be zero while each owes his neighbour."""
    for dealer in range(4):
        record(evening_of_four, owner, "2H 7", dealer=dealer)
    page = Page.of(owners.get(url(evening_of_four)))
    assert page.balances == dict.fromkeys(range(4), 0)
    assert "All balances are zero: nothing needs to be paid." in page.text
    assert len(routes(page, "pairwise")) == 4


def test_two_tied_losers_both_pay(owners: Client, owner: User, evening: GameSession):
    record(evening, owner, "2H 7", declarer=2)
    page = Page.of(owners.get(url(evening)))
    assert sorted(route.split()[0] for route in routes(page, "fewest")) == ["Anna", "Béla"]


@pytest.mark.parametrize("who", ["owner", "keeper"])
def test_who_may_write_ends_it_from_here(cast: dict[str, Client], evening: GameSession, who: str):
    page = Page.of(cast[who].get(url(evening)))
    assert page.form(f"/sessions/{evening.pk}/end/").text == "End session"
    evenings.end(evening.pk)
    page = Page.of(cast[who].get(url(evening)))
    assert "This session has ended." in page.text
    assert page.form(f"/sessions/{evening.pk}/reopen/").text == "Reopen"
    assert "End session" not in page.buttons


def test_a_viewer_reads_it_and_is_offered_nothing(viewers: Client, owner: User, evening: GameSession):
    record(evening, owner, "2H 7", declarer=0)
    page = Page.of(viewers.get(url(evening)))
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert [form.attrs["action"] for form in page.all("form")] == ["/language/"]


@pytest.mark.parametrize("who", ["outsider", "stranger"])
def test_nobody_else_reads_it(cast: dict[str, Client], evening: GameSession, who: str):
    response = cast[who].get(url(evening))
    assert response.status_code == 404
    assert b"data-balance" not in response.content


def test_htmx_gets_the_whole_page(owners: Client, evening: GameSession):
    assert Page.of(owners.get(url(evening), headers=HTMX_BODY)).is_whole


@pytest.mark.parametrize("hands", [3, 300])
def test_it_asks_four_queries_whatever_was_played(
    owners: Client,
    evening: GameSession,
    play: Callable[..., GameSession],
    django_assert_num_queries: Callable[..., object],
    hands: int,
):
    play(evening, hands)
    with django_assert_num_queries(4):
        owners.get(url(evening))
