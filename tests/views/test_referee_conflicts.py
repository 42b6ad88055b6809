"""Conflicts of two phones that referee one hand, or of which one saves it by the form."""

from collections.abc import Callable
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Hand, User
from sessions_app.views.hand_form.referee import signer_of
from sessions_app.writers.evenings import Opening, start
from tests.factories import evening_of
from tests.views.page import filled
from tests.views.refereeing import TWO_HEARTS, Phone, RefereePhone, form_of, preference
from tests.views.test_conflicts import DEAL, save


class Played(NamedTuple):
    """A hand in play on two phones, and how each of them finishes it."""

    phones: tuple[Phone, Phone]
    finished: tuple[dict[str, str], dict[str, str]]
    deals: tuple[str, str]
    differs: str


def asszorti_split(owners: Client, keepers: Client, evening: Evening) -> Played:
    """Béla has won six tricks, and his opponents have not said who has won the others."""
    phone = Phone(owners, evening)
    phone.tap("declarer", seat="1")
    phone.tap("announce", **TWO_HEARTS, announced="")
    for _trick in range(6):
        phone.tap("trick", seat="1")
    phone.tap("concede")
    deals = ("2H 6-5-0", "2H 6-2-3")
    return Played((phone, Phone(keepers, evening)), ({"split": "5"}, {"split": "2"}), deals, "Split 5 : 0 ↔ 2 : 3")


def preference_tricks(owners: Client, keepers: Client, evening: Evening) -> Played:
    made = preference(evening.circle.members.get(role="owner").user, evening.circle, "", (), 3)
    phone = RefereePhone(owners, made).say("7H", "pass", "pass", "7H", "whist", "pass")
    return Played(
        (phone, Phone(keepers, made)), ({"tricks": "6"}, {"tricks": "7"}), ("7H wp 6", "7H wp 7"), "6 tricks ↔ 7 tricks"
    )


def tarokk_proba(owners: Client, keepers: Client, evening: Evening) -> Played:
    """The keeper's page is that of four passes, of which the owner has taken the last one back since."""
    owner = evening.circle.members.get(role="owner").user
    opening = Opening(("Anna", "Béla", "Cili", "Dóra"), 0, game_key="tarokk")
    made = start(opening, token=uuid4(), by=owner, circle=evening.circle)
    phone = Phone(owners, made)
    for call in ("pass", "pass", "pass", "pass"):
        phone.tap("call", call=call)
    slower = Phone(keepers, made)
    phone.tap("uncall")
    phone.tap("call", call="2?")
    return Played((phone, slower), ({"proba": "1"}, {}), ("2?", ""), "Mine: thrown in")


@pytest.mark.parametrize(
    ("played", "answered", "kept"),
    [(asszorti_split, "another", [0, 1]), (preference_tricks, "correct", [1]), (tarokk_proba, "correct", [1])],
)
def test_hand_that_two_referees_finish_differently_is_asked_about(
    owners: Client, keepers: Client, evening: Evening, played: Callable[..., Played], answered: str, kept: list[int]
):
    (first, second), (ends, ends_otherwise), written, differs = played(owners, keepers, evening)
    for _tap in range(2):
        assert first.tap("finish", **ends)["HX-Redirect"].endswith("?saved=1"), "nor when its answer was lost"
    assert second.tap("finish", **ends_otherwise).status_code == 409
    assert [hand.deal for hand in Hand.objects.all()] == [written[0]]
    page = second.page
    assert differs in page.text
    assert not page.is_whole
    assert "data-live" not in page.one(id="referee").attrs
    assert "drop mine" in " ".join(page.links)
    form = page.one("form")
    answer = filled(form) | {answered: page.one("button", name=answered).attrs["value"]}
    for _tap in range(2):
        assert second.client.post(form.attrs["action"], answer).status_code == 302
    assert [hand.deal for hand in Hand.objects.order_by("number")] == [written[each] for each in kept]


def test_finish_refuses_an_open_hand_that_is_signed_for_another_session(
    owners: Client, owner: User, keepers: Client, evening: Evening
):
    (phone, _second), (ends, _otherwise), _written, _differs = asszorti_split(owners, keepers, evening)
    signed = signer_of(evening_of(owner)).sign_object([0, {}])
    assert phone.tap("finish", **ends, shown=signed).status_code == 400
    assert not Hand.objects.exists()


def test_hand_in_play_that_a_form_with_another_token_has_recorded_is_asked_about(
    owners: Client, keepers: Client, evening: Evening
):
    opened_before = form_of(keepers, evening)
    (phone, _second), (ends, _otherwise), _written, _differs = asszorti_split(owners, keepers, evening)
    save(keepers, evening, opened_before | DEAL | {"tricks": "7", "seen": form_of(keepers, evening)["seen"]})
    assert phone.tap("finish", **ends).status_code == 409
    assert "7 tricks ↔ 6 tricks" in phone.page.text
