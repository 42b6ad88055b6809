"""Under a thumb: figures tapped for one player are cleared, with a notice, when another is asked about."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import User
from sessions_app.writers import evenings
from tests.browser.phones import url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
def test_tricks_stay_their_players_when_another_deals(page: Page, owner: User, sign_in: Callable[..., None]) -> None:
    names = ("Anna", "Béla", "Cili", "Dani")
    evening = evenings.start(evenings.Opening(names, 3, None, "HUF", "preference"), token=uuid4(), by=owner)
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))

    def tap(name: str, value: str) -> None:
        page.locator(f"#hand-form [name={name}][value='{value}']").tap()

    row, news = page.locator("#field-first_tricks"), page.locator("#hand-news")
    page.locator(".deal-head > summary").tap()
    for each in (("declarer", "0"), ("level", "6"), ("answers", "ww"), ("tricks", "6"), ("first_tricks", "3")):
        tap(*each)
    expect(row).to_contain_text("Béla")
    expect(page.locator("#count [data-points]")).to_be_visible()
    tap("dealer", "2")  # Béla is still the first
    expect(row.locator(":checked")).to_have_value("3")
    tap("dealer", "1")
    expect(row).to_contain_text("Cili")
    expect(row.locator(":checked")).to_have_count(0)
    expect(news).to_contain_text("The players have changed: tap again what Cili took.")
    expect(page.locator("#count")).to_contain_text("Still to tap: the tricks of Cili")
    tap("first_tricks", "1")
    expect(news).to_be_empty()
    expect(page.locator("#count [data-points]")).to_contain_text("Cili")
    tap("declarer", "3")
    expect(row).to_contain_text("Anna")
    expect(row.locator(":checked")).to_have_count(0)
    # Of a lone whister the row is not there: nothing is said of it.
    tap("first_tricks", "2")
    tap("answers", "w0")
    tap("declarer", "2")
    expect(news).to_be_empty()
    tap("answers", "ww")
    expect(row).to_contain_text("Dani")
    expect(row.locator(":checked")).to_have_count(0)
