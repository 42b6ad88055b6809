"""The hand form, announcements and the referee after players came and went."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import lineup
from tests.factories import hand_fields, record
from tests.views.page import Page, hand_form, saved

pytestmark = pytest.mark.django_db


@pytest.fixture
def changed(evening: Evening, owner: User, people: Callable[..., None]) -> Evening:
    """Anna, Béla and Cili have played a hand; then Dóra sat down after Béla, and Anna went home."""
    record(evening, owner)
    people(evening)
    evening.refresh_from_db()
    assert evening.sitting == (1, 3, 2)
    return evening


@pytest.fixture
def people(owner: User) -> Callable[[Evening], None]:
    def come_and_go(evening: Evening) -> None:
        evening.refresh_from_db()
        lineup.join(evening.pk, "Dóra", 1, seen=evening.seating, by=owner)
        evening.refresh_from_db()
        lineup.leave(evening.pk, 0, seen=evening.seating, by=owner)

    return come_and_go


def offered(page: Page, name: str) -> list[str]:
    return [field.attrs["value"] for field in page.all("input", name=name)]


def fields(evening: Evening, **said: Any) -> dict[str, str]:
    return hand_fields(evening, seating=evening.seating, **said)


def test_only_those_who_sit_are_offered_and_the_deal_goes_round_among_them(owners: Client, changed: Evening):
    page = Page.of(owners.get(f"/sessions/{changed.pk}/hands/new/"))
    assert offered(page, "declarer") == offered(page, "dealer") == ["1", "2", "3"]
    [chosen] = [field for field in page.all("input", name="dealer") if "checked" in field.attrs]
    assert chosen.attrs["value"] == "1", "Anna dealt, and Béla is the next"
    assert [field.attrs["data-next"] for field in page.all("input", name="dealer")] == ["3", "1", "2"]


OUTBOX = {"Accept": "application/json"}


@pytest.fixture
def sent(evening: Evening) -> dict[str, str]:
    """A hand that Anna, who deals, plays alone against the two others; she goes home after it."""
    return fields(evening, dealer="0", declarer="0")


def test_a_hand_whose_answer_was_lost_is_known_though_somebody_has_gone_home_since(
    owners: Client, evening: Evening, sent: dict[str, str], people: Callable[..., None]
):
    new = f"/sessions/{evening.pk}/hands/new/"
    assert owners.post(new, sent).status_code == 302
    people(evening)
    assert owners.post(new, sent, headers=OUTBOX).json() == {"number": 1}
    assert saved(owners.post(new, sent)) == f"/sessions/{evening.pk}/?saved=1"
    other = owners.post(new, sent | {"tricks": "8"}, headers=OUTBOX)
    assert (other.status_code, other.json()["next_number"]) == (409, 2)
    assert evening.hands.count() == 1


@pytest.mark.parametrize("declarer", ["0", "1"])
def test_a_hand_of_the_table_as_it_was_before_asks_who_played_and_says_what_to_do(
    owners: Client,
    evening: Evening,
    owner: User,
    sent: dict[str, str],
    people: Callable[..., None],
    declarer: str,
):
    record(evening, owner)
    people(evening)
    new = f"/sessions/{evening.pk}/hands/new/"
    sent |= {"number": "2", "declarer": declarer, "line": "1C 9 K"}
    answer = owners.post(new, sent, headers=OUTBOX)
    assert answer.status_code == 409
    assert answer.json()["sentence"].startswith("Somebody came or left meanwhile")
    answer = owners.post(new, sent)
    page = Page.of(answer)
    assert answer.status_code == 409
    assert answer.context["refused"].endswith("save the hand, then change the seats again.")
    again = hand_form(page)
    assert {name: again.get(name) for name in ("contract", "trump", "tricks", "game_kontra", "declarer", "line")} == {
        "contract": "1",
        "trump": "clubs",
        "tricks": "9",
        "game_kontra": "1",
        "declarer": None,
        "line": "",
    }
    assert owners.post(new, again | {"declarer": "3"}).status_code == 302
    assert evening.hands.get(number=2).deal == "1C 9 K"
