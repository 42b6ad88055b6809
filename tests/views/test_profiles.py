"""House profiles: chosen and changed for a new evening, saved under a name, and the circle's page of them."""

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.models import Evening, HouseProfile, User
from sessions_app.writers import circles
from tests.factories import begun
from tests.ledger.books import nothing_written
from tests.views.page import HTMX_SESSION_FORM, Page, session_form
from tests.views.test_evening_new import HTMX_SUMMARY, URL, fields, fold

pytestmark = pytest.mark.usefixtures("english")
GAME = "preference"
FRIDAY = "leningrad target=10 ten=checked"
TEN = "a ten is checked instead of whisted"
TAKEN = "Other saved rules have this name. Choose another name, or remove those first."


def tiles(page: Page) -> dict[str, bool]:
    """The profiles that are offered, and which is chosen."""
    return {
        label.text: "checked" in label.one("input").attrs
        for label in page.one("form", id="session-form").all("label")
        if label.one("input").attrs["name"] == "profile"
    }


def opened(client: Client, **changed: str) -> dict[str, str]:
    """The form of a stranger who has chosen the game."""
    page = Page.of(client.post(f"{URL}?arrange", fields(game=GAME, shown_game="asszorti", stake="")))
    return session_form(page) | changed


def test_the_game_s_profiles_are_offered_with_the_book_chosen(strangers: Client):
    page = Page.of(strangers.post(f"{URL}?arrange", fields(game=GAME, shown_game="asszorti")))
    assert tiles(page) == {"By the book (Parlett)": True, "Sochi": False, "Leningrad": False, "Rostov": False}
    assert page.one("span", id="house-summary").text == "House rules: as in the book, pool to 20"
    assert page.one("div", id="house-otherwise").all("li") == []
    form = session_form(page)
    assert (form["target"], form["target_typed"], form["rules_pool_point"]) == ("20", "", "10")
    assert page.one("select", name="rules_consolation").attrs["aria-label"] == "Consolation"
    for control in ("profile", "target"):
        assert page.html.index(f'name="{control}"') < page.html.index('id="house-rules"'), "it is not folded"


@pytest.mark.parametrize(
    ("headers", "profile", "target", "summary"),
    [
        ({}, "sochi", "20", "House rules: Sochi, pool to 20"),
        (HTMX_SESSION_FORM, "leningrad", "10", "House rules: Leningrad, pool to 10"),
    ],
)
def test_chosen_profile_fills_the_controls_and_names_its_differences(
    strangers: Client, headers: dict[str, str], profile: str, target: str, summary: str
):
    form = opened(strangers, profile=profile, target=target, player_1="Zoé", arrange="profile")
    page = Page.of(strangers.post(f"{URL}?arrange" if headers else URL, form, headers=headers))
    assert page.is_whole is not bool(headers)
    assert page.one("span", id="house-summary").text == summary
    assert page.one("div", id="house-otherwise").all("li")
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
    changed = [part.text for target, part in parts.items() if "changed" in target]
    assert changed == ["", "1 changed", "", "", "1 changed"]
    nodes = Page.of(strangers.post(URL, form | {"arrange": ""})).nodes()
    assert {f"#{node.attrs['id']}" for node in nodes if "id" in node.attrs} >= parts.keys(), "each has its place"


def test_chosen_rules_are_saved_under_a_name_when_the_session_starts(strangers: Client):
    form = opened(strangers, profile="leningrad", target="10", rules_ten="checked", keep_as=" Péntek ")
    strangers.post(URL, form)
    evening, kept = Evening.objects.get(), HouseProfile.objects.get()
    assert evening.rules == FRIDAY
    assert (kept.circle, kept.name, kept.rules, kept.game_key) == (evening.circle, "Péntek", FRIDAY, GAME)


def test_a_name_that_cannot_be_begins_nothing_and_loses_nothing(owners: Client, owner: User):
    begun(owner, GAME, "rostov", keep_as="Péntek")
    opened_form = session_form(Page.of(owners.get(URL)))
    for name, sentence in (("\u200d", "This name has no visible characters."), ("péntek", TAKEN)):
        with nothing_written():
            posted = opened_form | fields(stake="", keep_as=name, rules_ten="checked")
            page = Page.of(owners.post(URL, posted, headers=HTMX_SESSION_FORM), 422)
        assert page.error("keep_as") == sentence
        assert "open" in fold(page).attrs
        assert session_form(page).items() >= {"keep_as": name, "rules_ten": "checked", "player_1": "Anna"}.items()


@pytest.mark.parametrize(
    ("who", "offered"), [("keeper", True), ("viewer", False), ("outsider", False), ("stranger", False)]
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
        assert Page.of(response, 422).error("profile") == "These saved rules no longer exist: choose others."
        assert "Péntek" not in response.content.decode()


def test_session_names_its_profile_and_unfolds_what_differs_from_the_book(viewers: Client, evening: Evening):
    for rules, said in (
        ("sochi", "House rules: Sochi, pool to 20"),
        (FRIDAY, f"House rules: Leningrad, pool to 10, except: {TEN}"),
        ("sochi ten=checked aid=no stalingrad=yes", "House rules: Sochi, pool to 20; 3 different"),
    ):
        played = GAMES[GAME].rules_from_text(rules)
        Evening.objects.filter(pk=evening.pk).update(game_key=GAME, rules=GAMES[GAME].rules_to_text(played))
        shown = Page.of(viewers.get(f"/sessions/{evening.pk}/")).of_class("house-rules")[0]
        assert shown.one("summary").text == said
        differing = GAMES[GAME].differences(played)
        idle = {"aid_rate"} if ("aid", "no") in {(each.switch, each.value) for each in differing} else set()
        assert len(shown.all("li")) == len({each.switch for each in differing} - idle)


# --- The page of a circle's saved house rules ---


SAID = f"Leningrad, pool to 10, except: {TEN}"


@pytest.fixture
def pulka(owner: User) -> Evening:
    """An evening of Preference by Friday's rules, of which nothing is kept yet."""
    return begun(owner, GAME, FRIDAY)


def at(evening: Evening, path: str = "") -> str:
    return f"/sessions/{evening.pk}/profiles/{path}"


def items(page: Page) -> list[str]:
    return [item.of_class("line-of")[0].text for item in page.of_class("member")]


def test_rules_of_a_session_are_saved_under_a_name_renamed_and_removed(owners: Client, pulka: Evening):
    page = Page.of(owners.get(at(pulka)))
    assert page.of_class("keep-rules")[0].all("p")[0].text == SAID
    assert "No saved rules yet." in page.text
    assert owners.post(at(pulka, "keep/"), {"name": "  Pe\u0301ntek  este "})["Location"] == at(pulka)
    kept = HouseProfile.objects.get()
    assert (kept.circle, kept.game_key, kept.name, kept.rules) == (pulka.circle, GAME, "Péntek este", FRIDAY)
    page = Page.of(owners.get(at(pulka)))
    assert items(page) == [f"Péntek este Preference {SAID}"]
    assert "Saved as: Péntek este" in page.text
    assert not page.all("form", action=at(pulka, "keep/")), "they have a name"
    assert owners.post(at(pulka, f"{kept.pk}/rename/"), {"name": "Home"})["Location"] == at(pulka)
    assert items(Page.of(owners.get(at(pulka)))) == [f"Home Preference {SAID}"]
    for _twice in range(2):
        assert owners.post(at(pulka, f"{kept.pk}/remove/"))["Location"] == at(pulka)
    assert items(Page.of(owners.get(at(pulka)))) == []
    pulka.refresh_from_db()
    assert pulka.rules == FRIDAY


def test_a_name_that_cannot_be_comes_back_with_its_reason(owners: Client, pulka: Evening, owner: User):
    circles.save_profile(pulka.circle_id, GAME, "Friday", "sochi", by=owner)
    other = circles.save_profile(pulka.circle_id, GAME, "Home", "rostov", by=owner)
    for name, sentence in (
        ("", "Enter a name."),
        ("\u202eFriday", "This name contains characters that cannot be shown."),
        ("FRIDAY", TAKEN),
    ):
        for path, field in (("keep/", "name"), (f"{other.pk}/rename/", f"name-{other.pk}")):
            with nothing_written():
                page = Page.of(owners.post(at(pulka, path), {"name": name}), 422)
            assert (page.is_whole, page.error(field)) == (True, sentence)
            assert page.one("input", id=field).attrs["value"] == name
        folds = [item.all("details")[0].attrs.get("open") is not None for item in page.of_class("member")]
        assert folds == [False, True], "no reason is folded away"


def test_saved_profiles_of_a_circle_are_bounded_and_shown_when_unreadable(owners: Client, pulka: Evening, owner: User):
    HouseProfile.objects.create(circle=pulka.circle, game_key=GAME, name="Old", rules="moscow")
    HouseProfile.objects.create(circle=pulka.circle, game_key="ulti", name="Gone")
    page = Page.of(owners.get(at(pulka)))
    unread = "These can no longer be read, so they are not offered."
    assert items(page) == [f"Old Preference {unread}", f"Gone ulti {unread}"]
    assert page.buttons.count("Remove") == 2
    for number in range(circles.MOST_PROFILES - 1):
        circles.save_profile(pulka.circle_id, GAME, f"Own {number}", f"target={number + 1}", by=owner)
    refused = Page.of(owners.post(at(pulka, "keep/"), {"name": "Friday"}), 422)
    assert refused.error("name") == "The circle already has 12 saved rules. Remove one first."
