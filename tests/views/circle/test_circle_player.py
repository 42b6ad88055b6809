"""The page of a circle's player: results, name, mark, phones, and two names that are one person."""

import pytest
from django.test import Client

from sessions_app.models import Circle, Evening, Player, User
from sessions_app.writers import players
from tests.factories import evening_of, record
from tests.ledger.books import everything
from tests.views.page import HTMX_BODY, Page, filled

WRITES = ("rename", "mark", "rest", "mine", "merge", "unmerge")


def named(name: str) -> Player:
    return Player.objects.filter(name=name).order_by("pk")[0]


def url(name: str, rest: str = "") -> str:
    player = named(name)
    return f"/circles/{player.circle_id}/players/{player.pk}/{rest}"


@pytest.fixture
def other(owner: User, evening: Evening) -> Evening:
    """An evening of the same circle, with Bela in the place of Béla."""
    return evening_of(owner, names=("Anna", "Bela", "Cili"))


@pytest.mark.parametrize("who", ["owner", "keeper", "viewer"])
def test_every_member_sees_the_player_s_sums_and_sessions(
    cast: dict[str, Client], owner: User, evening: Evening, who: str
):
    record(evening, owner, "2H 7", declarer=1)
    page = Page.of(cast[who].get(url("Béla")))
    assert page.one("h1").text == "Béla"
    sums = [(node.attrs["data-measure"], node.attrs["data-value"], node.text) for node in page.of_class("amount")]
    assert sums == [("points", "12", "+12"), ("money", "120", "HUF 120")]
    assert [card.one("a").attrs["href"] for card in page.of_class("card")] == [f"/sessions/{evening.pk}/"]
    circle = evening.circle_id
    assert page.links["All past sessions"] == f"/sessions/?circle={circle}&player={named('Béla').pk}"
    assert bool(page.all("form", action=url("Béla", "rename/"))) is (who != "viewer")


def test_a_player_of_a_foreign_circle_is_not_found(owners: Client, evening: Evening):
    foreign = Player.objects.create(circle=Circle.objects.create(), name="Foreign")
    before = everything()
    for player in (foreign.pk, 987_654, 2**63, 10**40):
        address = f"/circles/{evening.circle_id}/players/{player}/"
        assert owners.get(address).status_code == 404
        assert {owners.post(f"{address}{verb}/", {"other": named("Béla").pk}).status_code for verb in WRITES} == {404}
    assert everything() == before


def test_renamed_player_has_the_new_name_in_all_sessions_and_histories(
    owners: Client, owner: User, evening: Evening, other: Evening
):
    response = owners.post(url("Anna", "rename/"), {"name": " Annuska "})
    assert (response.status_code, response.headers["Location"]) == (302, url("Annuska"))
    for each in (evening, other):
        assert "Annuska" in Page.of(owners.get(f"/sessions/{each.pk}/")).text
    assert "was: Anna" in Page.of(owners.get(url("Annuska"))).of_class("history")[0].text
    assert "was: Anna" in Page.of(owners.get(f"/sessions/{evening.pk}/edit/")).of_class("history")[0].text


@pytest.mark.parametrize("headers", [{}, HTMX_BODY], ids=["plain", "htmx"])
@pytest.mark.parametrize("name", ["", "x" * 41, "\u202e", "béla", "Cili", "Be\u0301\u200bla"])
def test_a_name_that_cannot_be_is_refused_beside_the_field(
    owners: Client, evening: Evening, headers: dict[str, str], name: str
):
    before = everything()
    response = owners.post(url("Anna", "rename/"), {"name": name}, headers=headers)
    assert response.status_code == 422
    assert Page.of(response).one("p", id="error-name").text
    assert everything() == before


def ways(page: Page) -> dict[str, tuple[str, str]]:
    """The ways to merge two players of one name: what each button says, its address, and the player who goes."""
    (offered,) = page.of_class("merge-ways")
    buttons = offered.all("button")
    return {each.text: (each.attrs["formaction"], each.attrs["value"]) for each in buttons}


@pytest.mark.parametrize("stays", ["Bela", "Béla"])
def test_renaming_onto_another_player_offers_the_merge_and_the_name_that_stays(
    owners: Client, evening: Evening, other: Evening, stays: str
):
    before = everything()
    response = owners.post(url("Béla", "rename/"), {"name": "be\u200bla"})
    page = Page.of(response)
    assert (response.status_code, everything()) == (422, before)
    assert page.error("name").startswith("That is another player. One person?")
    assert [*ways(page)] == ["Bela stays", "Béla stays"], "the wanted name first"
    address, goes = ways(page)[f"{stays} stays"]
    kept = named(stays)
    assert owners.post(address, {"name": "Bela", "other": goes})["Location"] == url(stays)
    for each in (evening, other):
        assert kept in [seat.player for seat in each.seats.all()]
    assert Player.objects.exclude(merged_into=None).get().merged_into == kept


def test_renaming_onto_a_player_of_the_same_table_says_that_they_are_two_people(owners: Client, evening: Evening):
    page = Page.of(owners.post(url("Anna", "rename/"), {"name": "Béla"}))
    assert not page.of_class("merge-ways")
    assert "Add a letter to tell them apart." in page.error("name")
    assert page.of_class("notice")[0].one("a").attrs["href"] == f"/sessions/{evening.pk}/"


def test_renaming_in_a_session_offers_the_merge_too_and_leads_back(owners: Client, evening: Evening, other: Evening):
    edit = f"/sessions/{evening.pk}/edit/"
    fields = filled(Page.of(owners.get(edit)).form(edit)) | {"player_2": "Bela", "stake": "20"}
    response = owners.post(edit, fields)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.error("player_2").startswith("That is another player.")
    address, goes = ways(page)["Bela stays"]
    posted = filled(page.form(edit)) | {"other": goes}
    assert owners.post(address, posted)["Location"] == edit
    assert owners.post(address, posted, headers=HTMX_BODY)["HX-Redirect"] == edit
    assert [seat.player.name for seat in evening.seats.all()] == ["Anna", "Bela", "Cili"]


def test_a_mark_is_chosen_by_shape_and_colour(owners: Client, evening: Evening):
    assert owners.post(url("Béla", "mark/"), {"mark": "♠blue"}).status_code == 302
    page = Page.of(owners.get(url("Béla")))
    assert page.one("button", name="mark", value="♠blue").attrs["aria-pressed"] == "true"
    assert page.one("h1").of_class("blue-mark")[0].of_class("spades")
    theirs = Page.of(owners.get(url("Anna"))).one("button", name="mark", value="♠blue")
    assert "disabled" in theirs.attrs
    assert theirs.attrs["aria-label"] == "♠ blue, Béla"
    refused = owners.post(url("Anna", "mark/"), {"mark": "♠blue"})
    assert refused.status_code == 409
    assert "Another player in this circle has this mark." in Page.of(refused).text
    assert owners.post(url("Anna", "mark/"), {"mark": "♥blue"}).status_code == 302
    assert owners.post(url("Béla", "mark/"), {"mark": ""}).status_code == 302
    assert (named("Béla").mark_shape, named("Anna").mark_shape) == ("", "♥")


def test_resting_player_is_marked_and_no_longer_offered(owners: Client, evening: Evening):
    assert owners.post(url("Béla", "rest/"), {"plays": "no"}).status_code == 302
    assert Page.of(owners.get(url("Béla"))).of_class("tag")[0].text == "No longer plays"
    assert "Béla No longer plays" in Page.of(owners.get(f"/circles/{evening.circle_id}/")).text
    chips = Page.of(owners.get("/sessions/new/")).of_class("chip")
    assert [chip.text for chip in chips] == ["Anna", "Cili"]
    assert owners.post(url("Béla", "rest/"), {"plays": "yes"}).status_code == 302
    assert not named("Béla").plays_no_more


# --- Two names, one person ---


def test_likely_names_are_proposed_and_merged_in_one_tap(owners: Client, owner: User, evening: Evening, other: Evening):
    record(evening, owner, "2H 7", declarer=1)
    record(other, owner, "2H 7", declarer=1)
    circle = Page.of(owners.get(f"/circles/{evening.circle_id}/"))
    assert "Bela – Béla" in circle.text
    page = Page.of(owners.get(url("Béla")))
    assert page.one("form", action=url("Béla", "merge/")).one("button", name="other").text == "Bela"
    merged = named("Bela").pk
    assert owners.post(url("Béla", "merge/"), {"other": merged}).status_code == 302
    page = Page.of(owners.get(url("Béla")))
    assert page.of_class("amount")[0].attrs["data-value"] == "24"
    assert page.of_class("amount")[0].attrs["data-of"] == "2"
    assert "Also: Bela" in page.text
    assert "Two names merged" in page.text
    away = owners.get(f"/circles/{evening.circle_id}/players/{merged}/")
    assert (away.status_code, away.headers["Location"]) == (302, url("Béla"))
    assert "Bela" not in Page.of(owners.get(f"/circles/{evening.circle_id}/")).text
    figures = f"/circles/{evening.circle_id}/players/{merged}/statistics/"
    assert owners.get(figures).headers["Location"].startswith(url("Béla", "statistics/"))
    assert "Bela" not in Page.of(owners.get(f"/circles/{evening.circle_id}/statistics/")).text
    assert owners.post(url("Béla", "unmerge/"), {"other": merged}).status_code == 302
    page = Page.of(owners.get(url("Béla")))
    assert page.of_class("amount")[0].attrs["data-value"] == "12"
    assert "Two names separated" in page.text


@pytest.mark.parametrize("headers", [{}, HTMX_BODY], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("into", "name", "sentence"),
    [
        ("Béla", "Anna", "Both sat at one table, so they are two people:"),
        ("Dóra", "Bela", "One of the two is another name of somebody already."),
    ],
)
def test_a_merge_that_cannot_be_is_refused_with_the_reason(
    owners: Client,
    owner: User,
    evening: Evening,
    other: Evening,
    headers: dict[str, str],
    into: str,
    name: str,
    sentence: str,
):
    evening_of(owner, names=("Anna", "Cili", "Dóra"))
    players.merge(evening.circle_id, named("Béla").pk, named("Bela").pk, by=owner)
    before = everything()
    response = owners.post(url(into, "merge/"), {"other": named(name).pk}, headers=headers)
    assert response.status_code == 409
    assert sentence in Page.of(response).of_class("notice")[0].text
    assert everything() == before


@pytest.mark.parametrize("other_id", ["", "x", "0", "-1", "9" * 18, "9" * 40, "²", "foreign"])
@pytest.mark.parametrize("verb", ["merge", "unmerge"])
def test_a_hostile_post_is_answered_with_a_sentence(owners: Client, evening: Evening, verb: str, other_id: str):
    foreign = Player.objects.create(circle=Circle.objects.create(), name="Foreign")
    before = everything()
    response = owners.post(url("Béla", f"{verb}/"), {"other": foreign.pk if other_id == "foreign" else other_id})
    assert response.status_code == 409
    assert "This player is not in this circle any more." in Page.of(response).text
    assert "Foreign" not in Page.of(response).text
    assert everything() == before


def test_two_names_of_one_person_are_refused_in_a_new_session(
    owners: Client, owner: User, evening: Evening, other: Evening
):
    players.merge(evening.circle_id, named("Béla").pk, named("Bela").pk, by=owner)
    fields = {"player_1": "Anna", "player_2": "Béla", "player_3": "Bela", "first_dealer": "1", "game": "asszorti"}
    before = everything()
    response = owners.post("/sessions/new/", fields)
    assert response.status_code == 422
    assert "Béla and Bela are one person in this circle, under two names." in Page.of(response).text
    assert everything() == before
