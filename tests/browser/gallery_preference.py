"""The screens of Preference's drawn sheet: of three and of four, with corrections, at the end, and as a table."""

from collections.abc import Iterator
from uuid import uuid4

from playwright.sync_api import Page

from scorekeeper.games import preference
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.browser.gallery import LONG, Screen
from tests.browser.phones import url
from tests.factories import UserFactory, strike_out
from tests.pulka import EVENING

#: A sheet that is carried over, with figures as wide as they come.
CARRIED = "= P0+34 P1+28 P2+50 P3+6 D0+118 D1+96 D2+104 D3+230 B0>1+1180 B1>2+996 B2>0+640 B3>0+88 B3>1+1004"
OF_FOUR = ((0, 1, "6S ww 6-3-1"), (1, 2, "8H wp 5"), (2, None, "R 3-5-1-1"), (3, 0, "7D pw 9"), (0, 3, "M 2"))


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    three = evening_of(keeper, hands=EVENING[:7])
    yield Screen("Preference: no hand yet", keeper, url(evening_of(keeper)))
    yield Screen("Preference: pul'ka of three", keeper, url(three))
    yield Screen("Preference: pul'ka of three as a table", keeper, url(three), _unfold)
    four = url(of_four(keeper))
    yield Screen("Preference: pul'ka of four, long names", keeper, four)
    yield Screen("Preference: pul'ka of four, long names, as a table", keeper, four, _unfold)
    corrected = url(with_corrections(keeper))
    yield Screen("Preference: pul'ka with corrections", keeper, corrected)
    yield Screen("Preference: pul'ka with corrections, as a table", keeper, corrected, _unfold)
    over = evening_of(keeper, hands=EVENING)
    yield Screen("Preference: pul'ka, over", keeper, url(over))
    yield Screen("Preference: hand form, over", keeper, url(over, "hands/new/"))
    yield Screen("Preference: hand, what it changes to make it void", keeper, url(over, "hands/1/"))
    yield Screen("Preference: pul'ka, over, long names", keeper, url(evening_of(keeper, LONG, hands=EVENING)))


def evening_of(
    keeper: User,
    names: tuple[str, ...] = ("Anna", "Béla", "Cili"),
    rules: str = "target=8",
    hands: tuple[tuple[int, int | None, str], ...] = (),
) -> Evening:
    opening = evenings.Opening(names, 0, game_key=preference.GAME.key, rules=rules)
    evening = evenings.start(opening, token=uuid4(), by=keeper)
    for number, (dealer, declarer, deal) in enumerate(hands, 1):
        stays = deal.startswith("=")
        ledger.record(evening.pk, token=uuid4(), number=number, facts=Facts(dealer, declarer, deal, stays), by=keeper)
    return evening


def of_four(keeper: User) -> Evening:
    carried = ((0, None, CARRIED), *OF_FOUR, *OF_FOUR)
    return evening_of(keeper, (*LONG, "Dani"), "leningrad target=50 raspasy_exit=6-7-8", carried)


def with_corrections(keeper: User) -> Evening:
    """An early hand is corrected, one is void, and those after it are counted again."""
    evening = evening_of(keeper, hands=EVENING[:7])
    ledger.amend(evening.pk, 2, facts=Facts(0, 1, "8H wp 6"), by=keeper)
    strike_out(evening, 3, keeper)
    ledger.void(evening.pk, 7, by=keeper)
    return evening


# The steps to take on the page. Classes, as words are of one language.


def _unfold(page: Page) -> None:
    page.locator(".pulka summary").tap()
