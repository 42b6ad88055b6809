"""The home page: continue, start, look back."""

from collections.abc import Callable
from decimal import Decimal
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, Member, Role, User
from sessions_app.words.formatting import day
from sessions_app.writers import evening_edit, evenings
from tests.factories import evening_of, record
from tests.views.page import HTMX_BODY, Page, filled


def test_the_very_first_visit_says_what_this_is_and_offers_the_demo(strangers: Client):
    page = Page.of(strangers.get("/"))
    assert "Strigula works out who owes whom" in page.text
    assert "See it at work" in page.buttons
    assert page.form("/demo/").attrs["method"] == "post"
    assert page.links["New session"] == "/sessions/new/"
    assert page.links["Past sessions"] == "/sessions/"
    assert "Same players as last time" not in page.buttons
    assert page.text.endswith(f"Strigula {settings.VERSION}")


@pytest.mark.parametrize("headers", [{}, HTMX_BODY], ids=["plain", "htmx"])
def test_a_first_visit_draws_an_evening_and_says_it_in_words(strangers: Client, headers: dict[str, str]):
    drawing = Page.of(strangers.get("/", headers=headers)).one("svg", role="img")
    assert " ".join(drawing.attrs["aria-label"].split()) == (
        "A card table. Kata +18, Miki +6, Zoli −24. Hand 8: Miki 2 hearts +1, kontra ×2. "
        "Miki +24 · Kata −12 · Zoli −12. Kata deals next."
    )
    assert [text.text for text in drawing.all("text")] == [
        "Hand 8", "Miki 2", "+1", "kontra ×2 · +24", "Kata", "+18", "Miki", "+6", "Zoli", "−24",
    ]  # fmt: skip


def test_the_running_session_stands_on_top_with_its_balances(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    page = Page.of(owners.get("/"))
    assert page.links["Continue"] == f"/sessions/{evening.pk}/"
    assert page.balances == {0: 12, 1: -6, 2: -6}
    assert page.html.index("Continue") < page.html.index("New session")
    assert "See it at work" not in page.buttons


def test_two_running_sessions_are_both_there_the_latest_first(owners: Client, owner: User, evening: Evening):
    other = evening_of(owner)
    page = Page.of(owners.get("/"))
    assert page.links["Continue"] == f"/sessions/{other.pk}/"
    assert len(page.of_class("running")) == 1, "the others are lines, by their hours"
    [line] = page.of_class("card")
    assert line.one("a").attrs["href"] == f"/sessions/{evening.pk}/"
    began = timezone.localtime(evening.started_at)
    assert line.of_class("when")[0].text == f"Asszorti · {day(began)}, {began:%H:%M} running"


def test_home_shows_five_past_sessions_and_a_way_to_all(owners: Client, owner: User):
    for _ in range(7):
        evenings.end(evening_of(owner).pk)
    page = Page.of(owners.get("/"))
    assert len(page.of_class("card")) == 5
    assert page.links["All past sessions"] == "/sessions/"


def test_a_member_of_one_circle_sees_how_its_players_stand(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    page = Page.of(owners.get("/"))
    circle = page.one("section", aria_labelledby="circle")
    assert circle.one("h2", id="circle").one("a").attrs["href"] == f"/circles/{evening.circle_id}/"
    assert [node.text for node in circle.of_class("name")][:3] == ["Béla", "Anna", "Cili"]
    assert [node.attrs["data-value"] for node in circle.all("a", data_measure="points")] == ["12", "-6", "-6"]
    assert [node.attrs["data-value"] for node in circle.all("a", data_measure="money")] == ["120", "-60", "-60"]
    assert circle.one("a", href=f"/circles/{evening.circle_id}/statistics/").text == "Statistics"
    year = timezone.localdate(evening.started_at).year
    assert circle.one("a", href=f"/circles/{evening.circle_id}/years/{year}/").text == f"The year {year}"


def test_each_of_several_circles_is_one_tap_away_and_namesakes_are_told_apart(
    owners: Client, owner: User, evening: Evening
):
    assert not Page.of(owners.get("/")).all("nav", aria_label="Circles"), "the only one is shown itself"
    others = [evenings.new_circle(owner) for _one in range(7)]
    for number, circle in enumerate(others):
        Circle.objects.filter(pk=circle.pk).update(name="Club" if number < 2 else f"Circle {number}")
        evenings.start(evenings.Opening(("Dóra", "Ede", f"F{number}"), 0), token=uuid4(), by=owner, circle=circle)
    Circle.objects.filter(pk=others[-1].pk).update(archived_at=timezone.now())
    page = Page.of(owners.get("/"))
    links = page.one("nav", aria_label="Circles").all("a")
    assert [link.attrs["href"] for link in links] == [
        f"/circles/{pk}/" for pk in sorted([evening.circle_id, *(circle.pk for circle in others[:-1])], reverse=True)
    ]
    assert [link.text for link in links[-3:]] == ["Club Dóra, Ede, F1", "Club Dóra, Ede, F0", "Anna, Béla, Cili"]
    assert page.html.index("Continue") < page.html.index(links[0].text) < page.html.index("New session")


def test_home_lists_the_first_five_players_of_a_large_circle(owners: Client, owner: User, evening: Evening):
    for names in (("Anna", "Béla", "Cili"), ("Dóra", "Ede", "Feri"), ("Gabi", "Hugó", "Ida")):
        played = evenings.start(evenings.Opening(names, 0), token=uuid4(), by=owner, circle=evening.circle)
        record(played, owner, "2H 7", declarer=0)
    home = Page.of(owners.get("/")).one("section", aria_labelledby="circle")
    assert len(home.all("a", data_measure="points")) == 5
    assert len(Page.of(owners.get(f"/circles/{evening.circle_id}/")).all("a", data_measure="points")) == 9


def test_the_same_players_sit_down_again_in_one_tap(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    evenings.end(evening.pk)
    form = Page.of(owners.get("/")).form("/sessions/new/")
    assert form.one("button").text == "Same players as last time"
    assert form.one("p", id=form.one("button").attrs["aria-describedby"]).text == "Asszorti · Anna, Béla, Cili"
    response = owners.post("/sessions/new/", filled(form))
    again = Evening.objects.latest("pk")
    assert response.status_code == 302
    assert response["Location"] == f"/sessions/{again.pk}/"
    assert again.circle == evening.circle
    assert [seat.player.name for seat in again.seats.all()] == ["Anna", "Béla", "Cili"]
    assert (again.stake, again.currency) == (Decimal(10), "HUF")
    assert again.first_dealer == 1, "who would have dealt next deals first"


def test_only_those_who_still_sit_there_are_named_and_sit_down_again(
    owners: Client, owner: User, evening_of_four: Evening
):
    record(evening_of_four, owner, "2H 7")
    evening_edit.leave_lineup(evening_of_four.pk, 1, by=owner)
    Evening.objects.filter(pk=evening_of_four.pk).update(game_key="preference")
    form = Page.of(owners.get("/")).form("/sessions/new/")
    assert form.one("p").text == "Preference · Anna, Cili, Dóra"
    assert [filled(form)[f"player_{seat}"] for seat in (1, 2, 3)] == ["Anna", "Cili", "Dóra"]


@pytest.mark.parametrize("language", ["en", "hu"])
def test_a_stake_of_part_of_a_coin_is_taken_over_in_either_language(
    client_of: Callable[..., Client], owner: User, language: str
):
    evening_of(owner, stake=Decimal("0.05"), currency="EUR")
    phone = client_of(owner)
    phone.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    response = phone.post("/sessions/new/", filled(Page.of(phone.get("/")).form("/sessions/new/")))
    assert response.status_code == 302
    assert Evening.objects.latest("pk").stake == Decimal("0.05")


def test_an_outsider_s_memberships_do_not_mix_with_the_table_s(outsiders: Client, evening: Evening):
    """Joining as a viewer shows the evening, and offers nothing to write with it."""
    user = User.objects.get(pk=outsiders.session["_auth_user_id"])
    Member.objects.create(circle=evening.circle, user=user, role=Role.VIEWER)
    page = Page.of(outsiders.get("/"))
    assert f"/sessions/{evening.pk}/" in page.html
    filled_in = filled(page.form("/sessions/new/"))
    outsiders.post("/sessions/new/", filled_in)
    assert Evening.objects.latest("pk").circle != evening.circle
