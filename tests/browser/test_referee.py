"""A hand in two steps, and a whole hand through the referee, by thumb, on one phone and on several."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Hand, HandInPlay, User
from tests import moves
from tests.browser import thumb
from tests.browser.phones import url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phone_of(new_phone: Callable[..., Page], sign_in: Callable[..., None]) -> Callable[..., Page]:
    """A phone of this user, with a page open on it."""

    def phone(user: User, path: str, **context_args: object) -> Page:
        page = new_phone(**context_args)
        sign_in(page, user)
        page.goto(path)
        return page

    return phone


@pytest.fixture
def referee(phone_of: Callable[..., Page], evening: Evening, owner: User) -> Page:
    """The owner's phone on the referee's page: Anna deals, Béla speaks first."""
    return phone_of(owner, url(evening, "referee/"))


def button(page: Page, words: str) -> Locator:
    return page.get_by_role("button", name=words, exact=True)


def call(page: Page, *calls: tuple[str, str]) -> None:
    """Tap each player's calls, once it is his turn."""
    for name, words in calls:
        expect(page.get_by_role("heading", name=f"{name} calls")).to_be_visible()
        button(page, words).tap()


def win(page: Page, *names: str, first: int = 1) -> None:
    """Let each win a trick, the next one when the last is counted."""
    for number, name in enumerate(names, first):
        expect(page.get_by_role("heading", name=f"Trick {number} of 11")).to_be_visible()
        page.locator(".tile").filter(has_text=name).tap()


def announce(page: Page, contract: str, trump: str, arrivazs: bool = False) -> None:
    thumb.choose(page, [("Contract", contract), ("Trumps", trump)])
    if arrivazs:
        page.get_by_role("radio", name="announced", exact=True).tap()
    button(page, "Announce").tap()
    expect(page.locator(".open-headline")).to_be_visible()


def is_saved(page: Page, number: int) -> None:
    expect(page.get_by_role("status").filter(has_text="is saved.")).to_have_text(f"Hand {number} is saved.")


def test_a_whole_hand_goes_through_the_referee(phone_of: Callable[..., Page], evening: Evening, owner: User) -> None:
    page = phone_of(owner, url(evening))
    page.get_by_role("link", name="Referee: who can say what?").tap()
    call(page, ("Béla", "3"), ("Cili", "2"), ("Anna", "pass"), ("Béla", "hold"), ("Cili", "pass"))
    expect(page.locator(".now")).to_contain_text("plays: 2 or higher.")
    announce(page, "2", "hearts", arrivazs=True)
    button(page, "Cili: kontra").first.tap()
    expect(page.get_by_text("The talon lies open")).to_be_visible()
    button(page, "Béla: rekontra").tap()
    expect(button(page, "Anna: szubkontra")).to_be_visible()
    expect(button(page, "Cili: szubkontra")).to_have_count(0)
    win(page, "Cili", *["Béla"] * 6, "Anna", *["Béla"] * 3)
    expect(page.get_by_text("All eleven tricks are played.")).to_be_visible()
    page.get_by_role("radio", name="No: idegen").tap()
    button(page, "Save hand 1").tap()
    is_saved(page, 1)
    assert Hand.objects.get().deal == "2H 9-1-1 R A*"
    thumb.expect_balances(page, (-56, 112, -56))
    assert moves.latest(evening) is None


def test_two_thumbs_at_once_overwrite_nothing(
    phone_of: Callable[..., Page], referee: Page, evening: Evening, expected: set[str]
) -> None:
    expected.add("409")
    other = phone_of(MemberFactory(circle=evening.circle).user, url(evening, "referee/"))
    # The other phone hears nothing meanwhile.
    other.locator("#referee").evaluate("(part) => part.removeAttribute('data-live')")
    call(referee, ("Béla", "3"))
    expect(referee.get_by_role("heading", name="Cili calls")).to_be_visible()
    button(other, "pass").tap()
    expect(other.get_by_role("alert").filter(has_text="The hand has changed meanwhile.")).to_be_visible()
    expect(other.get_by_role("heading", name="Cili calls")).to_be_visible()
    assert HandInPlay.objects.get().state.get("auction", "") == "1-2-0 3"


@pytest.mark.thorough
def test_choices_of_an_announcement_stay_while_others_write(referee: Page, evening: Evening, owner: User) -> None:
    button(referee, "Béla").first.tap()
    thumb.choose(referee, [("Contract", "1"), ("Trumps", "clubs")])
    version = referee.locator("#referee").get_attribute("data-version") or ""
    Evening.objects.filter(pk=evening.pk).update(version=int(version) + 1)
    expect(referee.locator("#referee")).to_have_attribute("data-version", str(int(version) + 1))
    expect(thumb.choice(referee, "Contract", "1")).to_be_checked()
    button(referee, "Announce").tap()
    expect(referee.locator(".open-headline")).to_contain_text("1")
    assert HandInPlay.objects.get().state.get("announcement", "") == "1 clubs"


def test_a_double_tap_wins_one_trick(referee: Page) -> None:
    button(referee, "Béla").first.tap()
    announce(referee, "2", "hearts")
    referee.locator(".tile").first.dblclick()
    expect(referee.get_by_role("heading", name="Trick 2 of 11")).to_be_visible()
    assert HandInPlay.objects.get().state.get("play", "") == "1-2-0 1"


@pytest.mark.thorough
def test_going_back_and_saving_in_the_form_that_announced_makes_the_same_hand(
    phone_of: Callable[..., Page], evening: Evening, owner: User
) -> None:
    page = phone_of(owner, url(evening, "hands/new/"))
    thumb.choose(page, [("Declarer", "Béla"), ("Contract", "2"), ("Trumps", "hearts")])
    button(page, "Announce").tap()
    expect(page.locator("#open-hand")).to_be_visible()
    page.go_back()
    thumb.choose(page, [("Declarer", "Béla"), ("Contract", "2"), ("Trumps", "hearts"), ("Tricks", "7")])
    thumb.save(page).tap()
    is_saved(page, 1)
    assert not HandInPlay.objects.exists()
