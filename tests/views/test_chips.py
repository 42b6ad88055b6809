"""An evening that is paid in chips after each hand: chosen when it starts or later, and kept in its history."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, EveningChange, User
from sessions_app.writers import evenings
from sessions_app.writers.evenings import Opening, start
from tests.factories import evening_of, record
from tests.selection import first
from tests.views.page import Page, filled, session_form

NEW = "/sessions/new/"
HTMX_EDIT = {"HX-Request": "true", "HX-Target": "form#edit-form"}
WAYS = pytest.mark.parametrize("headers", first(1, [{}, HTMX_EDIT]), ids=["plain", "htmx"])
CANNOT = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1", "game": "preference"}


def fields(**changed: Any) -> dict[str, str]:
    posted = {"token": str(uuid4()), "player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1"}
    return posted | {"stake": "10", "currency": "HUF"} | changed


def edit_url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/edit/"


def opened(client: Client, evening: Evening, **changed: Any) -> dict[str, str]:
    return filled(Page.of(client.get(edit_url(evening))).one("form", id="edit-form")) | changed


def is_in_chips(evening: Evening) -> bool:
    evening.refresh_from_db()
    return evening.in_chips


def test_chips_are_offered_beside_the_stake_and_not_chosen(strangers: Client):
    page = Page.of(strangers.get(NEW))
    ways = [(way.attrs["value"], "checked" in way.attrs) for way in page.all("input", name="in_chips")]
    assert ways == [("", True), ("yes", False)]
    assert "chip" not in page.one("details", id="house-rules").text, "it is no house rule"
    named = [node.attrs["name"] for node in page.one("form", id="session-form").nodes() if "name" in node.attrs]
    assert named[named.index("currency") + 1] == "in_chips"
    strangers.post(NEW, session_form(page) | fields())
    assert not Evening.objects.get().in_chips


def test_a_way_that_is_none_is_refused_beside_the_choice(strangers: Client):
    response = strangers.post(NEW, fields(in_chips="beans"))
    assert response.status_code == 422
    page = Page.of(response)
    assert page.one("p", id="error-in_chips").text == "Choose one of the two ways."
    assert "open" not in page.one("details", id="house-rules").attrs
    assert not Evening.objects.exists()


def test_a_game_whose_hands_write_no_payments_is_not_offered_it_and_cannot_have_it(strangers: Client):
    page = Page.of(strangers.post(f"{NEW}?arrange", fields(game="preference", in_chips="yes", rules="")))
    assert not page.all("input", name="in_chips")
    assert "chip" not in page.text.casefold()
    strangers.post(NEW, CANNOT | {"token": str(uuid4()), "in_chips": "yes", "rules_pool": "10"})
    assert not Evening.objects.get().in_chips


def test_the_next_game_of_the_same_players_is_paid_the_same_way(owners: Client, evening_of_four: Evening):
    next_game = f"/sessions/{evening_of_four.pk}/next/"
    assert session_form(Page.of(owners.get(next_game)))["in_chips"] == ""
    Evening.objects.update(in_chips=True)
    assert session_form(Page.of(owners.get(next_game)))["in_chips"] == "yes"


@WAYS
def test_way_of_paying_is_changed_later_and_stands_in_the_history(
    owners: Client, evening: Evening, headers: dict[str, str]
):
    assert opened(owners, evening)["in_chips"] == ""
    owners.post(edit_url(evening), opened(owners, evening, in_chips="yes"), headers=headers)
    assert is_in_chips(evening)
    assert opened(owners, evening)["in_chips"] == "yes"
    [said] = [entry.text for entry in Page.of(owners.get(edit_url(evening))).of_class("history")[0].all("li")]
    assert said.startswith("Way of paying changed")
    assert said.endswith("was: at the end now: in chips")
    owners.post(edit_url(evening), opened(owners, evening, in_chips=""))
    assert not is_in_chips(evening)
    assert [each.kind for each in EveningChange.objects.all()] == ["chips", "chips"]


def test_card_of_a_session_in_chips_says_so_in_every_list(owners: Client, owner: User, evening: Evening):
    record(evening, owner)
    evenings.end(evening.pk)
    player = evening.seats.all()[0].player_id
    lists = ("/", "/sessions/", f"/circles/{evening.circle_id}/", f"/circles/{evening.circle_id}/players/{player}/")

    def tagged() -> list[bool]:
        cards = [Page.of(owners.get(path)).one("li", id=f"session-{evening.pk}") for path in lists]
        return [any(tag.text == "in chips" for tag in card.of_class("tag")) for card in cards]

    assert tagged() == [False] * 4
    Evening.objects.update(in_chips=True)
    assert tagged() == [True] * 4


def test_stale_edit_shows_chips_chosen_meanwhile(owners: Client, keepers: Client, evening: Evening):
    posted = opened(owners, evening, stake="5")
    keepers.post(edit_url(evening), opened(keepers, evening, in_chips="yes"))
    response = owners.post(edit_url(evening), posted)
    assert response.status_code == 409
    form = filled(Page.of(response).one("form", id="edit-form"))
    assert (form["in_chips"], form["stake"]) == ("yes", "5")


def test_no_writer_takes_chips_for_such_a_game(owner: User):
    with pytest.raises(ValueError, match="not paid one by one"):
        start(Opening(("Anna", "Béla", "Cili"), 0, game_key="preference", in_chips=True), token=uuid4(), by=owner)
    assert not Evening.objects.exists()
    assert not evening_of(owner).in_chips
