"""The parts that every error page has, and the languages it is tried in."""

import pytest

from tests.views.page import ENGLISH, HUNGARIAN, Page

LANGUAGES = [pytest.param(ENGLISH, "en", id="en"), pytest.param(HUNGARIAN, "hu", id="hu")]


def looks_like_ours(page: Page) -> None:
    assert page.is_whole
    assert page.all("link", rel="stylesheet")
    assert page.one("h1").text
    assert "/" in page.links.values(), "a way home"
