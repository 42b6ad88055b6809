"""The choice of the game in the form of a new session."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.toy.seating import seated

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("toy")]


@pytest.fixture(autouse=True)
def verified(toy: None, verified: None) -> None:
    """The game must still be there when its hands are counted again at the end."""


@pytest.mark.thorough
def test_another_game_comes_with_its_own_seats_and_rules(
    new_phone: Callable[..., Page],
) -> None:
    page = new_phone()
    with seated(4, 5):
        page.goto("/sessions/new/")
        page.locator("#player_1").fill("Zsuzsanna")
        expect(page.locator("#player_5")).to_have_count(0)
        page.locator("[name=game][value=toy]").tap()
        page.locator("#player_5").fill("Emil")
        expect(page.locator("#player_1")).to_have_value("Zsuzsanna")
        page.locator("#house-rules summary").tap()
        page.locator("#rules_most").fill("7")
        expect(page.locator("#player_5")).to_have_value("Emil")
        expect(page.locator("#rules_most")).to_have_value("7")
        expect(page.locator("#player_1")).to_have_value("Zsuzsanna")
        expect(page.locator("[name=game][value=toy]")).to_be_checked()
        page.locator("#player_1").fill("Zsuzsa")
        page.locator("[name=game][value=asszorti]").tap()
        expect(page.locator("#rules_ladder, [name=rules_ladder]").first).to_be_attached()
        expect(page.locator("#player_1")).to_have_value("Zsuzsa")
