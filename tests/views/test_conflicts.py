"""Conflicts of two phones: the same hand recorded twice, and an open hand that differs from the form."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, Hand, OpenHand, Revision, User
from sessions_app.writers import ledger
from tests.factories import hand_fields, record
from tests.selection import first
from tests.views.page import HTMX_HAND_FORM, Page, hand_form, saved
from tests.views.refereeing import form_of, of_evening

JSON = {"Accept": "application/json"}
DEAL = {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}


def save(client: Client, evening: Evening, posted: dict[str, str], **headers: Any) -> Any:
    return client.post(of_evening(evening, "hands/new/"), posted, headers=headers.get("headers", {}))


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]))
def test_a_hand_that_another_member_has_just_recorded_needs_the_word_another(
    keepers: Client, owner: User, evening: Evening, headers: dict[str, str]
):
    record(evening, owner, "2H 7", declarer=1)
    response = save(keepers, evening, form_of(keepers, evening) | DEAL, headers=headers)
    page = Page.of(response)
    assert response.status_code == 409
    assert "Another phone has recorded hand 1:" in page.text
    assert "It is the same: discard mine" in page.links
    assert Hand.objects.count() == 1
    assert save(keepers, evening, hand_form(page) | {"another": "1"}).status_code == 302
    assert Hand.objects.count() == 2


def test_the_outbox_is_told_so_in_a_sentence(keepers: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    posted = form_of(keepers, evening) | DEAL
    said = save(keepers, evening, posted, headers=JSON)
    assert said.status_code == 409
    assert said.json() == {
        "sentence": "Another phone has already saved the same as hand 1. Is this a different hand?",
        "next_number": 2,
        "another": True,
    }
    assert save(keepers, evening, posted | {"another": "1"}, headers=JSON).json() == {"number": 2}


@pytest.mark.parametrize("why", ["own", "old", "void", "other"])
def test_it_is_not_asked_where_there_is_no_doubt(keepers: Client, owner: User, evening: Evening, why: str):
    record(evening, owner, "2H 7", declarer=1)
    posted = form_of(keepers, evening) | DEAL
    if why == "own":
        Revision.objects.update(
            made_by=User.objects.get(memberships__circle=evening.circle, memberships__role="keeper")
        )
    if why == "old":
        Revision.objects.update(made_at=timezone.now() - timedelta(minutes=2, seconds=1))
    if why == "void":
        ledger.void(evening.pk, 1, by=owner)
    if why == "other":
        posted["tricks"] = "8"
    assert save(keepers, evening, posted).status_code == 302


def test_a_form_begun_before_the_hand_was_recorded_is_asked_however_late(
    keepers: Client, owner: User, evening: Evening
):
    posted = form_of(keepers, evening) | DEAL
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "1S 8", declarer=2)
    Revision.objects.update(made_at=timezone.now() - timedelta(hours=1))
    again = hand_form(Page.of(save(keepers, evening, posted)))
    assert (again["number"], again["meant"], again["dealer"]) == ("3", "1", "2")
    assert save(keepers, evening, again).status_code == 409
    assert Hand.objects.count() == 2


def test_a_deal_thrown_in_while_something_is_announced_is_asked_about(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    posted = form_of(keepers, evening) | {"redeal": "stays"}
    announce(owners)
    response = save(keepers, evening, posted)
    page = Page.of(response)
    assert response.status_code == 409
    mine = page.one("button", name="mine").attrs["value"]
    assert save(keepers, evening, hand_form(page) | {"mine": mine}).status_code == 302
    assert Hand.objects.get().deal_stays


def test_an_answer_to_an_older_question_is_asked_again(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    posted = form_of(keepers, evening) | DEAL
    announce(owners, trump="clubs")
    page = Page.of(save(keepers, evening, posted))
    answers = {name: page.one("button", name=name).attrs["value"] for name in ("mine", "take")}
    announce(owners, trump="spades")
    for name, value in answers.items():
        assert save(keepers, evening, posted | {name: value}).status_code == 409
    assert OpenHand.objects.get().state.get("announcement", "") == "2 spades"


def test_what_agrees_needs_no_question(owners: Client, evening: Evening, announce: Callable[..., Any]):
    announce(owners)
    assert save(owners, evening, hand_fields(evening)).status_code == 302


def test_a_correction_can_be_put_back_until_something_else_is_noted(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners, game_kontra="1")
    announce(keepers, trump="clubs")
    assert "This replaced:" in Page.of(owners.get(of_evening(evening))).text
    row = OpenHand.objects.get()
    seen = {"number": "1", "seen": str(row.version)}
    assert owners.post(of_evening(evening, "announce/put-back/"), seen)["Location"] == of_evening(evening)
    assert (OpenHand.objects.get().state.get("announcement", ""), OpenHand.objects.get().replaced) == ("2 hearts", None)
    assert owners.post(of_evening(evening, "announce/put-back/"), seen)["Location"] == of_evening(evening, "referee/")


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_HAND_FORM]))
def test_a_hand_whose_answer_was_lost_is_known_though_the_form_has_the_next_number_by_now(
    keepers: Client, evening: Evening, headers: dict[str, str]
):
    """It hears of hand 1 as of anybody's, and that is this one."""
    posted = form_of(keepers, evening) | DEAL
    assert save(keepers, evening, posted).status_code == 302
    again = save(keepers, evening, posted | {"number": "2"}, headers=headers)
    assert saved(again) == f"/sessions/{evening.pk}/?saved=1"
    assert Hand.objects.count() == 1


def test_a_void_hand_is_not_the_one_that_was_meant(keepers: Client, owner: User, evening: Evening):
    posted = form_of(keepers, evening) | DEAL
    record(evening, owner, "2H 7", declarer=1)
    ledger.void(evening.pk, 1, by=owner)
    page = Page.of(save(keepers, evening, posted))
    assert page.one("button", name="another").attrs["class"] == "button primary"
