"""When everybody passes, each game goes on from the referee's page, without the hand form."""

from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import User
from sessions_app.writers.evenings import Opening, start
from tests.views.refereeing import Phone

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("game", "players", "passes", "goes_on"),
    [
        # The dealer cannot pass: he names a contract.
        ("asszorti", 3, 2, "announce"),
        ("asszorti", 4, 2, "announce"),
        # Thrown in.
        ("tarokk", 4, 4, "finish"),
        ("tarokk", 5, 4, "finish"),
        # A raspasovka is played; a misdeal is thrown in by the hand form.
        ("preference", 3, 3, "finish"),
        ("preference", 4, 3, "finish"),
    ],
)
def test_all_pass(owners: Client, owner: User, game: str, players: int, passes: int, goes_on: str) -> None:
    opening = Opening(("Anna", "Béla", "Cili", "Dani", "Edit")[:players], 0, game_key=game)
    phone = Phone(owners, start(opening, token=uuid4(), by=owner))
    said = 0
    while "pass" in phone.offered("call", "call"):
        phone.tap("call", call="pass")
        said += 1
    assert said == passes
    assert phone.offers(goes_on)
    assert not phone.offers("call")
