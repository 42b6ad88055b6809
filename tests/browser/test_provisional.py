"""Hands that wait on a phone are counted on its page, marked as provisional; and the page knows one next hand only."""

import re

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones, thumb
from tests.browser.conftest import HEIGHT, WIDTH
from tests.browser.phones import NO_NETWORK, Phones, rows, save_without_network, url
from tests.factories import record
from tests.views.agreed_entries import played, pulka

pytestmark = pytest.mark.django_db(transaction=True)

COUNTED, NOT_COUNTED = "Only on this phone, counted provisionally", "Only on this phone, not counted yet"


def shows(page: Page, *figures: int, provisional: bool) -> None:
    for seat, figure in enumerate(figures):
        expect(page.locator(f"[data-seat='{seat}'] .figure")).to_have_text(thumb.written(figure))
    expect(page.locator(".seat", has_text="provisional")).to_have_count(len(figures) if provisional else 0)


def heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", name=words)).to_be_visible()


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


def discard_first(page: Page) -> None:
    rows(page).first.locator("summary").tap()
    rows(page).first.get_by_role("button", name="Discard", exact=True).tap()
    page.get_by_role("button", name="Discard it").tap()


def test_waiting_hands_are_counted_and_marked_until_the_sheet_has_them(
    kept_phone: Phones, evening_of_four: Evening, owner: User
):
    record(evening_of_four, owner, "2H 7", declarer=1)
    page = kept_phone(owner, evening_of_four)
    shows(page, 0, 12, -6, -6, provisional=False)
    page.context.set_offline(True)
    page.locator("[data-next-hand]").tap()
    thumb.throw_in(page, "deal passes on")
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is waiting on this phone")
    hands = ({"declarer": "Dóra", "contract": "hand", "trump": "none", "tricks": 6, "opponent_tricks": 5}, {})
    for number, hand in enumerate(hands, 3):
        phones.tap_in(page, **{"declarer": "Béla", **hand}, arrivazs="lost" if hand else "none")
        phones.save(page, number)
        expect(page.locator("#hand-news")).to_contain_text(f"Hand {number} is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    # 6:5:0 is worth nothing, the lost arrivázs 16 at no trumps; Cili deals, and sits out.
    shows(page, 16 - 6, 12 + 16 + 12, -6 - 6, -6 - 32, provisional=True)
    heading(page, COUNTED)
    discard_first(page)
    shows(page, 16, 12 + 16, -6, -6 - 32, provisional=True)
    next_is(page, 4, "Dóra", "Anna")
    page.context.set_offline(False)
    phones.settled(page, evening_of_four, (16, 28, -6, -38))
    shows(page, 16, 28, -6, -38, provisional=False)
    expect(page.locator("[data-turn]")).to_contain_text("Hand 4")


@pytest.mark.thorough
def test_tables_that_did_not_come_are_asked_for_again_with_the_first_tap(
    phone_of: Phones, evening: Evening, owner: User, expected: set[str]
):
    expected.add(NO_NETWORK)
    page = phone_of(owner, "/", phones.NO_WORKER)
    page.context.route("**/count-tables/**", lambda route: route.abort("internetdisconnected"))
    with page.expect_event("requestfailed", lambda request: "/count-tables/" in request.url):
        page.goto(url(evening, "hands/new/"))
    page.wait_for_function("(path) => pages.keeps(path)", arg=url(evening))
    page.context.unroute("**/count-tables/**")
    page.locator("[name=trump][value='hearts']").tap()
    phones.tables_came(page)
    page.context.set_offline(True)
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    shows(page, -6, 12, -6, provisional=True)
    page.context.set_offline(False)
    phones.settled(page, evening, (-6, 12, -6))


@pytest.mark.thorough
def test_waiting_hands_are_not_counted_while_one_is_unclear(kept_phone: Phones, evening: Evening, owner: User):
    """The next hand is still one."""
    page = kept_phone(owner, evening)
    save_without_network(page, "Béla", "Cili")
    shows(page, -12, 6, 6, provisional=True)
    # It was refused; an older form has kept it.
    for act in ("refuse({ ...first, amounts: [1] }, { sentence: 'No.' })", "put({ ...first, amounts: undefined })"):
        page.evaluate(
            "outbox.all().then(([first]) => { window.first ??= first; return outbox.ACT; })".replace("ACT", act)
        )
        shows(page, 0, 0, 0, provisional=False)
        heading(page, NOT_COUNTED)
        page.evaluate("outbox.put(first)")
        shows(page, -12, 6, 6, provisional=True)
    # The sheet knows another one.
    page.context.route("**/hands/new/", lambda route: route.abort("internetdisconnected"))
    record(evening, owner, "hC 5", declarer=0)
    page.context.set_offline(False)
    expect(page.locator("#hand-1")).to_be_visible()
    shows(page, -16, 8, 8, provisional=False)
    heading(page, NOT_COUNTED)
    expect(page.locator("[data-next-hand]")).to_have_text("Enter hand 3")
    expect(page.locator("[data-turn]")).to_contain_text("Hand 3")
    expect(page.locator(".seat.deals")).to_contain_text("Cili")


#: Hands 2 to 4 of Preference: the taps, the figures while they wait, the ledger's figures in the end.
PREFERENCE = (
    # Béla deals: 2 a trick.
    ({"taken_2": 0, "taken_0": 4}, "raspasovka · Anna 4 · Cili 0", "R 0-4-6"),
    # Cili deals: 3 a trick.
    ({"taken_0": 4, "taken_1": 3}, "raspasovka · Anna 4 · Béla 3", "R 4-3-3"),
    (
        {"declarer": 1, "level": 6, "answers": "ww", "tricks": 6, "first_tricks": 3, "strain": "S"},
        "Béla · 6 ♠︎ · both whist · 6 tricks",
        "6S ww 6-3-1",
    ),
)


def test_preference_is_counted_at_the_price_of_its_row_and_an_agreed_entry_is_not(kept_phone: Phones, owner: User):
    evening = pulka(owner)
    played(evening, owner, "R 4-3-3")
    page = kept_phone(owner, evening)
    figures = page.locator(".seat .figure")
    expect(figures).to_have_text(["+3⅓", "−6⅔", "+3⅓"])
    page.context.set_offline(True)
    page.locator("[data-next-hand]").tap()
    for number, (taps, _waiting, _deal) in enumerate(PREFERENCE, 2):
        phones.tap(page, **taps)
        phones.save(page, number)
        expect(page.locator("#hand-news")).to_contain_text(f"Hand {number} is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    expect(rows(page).locator("bdi")).to_contain_text([waiting for _taps, waiting, _deal in reversed(PREFERENCE)])
    heading(page, COUNTED)
    expect(page.locator("[data-next-price]")).to_have_text("1")
    reckoned = figures.all_inner_texts()
    # An agreed entry is no hand, and cannot be counted here.
    page.locator("[data-next-hand]").tap()
    phones.type_line(page, "= D1+5")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    phones.save(page, 5)
    expect(page.locator("#hand-news")).to_contain_text("Agreed entry 5 is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    expect(rows(page).first.locator("bdi")).to_have_text("Agreed entry · = D1+5")
    heading(page, NOT_COUNTED)
    discard_first(page)
    heading(page, COUNTED)
    assert figures.all_inner_texts() == reckoned
    page.context.set_offline(False)
    expect(page.locator("#hand-4")).to_be_visible()
    expect(rows(page)).to_have_count(0)
    assert figures.all_inner_texts() == reckoned
    recorded = [deal for _number, deal, _declarer in phones.recorded(evening)]
    assert recorded[1:] == [deal for _taps, _waiting, deal in PREFERENCE]
