"""The screens of Preference: the drawn sheet of three and of four, and a hand while it is played, step by step."""

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from scorekeeper.games import preference
from scorekeeper.games.preference import referee
from sessions_app.hand_facts import Facts, Seen
from sessions_app.models import Evening, User
from sessions_app.readers.evening.seating import in_play_or_next, read_in_play, row_in_play
from sessions_app.writers import hand_in_play, ledger
from tests.browser.gallery import FOUR, LONG, Screen, unfold
from tests.browser.phones import url
from tests.factories import UserFactory, begun, record_all, strike_out
from tests.games.preference.played import Table
from tests.pulka import EVENING

#: A sheet that is carried over, with figures as wide as they come.
CARRIED = "= P0+34 P1+28 P2+50 P3+6 D0+118 D1+96 D2+104 D3+230 B0>1+1180 B1>2+996 B2>0+640 B3>0+88 B3>1+1004"
OF_FOUR = ((0, 1, "6S ww 6-3-1"), (1, 2, "8H wp 5"), (2, None, "R 3-5-1-1"), (3, 0, "7D pw 9"), (0, 3, "M 2"))
#: After two raspasovkas the exit ladder begins at eight.
PLAYED_BY = "leningrad give_up=3 ten=checked stalingrad=yes"


def screens() -> Iterator[Screen]:
    yield from _plays()
    yield from _sheets()


def _sheets() -> Iterator[Screen]:
    keeper = UserFactory()
    carried = ((0, None, CARRIED), *OF_FOUR, *OF_FOUR)
    four = evening_of(keeper, FOUR, "leningrad target=50 raspasy_exit=6-7-8", carried)
    three, corrected, over = (evening_of(keeper, hands=hands) for hands in (EVENING[:7], EVENING[:7], EVENING))
    ledger.amend(corrected.pk, 2, facts=Facts(0, 1, "8H wp 6"), by=keeper)
    strike_out(corrected, 3, keeper)
    ledger.void(corrected.pk, 7, by=keeper)
    yield Screen("Preference: no hand yet", keeper, url(evening_of(keeper)))
    yield Screen("Preference: pul'ka of three", keeper, url(three))
    for name, evening in (("three", three), ("four, long names", four), ("three with corrections", corrected)):
        yield Screen(f"Preference: pul'ka of {name}, as a table", keeper, url(evening), unfold)
    yield Screen("Preference: hand form, over", keeper, url(over, "hands/new/"))
    yield Screen("Preference: hand, what it changes to make it void", keeper, url(over, "hands/1/"))
    yield Screen("Preference: pul'ka, over, long names", keeper, url(evening_of(keeper, LONG, hands=EVENING)))


def _plays() -> Iterator[Screen]:
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
        yield Screen(f"preference, referee, {name}", owner, url(_noted(owner, words), "referee/"), show)
    for words in ("6S 7C", "7H pass pass 7H pass half", "@1 8H whist pass", "pass pass pass"):
        evening = _noted(owner, words)
        yield Screen(f"preference, session, {words}", owner, url(evening), unfold)
        yield Screen(f"preference, table view, {words}", owner, url(evening, "table/"))
    most = _noted(owner, "7H pass pass 7H pass half")
    yield Screen("preference, hand form, announced", owner, url(most, "hands/new/"))
    yield Screen("preference, take back", owner, url(most, "announce/back/"))


def evening_of(
    keeper: User,
    names: tuple[str, ...] = ("Anna", "Béla", "Cili"),
    rules: str = "target=8",
    hands: tuple[tuple[int, int | None, str], ...] = (),
) -> Evening:
    evening = begun(keeper, preference.GAME.key, rules, names)
    record_all(evening, keeper, *(Facts(*hand, deal_stays=hand[-1].startswith("=")) for hand in hands))
    return evening


def _noted(owner: User, words: str) -> Evening:
    """An evening of four after two raspasovkas, with this noted of the third hand."""
    evening = evening_of(owner, FOUR, PLAYED_BY, tuple((dealer, None, "R 4-3-3-0") for dealer in (0, 1)))
    for word in words.split():
        evening.refresh_from_db()
        row = row_in_play(evening)
        move = _move(evening, word)
        hand_in_play.change(evening.pk, move, seen=Seen(3, row.version if row else 0), by=owner)
    return evening


def _move(evening: Evening, word: str) -> Any:
    hand = read_in_play(evening, in_play_or_next(evening))
    return referee.give_up if word == "g" else Table(evening.house, evening.sitting, hand.dealer).meant(word, hand)


def _tap_tricks(page: Page) -> None:
    """The first number of each row; the bar names its entries, or the error."""
    with page.expect_response("**/preview/"):
        page.locator("#ending fieldset").last.locator("label").nth(1).tap()
    with page.expect_response("**/preview/"):
        page.locator("#ending fieldset").first.locator("label").nth(6).tap()


def _refused(page: Page) -> None:
    page.locator(".bar .primary").tap()
    page.locator(".notice[data-code]").wait_for()
