"""The screens of the rules: a page of each game, and the worth of a hand. (Over a form: test_rules.py.)"""

from collections.abc import Iterator
from urllib.parse import quote

from playwright.sync_api import Page

from scorekeeper.games import GAMES
from sessions_app.faces import FACES
from tests.browser.gallery import Screen
from tests.factories import UserFactory, evening_of


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    evening = evening_of(keeper)
    for key, face in FACES.items():
        if face.rules_page:
            last = quote(face.rules_page.worked_hands(GAMES[key].rules_from_text(""))[-1].line)
            yield Screen(f"rules of {key}", None, f"/games/{key}/rules/", _unfold)
            yield Screen(f"worth of {key}, nothing tapped", None, f"/games/{key}/worth/")
            yield Screen(f"worth of {key}", None, f"/games/{key}/worth/?line={last}&declarer=0", _counted)
        if face.has_blank_sheet:
            for players in GAMES[key].seat_counts:
                yield Screen(f"blank sheet of {key}, {players}", None, f"/games/{key}/blank-sheet/?players={players}")
    house = "?rules=six_five_nil%3Dno+ladder%3D0"
    yield Screen("rules, of the house", keeper, f"/games/asszorti/rules/{house}&evening={evening.pk}")
    yield Screen("worth, by house rules, wrong", None, f"/games/asszorti/worth/{house}&line=2H+7+K")


def _unfold(page: Page) -> None:
    for summary in page.locator(".worked-hand summary").all()[-3:]:
        summary.tap()


def _counted(page: Page) -> None:
    page.locator("#count :is([data-points], .sum)").first.wait_for()
