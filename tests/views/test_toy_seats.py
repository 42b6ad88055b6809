"""A game for four or five players: the toy."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.games.base import Place
from sessions_app.models import Evening, User
from sessions_app.readers.evening import hand_counts
from sessions_app.writers import evenings
from tests.toy.game import GAME
from tests.toy.playing import record
from tests.toy.seating import dealer_marks, seated
from tests.views.page import Page
from tests.views.test_table_view import sides

pytestmark = pytest.mark.usefixtures("toy")

NAMES = ("Anna", "Béla", "Cili", "Dóra", "Edit")


@pytest.fixture(autouse=True)
def four_or_five() -> Iterator[None]:
    with seated(4, 5):
        yield


def evening_of(owner: User, count: int) -> Evening:
    return evenings.start(evenings.Opening(NAMES[:count], 0, game_key=GAME.key), token=uuid4(), by=owner)


def posted(count: int, **said: Any) -> dict[str, str]:
    names = {f"player_{seat}": name for seat, name in enumerate(NAMES[:count], 1)}
    return {"token": str(uuid4()), **names, "first_dealer": "1", "stake": "", "currency": "HUF", "game": "toy"} | said


def test_least_number_of_players_is_asked_for(owners: Client):
    page = Page.of(owners.post("/sessions/new/", posted(3, arrange="")))
    seats = [page.one("input", id=f"player_{seat}").attrs["placeholder"] for seat in range(1, 6)]
    assert seats == ["First player", "Second player", "Third player", "Fourth player", "Fifth (if any)"]
    refused = owners.post("/sessions/new/", posted(3))
    assert refused.status_code == 422
    assert Page.of(refused).errors == ["Enter a name."]
    assert Page.of(refused).error("player_4") == "Enter a name."
    assert not Evening.objects.exists()
    assert owners.get("/").status_code == 200


@pytest.mark.parametrize("count", [4, 5])
def test_an_evening_of_so_many_opens(owners: Client, count: int):
    answer = owners.post("/sessions/new/", posted(count, first_dealer="4"))
    evening = Evening.objects.get()
    assert answer.headers["Location"] == f"/sessions/{evening.pk}/"
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).balances == dict.fromkeys(range(count), 0)


def test_a_table_between_two_that_it_is_played_at_is_refused(owners: Client):
    with seated(3, 5):
        refused = owners.post("/sessions/new/", posted(4))
        assert refused.status_code == 422
        assert Page.of(refused).error("player_4") == "Too many players for this game."
        assert owners.post("/sessions/new/", posted(3)).status_code == 302


def test_five_sit_round_the_phone(owners: Client, owner: User):
    evening = evening_of(owner, 5)
    record(evening, owner, "+3", 1)
    page = Page.of(owners.get(f"/sessions/{evening.pk}/table/"))
    assert sides(page) == [
        ("bottom", "Anna"), ("left", "Béla"), ("top-left", "Cili"), ("top-right", "Dóra"), ("right", "Edit")
    ]  # fmt: skip
    assert page.balances == {0: 0, 1: 9, 2: -3, 3: -3, 4: -3}
    assert len(page.of_class("facing-across")) == 1


@pytest.mark.parametrize(
    ("marks", "amounts"),
    [((), "· 6 -3 -3"), ((3,), "-3 7 -2 -2"), ((3, -3), "0 6 -3 -3")],
    ids=["nothing", "marks", "marks that come to nothing"],
)
def test_dealer_who_sits_out_and_writes_takes_part_in_the_hand(
    owners: Client, owner: User, marks: tuple[int, ...], amounts: str
):
    """Three of the dealer's marks are one of each other's."""
    evening = evening_of(owner, 4)
    with dealer_marks(*marks):
        hand = record(evening, owner, "+3", 1)
    page = Page.of(owners.get(f"/sessions/{evening.pk}/hands/1/"))
    assert page.of_class("hand-card")[0].attrs["data-amounts"] == amounts
    figures = [cell.text for cell in Page.of(owners.get(f"/sessions/{evening.pk}/")).line(1).of_class("amount")]
    assert figures == [words.replace("-", "−") for words in _signed(amounts)]
    deal, place = GAME.deal_from_text("+3"), Place(hand.sitting, hand.dealer, hand.declarer)
    with dealer_marks(*marks):
        counted = hand_counts.count(Evening.objects.get(), deal, place, 4)
    assert counted.amounts == tuple(None if text == "·" else int(text) for text in amounts.split())


def _signed(amounts: str) -> list[str]:
    return [text if text in ("·", "0") else f"{int(text):+d}" for text in amounts.split()]
