"""The screens of circles that play more than one game: which one is chosen, and the next one of the same people."""

from collections.abc import Iterator
from uuid import uuid4

from playwright.sync_api import Page

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.browser.gallery import LONG, Screen
from tests.browser.phones import url
from tests.factories import UserFactory

FOUR = (*LONG, "Dóra")
LINE = "lost_silent_ultimo=nothing tarokks_paid_by=opponents ladder=4 tie_47=last_kontra_loses after_throw_in=double"


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    four, three = _begun(keeper, FOUR, "tarokk", LINE), _begun(keeper, LONG, "asszorti")
    ledger.record(four.pk, token=uuid4(), number=1, facts=Facts(0, deal_stays=True), by=keeper)
    settled = _begun(keeper, FOUR, "tarokk")
    evenings.end(settled.pk)
    yield Screen("home, evenings of two games", keeper, "/")
    yield Screen("new session, a game of many house rules", None, "/sessions/new/", _choose)
    yield Screen("another game, another", keeper, url(four, "next/"))
    yield Screen("another game, the same", keeper, url(three, "next/"), _choose)
    yield Screen("session, house rules of another game", keeper, url(four), _unfold)
    yield Screen("edit, where the deal goes right", keeper, url(_begun(keeper, FOUR, "tarokk"), "edit/"))
    yield Screen("hand form, thrown in one way", keeper, url(four, "hands/new/"), _open_head)
    yield Screen("hand, thrown in one way", keeper, url(four, "hands/1/"))
    other = UserFactory()
    yield Screen("hand form, what a correction changes", other, url(_doubled(other), "hands/1/edit/"), _play_first)
    yield Screen("settle, ended, another game", keeper, url(settled, "settle/"))


def _begun(keeper: User, names: tuple[str, ...], game: str, rules: str = "") -> Evening:
    return evenings.start(evenings.Opening(names, 0, game_key=game, rules=rules), token=uuid4(), by=keeper)


def _doubled(keeper: User) -> Evening:
    """An evening in which a hand counts twice because the one before it was thrown in."""
    evening = _begun(keeper, FOUR, "tarokk", LINE)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, deal_stays=True), by=keeper)
    ledger.record(evening.pk, token=uuid4(), number=2, facts=Facts(0, 2, "2+1 61"), by=keeper)
    return evening


def _play_first(page: Page) -> None:
    for field, value in (("declarer", "2"), ("contract", "2"), ("partner", "1"), ("result", "+")):
        page.locator(f"[name={field}][value='{value}']").tap()
    page.locator(".forward").scroll_into_view_if_needed()


def _choose(page: Page) -> None:
    page.locator("[name=game][value=tarokk]").tap()
    page.locator("#player_5").wait_for()
    page.locator("#house-rules > summary").tap()


def _unfold(page: Page) -> None:
    page.locator(".house-rules summary").tap()


def _open_head(page: Page) -> None:
    page.locator("details.deal-head > summary").tap()
