"""Pushes of chips: after a hand, on its page, after a correction, and at the end."""

import pytest
from django.test import Client

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import record
from tests.views.page import Node, Page, at, saved
from tests.views.tarokk_hands import form, new, started


@pytest.fixture
def evening(evening: Evening) -> Evening:
    """Paid in chips; Anna deals first."""
    Evening.objects.update(in_chips=True)
    evening.refresh_from_db()
    return evening


def pushes(node: Node) -> list[str]:
    return [push.text for push in node.nodes() if "data-push" in push.attrs]


def told(client: Client, evening: Evening) -> Node:
    """The pushes of the latest hand, as every phone is shown them."""
    return Page.of(client.get(at(evening))).one("div", id="chips")


TO_BELA = ["Anna pushes 6 chips to Béla", "Cili pushes 6 chips to Béla"]
BACK = ["Béla pushes 6 chips back to Anna", "Béla pushes 6 chips back to Cili"]


def test_pushes_of_a_hand_are_shown_on_every_phone_and_go_back_with_it(
    owners: Client, viewers: Client, owner: User, evening: Evening
):
    assert told(viewers, evening).text == "Paid in chips after each hand: a chip is a point."
    record(evening, owner, "2H 7", declarer=1)
    for client in (owners, viewers):
        part = told(client, evening)
        assert part.text.startswith("Hand 1")
        assert pushes(part) == TO_BELA
        assert [each.attrs["data-push"] for each in part.all("li")] == ["0>1 6", "2>1 6"]
    assert pushes(Page.of(viewers.get(at(evening, "live/?v=1"))).one("div", id="chips")) == TO_BELA
    undone = Page.of(owners.get(saved(owners.post(at(evening, "hands/1/void/"), {"sheet": "1"}))))
    assert (pushes(undone.of_class("undo")[0]), pushes(undone.one("div", id="chips"))) == (BACK, [])
    again = Page.of(owners.get(saved(owners.post(at(evening, "hands/1/restore/"), {"sheet": "1"}))))
    assert pushes(again.of_class("undo")[0]) == pushes(again.one("div", id="chips")) == TO_BELA
    record(evening, owner, "2H 7", declarer=1)
    assert pushes(Page.of(viewers.get(at(evening))).one("div", id="news")) == []
    ledger.void(evening.pk, 1, by=owner)
    assert pushes(Page.of(viewers.get(at(evening))).one("div", id="news")) == BACK


def test_correction_says_what_has_to_be_pushed_back_or_more(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)  # Anna and Cili push 6 to Béla
    ledger.amend(evening.pk, 1, facts=Facts(0, 1, "2H 6-3-2"), by=owner)
    page = Page.of(owners.get(at(evening, "hands/1/")))
    back = ["Béla pushes 2 chips back to Anna", "Béla pushes 2 chips back to Cili"]
    assert pushes(page.of_class("to-make-up")[0]) == back
    assert pushes(page.of_class("history")[0].all("li")[0]) == back
    ledger.amend(evening.pk, 1, facts=Facts(0, 1, "2H 8"), by=owner)
    page = Page.of(owners.get(at(evening, "hands/1/")))
    assert pushes(page.of_class("to-make-up")[0]) == ["Anna pushes 4 chips to Béla", "Cili pushes 4 chips to Béla"]


def test_later_hands_that_are_counted_again_are_part_of_it(owners: Client):
    evening = started(owners, rules="after_throw_in=double")
    owners.post(new(evening), form(evening, redeal="stays", declarer=""))
    for _hand in range(2):
        owners.post(new(evening), form(evening, "2+2 61"))  # twice: −4 4 −4 4
    Evening.objects.update(in_chips=True)
    undone = Page.of(owners.get(saved(owners.post(at(evening, "hands/1/void/"), {"sheet": "1"}))))
    moved = pushes(undone.of_class("undo")[0])
    assert moved
    assert all("back to" in push for push in moved)
    assert pushes(Page.of(owners.get(at(evening, "hands/1/"))).of_class("to-make-up")[0]) == moved
    later = Page.of(owners.get(at(evening, "hands/2/")))
    assert later.of_class("to-make-up") == []
    assert [push for entry in later.of_class("history") for push in pushes(entry)] == [], "the cause says it"


def test_without_chips_no_page_speaks_of_them(owners: Client, owner: User, evening: Evening):
    Evening.objects.update(in_chips=False)
    record(evening, owner, "2H 7", declarer=1)
    ledger.void(evening.pk, 1, by=owner)
    for rest in ("", "?saved=1", "hands/1/", "settle/"):
        assert "chip" not in Page.of(owners.get(at(evening, rest))).text, rest


def test_the_settlement_says_that_it_was_paid_and_suggests_nothing(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    for _once in range(2):
        page = Page.of(owners.get(at(evening, "settle/")))
        assert page.balances == {0: -6, 1: 12, 2: -6}
        assert page.one("section", aria_labelledby="payments").text == (
            "Payments Paid hand by hand, in chips: nothing is left to pay."
        )
        assert page.of_class("transfers") == []
        text = page.one("textarea").text
        assert "Béla: +12" in text
        assert text.endswith("Paid hand by hand, in chips: nothing is left to pay.")
        assert "→" not in text
        evenings.end(evening.pk)
