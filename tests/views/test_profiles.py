"""A profile is chosen and changed in the form of a new evening, and saved under a name when it starts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from scorekeeper.games import GAMES
from sessions_app.models import Evening, HouseProfile, User
from sessions_app.writers import circles, evenings
from tests.factories import started
from tests.selection import first
from tests.views.page import HTMX_SESSION_FORM, Node, Page, session_form
from tests.views.test_evening_new import HTMX_SUMMARY, URL, fields, fold

GAME = "preference"
FRIDAY = "leningrad target=10 ten=checked"
TEN = "a ten is checked instead of whisted"
HEADERS = pytest.mark.parametrize("headers", first(1, [{}, HTMX_SESSION_FORM]), ids=["plain", "htmx"])


def begun(by: User, rules: str = FRIDAY, keep_as: str = "", names: tuple[str, ...] = ("Anna", "Béla", "Cili")) -> Any:
    return started(evenings.Opening(names, 0, None, "", GAME, rules, keep_as), by=by)


def tiles(page: Page) -> dict[str, bool]:
    """The profiles that are offered, and which is chosen."""
    return {
        label.text: "checked" in label.one("input").attrs
        for label in page.one("form", id="session-form").all("label")
        if label.one("input").attrs["name"] == "profile"
    }


def summary_of(page: Page) -> str:
    return page.one("span", id="house-summary").text


def said_of(page: Page) -> list[str]:
    return [line.text for line in page.one("div", id="house-otherwise").all("li")]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def opened(client: Client, **changed: str) -> dict[str, str]:
    """The form of a stranger who has chosen the game."""
    page = Page.of(client.post(f"{URL}?arrange", fields(game=GAME, shown_game="asszorti", stake="")))
    return session_form(page) | changed


def groups(page: Page) -> list[str]:
    return [group.one("summary").text for group in page.of_class("house-group")]


# --- Chosen ---


def test_the_game_s_profiles_are_offered_with_the_book_chosen(strangers: Client):
    page = Page.of(strangers.post(f"{URL}?arrange", fields(game=GAME, shown_game="asszorti")))
    assert tiles(page) == {"By the book (Parlett)": True, "Sochi": False, "Leningrad": False, "Rostov": False}
    assert summary_of(page) == "House rules: as in the book, pool to 20"
    assert said_of(page) == []
    assert groups(page) == [
        "Settlement",
        "Contract and whists",
        "Short whisters",
        "Raspasovka",
        "Pool, aid, end",
    ]
    form = session_form(page)
    assert (form["target"], form["target_typed"], form["rules_pool_point"]) == ("20", "", "10")
    assert page.one("select", name="rules_consolation").attrs["aria-label"] == "Consolation"
    for control in ("profile", "target"):
        assert page.html.index(f'name="{control}"') < page.html.index('id="house-rules"'), "it is not folded"


@HEADERS
@pytest.mark.parametrize(
    ("profile", "target", "summary"),
    [
        ("sochi", "20", "House rules: Sochi, pool to 20"),
        ("leningrad", "10", "House rules: Leningrad, pool to 10"),
        ("rostov", "50", "House rules: Rostov, pool to 50"),
    ],
)
def test_chosen_profile_fills_the_controls_and_names_its_differences(
    strangers: Client, headers: dict[str, str], profile: str, target: str, summary: str
):
    form = opened(strangers, profile=profile, target=target, player_1="Zoé", arrange="profile")
    page = Page.of(strangers.post(f"{URL}?arrange" if headers else URL, form, headers=headers))
    assert page.is_whole is not bool(headers)
    assert summary_of(page) == summary
    assert said_of(page)
    assert session_form(page).items() >= {"profile": profile, "target": target, "player_1": "Zoé"}.items()
    strangers.post(URL, session_form(page), headers=headers)
    rules = GAMES[GAME].rules_from_text(f"{profile} target={target}")
    assert Evening.objects.get().house == rules


def test_a_single_switch_is_a_change_of_the_profile_at_once(strangers: Client):
    form = opened(strangers, profile="sochi", arrange="profile")
    form = session_form(Page.of(strangers.post(URL, form))) | {"rules_ten": "checked", "rules_aid": "no"}
    page = Page.of(strangers.post(f"{URL}?arrange", form, headers=HTMX_SUMMARY))
    parts = {part.attrs["hx-target"]: part for part in page.all("hx-partial")}
    summary = page.text.removesuffix(" ".join(part.text for part in parts.values() if part.text)).strip()
    assert summary == f"House rules: Sochi, pool to 20; but: {TEN}, pools run past the target without aid"
    assert [line.text for line in parts["#house-otherwise"].of_class("changed")[0].all("li")] == [
        TEN,
        "pools run past the target without aid",
    ]
    assert [part.text for target, part in parts.items() if "changed" in target] == [
        "",
        "1 changed",
        "",
        "",
        "1 changed",
    ]
    assert {
        f"#{node.attrs['id']}"
        for node in Page.of(strangers.post(URL, form | {"arrange": ""})).nodes()
        if "id" in node.attrs
    } >= (parts.keys()), "each has its place"


# --- Kept ---


@HEADERS
def test_chosen_rules_are_saved_under_a_name_when_the_session_starts(strangers: Client, headers: dict[str, str]):
    form = opened(strangers, profile="leningrad", target="10", rules_ten="checked", keep_as=" Péntek ")
    strangers.post(URL, form, headers=headers)
    evening, kept = Evening.objects.get(), HouseProfile.objects.get()
    assert evening.rules == FRIDAY
    assert (kept.circle, kept.name, kept.rules, kept.game_key) == (evening.circle, "Péntek", FRIDAY, GAME)


@HEADERS
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 41, "A name has at most 40 characters."),
        ("\u200d", "This name has no visible characters."),
        ("péntek", "Other saved rules have this name. Choose another name, or remove those first."),
    ],
)
def test_a_name_that_cannot_be_begins_nothing_and_loses_nothing(
    owners: Client,
    owner: User,
    written: Callable[[], dict[str, Any]],
    headers: dict[str, str],
    name: str,
    sentence: str,
):
    begun(owner, "rostov", "Péntek")
    before = written()
    form = session_form(Page.of(owners.get(URL))) | fields(stake="", keep_as=name, rules_ten="checked")
    response = owners.post(URL, form, headers=headers)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.error("keep_as") == sentence
    assert "open" in fold(page).attrs
    assert session_form(page).items() >= {"keep_as": name, "rules_ten": "checked", "player_1": "Anna"}.items()
    assert written() == before


# --- A saved profile is offered to those who may write in its circle, and an evening's pages name its profile ---


# --- Offered ---


@pytest.mark.parametrize(
    ("who", "offered"), [("owner", True), ("keeper", True), ("viewer", False), ("outsider", False), ("stranger", False)]
)
def test_saved_profiles_are_offered_to_writers_of_their_circle_only(
    cast: dict[str, Client], evening: Evening, owner: User, who: str, offered: bool
):
    kept = circles.save_profile(evening.circle_id, GAME, "Péntek", FRIDAY, by=owner)
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


# --- Said of an evening ---


def _said(client: Client, evening: Evening) -> Node:
    return Page.of(client.get(f"/sessions/{evening.pk}/")).of_class("house-rules")[0]


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
    viewers: Client, evening: Evening, rules: str, said: str
):
    line = GAMES[GAME].rules_to_text(GAMES[GAME].rules_from_text(rules))
    Evening.objects.filter(pk=evening.pk).update(game_key=GAME, rules=line)
    shown = _said(viewers, evening)
    assert shown.one("summary").text == said
    differing = GAMES[GAME].differences(GAMES[GAME].rules_from_text(rules))
    idle = {"aid_rate"} if ("aid", "no") in {(each.switch, each.value) for each in differing} else set()
    assert len(shown.all("li")) == len({each.switch for each in differing} - idle)
