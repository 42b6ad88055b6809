"""The screens of a hand of Preference while it is played, with the longest names and all that a house allows."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

from scorekeeper.games.preference import referee
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, User
from sessions_app.readers.evening.hand_in_play import latest, next_or_latest, read
from sessions_app.writers import evenings, hand_in_play, ledger
from tests.browser.gallery import LONG, Screen
from tests.factories import UserFactory
from tests.games.preference.played import Table

FOUR = (*LONG, "Dóra")
#: After two raspasovkas the exit ladder begins at eight.
RULES = "leningrad give_up=3 ten=checked stalingrad=yes"


def screens() -> Iterator[Screen]:
    owner = UserFactory()
    for name, words, show in (
        ("auction", "6S 6C pass", id),
        ("what is played", "7H pass pass", id),
        ("let play", "@0", id),
        ("answering", "7H pass pass 7H pass half", id),
        ("tricks of a lone whister", "@1 8H whist pass", _tap_tricks),
        ("tricks of two", "@1 8H whist whist", _tap_tricks),
        ("six of spades", "@1 6S", _tap_tricks),
        ("a checked ten", "@1 10H", id),
        ("mizer", "M pass pass", _tap_tricks),
        ("raspasovka", "pass pass pass", _refused),
        ("half", "@1 7H pass half pass", id),
        ("given up", "@1 8N whist g", id),
    ):
        evening = _noted(owner, words)
        yield Screen(f"preference, referee, {name}", owner, f"/sessions/{evening.pk}/referee/", show)
    for words in ("6S 7C", "7H pass pass 7H pass half", "@1 8H whist pass", "pass pass pass"):
        evening = _noted(owner, words)
        yield Screen(f"preference, session, {words}", owner, f"/sessions/{evening.pk}/", _unfold_bar)
        yield Screen(f"preference, table view, {words}", owner, f"/sessions/{evening.pk}/table/")
    most = _noted(owner, "7H pass pass 7H pass half")
    yield Screen("preference, hand form, announced", owner, f"/sessions/{most.pk}/hands/new/")
    yield Screen("preference, take back", owner, f"/sessions/{most.pk}/announce/back/")


def _noted(owner: User, words: str) -> Evening:
    """An evening of four after two raspasovkas, with this noted of the third hand."""
    opening = evenings.Opening(FOUR, 0, game_key="preference", rules=RULES)
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for number in (1, 2):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(number - 1, None, "R 4-3-3-0"), by=owner)
    for word in words.split():
        evening.refresh_from_db()
        row = latest(evening)
        move = _move(evening, word)
        hand_in_play.change(evening.pk, move, seen=Seen(3, row.version if row else 0), by=owner)
    return evening


def _move(evening: Evening, word: str) -> Any:
    hand = read(evening, next_or_latest(evening))
    return referee.give_up if word == "g" else Table(evening.house, evening.sitting, hand.dealer).meant(word, hand)


# --- Steps on the page ---


def _tap_tricks(page: Page) -> None:
    """The first number of each row; the bar names its entries, or the error."""
    with page.expect_response("**/preview/"):
        page.locator("#ending fieldset").last.locator("label").nth(1).tap()
    with page.expect_response("**/preview/"):
        page.locator("#ending fieldset").first.locator("label").nth(6).tap()


def _refused(page: Page) -> None:
    page.locator(".bar .primary").tap()
    page.locator(".notice[data-code]").wait_for()


def _unfold_bar(page: Page) -> None:
    page.locator("#open-hand summary").tap()
