"""All taps that the hand form allows, in any order, are accepted when it is saved."""

from random import Random
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.faces import face_of
from sessions_app.models import Evening, Hand, User
from sessions_app.readers.evening import hand_counts
from sessions_app.writers.evenings import Opening, start
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.page import Node, Page

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Béla", "Cili", "Dani", "Edit")
HOUSES = [
    ("asszorti", 3, ""),
    ("asszorti", 4, "no_trump_arrivazs=no"),
    ("tarokk", 4, ""),
    ("tarokk", 5, "lone_discards=all tie_47=kontra_needs_48 after_throw_in=double"),
    ("tarokk", 4, "tie_47=last_kontra_loses ladder=3"),
    ("preference", 3, ""),
    ("preference", 4, "stalingrad=yes"),
]
FILLINGS, TAPS = 40, 14
#: Not a key of the deal: a tap there chooses none, or types it.
ASIDE = ("redeal", "another", "announced")


def started(owner: User, game: str, players: int, rules: str) -> Evening:
    return start(Opening(NAMES[:players], 0, game_key=game, rules=rules), token=uuid4(), by=owner)


def fill(page: Node, chance: Random) -> Tapped:
    """A form in which anything that can be was tapped, the way a hand is told or anyhow."""
    tapped = Tapped(page)
    for _ in range(chance.randint(0, TAPS)):
        key = chance.choice([key for key in tapped.enabled if key.name not in ASIDE])
        tapped.tap(key)
        if "points" in tapped.named and not tapped.named["points"][0].is_disabled and chance.randrange(12) == 0:
            tapped.type("points", str(chance.randint(10, 84)))
    tapped.finish(chance)
    return tapped


@pytest.mark.parametrize(("game", "players", "rules"), first_rows(3, HOUSES))
def test_no_filling_of_enabled_keys_is_refused(
    owners: Client, owner: User, game: str, players: int, rules: str
) -> None:
    evening = started(owner, game, players, rules)
    address, form = f"/sessions/{evening.pk}/hands/new/", face_of(evening).form
    chance = Random(18)  # noqa: S311  cards, not keys
    page = Page.of(owners.get(address)).one("form", id="hand-form")
    for _ in range(FILLINGS):
        posted = fill(page, chance).posted
        filled = form.at(evening, list(NAMES[:players]), posted)
        assert filled.is_valid(), (posted, filled.errors)
        hand_counts.count(evening, filled.deal, filled.place, players)
    assert owners.post(address, posted).status_code == 302
    assert Hand.objects.get().deal
