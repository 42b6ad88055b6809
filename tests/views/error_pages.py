"""The parts that every error page has, and the languages it is tried in."""

from typing import Any

import pytest

from tests.views.page import ENGLISH, HUNGARIAN, Page

LANGUAGES = [pytest.param(ENGLISH, "en", id="en"), pytest.param(HUNGARIAN, "hu", id="hu")]


def error_page(response: Any, status: int, language: str) -> Page:
    """Return the page of a response of this status; it is whole, styled, in this language, and has a way home."""
    page = Page.of(response)
    assert response.status_code == status
    assert page.language == language
    assert page.is_whole
    assert page.all("link", rel="stylesheet")
    assert page.one("h1").text
    assert "/" in page.links.values(), "a way home"
    return page
