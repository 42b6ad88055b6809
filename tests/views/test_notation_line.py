"""A hand of Asszorti typed as one line: accepted, refused with its error, and shown on the hand's page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand
from tests.factories import hand_fields
from tests.views.page import HTMX_HAND_FORM, Page, hand_card, hand_form, saved
from tests.views.tarokk_hands import form, new


def test_line_says_the_whole_deal_whatever_else_is_tapped_and_its_hand_is_corrected_by_a_line(
    owners: Client, evening: Evening
):
    answer = owners.post(new(evening), form(evening, "hD 6-5-0 S A-K"), headers=HTMX_HAND_FORM)
    assert saved(answer) == f"/sessions/{evening.pk}/?saved=1"
    hand = Hand.objects.get()
    assert (hand.deal, hand.dealer, hand.declarer) == ("hD 6-5-0 S A-K", 0, 1)
    assert hand_card(owners, evening)["data-line"] == "hD 6-5-0 S A-K"
    evening.refresh_from_db()
    owners.post(new(evening), hand_fields(evening, contract="1", trump="none", tricks="9", line=" 2H 7-3-1 K "))
    assert Hand.objects.get(number=2).deal == "2H 7-3-1 K"
    owners.post(f"/sessions/{evening.pk}/hands/1/edit/", hand_fields(evening, number=1, line="2H 5", revision=1))
    assert hand_card(owners, evening)["data-amounts"] == "4 -8 4"
    owners.post(f"/sessions/{evening.pk}/hands/1/void/")
    assert hand_card(owners, evening)["data-amounts"] == "4 -8 4", "of a void hand too"


@pytest.mark.parametrize(
    ("line", "deal", "said"),
    [
        ("1N 9", "3H 9", ""),
        ("nonsense", "", ""),
        # Typed while Cili was the declarer, 4 and 1 are Anna's and Béla's.
        ("2C 6-4-1", "", "The players have changed: tap again what Cili : Anna took."),
    ],
)
def test_taken_announcement_replaces_the_contract_of_a_line_whose_opponents_tricks_pass_to_nobody_else(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any], line: str, deal: str, said: str
):
    opened = hand_form(Page.of(keepers.get(new(evening)))) | {"declarer": "2", "line": "1N 9"}
    announce(owners, contract="3")
    take = Page.of(keepers.post(new(evening), opened)).one("button", name="take")
    assert "Béla" in take.parent.text
    answer = keepers.post(new(evening), opened | {"line": line, "take": take.attrs["value"]})
    assert answer.status_code == (302 if deal else 422)
    assert said in Page.of(answer).text
    assert [(hand.declarer, hand.deal) for hand in Hand.objects.all()] == ([(1, deal)] if deal else [])
