"""Agreed entries that a correction of an earlier hand makes impossible: they stay, and every page says so."""

from typing import Any

import pytest
from django.test import Client

from scorekeeper.games.preference import sheet_to_text
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Revision, User
from sessions_app.readers.evening.hand_counts import sheet_of
from sessions_app.writers import ledger
from tests.ledger.books import assert_verified
from tests.selection import first
from tests.views.agreed_entries import at, played, pulka
from tests.views.page import ENGLISH, HTMX_COUNT, HUNGARIAN, Page, hand_form

ABOVE = "Agreed entry 2 would no longer be possible: Anna's pool would be at 14, past 10. It stays as it is."
BOTH = pytest.mark.parametrize("headers", first(1, [{}, HTMX_COUNT]), ids=["plain", "htmx"])


@pytest.fixture
def evening(owner: User) -> Evening:
    """Anna's pool, to 10, is full: two points by a hand, and eight agreed on."""
    evening = pulka(owner)
    played(evening, owner, "6 pp", 0)
    played(evening, owner, "= P0+8")
    return evening


def correct(evening: Evening, by: User, level: int) -> None:
    dealer = evening.hands.get(number=1).dealer
    ledger.amend(evening.pk, 1, facts=Facts(dealer, 0, f"{level} pp"), by=by)


def history(evening: Evening, number: int) -> list[str]:
    made = Revision.objects.filter(hand__evening=evening, hand__number=number)
    return list(made.order_by("number").values_list("action", flat=True))


def preview(client: Client, evening: Evening, headers: dict[str, str], **fields: Any) -> Page:
    """The preview of a correction of the first hand before it is saved."""
    edited = {**hand_form(Page.of(client.get(at(evening, "hands/1/edit/")))), **fields}
    path = "hands/preview/?hand=1" if headers else "hands/1/edit/"
    return Page.of(client.post(at(evening, path), edited | ({} if headers else {"count": "1"}), headers=headers))


@BOTH
def test_a_correction_says_before_it_is_saved_what_it_makes_impossible(
    owners: Client, evening: Evening, headers: dict[str, str]
):
    page = preview(owners, evening, headers, level="8")
    assert ABOVE in page.text
    assert [node.text for node in page.of_class("further")] == ["This would make an agreed entry impossible"]
    assert "would no longer be possible" not in preview(owners, evening, headers, answers="w1", tricks="6").text


@pytest.mark.parametrize(("language", "said"), [(ENGLISH, "cannot be"), (HUNGARIAN, "nem lehetne")])
def test_it_stands_and_the_sheet_and_its_page_say_so(
    owners: Client, owner: User, evening: Evening, language: dict[str, str], said: str
):
    correct(evening, owner, 8)
    assert_verified()
    hand = evening.hands.get(number=2)
    assert sheet_to_text(sheet_of(hand.entries.all())) == "P0+8"
    line = Page.of(owners.get(at(evening), headers=language)).line(2)
    assert line.of_class("amended")[0].all("span", aria_hidden="true")[0].text == said
    page = Page.of(owners.get(at(evening, "hands/2/"), headers=language))
    explained = {
        "cannot be": "As agreed, but no longer possible: the pool is at 14, past 10",
        "nem lehetne": "Megegyezés szerint, de ma már nem lehetne: a pulya 14, több mint 10",
    }
    assert explained[said] in page.of_class("hand-card")[0].text


def test_the_correction_names_what_it_made_impossible_and_what_is_possible_again(
    owners: Client, owner: User, evening: Evening
):
    correct(evening, owner, 8)
    assert history(evening, 2) == ["record", "recount"]
    assert "Hands counted again because of it: 2" in Page.of(owners.get(at(evening, "hands/1/"))).text
    told = Page.of(owners.get(at(evening, "hands/2/"))).of_class("history")[0].text
    assert "Counted again because hand 1 was corrected" in told
    correct(evening, owner, 7)
    assert history(evening, 2) == ["record", "recount", "recount"]
    correct(evening, owner, 6)
    assert history(evening, 2) == ["record", *["recount"] * 3]
    assert_verified()
    assert not Page.of(owners.get(at(evening))).line(2).all("span", data_objection="pool_above")
    ledger.amend(evening.pk, 1, facts=Facts(0, 0, "6 wp 6"), by=owner)
    assert history(evening, 2) == ["record", *["recount"] * 3]


def test_a_pool_below_nothing_is_said_before_the_hand_is_struck_out_and_after(
    owners: Client, owner: User, evening: Evening
):
    played(evening, owner, "= P0-10")
    ledger.amend(evening.pk, 2, facts=Facts(evening.hands.get(number=2).dealer, None, "= D0+1", True), by=owner)
    page = Page.of(owners.get(at(evening, "hands/1/")))
    said = "Agreed entry 3 would no longer be possible: Anna's pool would be at −10, below zero."
    assert said in page.one("div", id="forward").text
    ledger.void(evening.pk, 1, by=owner)
    assert Page.of(owners.get(at(evening))).line(3).all("span", data_objection="pool_below")
    # A void one is not checked; that it would be restored is.
    ledger.void(evening.pk, 3, by=owner)
    assert not Page.of(owners.get(at(evening))).line(3).all("span", data_objection="pool_below")
    assert said in Page.of(owners.get(at(evening, "hands/3/"))).one("div", id="forward").text
