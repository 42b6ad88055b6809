"""The script enables the same keys of a hand form as `tests/tapping.py` by the form's attributes, tap after tap."""

from collections.abc import Callable
from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import Page

from sessions_app.models import User
from sessions_app.writers.evenings import Opening, start
from tests.browser.phones import url
from tests.selection import first_rows
from tests.tapping import Tapped
from tests.views.page import Page as Html

pytestmark = pytest.mark.django_db(transaction=True)

TAPS = 24
HOUSES = [("asszorti", 4, ""), ("tarokk", 5, "tie_47=kontra_needs_48"), ("preference", 4, "stalingrad=yes")]
NAMES = ("Anna", "Béla", "Cili", "Dani", "Edit")
STATE = """form => [...form.elements].filter(one => one.matches("input:not([type=hidden])")).map(one =>
    [one.name, one.value, one.checked, one.disabled, one.required, one.validity.customError])"""
#: A tap as the script sees it; that a thumb reaches each key other tests show.
TAP = """(form, [name, value]) => [...form.elements].find(one => one.name === name && one.value === value).click()"""
TYPE = """(form, [name, value]) => { form.elements[name].value = value;
    form.elements[name].dispatchEvent(new Event("change", { bubbles: true })); }"""


@pytest.mark.parametrize(("game", "players", "rules"), first_rows(2, HOUSES))
def test_script_offers_what_the_attributes_say(
    page: Page, owner: User, sign_in: Callable[..., None], game: str, players: int, rules: str
) -> None:
    evening = start(Opening(NAMES[:players], 0, game_key=game, rules=rules), token=uuid4(), by=owner)
    chance = Random(18)  # noqa: S311  cards, not keys
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    form = page.locator("#hand-form")
    tapped = Tapped(Html(page.request.get(page.url).text()).one("form", id="hand-form"))
    for turn in range(TAPS):
        if turn % 8 == 7 and "points" in tapped.named and not tapped.named["points"][0].is_disabled:
            tapped.type("points", "73")
            form.evaluate(TYPE, ["points", "73"])
        else:
            key = chance.choice([key for key in tapped.enabled if key.name not in ("redeal", "announced")])
            tapped.tap(key)
            form.evaluate(TAP, [key.name, key.value])
        for name, value, *state in form.evaluate(STATE):
            key = next(key for key in tapped.named[name] if not key.is_key or key.value == value)
            if not key.is_key:
                assert value == key.value
                continue
            is_sitting_out = name == "declarer" and key.is_checked and key.is_clashing
            expected = [key.is_checked, key.is_disabled, key.is_required, key.is_clashing or is_sitting_out]
            assert state == expected, (turn, name, value)
