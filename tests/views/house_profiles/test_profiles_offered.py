"""A saved profile is offered to those who may write in its circle, and an evening's pages name its profile."""

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.models import Evening, HouseProfile, User
from sessions_app.writers import house_profiles
from tests.views.house_profiles.profile_pages import FRIDAY, GAME, HEADERS, TEN, begun, summary_of, tiles
from tests.views.page import HTMX_SESSION_FORM, Node, Page, filled, session_form
from tests.views.test_evening_new import URL, fields

# --- Offered ---


def test_the_next_evening_begins_with_what_was_kept(owners: Client, owner: User):
    evening = begun(owner, keep_as="Péntek")
    for path in (URL, f"/sessions/{evening.pk}/next/"):
        page = Page.of(owners.get(path))
        if path != URL:
            form = session_form(page) | {"game": GAME}
            page = Page.of(owners.post(f"{URL}?arrange", form, headers=HTMX_SESSION_FORM))
        assert tiles(page)["Péntek"]
        assert next(iter(tiles(page))) == "Péntek", "the table's own come first"
        assert summary_of(page) == "House rules: Péntek, pool to 10"
    owners.post(URL, filled(Page.of(owners.get("/")).form(URL)))
    assert Evening.objects.latest("pk").rules == FRIDAY, "the same players again, in one tap"


def test_from_another_game_s_evening_they_are_the_table_s(owners: Client, owner: User):
    evening = begun(owner, keep_as="Péntek")
    begun(owner, "rostov", "Klub", ("Xénia", "Yvonne", "Zoé"))
    form = session_form(Page.of(owners.get(f"/sessions/{evening.pk}/next/")))
    assert form["after"] == str(evening.pk)
    for _again in range(2):
        form = form | {"game": GAME, "arrange": "up:2"}
        page = Page.of(owners.post(URL, form))
        form = session_form(page)
        assert [name for name in tiles(page) if name in ("Péntek", "Klub")] == ["Péntek"]
        assert page.links["Rename or remove saved rules"] == f"/sessions/{evening.pk}/profiles/"
    assert [name for name in tiles(Page.of(owners.get(URL))) if name in ("Péntek", "Klub")] == ["Klub"]


@pytest.mark.parametrize(
    ("who", "offered"), [("owner", True), ("keeper", True), ("viewer", False), ("outsider", False), ("stranger", False)]
)
def test_they_are_for_those_who_write_at_the_table(
    cast: dict[str, Client], evening: Evening, owner: User, who: str, offered: bool
):
    kept = house_profiles.save(evening.circle_id, GAME, "Péntek", FRIDAY, by=owner)
    form = fields(game=GAME, after=str(evening.pk), arrange="")
    assert ("Péntek" in tiles(Page.of(cast[who].post(URL, form)))) is offered
    response = cast[who].post(URL, fields(game=GAME, after=str(evening.pk), profile=f"own:{kept.pk}", stake=""))
    if offered:
        assert Evening.objects.latest("pk").rules == FRIDAY
    else:
        assert response.status_code == 422
        said = "These saved rules no longer exist: choose others."
        assert Page.of(response).error("profile") == said
        assert "Péntek" not in response.content.decode()


@HEADERS
def test_one_that_another_phone_has_removed_begins_nothing(owners: Client, owner: User, headers: dict[str, str]):
    begun(owner, keep_as="Péntek")
    form = session_form(Page.of(owners.get(URL))) | fields(stake="")
    kept = HouseProfile.objects.get()
    assert form["profile"] == f"own:{kept.pk}"
    house_profiles.remove(kept.circle_id, kept.pk)
    response = owners.post(URL, form, headers=headers)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.error("profile") == "These saved rules no longer exist: choose others."
    assert (session_form(page)["rules_ten"], session_form(page)["profile"]) == ("checked", "leningrad")
    assert Evening.objects.count() == 1
    owners.post(URL, session_form(page) | fields(stake=""), headers=headers)
    assert Evening.objects.latest("pk").rules == FRIDAY


# --- Said of an evening ---


def _said(client: Client, evening: Evening) -> Node:
    return Page.of(client.get(f"/sessions/{evening.pk}/")).of_class("house-rules")[0]


@pytest.mark.parametrize("who", ["owner", "viewer"])
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("sochi", "House rules: Sochi, pool to 20"),
        (FRIDAY, f"House rules: Leningrad, pool to 10, except: {TEN}"),
        (
            "sochi ten=checked aid=no stalingrad=yes",
            "House rules: Sochi, pool to 20; 3 different",
        ),
    ],
)
def test_the_evening_names_its_profile_and_unfolds_what_differs_from_the_book(
    cast: dict[str, Client], evening: Evening, who: str, rules: str, said: str
):
    line = GAMES[GAME].rules_to_text(GAMES[GAME].rules_from_text(rules))
    Evening.objects.filter(pk=evening.pk).update(game_key=GAME, rules=line)
    shown = _said(cast[who], evening)
    assert shown.one("summary").text == said
    differing = GAMES[GAME].differences(GAMES[GAME].rules_from_text(rules))
    idle = {"aid_rate"} if ("aid", "no") in {(each.switch, each.value) for each in differing} else set()
    assert len(shown.all("li")) == len({each.switch for each in differing} - idle)
