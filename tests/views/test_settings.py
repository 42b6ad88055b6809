"""Settings of a user: on all his phones, at once, and by no query more; a stranger's are his phone's own."""

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.views.page import Page


def shown(client: Client, path: str) -> dict[str, str]:
    """The attributes of a page by which styles and scripts know the settings."""
    tags = Page.of(client.get(path)).one("html").attrs
    return {name.removeprefix("data-"): value for name, value in tags.items() if name.startswith("data-")}


def test_setting_holds_at_once_on_all_phones_of_its_user(
    owners: Client, keepers: Client, owner: User, evening: Evening
):
    other = Client()
    other.force_login(owner)
    for path in (page := f"/sessions/{evening.pk}/", "/"):
        assert shown(other, path) == {}
    for name, value in (("theme", "dark"), ("text_size", "larger"), ("awake", "off")):
        assert owners.post("/me/settings/", {name: value})["Location"] == "/me/"
    chosen = {"theme": "dark", "text": "larger", "awake": "off"}
    for client in (owners, other):
        for path in (page, "/", f"/circles/{evening.circle_id}/", "/games/asszorti/rules/"):
            assert shown(client, path) == chosen, path
    assert shown(keepers, page) == {}
    owners.post("/me/settings/", {"theme": ""})
    del chosen["theme"]
    assert shown(other, page) == chosen
    assert shown(other, "/games/asszorti/rules/") == chosen


def test_buttons_change_sides_for_the_left_thumb_on_all_pages_of_that_user_alone(
    owners: Client, keepers: Client, owner: User, evening: Evening
):
    other = Client()
    other.force_login(owner)

    def sheets(client: Client, path: str) -> list[str]:
        links = Page.of(client.get(path)).all("link", rel="stylesheet")
        return [link.attrs["href"] for link in links if "thumb" in link.attrs["href"]]

    assert owners.post("/me/settings/", {"thumb": "left"})["Location"] == "/me/"
    chosen = Page.of(owners.get("/me/")).one("button", name="thumb", value="left")
    assert chosen.attrs["aria-pressed"] == "true"
    for path in (page := f"/sessions/{evening.pk}/", f"{page}hands/new/", "/games/asszorti/worth/"):
        assert [len(sheets(client, path)) for client in (owners, other, keepers)] == [1, 1, 0], path
    owners.post("/me/settings/", {"thumb": ""})
    assert sheets(owners, page) == []


def test_setting_of_a_stranger_is_his_phone_s(strangers: Client, db: None):
    strangers.post("/me/settings/", {"theme": "light"})
    assert shown(strangers, "/") == {"theme": "light"}
    strangers.post("/me/settings/", {"theme": ""})
    assert "settings" not in strangers.cookies or not strangers.cookies["settings"].value


@pytest.mark.parametrize("value", ["x", "dark.x.x", "..", "." * 3000, 'dark"><script>'])
def test_cookie_chooses_among_known_values_only(strangers: Client, db: None, value: str):
    strangers.cookies["settings"] = value
    assert set(shown(strangers, "/").values()) <= {"dark"}


@pytest.mark.parametrize("posted", [{}, {"theme": "pink"}, {"language": "hu"}])
def test_unknown_setting_is_refused(owners: Client, evening: Evening, posted: dict[str, str]):
    assert owners.post("/me/settings/", posted).status_code == 400


def test_language_that_a_phone_chooses_is_that_of_all_phones_of_its_user(owners: Client, owner: User, evening: Evening):
    other = Client(headers={"accept-language": "en"})
    other.force_login(owner)
    owners.post("/language/", {"language": "hu", "next": "/"})
    page = f"/sessions/{evening.pk}/"
    assert [Page.of(other.get(path)).language for path in (page, "/", "/games/asszorti/rules/")] == ["hu"] * 3
