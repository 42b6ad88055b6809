"""The screens of an evening to which somebody came late and from which somebody went home."""

from collections.abc import Iterator
from decimal import Decimal

from playwright.sync_api import Page

from sessions_app.models import Evening, User
from sessions_app.writers import evening_edit, evenings
from tests.browser.gallery import LONG, Screen, played
from tests.browser.phones import url
from tests.factories import UserFactory, evening_of, record


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    five = evening_of(keeper, (*LONG, "Dóra"), stake=Decimal("12.5"), currency="EUR")
    for declarer in (1, 2):
        record(five, keeper, "3N 10 M A+M", dealer=0, declarer=declarer)
    _change(five, keeper, goes=2, comes="Wilhelmine-Karolina II.")
    record(five, keeper, "hC 8 M A+M", dealer=1, declarer=4)
    ended = evening_of(keeper, ("Anna", "Béla", "Cili", "Edit"))
    record(ended, keeper)
    _change(ended, keeper, goes=0, comes="Feri")
    evenings.end(ended.pk)
    three = played(keeper, 2, names=("Xénia", "Yvett", "Zita"))
    for name, path in (("session", ""), ("table view", "table/"), ("settle", "settle/"), ("edit", "edit/")):
        yield Screen(f"{name}, one came and one has gone", keeper, url(five, path))
    yield Screen("session, ended, one came and one has gone", keeper, url(ended))
    yield Screen("who sits there, nobody has room", keeper, url(five, "lineup/"), _unfold)
    yield Screen("who sits there, nobody can go", keeper, url(three, "lineup/"))
    yield Screen("who sits there, errors", keeper, url(three, "lineup/"), _nobody)
    yield Screen("who sits there, ended", keeper, url(ended, "lineup/"))


def _change(evening: Evening, by: User, goes: int, comes: str) -> None:
    evening_edit.leave_lineup(evening.pk, goes, by=by)
    evening.refresh_from_db()
    evening_edit.join_lineup(evening.pk, comes, evening.sitting[0], seen=evening.seating, by=by)


def _unfold(page: Page) -> None:
    page.locator(".goes-home summary").first.tap()
    page.locator(".goes-home[open] button").wait_for()


def _nobody(page: Page) -> None:
    page.locator("#sit-down > .button").tap()
    page.locator(".error:visible").first.wait_for()
