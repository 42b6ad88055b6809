"""A hand through the referee is the same as the hand typed into the form."""

from random import Random

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests import moves
from tests.factories import evening_of, hand_fields
from tests.selection import first
from tests.views.page import Page
from tests.views.refereeing import Phone, Story


def line_of(client: Client, evening: Evening, number: int) -> list[str]:
    row = Page.of(client.get(f"/sessions/{evening.pk}/")).line(number)
    return [row.text, *(cell.text for cell in row.all("td"))]


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", first(1, range(4)))
def test_a_hand_through_the_referee_is_the_hand_that_would_have_been_typed(
    owners: Client, owner: User, seats: int, seed: int
):
    """The same deal, the same payments, the same line on the sheet: ten hands by chance, at two tables side by side."""
    chance = Random(seed)  # noqa: S311 (chance, and no secret)
    names = ("Anna", "Béla", "Cili", "Dóra")[:seats]
    refereed, typed = evening_of(owner, names), evening_of(owner, names)
    for number in range(1, 11):
        dealer = (number - 1) % seats
        story = Story(Phone(owners, refereed), chance, seats, dealer)
        assert story.play()["HX-Redirect"] == f"/sessions/{refereed.pk}/?saved={number}"
        typed.refresh_from_db()
        response = owners.post(f"/sessions/{typed.pk}/hands/new/", hand_fields(typed, **story.typed))
        assert response.status_code == 302, story.typed
        first, second = refereed.hands.get(number=number), typed.hands.get(number=number)
        assert (first.dealer, first.declarer, first.deal) == (second.dealer, second.declarer, second.deal)
        paid = [list(hand.entries.values_list("seat", "against", "amount")) for hand in (first, second)]
        assert paid[0] == paid[1]
        assert line_of(owners, refereed, number) == line_of(owners, typed, number)
    assert moves.latest(refereed) is None
    assert (
        Page.of(owners.get(f"/sessions/{refereed.pk}/")).balances
        == Page.of(owners.get(f"/sessions/{typed.pk}/")).balances
    )
