"""A hand through the referee, by thumb, on one phone."""

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Hand, User
from tests import moves
from tests.browser import thumb
from tests.browser.phones import Phones, url

pytestmark = pytest.mark.django_db(transaction=True)


def button(page: Page, words: str) -> Locator:
    return page.get_by_role("button", name=words, exact=True)


def call(page: Page, *calls: tuple[str, str]) -> None:
    """Tap each player's calls, once it is his turn."""
    for name, words in calls:
        expect(page.get_by_role("heading", name=f"{name} calls")).to_be_visible()
        button(page, words).tap()


def win(page: Page, *names: str) -> None:
    """Let each win a trick, the first with two taps, the next one when the last is counted."""
    for number, name in enumerate(names, 1):
        expect(page.get_by_role("heading", name=f"Trick {number} of 11")).to_be_visible()
        tile = page.locator(".tile").filter(has_text=name)
        tile.tap() if number > 1 else tile.dblclick()


def test_a_whole_hand_goes_through_the_referee(phone_of: Phones, evening: Evening, owner: User) -> None:
    page = phone_of(owner, url(evening))
    page.get_by_role("link", name="Referee: who can say what?").tap()
    call(page, ("Béla", "3"), ("Cili", "2"), ("Anna", "pass"), ("Béla", "hold"), ("Cili", "pass"))
    expect(page.locator(".now")).to_contain_text("plays: 2 or higher.")
    thumb.choose(page, [("Contract", "2"), ("Trumps", "hearts")])
    # The choices stay while others write.
    version = int(page.locator("#referee").get_attribute("data-version") or "") + 1
    Evening.objects.filter(pk=evening.pk).update(version=version)
    expect(page.locator("#referee")).to_have_attribute("data-version", str(version))
    expect(thumb.choice(page, "Contract", "2")).to_be_checked()
    page.get_by_role("radio", name="announced", exact=True).tap()
    button(page, "Announce").tap()
    expect(page.locator(".open-headline")).to_be_visible()
    button(page, "Cili: kontra").first.tap()
    expect(page.get_by_text("The talon lies open")).to_be_visible()
    button(page, "Béla: rekontra").tap()
    expect(button(page, "Anna: szubkontra")).to_be_visible()
    expect(button(page, "Cili: szubkontra")).to_have_count(0)
    win(page, "Cili", *["Béla"] * 6, "Anna", *["Béla"] * 3)
    expect(page.get_by_text("All eleven tricks are played.")).to_be_visible()
    page.get_by_role("radio", name="No: idegen").tap()
    button(page, "Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="is saved.")).to_have_text("Hand 1 is saved.")
    assert Hand.objects.get().deal == "2H 9-1-1 R A*"
    thumb.expect_balances(page, (-56, 112, -56))
    assert moves.row_in_play(evening) is None
