"""Cases from a demanding evening, tapped on two phones at once: nothing is booked that nobody meant."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Player, Role, User
from tests.browser import phones
from tests.browser.phones import url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)

NEWS = "#hand-news"


@pytest.fixture
def pair(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User
) -> Callable[[Evening], tuple[Page, Page]]:
    """Anna's phone, whose table it is, and Béla's, both on the evening's sheet."""

    def phones_of(evening: Evening) -> Iterator[Page]:
        bela = Player.objects.get(circle=evening.circle, name="Béla")
        for user in (owner, MemberFactory(circle=evening.circle, role=Role.KEEPER, player=bela).user):
            page = new_phone()
            page.add_init_script(phones.NO_WORKER)
            sign_in(page, user)
            page.goto(url(evening))
            yield page

    def both(evening: Evening) -> tuple[Page, Page]:
        anna, bela = phones_of(evening)
        return anna, bela

    return both


def open_form(page: Page, link: str = "Enter hand 1") -> None:
    page.get_by_role("link", name=link, exact=True).tap()
    expect(page.locator(".save")).to_be_visible()


def announce(page: Page) -> None:
    """Béla plays two at hearts."""
    open_form(page)
    for name, value in (("declarer", "1"), ("contract", "2"), ("trump", "hearts")):
        page.locator(f"[name={name}][value='{value}']").tap()
    page.get_by_role("button", name="Announce", exact=True).tap()
    expect(page.locator(".open-headline")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("waits", [True, False], ids=["the form follows", "saved before it has heard"])
def test_a_kontra_that_the_one_notes_is_in_the_hand_that_the_other_saves(
    pair: Callable[..., tuple[Page, Page]], evening: Evening, expected: set[str], waits: bool
) -> None:
    expected.update(() if waits else ("409",))
    anna, bela = pair(evening)
    announce(anna)
    if not waits:
        phones.stop_following(bela)
    open_form(bela, "Finish hand 1")
    anna.goto(url(evening, "referee/"))
    anna.get_by_role("button", name="Cili: kontra").first.tap()
    expect(anna.get_by_role("button", name="Béla: rekontra")).to_be_visible()
    if waits:
        expect(bela.locator(NEWS)).to_contain_text("kontra ×2")
    bela.locator("[name=tricks][value='7']").tap()
    phones.save(bela, 1)
    if not waits:
        bela.get_by_role("button", name="Save what is entered").tap()
    phones.settled(bela, evening, (-12, 24, -12))
    assert phones.recorded(evening) == [(1, "2H 7 K", 1)]


def test_the_same_deal_typed_on_both_is_booked_once(pair: Callable[..., tuple[Page, Page]], evening: Evening) -> None:
    anna, bela = pair(evening)
    for page in (anna, bela):
        open_form(page)
        phones.tap_in(page, "Cili")
    phones.save(bela, 1)
    phones.settled(bela, evening, (-6, -6, 12))
    same = anna.get_by_role("link", name="It is the same: discard mine")
    expect(same).to_have_class("button primary")
    expect(anna.locator(".conflict")).to_contain_text("Béla has recorded hand 1")
    same.tap()
    phones.settled(anna, evening, (-6, -6, 12))
    assert phones.recorded(evening) == [(1, "2H 7", 2)]


@pytest.mark.thorough
def test_at_four_the_dealer_follows_what_the_other_has_recorded(
    pair: Callable[..., tuple[Page, Page]], evening_of_four: Evening
) -> None:
    evening = evening_of_four
    anna, bela = pair(evening)
    open_form(anna)
    phones.tap_in(anna, "Cili")
    phones.enter(bela, 1, "Dóra", contract="1", trump="spades", tricks=8)
    anna.get_by_role("button", name="Mine is another hand: make it hand 2 Béla deals it").tap()
    expect(anna.locator("#hand-2")).to_be_visible()
    assert evening.hands.get(number=2).dealer == 1


@pytest.mark.thorough
def test_an_announcement_over_the_other_s_auction_is_asked_about_and_put_back(
    pair: Callable[..., tuple[Page, Page]], evening: Evening, expected: set[str]
) -> None:
    expected.add("409")
    anna, bela = pair(evening)
    phones.stop_following(anna)
    open_form(anna)
    bela.goto(url(evening, "referee/"))
    bela.get_by_role("button", name="3", exact=True).tap()
    expect(bela.get_by_role("heading", name="Cili calls")).to_be_visible()
    for name, value in (("declarer", "0"), ("contract", "1"), ("trump", "clubs")):
        anna.locator(f"[name={name}][value='{value}']").tap()
    anna.get_by_role("button", name="Announce", exact=True).tap()
    expect(anna.locator(".replaces")).to_contain_text("Béla: 3; Cili is to call")
    expect(bela.get_by_role("heading", name="Cili calls")).to_be_visible()
    anna.get_by_role("button", name="Announce mine instead").tap()
    expect(bela.get_by_role("heading", name="Cili calls")).to_have_count(0)
    anna.get_by_role("button", name="Put it back").tap()
    expect(bela.get_by_role("heading", name="Cili calls")).to_be_visible()
