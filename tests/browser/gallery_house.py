"""The screens that house rules make: where they are chosen, and an evening that is played by them."""

from collections.abc import Iterator
from uuid import uuid4

from playwright.sync_api import Page

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.browser.gallery import LONG, Screen
from tests.browser.phones import url
from tests.factories import UserFactory, record

LINE = "six_five_nil=no no_trump_arrivazs=no ladder=3 hands=2 points=9999"


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    few, many = _begun(keeper, "six_five_nil=no ladder=2"), _begun(keeper, LINE)
    for _hand in range(2):
        record(many, keeper)
    yield Screen("new session, house rules", keeper, "/sessions/new/", _choose)
    yield Screen("new session, house rules that cannot be", keeper, "/sessions/new/", _start_nonsense)
    yield Screen("session, some house rules", keeper, url(few))
    yield Screen("session, many house rules and a reminder", keeper, url(many), _unfold)
    yield Screen("edit, house rules", keeper, url(many, "edit/"))


def _begun(keeper: User, rules: str) -> Evening:
    return evenings.start(evenings.Opening(LONG, 0, rules=rules), token=uuid4(), by=keeper)


def _unfold(page: Page) -> None:
    page.locator(".house-rules summary").tap()


def _choose(page: Page) -> None:
    page.locator("#house-rules > summary").tap()
    page.locator("[name=rules_hands]").fill("123")
    page.locator("[name=rules_ladder][value='0']").tap()
    page.locator("#house-summary", has_text="123").wait_for()


def _start_nonsense(page: Page) -> None:
    page.locator("#house-rules > summary").tap()
    page.locator("[name=rules_hands]").fill("1000")
    page.locator(".bar .button.primary").tap()
    page.locator("#error-rules_hands").wait_for()
