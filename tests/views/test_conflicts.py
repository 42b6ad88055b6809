"""Conflicts of two phones: two readings of one hand, the same hand twice, a hand in play that differs from the form."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandInPlay, Player, Revision, Role, User
from sessions_app.writers import ledger
from tests.factories import MemberFactory, record
from tests.views.agreed_entries import played, pulka
from tests.views.page import HTMX_COUNT, HTMX_HAND_FORM, Page, at, hand_form, saved
from tests.views.refereeing import form_of
from tests.views.tarokk_hands import started as tarokk

JSON = {"Accept": "application/json"}
DEAL = {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}


def save(client: Client, evening: Evening, posted: dict[str, str], headers: dict[str, str] | None = None) -> Any:
    return client.post(at(evening, "hands/new/"), posted, headers=headers or {})


@pytest.fixture
def bela(evening: Evening) -> User:
    """A keeper whose phone is Béla's."""
    player = Player.objects.get(circle=evening.circle, name="Béla")
    return MemberFactory(circle=evening.circle, role=Role.KEEPER, player=player).user


def answer(page: Page, name: str) -> dict[str, str]:
    """The form of the question, as the button with this answer sends it."""
    return hand_form(page) | {name: page.one("button", name=name).attrs["value"]}


def deals(evening: Evening) -> list[str]:
    return list(Hand.objects.filter(evening=evening).order_by("number").values_list("deal", flat=True))


def number_taken(client: Client, evening: Evening, by: User) -> dict[str, str]:
    posted = form_of(client, evening) | DEAL | {"tricks": "8"}
    record(evening, by, "2H 9", declarer=1)
    return posted


def same_hand(client: Client, evening: Evening, by: User) -> dict[str, str]:
    record(evening, by, "2H 8", declarer=1)
    return form_of(client, evening) | DEAL | {"tricks": "8"}


def token_spent(client: Client, evening: Evening, by: User) -> dict[str, str]:
    posted = form_of(client, evening) | DEAL
    save(client, evening, posted)
    return posted | {"tricks": "8"}


def several_recorded(client: Client, evening: Evening, by: User) -> dict[str, str]:
    posted = number_taken(client, evening, by)
    record(evening, by, "1S 8", declarer=2)
    return posted


def corrected_in_its_form(client: Client, evening: Evening, by: User) -> dict[str, str]:
    """A refused hand in a form that has the number of the next."""
    return number_taken(client, evening, by) | {"number": "2"}


@pytest.mark.parametrize("refused", [number_taken, same_hand, token_spent, several_recorded, corrected_in_its_form])
def test_second_save_of_a_refused_hand_writes_nothing(
    keepers: Client, bela: User, evening: Evening, refused: Callable[..., dict[str, str]]
):
    """Save and Enter send the form without an answer, and the form has no button to do that again."""
    posted, before = refused(keepers, evening, bela), deals(evening)
    for headers in ({}, HTMX_HAND_FORM, {}):
        page = Page.of(save(keepers, evening, posted, headers=headers), 409)
        assert not [label for label in page.buttons if label.startswith(("Save hand", "Announce", "Count"))]
        assert deals(evening) == before
        posted = hand_form(page)
    for headers in ({}, HTMX_HAND_FORM):
        answered = save(keepers, evening, answer(page, "another"), headers=headers)
        assert saved(answered).endswith(f"={len(before) + 1}")
    assert deals(evening) == [*before, "2H 8"]


def test_question_shows_both_readings_and_mine_corrects_the_recorded_hand_once(
    keepers: Client, bela: User, evening: Evening
):
    page = Page.of(save(keepers, evening, number_taken(keepers, evening, bela)))
    question = page.one(id="hand-question")
    assert "Which is right? Béla has recorded hand 1: Béla 2 hearts +3 Mine: Béla 2 hearts +2" in question.text
    assert "Tricks 9 tricks ↔ 8 tricks" in question.text
    assert page.links["Béla is right: drop mine"] == at(evening)
    assert "Mine is right: correct hand 1" in page.buttons
    assert "Mine is another hand: make it hand 2 Béla deals it" in page.buttons
    for _tap in range(2):
        answered = save(keepers, evening, answer(page, "correct"))
        assert answered["Location"] == at(evening, "?saved=1#hand-1")
    assert deals(evening) == ["2H 8"]
    assert [each.action for each in Hand.objects.get().revisions.order_by("number")] == ["record", "amend"]


def test_half_filled_hand_goes_on_as_the_next_or_as_a_correction(keepers: Client, bela: User, evening: Evening):
    """The live count asks as soon as another phone has recorded the hand."""
    posted = form_of(keepers, evening) | {"declarer": "1", "contract": "2", "trump": "spades"}
    record(evening, bela, "2H 9", declarer=1)
    page = Page.of(keepers.post(at(evening, "hands/preview/"), posted, headers=HTMX_COUNT))
    assert "Trumps ♥︎ ↔ ♠︎" in page.text
    said = {name: posted | {name: page.one("button", name=name).attrs["value"]} for name in ("another", "correct")}
    following = Page.of(save(keepers, evening, said["another"]))
    assert "Save hand 2" in following.buttons
    assert hand_form(following).items() >= {"number": "2", "dealer": "1", "trump": "spades"}.items()
    assert not following.errors
    assert save(keepers, evening, hand_form(following) | {"tricks": "7"})["Location"].endswith("?saved=2")
    ledger.void(evening.pk, 2, by=bela)
    correcting = Page.of(save(keepers, evening, said["correct"]))
    assert hand_form(correcting).items() >= {"trump": "spades", "tricks": "9", "revision": "1"}.items()
    keepers.post(at(evening, "hands/1/edit/"), hand_form(correcting))
    assert deals(evening) == ["2S 9", "2S 7"]


def test_question_about_a_full_pool_offers_no_further_hand(owners: Client, owner: User):
    evening = pulka(owner)
    posted, other = form_of(owners, evening) | {"declarer": "1", "line": "6C pp"}, MemberFactory(circle=evening.circle)
    played(evening, other.user, "= P0+10 P1+8 P2+10")
    played(evening, other.user, "6C pp", 1)
    page = Page.of(save(owners, evening, posted))
    assert "It is the same: discard mine" in page.links
    assert "the game is over" in page.one(id="hand-question").text
    assert not page.all("button", name="another")


def test_correction_that_changes_later_hands_says_so_before_it_is_made(owners: Client, owner: User):
    """A deal thrown in doubles the next four, by these house rules."""
    evening = tarokk(owners, rules="after_throw_in=double")
    posted = form_of(owners, evening) | {"declarer": "1", "line": "2+2 61"}
    other = MemberFactory(circle=evening.circle).user
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, deal_stays=True), by=other)
    ledger.record(evening.pk, token=uuid4(), number=2, facts=Facts(0, 1, "2+2 61"), by=other)
    page = Page.of(save(owners, evening, posted | {"line": "1+2 61"}))
    assert "This changes 1 later hand" in page.one("button", name="correct").text
    save(owners, evening, answer(page, "correct"))
    assert deals(evening) == ["1+2 61", "2+2 61"]
    assert [each.action for each in Hand.objects.get(number=2).revisions.order_by("number")] == ["record", "recount"]


def test_outbox_is_sent_the_question_with_its_answers(keepers: Client, bela: User, evening: Evening):
    posted = number_taken(keepers, evening, bela)
    for _time in range(2):
        said = save(keepers, evening, posted, headers=JSON)
        assert (said.status_code, said.json()["next_number"]) == (409, 2)
        assert said.json()["sentence"] == "Hand 1 was recorded on another phone meanwhile."
        question = Page(said.json()["question"])
        assert "9 tricks ↔ 8 tricks" in question.text
    for name, number in (("correct", 1), ("another", 2)):
        chosen = posted | {name: question.one("button", name=name).attrs["value"]}
        for _time in range(2):
            assert save(keepers, evening, chosen, headers=JSON).json() == {"number": number}
    assert deals(evening) == ["2H 8", "2H 8"]
    said = save(keepers, evening, chosen | {"tricks": "10"}, headers=JSON).json()
    other = {"another": Page(said["question"]).one("button", name="another").attrs["value"]}
    again = chosen | {"tricks": "10", "token": said["token"]} | other
    assert save(keepers, evening, again, headers=JSON).json() == {"number": 3}, "by a fresh token"


def test_waiting_hand_is_told_who_deals_it_by_now(keepers: Client, bela: User, evening: Evening):
    """Another phone has made the hand void that it follows."""
    record(evening, bela, "2H 9", declarer=1)
    posted = form_of(keepers, evening) | DEAL | {"tricks": "8"}
    ledger.void(evening.pk, 1, by=bela)
    said = save(keepers, evening, posted, headers=JSON)
    assert (said.status_code, said.json()["moved"]) == (409, {"number": 2, "dealer": 0})
    assert deals(evening) == ["2H 9"]
    moved = posted | {"dealer": "0", "offered": "0"}
    for _time in range(2):
        assert save(keepers, evening, moved, headers=JSON).json() == {"number": 2}
    by_hand = form_of(keepers, evening) | DEAL | {"dealer": "0"}
    assert save(keepers, evening, by_hand, headers=JSON).json() == {"number": 3}


def test_a_form_begun_before_an_equal_hand_was_recorded_is_asked_however_late_unless_it_is_void(
    keepers: Client, owner: User, evening: Evening
):
    posted = form_of(keepers, evening) | DEAL
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "1S 8", declarer=2)
    Revision.objects.update(made_at=timezone.now() - timedelta(hours=1))
    page = Page.of(save(keepers, evening, posted))
    assert "It is the same: discard mine" in page.links
    assert hand_form(page)["dealer"] == "0"
    assert page.one("button", name="another").attrs["value"] == "3 2"
    assert Hand.objects.count() == 2
    ledger.void(evening.pk, 1, by=owner)
    assert save(keepers, evening, form_of(keepers, evening) | DEAL).status_code == 302


def test_a_deal_thrown_in_while_something_is_announced_is_asked_about(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    posted = form_of(keepers, evening) | {"redeal": "stays"}
    announce(owners)
    page = Page.of(save(keepers, evening, posted), 409)
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
    assert HandInPlay.objects.get().state.get("announcement", "") == "2 spades"


def test_a_correction_can_be_put_back_until_something_else_is_noted(
    owners: Client, keepers: Client, evening: Evening, announce: Callable[..., Any]
):
    announce(owners, game_kontra="1")
    announce(keepers, trump="clubs")
    assert "This replaced:" in Page.of(owners.get(at(evening))).text
    row = HandInPlay.objects.get()
    seen = {"number": "1", "seen": str(row.version)}
    assert owners.post(at(evening, "announce/put-back/"), seen)["Location"] == at(evening)
    row.refresh_from_db()
    assert (row.state["announcement"], row.replaced) == ("2 hearts", None)
    assert owners.post(at(evening, "announce/put-back/"), seen)["Location"] == at(evening, "referee/")
