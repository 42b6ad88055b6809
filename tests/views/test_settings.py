"""Settings and language of a user: on all his phones, at once; a stranger's are his phone's own."""

from collections.abc import Callable

from django.test import Client

from sessions_app.models import Evening, User
from tests.factories import record
from tests.views.page import HUNGARIAN, Page, filled


def shown(client: Client, path: str) -> dict[str, str]:
    """The attributes of a page by which styles and scripts know the settings."""
    page = Page.of(client.get(path))
    tags = page.one("html").attrs
    found = {name.removeprefix("data-"): value for name, value in tags.items() if name.startswith("data-")}
    if any("thumb" in link.attrs["href"] for link in page.all("link", rel="stylesheet")):
        found["thumb"] = "left"
    return found


def test_setting_holds_at_once_on_all_phones_of_its_user(
    owners: Client, keepers: Client, owner: User, evening: Evening
):
    other = Client()
    other.force_login(owner)
    for path in (page := f"/sessions/{evening.pk}/", "/"):
        assert shown(other, path) == {}
    for name, value in (("theme", "dark"), ("text_size", "larger"), ("awake", "off"), ("thumb", "left")):
        assert owners.post("/me/settings/", {name: value})["Location"] == "/me/"
    button = Page.of(owners.get("/me/")).one("button", name="thumb", value="left")
    assert button.attrs["aria-pressed"] == "true"
    chosen = {"theme": "dark", "text": "larger", "awake": "off", "thumb": "left"}
    for client in (owners, other):
        for path in (page, f"{page}hands/new/", "/", f"/circles/{evening.circle_id}/", "/games/asszorti/rules/"):
            assert shown(client, path) == chosen, path
    assert shown(keepers, page) == {}
    for name in ("theme", "thumb"):
        owners.post("/me/settings/", {name: ""})
        del chosen[name]
    assert shown(other, page) == chosen
    assert shown(other, "/games/asszorti/rules/") == chosen


def test_setting_of_a_stranger_is_his_phone_s_and_of_known_values_only(strangers: Client):
    strangers.post("/me/settings/", {"theme": "light"})
    assert shown(strangers, "/") == {"theme": "light"}
    strangers.post("/me/settings/", {"theme": ""})
    assert "settings" not in strangers.cookies or not strangers.cookies["settings"].value
    for posted in ({}, {"theme": "pink"}, {"language": "hu"}):
        assert strangers.post("/me/settings/", posted).status_code == 400
    for value in ("x", "dark.x.x", "..", "." * 3000, 'dark"><script>'):
        strangers.cookies["settings"] = value
        assert set(shown(strangers, "/").values()) <= {"dark"}


def test_language_that_a_phone_chooses_is_that_of_all_phones_of_its_user(owners: Client, owner: User, evening: Evening):
    other = Client(headers={"accept-language": "en"})
    other.force_login(owner)
    owners.post("/language/", {"language": "hu", "next": "/"})
    page = f"/sessions/{evening.pk}/"
    assert [Page.of(other.get(path)).language for path in (page, "/", "/games/asszorti/rules/")] == ["hu"] * 3
    User.objects.filter(pk=owner.pk).update(language="zh-hans")  # offered no more
    other.cookies.pop("django_language", None)
    assert Page.of(other.get(page)).language == "en"


def test_browser_s_language_is_spoken_and_hungarian_where_it_asks_for_none_of_ours(strangers: Client):
    for asked, answered in (
        ("en", "en"),
        ("hu", "hu"),
        ("en-GB,en;q=0.9,hu;q=0.5", "en"),
        ("hu-HU,hu;q=0.9,en;q=0.5", "hu"),
        ("de,en;q=0.5,hu;q=0.4", "en"),
        *((none, "hu") for none in ("de", "", "*", ";;;q=x,é")),
    ):
        response = strangers.get("/", headers={"accept-language": asked})
        assert (Page.of(response).language, response["Content-Language"]) == (answered, answered), asked
        assert "Accept-Language" in response["Vary"]


def test_switch_comes_back_to_the_page_and_is_kept_against_the_browser(owners: Client, evening: Evening):
    address = f"/sessions/{evening.pk}/?saved=1"
    form = Page.of(owners.get(address)).form("/language/")
    buttons = [(button.text, button.attrs["lang"], "aria-current" in button.attrs) for button in form.all("button")]
    assert buttons == [("Magyar", "hu", False), ("English", "en", True)]
    response = owners.post("/language/", filled(form) | {"language": "hu"})
    assert (response.status_code, response["Location"]) == (302, address)
    cookie = response.cookies["django_language"]
    assert (cookie.value, int(cookie["max-age"])) == ("hu", 365 * 24 * 3600)
    assert Page.of(owners.get("/")).language == "hu", "though the browser asks for English"
    owners.post("/language/", {"language": "en", "next": "/"})
    assert Page.of(owners.get("/", headers=HUNGARIAN)).language == "en"


def test_form_has_no_switch_as_it_would_lose_what_is_tapped(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7")
    for rest in ("hands/new/", "hands/1/edit/", "edit/", "lineup/", "referee/"):
        page = Page.of(owners.get(f"/sessions/{evening.pk}/{rest}"))
        assert (page.is_whole, page.all("button", name="language")) == (True, [])


def test_switch_leads_to_no_other_site_and_speaks_no_other_language(strangers: Client):
    for language in ("", "xx", "../../etc", "hu\x00", "x" * 5000):
        assert strangers.post("/language/", {"language": language, "next": "/"}).status_code == 302
        assert Page.of(strangers.get("/")).language == "en"
    for away in ("https://example.com/", "//example.com", "javascript:alert(1)", "\\\\example.com"):
        assert strangers.post("/language/", {"language": "hu", "next": away})["Location"] == "/"
    for cookie in ("xx", "", "hu-XX", "é", "x" * 1000):
        strangers.cookies["django_language"] = cookie
        assert strangers.get("/").status_code == 200


def test_switch_on_the_page_of_a_failed_csrf_check_leads_to_a_page(
    client_of: Callable[..., Client], owner: User, evening: Evening
):
    record(evening, owner, "2H 7")
    paths = [f"/sessions/{evening.pk}/{rest}" for rest in ("end/", "hands/1/void/", "reopen/")]
    for user, path in (*((owner, path) for path in paths), (None, "/language/")):
        strict = client_of(user)
        strict.handler.enforce_csrf_checks = True
        page = Page.of(strict.post(path, {"sheet": "1", "language": "hu", "next": "/sessions/"}))
        client = client_of(user)
        answer = client.post("/language/", filled(page.of_class("languages")[0]) | {"language": "hu"})
        assert client.get(answer["Location"]).status_code == 200, path
