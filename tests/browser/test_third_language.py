"""The main screens in a language whose words are half as long again: none is wider than a narrow phone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scorekeeper.languages import offered
from sessions_app.models import Circle, User
from sessions_app.writers import demo
from tests import pseudo_language

pytestmark = pytest.mark.django_db(transaction=True)

OF_EVENING = (
    *("", "hands/new/", "hands/1/", "hands/1/edit/", "settle/", "edit/"),
    *("lineup/", "referee/", "next/", "table/", "members/", "invite/"),
)
OF_CIRCLE = ("", "statistics/", "repayments/", "years/2026/")
#: The elements that reach beyond a screen that scrolls sideways.
WIDE = """(width) => document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll("body *")]
    .filter((it) => it.checkVisibility() && it.getBoundingClientRect().right > width + 1)
    .map((it) => `${it.tagName} ${it.className} ${it.textContent.trim().slice(0, 30)}`).slice(0, 5)"""


def addresses(circle: Circle) -> Iterator[str]:
    yield from ("/", "/sessions/", "/sessions/new/", "/me/", "/join/", "/import/", "/demo/")
    for rest in OF_CIRCLE:
        yield f"/circles/{circle.pk}/{rest}"
    for game, evening in {each.game_key: each.pk for each in circle.evenings.order_by("started_at")}.items():
        yield f"/games/{game}/rules/"
        yield from (f"/sessions/{evening}/{rest}" for rest in OF_EVENING)


def test_no_screen_is_wider_than_a_phone(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, tmp_path: Path, settings: Any
) -> None:
    folder = pseudo_language.written_into(tmp_path)
    settings.LANGUAGES, settings.LOCALE_PATHS = offered(folder), [folder]
    page = new_phone(locale="be-BY")
    sign_in(page, owner)
    found = {}
    for address in addresses(demo.lay(owner)):
        page.set_viewport_size({"width": 390, "height": 844})
        answer = page.goto(address)
        assert answer is not None
        assert (answer.status, page.locator("html").get_attribute("lang")) == (200, pseudo_language.CODE), address
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            found[f"{width} {address}"] = page.evaluate(WIDE, width)
    assert "\n".join(f"{place}: {wide}" for place, wide in found.items() if wide) == ""
