"""English and Hungarian: the browser's choice, the switch in the footer, the cookie."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from tests.factories import record
from tests.views.page import HUNGARIAN, Page, filled


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("en", "en"),
        ("hu", "hu"),
        ("en-GB,en;q=0.9,hu;q=0.5", "en"),
        ("hu-HU,hu;q=0.9,en;q=0.5", "hu"),
        ("de,en;q=0.5,hu;q=0.4", "en"),
        ("de", "hu"),
        ("", "hu"),
        ("*", "hu"),
        (";;;q=x,é", "hu"),
    ],
)
def test_the_browser_s_choice_holds_and_hungarian_where_it_has_none_of_ours(asked: str, answered: str, db: None):
    response = Client().get("/", headers={"accept-language": asked})
    assert Page.of(response).language == answered
    assert response["Content-Language"] == answered
    assert "Accept-Language" in response["Vary"]


def test_the_switch_names_each_language_in_itself(strangers: Client):
    form = Page.of(strangers.get("/")).form("/language/")
    assert [(button.text, button.attrs["lang"]) for button in form.all("button")] == [
        ("Magyar", "hu"),
        ("English", "en"),
    ]
    current = [button.text for button in form.all("button") if "aria-current" in button.attrs]
    assert current == ["English"]


@pytest.mark.parametrize("rest", ["hands/new/", "hands/1/edit/", "edit/", "lineup/", "referee/"])
def test_a_form_has_no_switch_as_it_would_lose_what_is_tapped(owners: Client, owner: User, evening: Evening, rest: str):
    record(evening, owner, "2H 7")
    page = Page.of(owners.get(f"/sessions/{evening.pk}/{rest}"))
    assert page.is_whole
    assert page.all("button", name="language") == []


def test_the_switch_comes_back_to_the_page_and_is_kept_against_the_browser(owners: Client, evening: Evening):
    address = f"/sessions/{evening.pk}/?saved=1"
    form = Page.of(owners.get(address)).form("/language/")
    response = owners.post("/language/", filled(form) | {"language": "hu"})
    assert (response.status_code, response["Location"]) == (302, address)
    cookie = response.cookies["django_language"]
    assert cookie.value == "hu"
    assert int(cookie["max-age"]) == 365 * 24 * 3600
    assert Page.of(owners.get("/")).language == "hu", "though the browser asks for English"
    owners.post("/language/", {"language": "en", "next": "/"})
    assert Page.of(owners.get("/", headers=HUNGARIAN)).language == "en"


@pytest.mark.parametrize("away", ["https://example.com/", "//example.com", "javascript:alert(1)", "\\\\example.com"])
def test_the_switch_leads_to_no_other_site(strangers: Client, away: str):
    response = strangers.post("/language/", {"language": "hu", "next": away})
    assert response["Location"] == "/"


@pytest.mark.parametrize("language", ["", "xx", "../../etc", "hu\x00", "x" * 5000])
def test_a_language_that_is_none_of_ours_changes_nothing(strangers: Client, language: str):
    response = strangers.post("/language/", {"language": language, "next": "/"})
    assert response.status_code == 302
    assert Page.of(strangers.get("/")).language == "en"


@pytest.mark.parametrize("cookie", ["xx", "", "hu-XX", "é", "x" * 1000])
def test_a_cookie_of_no_language_is_no_error(strangers: Client, cookie: str):
    strangers.cookies["django_language"] = cookie
    assert strangers.get("/").status_code == 200


def switched_on(client: Client, response_page: Page) -> int:
    """Switch the language in this page's footer, and return the answer of the page that it leads back to."""
    response = client.post("/language/", filled(response_page.of_class("languages")[0]) | {"language": "hu"})
    return client.get(response["Location"]).status_code


@pytest.mark.parametrize(("rest", "body"), [("end/", {}), ("hands/1/void/", {"sheet": "1"}), ("reopen/", {})])
def test_the_switch_on_the_page_of_a_failed_check_leads_to_a_page(
    client_of: Callable[..., Client], owner: User, evening: Evening, rest: str, body: dict[str, str]
):
    record(evening, owner, "2H 7")
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    strict.force_login(owner)
    page = Page.of(strict.post(f"/sessions/{evening.pk}/{rest}", body))
    assert switched_on(client_of(owner), page) == 200


def test_the_switch_whose_own_check_failed_leads_to_a_page(client_of: Callable[..., Client], db: None):
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    page = Page.of(strict.post("/language/", {"language": "hu", "next": "/sessions/"}))
    assert switched_on(client_of(None), page) == 200


def test_chosen_language_that_is_offered_no_more_gives_way_to_the_browser_s(
    owners: Client, owner: User, evening: Evening
):
    User.objects.filter(pk=owner.pk).update(language="zh-hans")
    assert Page.of(owners.get(f"/sessions/{evening.pk}/")).language == "en"
