"""Settling up."""

import html
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import record
from tests.views.page import Node, Page


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/settle/"


def pairs(page: Page) -> list[Node]:
    """The rows of who won from whom."""
    return page.one("section", aria_labelledby="pairwise").all("details")


def test_pairs_of_a_sheet_are_listed_below_the_payments_in_a_closed_fold(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)  # Anna +12, Béla −6, Cili −6
    record(evening, owner, "1S 5", declarer=1)  # Béla −12, Anna +6, Cili +6
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 18, 1: -18, 2: 0}
    assert "If the session ended now: Béla →pays Anna HUF 180" in page.text
    assert [pair.one("summary").text for pair in pairs(page)] == [
        "Béla →pays Anna HUF 120",
        "Béla →pays Cili HUF 60",
        "Cili →pays Anna HUF 60",
    ]
    fold = next(each for each in page.one("section", aria_labelledby="pairwise").above if each.tag == "details")
    assert "open" not in fold.attrs


def test_payment_unfolds_to_its_reason(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)  # Béla and Cili pay Anna 6 each
    record(evening, owner, "2H 5", declarer=0)  # Anna pays both 4
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 4, 1: -2, 2: -2}
    why = [pair.of_class("why")[0].text for pair in pairs(page)]
    assert "Béla lost to Anna in 1 hand: 6" in why[0]
    assert "Béla won from Anna in 1 hand: 4" in why[0]
    assert "6 − 4 = 2" in why[0]
    assert "2 × HUF 10 = HUF 20" in why[0]


def test_a_session_without_hands_says_so(owners: Client, evening: Evening):
    page = Page.of(owners.get(url(evening)))
    assert "No hands count in this session" in page.text
    assert page.balances == {0: 0, 1: 0, 2: 0}
    assert page.all("details") == []


def test_when_everybody_is_even_it_says_so(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 6-5-0")
    assert "Everybody is even" in Page.of(owners.get(url(evening))).text


def test_a_ring_of_debts_is_told_from_nothing_to_pay(owners: Client, owner: User, evening_of_four: Evening):
    """At a table of four all balances can be zero while each owes his neighbour."""
    for dealer in range(4):
        record(evening_of_four, owner, "2H 7", dealer=dealer)
    page = Page.of(owners.get(url(evening_of_four)))
    assert page.balances == dict.fromkeys(range(4), 0)
    assert "All balances are zero: nothing needs to be paid." in page.text
    assert len(pairs(page)) == 4


def text(page: Page) -> str:
    return str(page.one("textarea").text)


@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_result_stands_there_as_text_for_a_chat(owners: Client, owner: User, evening: Evening, language: str):
    record(evening, owner, "2H 7", declarer=0)  # Anna +12, Béla −6, Cili −6
    record(evening, owner, "1S 5", declarer=1)  # Béla −12, Anna +6, Cili +6
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(started_at=datetime(2026, 11, 20, 23, 30, tzinfo=UTC))
    response = owners.get(url(evening), headers={"Accept-Language": language})
    lines = html.unescape(response.content.decode().partition("<textarea")[2].partition(">")[2].partition("<")[0])
    assert lines.replace("\xa0", " ").split("\n") == CHAT[language]


CHAT = {
    "en": [
        "Asszorti, 21 November 2026",
        "2 hands",
        "",
        "Anna: +18 (HUF 180)",
        "Cili: 0 (HUF 0)",
        "Béla: −18 (−HUF 180)",
        "",
        "Béla → Anna: HUF 180",
    ],
    "hu": [
        "Asszorti, 2026. november 21.",
        "2 leosztás",
        "",
        "Anna: +18 (180 Ft)",
        "Cili: 0 (0 Ft)",
        "Béla: −18 (−180 Ft)",
        "",
        "Béla → Anna: 180 Ft",
    ],
}


def test_ending_is_not_the_loudest_button_and_says_what_it_does(owners: Client, evening: Evening):
    page = Page.of(owners.get(url(evening)))
    assert page.of_class("primary") == []
    assert "Ending stops new hands; you can reopen later." in page.form(f"/sessions/{evening.pk}/end/").text
    evenings.end(evening.pk)
    page = Page.of(owners.get(url(evening)))
    assert [button.text for button in page.of_class("primary")] == ["Share", "Copy as text"]


def pulka(owner: User, *deals: str) -> Evening:
    """A pul'ka to two, in which Anna plays each of these hands."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, None, "", "preference", "target=2")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for number, deal in enumerate(deals, 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(2, 0, deal), by=owner)
    return Evening.objects.get(pk=evening.pk)


def said(page: Page) -> list[tuple[str, bool]]:
    return [(each.text, "over" in each.attrs["class"].split()) for each in page.of_class("settled-as")]


BROKEN_OFF = (
    "Broken off before the end, settled at the current score: a pool point is worth 10, a dump point costs 10, "
    "compared with the table's average."
)
OVER = "The game is over: the pool to 2 is full."


@pytest.mark.parametrize(
    ("deals", "sentence", "is_over"),
    [((), None, False), (("6 pp",), BROKEN_OFF, False), (("8 pp",), OVER, True), (("M 0",), OVER, True)],
)
def test_settling_says_whether_the_game_is_over(
    owners: Client, owner: User, deals: tuple[str, ...], sentence: str | None, is_over: bool
):
    page = Page.of(owners.get(url(pulka(owner, *deals))))
    assert said(page) == ([] if sentence is None else [(sentence, is_over)])
    if sentence:
        assert sentence in html.unescape(page.one("textarea").text)
