"""'Another game': the next evening of the same players in two taps."""

from decimal import Decimal

import pytest
from django.test import Client

from sessions_app.models import Evening, Role, User
from sessions_app.writers import evenings
from tests.factories import evening_of, record, started
from tests.selection import first
from tests.toy.playing import toy_evening
from tests.views.page import HTMX_SESSION_FORM, Page, session_form

pytestmark = pytest.mark.usefixtures("toy")

NEW = "/sessions/new/"
NAME = "Another game"


def next_of(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/next/"


def players(form: dict[str, str]) -> list[str]:
    return [form[name] for name in sorted(form) if name.startswith("player_") and form[name]]


def test_two_taps_start_the_other_game_with_the_same_people(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    link = Page.of(owners.get(f"/sessions/{evening.pk}/")).links[NAME]
    assert link == next_of(evening)
    page = Page.of(owners.get(link))
    form = session_form(page)
    assert page.links["The session"] == f"/sessions/{evening.pk}/"
    assert (form["game"], players(form), form["stake"], form["currency"]) == (
        "preference",
        ["Anna", "Béla", "Cili"],
        "10",
        "HUF",
    )
    response = owners.post(NEW, form)
    another = Evening.objects.latest("pk")
    assert response["Location"] == f"/sessions/{another.pk}/"
    assert (another.game_key, another.circle, another.stake) == ("preference", evening.circle, Decimal(10))
    assert [seat.player.name for seat in another.seats.all()] == ["Anna", "Béla", "Cili"]
    assert another.first_dealer == 1, "who would have dealt next deals first"
    evening.refresh_from_db()
    assert not evening.has_ended, "evenings are independent"


def test_next_game_of_five_is_the_same_again(owners: Client, owner: User):
    names = ("Anna", "Béla", "Cili", "Dóra", "Emil")
    five = started(evenings.Opening(names, 3, game_key="tarokk", rules="ladder=4"), by=owner)
    form = session_form(Page.of(owners.get(next_of(five))))
    assert (form["game"], form["rules_ladder"], form["first_dealer"]) == ("tarokk", "4", "4")
    assert players(form) == [*names]


def test_another_game_is_offered_once_a_session_has_ended(owners: Client, evening: Evening):
    settle = f"/sessions/{evening.pk}/settle/"
    assert NAME not in Page.of(owners.get(settle)).links
    evenings.end(evening.pk)
    for path in (settle, f"/sessions/{evening.pk}/"):
        assert Page.of(owners.get(path)).links[NAME] == next_of(evening)


# --- Which game, in the form of all ---


@pytest.mark.parametrize(("game", "is_said"), [("asszorti", False), ("toy", True)])
def test_which_way_the_deal_goes_is_said_where_it_is_not_that_of_the_seats(
    owners: Client, evening: Evening, game: str, is_said: bool
):
    said = "tap who deals first · the deal goes right"
    form = session_form(Page.of(owners.get(NEW))) | {"game": game, "arrange": "game"}
    assert (said in Page.of(owners.post(NEW, form)).text) is is_said
    begun = evening_of(evening.circle.members.get(role=Role.OWNER).user)
    Evening.objects.filter(pk=begun.pk).update(game_key=game)
    assert (said in Page.of(owners.get(f"/sessions/{begun.pk}/edit/")).text) is is_said


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_SESSION_FORM]), ids=["plain", "htmx"])
def test_another_game_brings_its_seats_and_the_house_rules_of_its_last_evening(
    owners: Client, owner: User, evening_of_four: Evening, headers: dict[str, str]
):
    toy_evening(owner, "plain most=8")
    opened = session_form(Page.of(owners.get(NEW))) | {"player_1": "Zoé", "stake": "7"}
    assert (opened["game"], opened["shown_game"], opened["rules_most"]) == ("toy", "toy", "8")
    page = Page.of(owners.post(f"{NEW}?arrange", opened | {"game": "asszorti"}, headers=headers))
    form = session_form(page)
    assert (form["shown_game"], form["player_1"], form["stake"], form["rules_ladder"]) == ("asszorti", "Zoé", "7", "5")
    assert "player_4" in form
    back = session_form(Page.of(owners.post(f"{NEW}?arrange", form | {"game": "toy"}, headers=headers)))
    assert (back["rules_most"], back["rules_doubled"], "player_4" in back) == ("8", "no", False)


def test_rules_chosen_for_one_game_are_not_taken_for_another(owners: Client, owner: User):
    """Without scripts nobody has seen the other game's rules: they are the book's."""
    posted = {"player_1": "Anna", "player_2": "Béla", "player_3": "Cili", "first_dealer": "1", "game": "toy"}
    owners.post(NEW, posted | {"shown_game": "asszorti", "rules_most": "3"})
    assert Evening.objects.latest("pk").rules == ""
    owners.post(NEW, posted | {"shown_game": "asszorti", "rules": "most=3"})
    assert Evening.objects.latest("pk").rules == "most=3"
