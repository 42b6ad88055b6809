"""Agreed entries are named as such, and not as hands, on every page that shows them."""

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.views.agreed_entries import NAMES, at, played, pulka
from tests.views.page import Page

SHEET = "= P0+3 D1-2 B2>0+20"
WORDS = "Anna: pool +3; Béla: dump −2; Cili: whists on Anna +20"


@pytest.fixture
def evening(owner: User) -> Evening:
    return pulka(owner)


def shown(client: Client, evening: Evening, path: str = "") -> Page:
    answer = client.get(at(evening, path))
    assert answer.status_code == 200
    return Page.of(answer)


def test_page_of_an_agreed_entry_says_nothing_of_cards(owners: Client, owner: User, evening: Evening):
    played(evening, owner, SHEET)
    page = shown(owners, evening, "hands/1/")
    assert (page.title, page.one("h1").text) == ("Agreed entry 1", "Agreed entry 1")
    card = page.of_class("hand-card")[0]
    assert "dealt" not in page.text
    assert [row.text for row in card.all("tr")] == ["Anna: pool +3", "Béla: dump −2", "Cili: whists on Anna +20"]
    assert WORDS in page.of_class("history")[0].text


def test_player_without_part_in_an_entry_does_not_sit_out(owners: Client, owner: User):
    """The dealer of four would sit out; here nobody played, and no others are named."""
    evening = pulka(owner, names=(*NAMES, "Dani"))
    played(evening, owner, "= B1>2+5")
    page = shown(owners, evening, "hands/1/")
    assert [item.text for item in page.of_class("amounts")[0].all("li")] == ["Béla +5", "Cili −5"]
    assert page.of_class("hand-card")[0].attrs["data-amounts"] == "· 5 -5 ·"
    row = shown(owners, evening).line(1)
    assert row.text == "1 Béla: whists on Cili +5 +5 −5"
    assert row.all(aria_label="sits out") == []


def test_row_of_an_agreed_entry_says_one_place_or_how_many(owners: Client, owner: User, evening: Evening):
    played(evening, owner, "= D1+5")
    played(evening, owner, SHEET)
    page = shown(owners, evening)
    assert page.line(1).of_class("said")[0].text == "Béla: dump +5"
    assert page.line(2).of_class("said")[0].text == "agreed (3)"


def test_history_and_news_name_an_agreed_entry(owners: Client, keepers: Client, owner: User, evening: Evening):
    played(evening, owner, "= D1+5")
    assert "Agreed entry 1 is saved." in shown(owners, evening, "?saved=1").text
    assert "Another phone: Béla: dump +5" in shown(keepers, evening).text
    ledger.amend(evening.pk, 1, facts=Facts(0, None, "= D1+6", True), by=owner)
    assert "corrected agreed entry 1: Béla: dump +6" in shown(keepers, evening).text
    history = shown(owners, evening, "hands/1/").of_class("history")[0].text
    assert "was: Béla: dump +5 now: Béla: dump +6" in history
    ledger.void(evening.pk, 1, by=owner)
    assert "struck out agreed entry 1" in shown(keepers, evening).text
    assert "Agreed entry 1 is void." in shown(owners, evening, "?saved=1").text
    assert "This entry is void" in shown(owners, evening, "hands/1/").text
    ledger.restore(evening.pk, 1, by=owner)
    assert "restored agreed entry 1" in shown(keepers, evening).text


@pytest.mark.parametrize(
    ("deals", "card", "text"),
    [
        ([], "no hands yet", "0 hands"),
        (["= D1+5"], "agreed entries only", None),
        (["= D1+5", "R 4-4-2"], "1 hand", "1 hand"),
    ],
)
def test_agreed_entry_is_no_hand_in_lists_and_the_result_s_text(
    owners: Client, owner: User, evening: Evening, deals: list[str], card: str, text: str | None
):
    for deal in deals:
        played(evening, owner, deal)
    said = shown(owners, evening, "settle/").one("textarea").text
    assert text in said if text else "hand" not in said
    evenings.end(evening.pk)
    assert Page.of(owners.get("/sessions/")).of_class("hands")[0].text == card
    if deals:
        assert "To correct an entry, reopen it first." in shown(owners, evening, "hands/1/").text
