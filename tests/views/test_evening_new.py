"""Start an evening: players, seats, stake."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from sessions_app.models import Evening, Role, User
from tests.factories import evening_of
from tests.selection import first
from tests.views.page import HTMX_SESSION_FORM, Page, session_form

URL = "/sessions/new/"


def fields(**changed: Any) -> dict[str, str]:
    posted = {
        "token": uuid4(),
        "player_1": "Anna",
        "player_2": "Béla",
        "player_3": "Cili",
        "player_4": "",
        "first_dealer": "2",
        "stake": "10",
        "currency": "HUF",
    } | changed
    return {name: str(value) for name, value in posted.items() if value is not None}


def names_of(evening: Evening) -> list[str]:
    return [seat.player.name for seat in evening.seats.all()]


def test_the_open_form_has_four_seats_the_first_dealing_and_a_token(strangers: Client):
    page = Page.of(strangers.get(URL))
    form = session_form(page)
    assert form["token"]
    assert form["first_dealer"] == "1"
    assert [form[f"player_{seat}"] for seat in range(1, 5)] == [""] * 4
    assert form["currency"] == "HUF"
    assert form["stake"] == ""
    assert "Start" in page.buttons
    assert page.one("form", id="session-form").attrs["action"] == URL


def test_a_stranger_becomes_a_guest_and_owns_the_table_he_made(strangers: Client):
    response = strangers.post(URL, fields())
    evening, user = Evening.objects.get(), User.objects.get()
    assert response.status_code == 302
    assert response["Location"] == f"/sessions/{evening.pk}/"
    assert user.is_guest
    assert not user.has_usable_password()
    assert evening.circle.members.get().user == user
    assert evening.circle.members.get().role == Role.OWNER
    assert int(response.cookies["sessionid"]["max-age"]) == 365 * 24 * 3600
    assert strangers.get(response["Location"]).status_code == 200


def test_session_starts_as_typed(strangers: Client):
    strangers.post(URL, fields(player_4="Dóra", stake="0.5", currency="EUR", first_dealer="4"))
    evening = Evening.objects.get()
    assert names_of(evening) == ["Anna", "Béla", "Cili", "Dóra"]
    assert (evening.stake, evening.currency, evening.first_dealer) == (Decimal("0.5"), "EUR", 3)


def test_the_same_form_twice_makes_one_session(strangers: Client):
    posted = fields()
    first, second = strangers.post(URL, posted), strangers.post(URL, posted)
    assert first["Location"] == second["Location"]
    assert Evening.objects.count() == 1
    assert User.objects.count() == 1


def test_somebody_else_s_token_opens_nothing_of_his(outsiders: Client, evening: Evening):
    """A token is no key: knowing one gives no way into the session it made, and no 500 either."""
    response = outsiders.post(URL, fields(token=evening.token))
    assert response.status_code in (302, 409, 422)
    assert f"/sessions/{evening.pk}/" not in response.headers.get("Location", "")
    assert outsiders.get(f"/sessions/{evening.pk}/").status_code == 404


def test_two_taps_of_a_stranger_that_cross_on_the_way_are_no_error(client_of: Callable[..., Client], db: None):
    """Neither request has the cookie yet that the other's answer brings."""
    posted = fields()
    answers = [client_of(None).post(URL, posted) for _tap in range(2)]
    assert answers[0].status_code == 302
    assert answers[1].status_code in (302, 409, 422)


@pytest.mark.parametrize("headers", first(1, [{}, HTMX_SESSION_FORM]))
def test_a_tapped_name_takes_the_first_empty_seat_and_leaves_the_rest(
    owners: Client, evening: Evening, headers: dict[str, str]
):
    posted = fields(player_1="Zoé", player_2="", player_3="", arrange="pick:Béla", stake="7")
    page = Page.of(owners.post(URL, posted, headers=headers))
    form = session_form(page)
    assert page.is_whole is not bool(headers)
    assert (form["player_1"], form["player_2"], form["player_3"]) == ("Zoé", "Béla", "")
    assert (form["first_dealer"], form["stake"], form["token"]) == ("2", "7", posted["token"])
    assert [button.text for button in page.of_class("chip")] == ["Anna", "Cili"]
    assert Evening.objects.count() == 1


@pytest.mark.parametrize(
    ("seat", "order", "dealer", "deals_then"),
    [
        ("2", ["Béla", "Anna", "Cili", "Dóra"], "2", "1"),
        ("3", ["Anna", "Cili", "Béla", "Dóra"], "2", "3"),
        ("4", ["Anna", "Béla", "Dóra", "Cili"], "2", "2"),
    ],
)
def test_a_player_moves_one_seat_up_and_the_deal_goes_with_whom_it_is(
    strangers: Client, seat: str, order: list[str], dealer: str, deals_then: str
):
    posted = fields(player_4="Dóra", first_dealer=dealer, arrange=f"up:{seat}")
    form = session_form(Page.of(strangers.post(URL, posted)))
    assert [form[f"player_{n}"] for n in range(1, 5)] == order
    assert form["first_dealer"] == deals_then
    assert not User.objects.exists()


@pytest.mark.parametrize("who", ["owner", "keeper", "viewer", "outsider", "stranger"])
def test_a_wrong_form_comes_back_to_anybody_as_page_and_as_part(
    cast: dict[str, Client], evening: Evening, written: Callable[[], dict[str, Any]], who: str
):
    before = written()
    posted = fields(player_2="", stake="5")
    plain = cast[who].post(URL, posted)
    part = cast[who].post(URL, posted, headers=HTMX_SESSION_FORM)
    assert (plain.status_code, part.status_code) == (422, 422)
    for response, whole in ((plain, True), (part, False)):
        page = Page.of(response)
        assert page.is_whole is whole
        assert page.error("player_2") == "Enter a name."
        assert session_form(page).items() >= posted.items()
    assert written() == before


@pytest.mark.usefixtures("uncounted")
def test_starting_costs_the_same_at_a_table_of_many_evenings(
    owners: Client, owner: User, evening: Evening, django_assert_max_num_queries: Callable[..., object]
):
    for _ in range(5):
        evening_of(owner)
    with django_assert_max_num_queries(16):
        owners.post(URL, fields())
