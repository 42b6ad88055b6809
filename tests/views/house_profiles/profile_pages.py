"""Begins an evening of Preference by a profile, and reads from the page which profiles are offered and chosen."""

from typing import Any

import pytest

from sessions_app.models import User
from sessions_app.writers import evenings
from tests.factories import started
from tests.selection import first
from tests.views.page import HTMX_SESSION_FORM, Page

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
