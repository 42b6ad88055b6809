"""Profiles on the pages: chosen when an evening begins, kept under a name, offered again, said of an evening."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

from scorekeeper.games import GAMES
from sessions_app.models import GameSession, HouseProfile, User
from sessions_app.writers import evenings, profiles
from tests.factories import UserFactory, evening_of
from tests.views.page import HTMX_SESSION_FORM, Node, Page, filled, session_form
from tests.views.test_house_rules import HTMX_SUMMARY, fold
from tests.views.test_session_new import URL, fields

GAME = "preference"
FRIDAY = "leningrad target=10 ten=checked"
TEN = "a ten is checked instead of whisted"
HEADERS = pytest.mark.parametrize("headers", [{}, HTMX_SESSION_FORM], ids=["plain", "htmx"])


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def begun(by: User, rules: str = FRIDAY, keep_as: str = "", names: tuple[str, ...] = ("Anna", "Béla", "Cili")) -> Any:
    return evenings.start(evenings.Opening(names, 0, None, "", GAME, rules, keep_as), token=uuid4(), by=by)


def opened(client: Client, **changed: str) -> dict[str, str]:
    """The form of a stranger who has chosen the game."""
    page = Page.of(client.post(f"{URL}?arrange", fields(game=GAME, shown_game="asszorti", stake="")))
    return session_form(page) | changed


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
    for first in ("profile", "target"):
        assert page.html.index(f'name="{first}"') < page.html.index('id="house-rules"'), "it is not folded"


@pytest.mark.parametrize("game", ["asszorti"])
def test_a_game_with_but_the_book_is_asked_as_before(strangers: Client, game: str):
    page = Page.of(strangers.post(f"{URL}?arrange", fields(game=game, shown_game=GAME)))
    assert tiles(page) == {}
    form = session_form(page)
    assert not {"profile", "shown_rules", "keep_as", "after", "target"} & form.keys()
    assert not fold(page).all("details")
    assert not page.all("select", name="rules_ladder")


@HEADERS
@pytest.mark.parametrize(
    ("profile", "target", "summary"),
    [
        ("sochi", "20", "House rules: Sochi, pool to 20"),
        ("leningrad", "10", "House rules: Leningrad, pool to 10"),
        ("rostov", "50", "House rules: Rostov, pool to 50"),
    ],
)
def test_one_is_taken_over_and_says_how_it_differs_from_the_book(
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
    assert GameSession.objects.get().house == rules


def test_its_button_leads_back_to_the_fold_without_scripts(strangers: Client):
    page = Page.of(strangers.post(f"{URL}?arrange", fields(game=GAME, shown_game="asszorti")))
    button = next(node for node in page.all("button", name="arrange") if node.attrs["value"] == "profile")
    assert button.attrs["formaction"] == f"{URL}#house-rules"
    assert any(node.tag == "noscript" for node in button.above)


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


def test_of_many_changes_the_fold_says_how_many(strangers: Client):
    form = opened(strangers, profile="sochi", arrange="profile")
    changed = {"rules_ten": "checked", "rules_aid": "no", "rules_stalingrad": "yes", "rules_give_up": "3"}
    form = session_form(Page.of(strangers.post(URL, form))) | changed | {"arrange": ""}
    page = Page.of(strangers.post(URL, form))
    assert summary_of(page) == "House rules: Sochi, pool to 20, with 4 changes"
    assert groups(page)[1] == "Contract and whists 3 changed"


@HEADERS
def test_the_line_and_the_target_beside_it_begin_an_evening(strangers: Client, headers: dict[str, str]):
    said = fields(game=GAME, rules="sochi ten=checked", target="10")
    strangers.post(URL, said, headers=headers)
    assert GameSession.objects.get().rules == "sochi target=10 ten=checked"


@HEADERS
def test_what_cannot_stand_together_is_said_where_it_is_folded(strangers: Client, headers: dict[str, str]):
    form = opened(strangers, profile="rostov", arrange="profile")
    form = session_form(Page.of(strangers.post(URL, form))) | {"rules_raspasy_dealer": "yes"}
    response = strangers.post(URL, form, headers=headers)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.errors
    beside = page.one(id="error-rules_raspasy_to")
    assert all("open" in fold.attrs for fold in beside.above if fold.tag == "details")


def test_switching_the_language_loses_nothing(strangers: Client):
    form = opened(strangers, profile="sochi", rules_ten="checked", target="", target_typed="35", keep_as="Péntek")
    page = Page.of(strangers.post(URL, form | {"language": "hu"}))
    assert page.language == "hu"
    assert (
        session_form(page).items()
        >= {
            "profile": "sochi",
            "rules_ten": "checked",
            "target": "",
            "target_typed": "35",
            "keep_as": "Péntek",
        }.items()
    )


# --- Kept ---


@HEADERS
def test_what_is_chosen_is_kept_under_a_name_as_the_evening_begins(strangers: Client, headers: dict[str, str]):
    form = opened(strangers, profile="leningrad", target="10", rules_ten="checked", keep_as=" Péntek ")
    strangers.post(URL, form, headers=headers)
    evening, kept = GameSession.objects.get(), HouseProfile.objects.get()
    assert evening.rules == FRIDAY
    assert (kept.table, kept.name, kept.rules, kept.game_key) == (evening.table, "Péntek", FRIDAY, GAME)


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
    assert GameSession.objects.latest("pk").rules == FRIDAY, "the same players again, in one tap"


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
    cast: dict[str, Client], evening: GameSession, owner: User, who: str, offered: bool
):
    kept = profiles.keep(evening.table_id, GAME, "Péntek", FRIDAY, by=owner)
    form = fields(game=GAME, after=str(evening.pk), arrange="")
    assert ("Péntek" in tiles(Page.of(cast[who].post(URL, form)))) is offered
    response = cast[who].post(URL, fields(game=GAME, after=str(evening.pk), profile=f"own:{kept.pk}", stake=""))
    if offered:
        assert GameSession.objects.latest("pk").rules == FRIDAY
    else:
        assert response.status_code == 422
        said = "These saved rules no longer exist: choose others."
        assert Page.of(response).error("profile") == said
        assert "Péntek" not in response.content.decode()


@pytest.mark.parametrize("after", ["x", "-1", "9" * 30, "0", "\0"])
def test_an_evening_that_is_none_has_nothing_to_offer(owners: Client, owner: User, after: str):
    begun(owner, keep_as="Péntek")
    response = owners.post(URL, fields(game=GAME, after=after, arrange=""))
    assert response.status_code == 200
    is_number = after in ("0",)
    assert ("Péntek" in tiles(Page.of(response))) is not is_number


@HEADERS
def test_one_that_another_phone_has_removed_begins_nothing(owners: Client, owner: User, headers: dict[str, str]):
    begun(owner, keep_as="Péntek")
    form = session_form(Page.of(owners.get(URL))) | fields(stake="")
    kept = HouseProfile.objects.get()
    assert form["profile"] == f"own:{kept.pk}"
    profiles.remove(kept.table_id, kept.pk)
    response = owners.post(URL, form, headers=headers)
    page = Page.of(response)
    assert response.status_code == 422
    assert page.error("profile") == "These saved rules no longer exist: choose others."
    assert (session_form(page)["rules_ten"], session_form(page)["profile"]) == ("checked", "leningrad")
    assert GameSession.objects.count() == 1
    owners.post(URL, session_form(page) | fields(stake=""), headers=headers)
    assert GameSession.objects.latest("pk").rules == FRIDAY


def test_a_table_s_own_of_a_game_with_but_the_book(owners: Client, owner: User, evening: GameSession):
    profiles.keep(evening.table_id, "asszorti", "Otthon", "ladder=2 hands=20", by=owner)
    page = Page.of(owners.get(URL))
    assert tiles(page) == {"Otthon": False, "By the book": True}
    assert summary_of(page) == "House rules: as in the book"
    taken = session_form(page) | {"profile": next(iter(_values(page))), "arrange": "profile"}
    page = Page.of(owners.post(URL, taken))
    assert tiles(page)["Otthon"]
    assert summary_of(page) == "House rules: Otthon"
    assert said_of(page) == ["kontra up to rekontra", "20 hands"]
    owners.post(URL, session_form(page) | fields())
    assert GameSession.objects.latest("pk").rules == "ladder=2 hands=20"


def _values(page: Page) -> list[str]:
    return [node.attrs["value"] for node in page.all("input", name="profile")]


def test_what_is_no_longer_read_is_not_offered(owners: Client, owner: User):
    evening = begun(owner)
    HouseProfile.objects.create(table=evening.table, game_key=GAME, name="Old", rules="moscow")
    page = Page.of(owners.get(URL))
    assert "Old" not in tiles(page)


def test_where_one_only_writes_a_line_nobody_asks_what_is_kept(
    owners: Client, owner: User, django_assert_max_num_queries: Callable[..., object]
):
    begun(owner, keep_as="Péntek")
    with django_assert_max_num_queries(16):
        owners.post(URL, fields(game=GAME, rules="sochi"))


# --- Said of an evening ---


def _said(client: Client, evening: GameSession) -> Node:
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
    cast: dict[str, Client], evening: GameSession, who: str, rules: str, said: str
):
    line = GAMES[GAME].rules_to_text(GAMES[GAME].rules_from_text(rules))
    GameSession.objects.filter(pk=evening.pk).update(game_key=GAME, rules=line)
    shown = _said(cast[who], evening)
    assert shown.one("summary").text == said
    differing = GAMES[GAME].differences(GAMES[GAME].rules_from_text(rules))
    idle = {"aid_rate"} if ("aid", "no") in {(each.switch, each.value) for each in differing} else set()
    assert len(shown.all("li")) == len({each.switch for each in differing} - idle)


def test_by_the_book_it_says_what_differs_from_it_as_ever(owners: Client, owner: User):
    assert _said(owners, begun(owner, "target=10")).text == "House rules: pool to 10"
    assert not Page.of(owners.get(f"/sessions/{begun(owner, '').pk}/")).of_class("house-rules")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("target=10 stalingrad=yes give_up=3", "House rules: pool to 10; 2 different from the book"),
        ("target=10 stalingrad=yes give_up=3 ten=checked", "House rules: pool to 10; 3 different from the book"),
        ("stalingrad=yes give_up=3 ten=checked", "House rules: 3 different from the book"),
    ],
)
def test_what_every_table_fixes_is_not_counted_among_what_differs(owners: Client, owner: User, rules: str, said: str):
    assert _said(owners, begun(owner, rules)).one("summary").text == said


def test_so_do_the_settlement_s_text_and_the_page_where_it_is_mended(owners: Client, owner: User):
    evening = begun(owner)
    said = f"Leningrad, pool to 10, except: {TEN}"
    assert f"House rules: {said}" in owners.get(f"/sessions/{evening.pk}/settle/").content.decode()
    edit = Page.of(owners.get(f"/sessions/{evening.pk}/edit/"))
    assert f"House rules: {said}. They stay as they were" in edit.text


def test_nobody_s_table_is_told_to_another(owners: Client, owner: User):
    stranger = UserFactory()
    begun(stranger, keep_as="Péntek")
    evening_of(owner)
    assert "Péntek" not in owners.get(URL).content.decode()
