"""The page of a circle: name, leaderboards, latest evenings, house rules and phones."""

from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Circle, Evening, Member, Role, User
from sessions_app.views import circle
from sessions_app.writers import evenings
from tests.factories import evening_of, record
from tests.views.page import HTMX_BODY, Page


def url(evening: Evening, rest: str = "") -> str:
    return f"/circles/{evening.circle_id}/{rest}"


def shown(client: Client, evening: Evening) -> Page:
    return Page.of(client.get(url(evening)))


def figures(page: Page, **which: str) -> list[tuple[str, str, str]]:
    return [
        (node.attrs["data-player"], node.attrs["data-value"], node.attrs["data-of"]) for node in page.all("a", **which)
    ]


def test_viewer_sees_how_the_players_stand(viewers: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=1)
    page = shown(viewers, evening)
    anna, bela, cili = (str(seat.player_id) for seat in evening.seats.all())
    assert figures(page, data_measure="points", data_game="asszorti") == [
        (bela, "12", "1"),
        (anna, "-6", "1"),
        (cili, "-6", "1"),
    ]
    assert figures(page, data_measure="money", data_key="HUF", data_game="all")[0] == (bela, "120", "1")
    assert [node.text for node in page.of_class("rows")[0].of_class("amount")] == ["+12", "−6", "−6"]


def test_the_name_is_offered_from_the_players_until_it_is_given(owners: Client, evening: Evening):
    page = shown(owners, evening)
    assert page.one("h1").text == "Anna, Béla, Cili"
    assert page.one("input", id="name").attrs["value"] == "Anna, Béla, Cili"
    response = owners.post(url(evening, "rename/"), {"name": " Friday  circle "})
    assert (response.status_code, response.headers["Location"]) == (302, url(evening))
    assert shown(owners, evening).one("h1").text == "Friday circle"
    assert Circle.objects.get(pk=evening.circle_id).name == "Friday circle"


def played_in_two_games(evening: Evening, owner: User) -> None:
    """Record a hand of this evening of Asszorti, of another one, and of one of Preference."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, Decimal(10), "HUF", "preference")
    other = evenings.start(opening, token=uuid4(), by=owner, circle=evening.circle)
    for made, deal in ((evening, "2H 7"), (evening_of(owner), "2H 7"), (other, "6S ww 8-1-1")):
        record(made, owner, deal, declarer=1)


def test_sum_links_to_the_sessions_behind_it(owners: Client, owner: User, evening: Evening):
    played_in_two_games(evening, owner)
    player = f"/circles/{evening.circle_id}/players/{evening.seats.get(position=1).player_id}/"
    for page, sums in ((shown(owners, evening), 9), (Page.of(owners.get(player)), 3)):
        links = [node for node in page.all("a") if "data-measure" in node.attrs]
        assert len(links) == sums
        for link in links:
            behind = Page.of(owners.get(link.attrs["href"])).of_class("sum")[0].one("span")
            for name in ("measure", "game", "player", "value", "of"):
                assert behind.attrs[f"data-{name}"] == link.attrs[f"data-{name}"]
            assert behind.attrs.get("data-key") == link.attrs.get("data-key")


def test_the_game_played_most_is_open_and_the_others_are_folded(owners: Client, owner: User, evening: Evening):
    played_in_two_games(evening, owner)
    folds = [each for each in shown(owners, evening).all("details") if each.all("ol")]
    assert [(fold.one("h2").text, "open" in fold.attrs) for fold in folds] == [
        ("Asszorti 2 sessions", True),
        ("Preference 1 session", False),
        ("In money, HUF 3 sessions", False),
    ]


def test_leaderboard_has_the_first_players_and_the_phones_own(
    owners: Client, owner: User, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    record(evening, owner, "2H 7", declarer=1)
    anna, bela, cili = (str(seat.player_id) for seat in evening.seats.all())
    monkeypatch.setattr(circle, "MOST_RANKED", 1)
    page = shown(owners, evening)
    assert figures(page, data_measure="points") == [(bela, "12", "1")]
    everybody = page.links["All 3 players"]
    assert {player for player, _value, _of in figures(Page.of(owners.get(everybody)), data_measure="points")} == {
        *(anna, bela, cili)
    }
    Member.objects.filter(user=owner).update(player=int(cili))
    page = shown(owners, evening)
    assert figures(page, data_measure="points") == [(bela, "12", "1"), (cili, "-6", "1")]
    assert "place 3" in page.of_class("rows")[0].all("li")[-1].text


@pytest.mark.parametrize("headers", [{}, HTMX_BODY], ids=["plain", "htmx"])
@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "\u202e", "\x00"])
def test_a_name_that_cannot_be_is_refused_beside_the_field(
    owners: Client, evening: Evening, headers: dict[str, str], name: str
):
    response = owners.post(url(evening, "rename/"), {"name": name}, headers=headers)
    assert response.status_code == 422
    assert Page.of(response).one("p", id="error-name").text
    assert Circle.objects.get(pk=evening.circle_id).name == ""


def test_the_latest_evenings_stand_under_their_months(owners: Client, owner: User, evening: Evening):
    for days in range(1, 9):
        made = evening_of(owner)
        evenings.end(made.pk)
        Evening.objects.filter(pk=made.pk).update(started_at=timezone.now() - timedelta(days=40 * days))
    page = shown(owners, evening)
    links = [card.one("a").attrs["href"] for card in page.of_class("card")]
    assert len(links) == 6
    assert links[0] == f"/sessions/{evening.pk}/"
    assert len(page.of_class("month")) == len({node.text for node in page.of_class("month")}) == 6
    assert page.links["All past sessions"] == f"/sessions/?circle={evening.circle_id}"


def test_a_circle_without_evenings_has_a_page(owners: Client, evening: Evening):
    Member.objects.create(circle=evening.circle, user=User.new_guest(), role=Role.VIEWER)
    evenings.remove(evening.pk, by=User.objects.order_by("pk")[0])
    response = owners.get(url(evening))
    assert response.status_code == 200
    assert "No sessions yet." in Page.of(response).text


def test_home_leads_to_each_circle(owners: Client, outsiders: Client, strangers: Client, owner: User, evening: Evening):
    assert Page.of(owners.get("/")).links["Circle: Anna, Béla, Cili"] == url(evening)
    other = evening_of(owner, names=("Edit", "Feri", "Gabi"), stake=Decimal(5))
    Circle.objects.filter(pk=other.circle_id).update(name="The others")
    page = Page.of(owners.get("/"))
    assert page.links["The others"] == url(other)
    assert page.links["Anna, Béla, Cili"] == url(evening)
    assert url(evening) not in Page.of(outsiders.get("/")).html
    assert "/circles/" not in Page.of(strangers.get("/")).html
