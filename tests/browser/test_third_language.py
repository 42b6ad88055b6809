"""The main screens in a language whose words are half as long again: none is wider than a narrow phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.languages import offered
from sessions_app.models import Circle, User
from sessions_app.writers import demo
from tests import pseudo_language
from tests.browser.phones import Phones

pytestmark = pytest.mark.django_db(transaction=True)

OF_GAME = ("", "hands/new/", "hands/1/", "hands/1/edit/", "settle/", "referee/", "table/")
OF_EVENING = ("edit/", "lineup/", "next/", "members/", "invite/")
WIDTH = 320
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
        yield from (f"/sessions/{evening}/{rest}" for rest in OF_GAME)
    yield from (f"/sessions/{evening}/{rest}" for rest in OF_EVENING)


@pytest.mark.thorough
def test_no_screen_is_wider_than_a_phone(phone_of: Phones, owner: User, tmp_path: Path, settings: Any) -> None:
    folder = pseudo_language.written_into(tmp_path)
    settings.LANGUAGES, settings.LOCALE_PATHS = offered(folder), [folder]
    page = phone_of(owner, "/healthz", locale="be-BY", viewport={"width": WIDTH, "height": 844})
    found = {}
    for address in addresses(demo.lay(owner)):
        answer = page.goto(address)
        assert answer is not None
        assert (answer.status, page.locator("html").get_attribute("lang")) == (200, pseudo_language.CODE), address
        found[address] = page.evaluate(WIDE, WIDTH)
    assert "\n".join(f"{place}: {wide}" for place, wide in found.items() if wide) == ""
