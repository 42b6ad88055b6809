"""'Whose phone is this?': asked once, on the phone that started the evening."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, Member, Player, Role
from sessions_app.writers import evenings
from tests.factories import MemberFactory
from tests.views.page import Page
from tests.views.test_evening_new import fields

ASKED = "Whose phone is this?"


@pytest.fixture
def begun(strangers: Client) -> str:
    """The page of an evening that this phone has just begun."""
    return str(strangers.post("/sessions/new/", fields())["Location"])


def test_the_phone_that_made_it_is_asked_and_says_who_it_is(strangers: Client, begun: str):
    page = Page.of(strangers.get(begun))
    form = page.form(f"{begun}members/me/")
    assert ASKED in page.text
    assert [button.text for button in form.all("button")] == ["Anna", "Béla", "Cili", "None of us", "Don't ask"]
    bela = Player.objects.get(name="Béla")
    assert form.one("button", value=str(bela.pk)).attrs["name"] == "player"
    answer = strangers.post(f"{begun}members/me/", {"player": str(bela.pk), "session": "1"})
    assert answer["Location"] == begun
    assert Member.objects.get().player == bela
    assert ASKED not in Page.of(strangers.get(begun)).text


@pytest.mark.parametrize("said", [{"player": ""}, {"ask_no_more": "1"}])
def test_nobody_s_or_waved_away_it_is_never_asked_again(strangers: Client, begun: str, said: dict[str, str]):
    assert strangers.post(f"{begun}members/me/", {"session": "1"} | said)["Location"] == begun
    assert Member.objects.get().player is None
    strangers.post("/sessions/new/", fields())
    for evening in Evening.objects.all():
        assert ASKED not in Page.of(strangers.get(f"/sessions/{evening.pk}/")).text


def test_waving_it_away_takes_no_name_from_the_phone(strangers: Client, begun: str):
    """It may have been given one on another page meanwhile."""
    strangers.post(f"{begun}members/me/", {"player": str(Player.objects.get(name="Béla").pk)})
    strangers.post(f"{begun}members/me/", {"session": "1", "ask_no_more": "1"})
    assert Member.objects.get().player == Player.objects.get(name="Béla")


def test_a_live_part_asks_as_the_page_does(strangers: Client, begun: str):
    assert ASKED in Page.of(strangers.get(f"{begun}live/")).text


@pytest.mark.parametrize("role", [Role.KEEPER, Role.VIEWER])
def test_no_other_phone_is_asked(client_of: Callable[..., Client], begun: str, role: Role):
    other = MemberFactory(circle=Evening.objects.get().circle, role=role).user
    assert ASKED not in Page.of(client_of(other).get(begun)).text


def test_who_opens_a_demo_is_not_asked_which_of_its_people_he_is(strangers: Client):
    strangers.post("/demo/")
    evening = Evening.objects.latest("pk")
    evenings.reopen(evening.pk)
    assert ASKED not in Page.of(strangers.get(f"/sessions/{evening.pk}/")).text
