"""The key of the sheet's marks: there while a row has letters, and only then."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.hand_facts import Facts
from sessions_app.models import User
from sessions_app.writers import ledger
from sessions_app.writers.evenings import Opening, start
from tests.browser import thumb
from tests.browser.phones import url
from tests.selection import first_rows

pytestmark = pytest.mark.django_db(transaction=True)

PLAIN, SHORT, LONG = "1= 54", "2+3 42 K N", "2+3 + TR NK -UK t -n -b 9@1"


@pytest.mark.parametrize(
    ("deal", "width", "needs_key"),
    first_rows(
        2, [(PLAIN, 320, False), (SHORT, 320, True), (SHORT, 390, True), (LONG, 390, True), (PLAIN, 390, False)]
    ),
)
def test_the_key_is_there_where_a_row_has_letters(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    owner: User,
    deal: str,
    width: int,
    needs_key: bool,
) -> None:
    names = ("Anna", "Béla", "Cili", "Dani")
    evening = start(Opening(names, 0, game_key="tarokk"), token=uuid4(), by=owner)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, 1, deal), by=owner)
    page = new_phone(viewport={"width": width, "height": 844})
    sign_in(page, owner)
    page.goto(url(evening))
    row, key = page.locator("#hand-1"), page.locator("#key")
    expect(key).to_be_visible(visible=needs_key)
    expect(row.locator(".deal > .abbr")).to_be_visible(visible=needs_key)
    if deal == SHORT:
        expect(row.locator(".mark > .abbr").first).to_be_visible(visible=width < 390)
        expect(row).to_contain_text("négy király")
    if needs_key:
        key.locator("summary").tap()
        expect(key.get_by_text("négy király")).to_be_visible()


def test_running_totals_stand_in_place_of_the_amounts_after_a_tap(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User
) -> None:
    evening = start(Opening(("Anna", "Béla", "Cili", "Dani", "Edit"), 0, game_key="tarokk"), token=uuid4(), by=owner)
    for number in (1, 2):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(0, 1, PLAIN), by=owner)
    page = new_phone()
    sign_in(page, owner)
    page.goto(url(evening))
    shown = page.locator("#hand-1 td").all_inner_texts()
    amounts = [0 if amount == "·" else int(amount.replace("−", "-")) for amount in shown]
    page.get_by_role("checkbox", name="running totals").tap()
    for cell, amount in zip(page.locator("#hand-2 td").all(), amounts, strict=True):
        assert cell.evaluate("(cell) => getComputedStyle(cell, '::after').content") == f'"{thumb.written(2 * amount)}"'
