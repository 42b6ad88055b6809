"""The referee of each game, tapped at random: whatever it offers is taken, and comes to a hand or to the form."""

from random import Random
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Hand, User
from sessions_app.writers.evenings import Opening, start
from tests.selection import first
from tests.views.page import Node, Page, filled
from tests.views.refereeing import HTMX_REFEREE, Phone

#: Moves that take the hand forward; the others take it back or correct it.
FORWARD = ("call", "declarer", "announce", "say", "trick", "claim", "stands", "dispute", "concede", "honour")
NAMES = ("Anna", "Béla", "Cili", "Dóra")
GAMES = [
    ("asszorti", 3, ""),
    ("asszorti", 4, ""),
    ("tarokk", 4, ""),
    ("preference", 3, "leningrad give_up=3"),
    ("preference", 4, "sochi ten=checked"),
]


def offered(page: Page) -> list[Node]:
    forms = [form for form in page.all("form", method="post") if "/referee/" in form.attrs["action"]]
    return [form for form in forms if form.attrs["action"].split("/")[-2] in FORWARD]


def chosen(form: Node, chance: Random) -> dict[str, str]:
    """The fields of the form with one of its buttons and one of each group of radios tapped."""
    choices: dict[str, list[str]] = {}
    for node in form.nodes():
        if "name" in node.attrs and (node.tag == "button" or node.attrs.get("type") == "radio"):
            choices.setdefault(node.attrs["name"], []).append(node.attrs["value"])
    return filled(form) | {name: chance.choice(values) for name, values in choices.items()}


@pytest.mark.parametrize("seed", first(2, range(8)))
@pytest.mark.parametrize(("game", "seats", "rules"), GAMES)
def test_every_move_that_a_referee_offers_is_taken(
    owners: Client, owner: User, game: str, seats: int, rules: str, seed: int
):
    chance = Random(seed)  # noqa: S311  cards, not keys
    evening = start(Opening(NAMES[:seats], 0, game_key=game, rules=rules), token=uuid4(), by=owner)
    phone = Phone(owners, evening)
    for _move in range(120):
        forms = offered(phone.page)
        if not forms:
            break
        form = chance.choice(forms)
        response = owners.post(form.attrs["action"], chosen(form, chance), headers=HTMX_REFEREE)
        assert response.status_code == 200, (form.attrs["action"], Page.of(response).text)
        phone.page = Page.of(response)
    finish = phone.page.all("form", action=f"{phone.url}finish/")
    if not finish:
        assert game == "tarokk", "which is finished in the form"
        return
    response = owners.post(finish[0].attrs["action"], chosen(finish[0], chance), headers=HTMX_REFEREE)
    assert response.status_code in (200, 422)
    assert Hand.objects.exists() is ("HX-Redirect" in response)
