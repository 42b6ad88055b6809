"""Hands that wait on a phone are counted on its page, marked as provisional; and the page knows one next hand only."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Member, User
from sessions_app.writers import evenings, ledger
from tests.browser import phones, thumb
from tests.browser.conftest import HEIGHT, WIDTH
from tests.browser.phones import NO_NETWORK, rows, url
from tests.browser.test_waiting_hands import save_without_network
from tests.factories import evening_of, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phone(new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, expected: set[str]):
    """The owner's phone on the sheet of an evening, kept by the worker."""
    expected.update((NO_NETWORK, "409"))

    def opened(evening: Evening) -> Page:
        page = new_phone()
        sign_in(page, owner)
        page.goto(url(evening))
        phones.kept(page)
        return page

    return opened


def shows(page: Page, *figures: int, provisional: bool) -> None:
    for seat, figure in enumerate(figures):
        expect(page.locator(f"[data-seat='{seat}'] .figure")).to_have_text(thumb.written(figure))
    expect(page.locator(".seat", has_text="provisional")).to_have_count(len(figures) if provisional else 0)


def next_is(page: Page, number: int, dealer: str, first: str) -> None:
    """Button, turn line, the seats and the form that opens say the same."""
    expect(page.locator("[data-next-hand]")).to_have_text(f"Enter hand {number}")
    expect(page.locator("[data-turn]")).to_contain_text(f"Hand {number}")
    expect(page.locator(".seat.deals")).to_contain_text(dealer)
    expect(page.locator(".seat", has_text="speaks first")).to_contain_text(first)
    page.locator("[data-next-hand]").tap()
    expect(page.locator(".deal-head > summary")).to_have_text(
        re.compile(rf"\s*Hand {number} ·\s*.?{dealer}.? deals · .?{first}.? speaks first\s*")
    )
    page.get_by_role("link", name="The session").tap()
    expect(rows(page).first).to_be_visible()


def test_waiting_hands_are_counted_and_marked_until_the_sheet_has_them(phone: Callable[..., Page], evening: Evening):
    page = phone(evening)
    save_without_network(page, "Béla", "Cili", "Béla", "Béla")
    shows(page, -24, 30, -6, provisional=True)
    expect(page.get_by_role("heading", name="Only on this phone, counted provisionally")).to_be_visible()
    next_is(page, 5, "Béla", "Cili")
    shows(page, -24, 30, -6, provisional=True)
    rows(page).nth(2).locator("summary").tap()
    rows(page).nth(2).get_by_role("button", name="Discard", exact=True).tap()
    page.get_by_role("button", name="Discard it").tap()
    shows(page, -18, 36, -18, provisional=True)
    page.context.set_offline(False)
    phones.settled(page, evening, (-18, 36, -18))
    shows(page, -18, 36, -18, provisional=False)
    expect(page.locator("[data-next-hand]")).to_have_text("Enter hand 4")
    expect(page.locator("[data-turn]")).to_contain_text("Hand 4")


@pytest.mark.parametrize("keeper", ["the service worker", "the open page, by plain http"])
def test_a_form_that_was_never_open_counts_without_network(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
    keeper: str,
):
    expected.add(NO_NETWORK)
    has_worker, page = keeper == "the service worker", new_phone()
    if not has_worker:
        page.add_init_script(phones.NO_WORKER)
    sign_in(page, owner)
    page.goto(url(evening))
    phones.kept(page) if has_worker else phones.kept_in_memory(page, evening)
    save_without_network(page, "Béla", "Cili")
    shows(page, -12, 6, 6, provisional=True)
    expect(page.get_by_role("heading", name="Only on this phone, counted provisionally")).to_be_visible()


@pytest.mark.parametrize("tables", ["come too late", "come with the first tap"])
def test_a_hand_is_kept_whether_it_can_be_counted_or_not(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    evening: Evening,
    owner: User,
    expected: set[str],
    tables: str,
):
    """The form's tables are asked for when it is open, and again until they are there."""
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script(phones.NO_WORKER)
    page.context.route("**/count-tables/**", lambda route: route.abort("internetdisconnected"))
    sign_in(page, owner)
    with page.expect_event("requestfailed", lambda request: "/count-tables/" in request.url):
        page.goto(url(evening, "hands/new/"))
    page.wait_for_function("(path) => pages.keeps(path)", arg=url(evening))
    if tables == "come with the first tap":
        page.context.unroute("**/count-tables/**")
        page.locator("[name=trump][value='hearts']").tap()
        phones.tables_came(page)
    page.context.set_offline(True)
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    expect(rows(page)).to_contain_text("Béla · 2")
    if tables == "come too late":
        shows(page, 0, 0, 0, provisional=False)
        expect(page.get_by_role("heading", name="Only on this phone, not counted yet")).to_be_visible()
    else:
        shows(page, -6, 12, -6, provisional=True)
    page.context.set_offline(False)
    phones.settled(page, evening, (-6, 12, -6))


@pytest.mark.thorough
def test_waiting_hands_of_four_with_a_thrown_in_deal_are_counted(phone: Callable[..., Page], owner: User):
    evening = evening_of(owner, names=("Anna", "Béla", "Cili", "Dóra"))
    record(evening, owner, "2H 7", declarer=1)
    page = phone(evening)
    shows(page, 0, 12, -6, -6, provisional=False)
    page.context.set_offline(True)
    page.locator("[data-next-hand]").tap()
    thumb.throw_in(page, "deal passes on")
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is waiting on this phone")
    phones.tap_in(page, "Dóra", contract="hand", trump="none", tricks=6, opponent_tricks=5, arrivazs="lost")
    phones.save(page, 3)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    # 6:5:0 is worth nothing, the lost arrivázs 16 at no trumps; Cili deals, and sits out.
    shows(page, 16, 12 + 16, -6, -6 - 32, provisional=True)
    next_is(page, 4, "Dóra", "Anna")


@pytest.mark.thorough
@pytest.mark.parametrize("because", ["it was refused", "an older form has kept it", "the sheet knows another one"])
def test_waiting_hands_are_not_counted_while_one_is_unclear(
    phone: Callable[..., Page], evening: Evening, owner: User, because: str
):
    """The next hand is still one."""
    page = phone(evening)
    save_without_network(page, "Béla", "Cili")
    shows(page, -12, 6, 6, provisional=True)
    if because == "an older form has kept it":
        page.evaluate("outbox.all().then(([first]) => outbox.put({ ...first, amounts: undefined }))")
    elif because == "it was refused":
        page.evaluate("outbox.all().then(([first]) => outbox.refuse(first, { sentence: 'No.' }))")
    else:
        page.context.route("**/hands/new/", lambda route: route.abort("internetdisconnected"))
        record(evening, owner, "hC 5", declarer=0)
        page.context.set_offline(False)
        expect(page.locator("#hand-1")).to_be_visible()
        shows(page, -16, 8, 8, provisional=False)
    if because != "the sheet knows another one":
        shows(page, 0, 0, 0, provisional=False)
    expect(page.get_by_role("heading", name="Only on this phone, not counted yet")).to_be_visible()
    expect(page.locator("[data-next-hand]")).to_have_text("Enter hand 3")
    expect(page.locator("[data-turn]")).to_contain_text("Hand 3")
    expect(page.locator(".seat.deals")).to_contain_text("Cili")


#: Hands 2 to 6 of Preference: the taps, the figures while they wait, the ledger's figures in the end.
PREFERENCE = (
    # Béla deals: 2 a trick; Cili: 3 a trick; Anna deals.
    ({"taken_2": 0, "taken_0": 4}, "raspasovka · Anna 4 · Cili 0", "R 0-4-6"),
    ({"taken_0": 5, "taken_1": 3}, "raspasovka · Anna 5 · Béla 3", "R 5-3-2"),
    (
        {"declarer": 1, "level": 6, "answers": "ww", "tricks": 6, "first_tricks": 3, "strain": "S"},
        "Béla · 6 ♠︎ · both whist · 6 tricks · Cili 3",
        "6S ww 6-3-1",
    ),
    ({"declarer": 0, "level": "M", "tricks": 2}, "Anna · mizer · 2 tricks", "M 2"),
    ({"declarer": 1, "level": 8, "answers": "w2", "tricks": 7}, "Béla · 8 · Cili whists · 7 tricks", "8 wp 7"),
)


@pytest.mark.thorough
def test_preference_is_counted_in_words_and_at_the_price_of_its_row(phone: Callable[..., Page], owner: User):
    evening = evening_of_preference(owner)
    page = phone(evening)
    assert figures(page) == ["+3⅓", "−6⅔", "+3⅓"]
    save_preference_without_network(page)
    expect(rows(page).locator("bdi")).to_have_text([waiting for _taps, waiting, _deal in reversed(PREFERENCE)])
    expect(page.get_by_role("heading", name="Only on this phone, counted provisionally")).to_be_visible()
    expect(page.locator("[data-next-price]")).to_have_text("1")
    expect(page.get_by_text("The sheet below does not have the hands that wait on this phone.")).to_be_visible()
    reckoned = figures(page)
    save_agreed_entry(page, 7)
    # An agreed entry is no hand, and cannot be counted here.
    rows(page).first.locator("summary").tap()
    expect(rows(page).first).to_contain_text("It will be counted when you are back online.")
    expect(page.get_by_role("heading", name="Only on this phone, not counted yet")).to_be_visible()
    discard_agreed_entry(page, 7)
    expect(page.get_by_role("heading", name="Only on this phone, counted provisionally")).to_be_visible()
    assert figures(page) == reckoned
    page.context.set_offline(False)
    expect(page.locator("#hand-6")).to_be_visible()
    expect(rows(page)).to_have_count(0)
    assert figures(page) == reckoned
    recorded = [deal for _number, deal, _declarer in phones.recorded(evening)]
    assert recorded[1:] == [deal for _taps, _waiting, deal in PREFERENCE]


def evening_of_preference(owner: User) -> Evening:
    """Begin an evening of Preference to 10, whose first hand was a raspasovka."""
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, None, "", "preference", "target=10")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    Member.objects.filter(circle=evening.circle_id).update(to_be_asked=False)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=Facts(0, None, "R 4-3-3"), by=owner)
    return evening


def save_preference_without_network(page: Page) -> None:
    """Lose the network, save the hands of Preference, and go back to the sheet."""
    page.context.set_offline(True)
    page.locator("[data-next-hand]").tap()
    for number, (taps, _waiting, _deal) in enumerate(PREFERENCE, 2):
        for name, value in taps.items():
            page.locator(f"#hand-form [name={name}][value='{value}']").tap()
        phones.save(page, number)
        expect(page.locator("#hand-news")).to_contain_text(f"Hand {number} is waiting on this phone")
    page.get_by_role("link", name="The session").tap()


def save_agreed_entry(page: Page, number: int) -> None:
    """From the sheet and back to it, without network."""
    page.locator("[data-next-hand]").tap()
    phones.type_line(page, "= D1+5")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    phones.save(page, number)
    expect(page.locator("#hand-news")).to_contain_text(f"Agreed entry {number} is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    expect(rows(page).first.locator("bdi")).to_have_text("Agreed entry · = D1+5")


def discard_agreed_entry(page: Page, number: int) -> None:
    rows(page).first.get_by_role("button", name="Discard", exact=True).tap()
    expect(rows(page).first).to_contain_text(f"Discard agreed entry {number}?")
    page.get_by_role("button", name="Discard it").tap()


def figures(page: Page) -> list[str]:
    return page.locator(".seat .figure").all_inner_texts()
