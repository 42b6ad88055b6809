"""The error pages, with DEBUG off: in both languages, with a way to go on."""

import re
from typing import Any

import pytest
from django.test import Client
from django.test.utils import override_settings

from sessions_app.models import Evening
from tests.views.error_pages import LANGUAGES, error_page
from tests.views.page import (
    Page,
)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr("sessions_app.views.evening.seats_of", fail)


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
@pytest.mark.parametrize("path", ["/nowhere/", "/sessions/987654/", "/sessions/x/", "/admin/", "/%00", "/é/"])
def test_unknown_address_gets_the_404_page(strangers: Client, headers: dict[str, str], language: str, path: str):
    response = strangers.get(path, headers=headers)
    page = error_page(response, 404, language)
    assert ("Page not found" in page.text) is (language == "en")


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
def test_refused_viewer_gets_the_403_page(viewers: Client, evening: Evening, headers: dict[str, str], language: str):
    response = viewers.get(f"/sessions/{evening.pk}/hands/new/", headers=headers)
    page = error_page(response, 403, language)
    assert ("This phone can only watch." in page.text) is (language == "en")


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
def test_exception_gets_the_500_page_without_internals(
    owners: Client, evening: Evening, broken: None, headers: dict[str, str], language: str
):
    owners.raise_request_exception = False
    response = owners.get(f"/sessions/{evening.pk}/", headers=headers)
    page = error_page(response, 500, language)
    assert ("This is our fault, not yours." in page.text) is (language == "en")
    assert "secret" not in page.html
    assert "Traceback" not in page.html
    assert "safe" not in page.html, "who knows"


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
def test_a_request_that_makes_no_sense_has_a_page_of_ours(
    owners: Client, evening: Evening, headers: dict[str, str], language: str
):
    too_many = {f"field{n}": "x" for n in range(1100)}
    response = owners.post(f"/sessions/{evening.pk}/hands/new/", too_many, headers=headers)
    page = error_page(response, 400, language)
    assert ("Nothing was changed." in page.text) is (language == "en")


@pytest.mark.parametrize(("headers", "language"), LANGUAGES)
def test_a_host_that_is_not_ours_is_refused_in_a_page_of_ours(headers: dict[str, str], language: str, db: None):
    response = Client().get("/", headers=headers | {"Host": "example.com"})
    page = error_page(response, 400, language)
    assert "example.com" not in page.html


@pytest.mark.parametrize("rest", ["", "live/?v=0"])
def test_htmx_gets_the_page_of_an_error_too_and_not_a_blank(owners: Client, evening: Evening, broken: None, rest: str):
    owners.raise_request_exception = False
    response = owners.get(f"/sessions/{evening.pk}/{rest}", headers={"HX-Request": "true", "HX-Target": "div#state"})
    assert response.status_code == 500
    assert "Something went wrong" in Page.of(response).text


@override_settings(DEBUG=False)
def test_no_error_page_names_the_software(owners: Client, viewers: Client, evening: Evening, broken: None):
    owners.raise_request_exception = False
    for response in (
        owners.get("/nowhere/"),
        owners.get(f"/sessions/{evening.pk}/"),
        viewers.post(f"/sessions/{evening.pk}/end/"),
    ):
        assert not re.search(r"django|python|traceback", response.content.decode(), re.I)
