"""A cellar without network: what is saved there waits on the phone, and is on the sheet once, in order, afterwards."""

import re
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from sessions_app.models import GameSession, Member, Role, User
from sessions_app.writers import evenings, ledger
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, rows, url
from tests.factories import MemberFactory, record

pytestmark = pytest.mark.django_db(transaction=True)

#: Three hands as they are tapped, as the ledger has them afterwards, and the balances that they come to.
THREE = [
    {"declarer": "Béla"},
    {"declarer": "Cili", "contract": "1", "trump": "spades", "tricks": 8},
    {"declarer": "Anna"},
]
IN_THE_LEDGER = [(1, "2H 7", 1), (2, "1S 8", 2), (3, "2H 7", 0)]
BALANCES = (-6, -6, 12)


@pytest.fixture
def phone_of(new_phone: Callable[..., Page], sign_in: Callable[..., None], expected: set[str]) -> Callable[..., Page]:
    """A phone of this user on the evening's sheet, whose service worker keeps what it should."""
    expected.update((NO_NETWORK, "409", "422"))

    def phone(user: User, evening: GameSession) -> Page:
        page = new_phone()
        sign_in(page, user)
        page.goto(url(evening))
        phones.kept(page)
        return page

    return phone


@pytest.fixture
def page(phone_of: Callable[..., Page], evening: GameSession, owner: User) -> Page:
    return phone_of(owner, evening)


def cut(page: Page) -> None:
    page.context.set_offline(True)


def mend(page: Page) -> None:
    page.context.set_offline(False)


def enter_offline(page: Page, number: int, **hand: Any) -> None:
    """Save a hand into nothing, in an open form: it waits, and the form is ready for the next."""
    phones.tap_in(page, **hand)
    phones.save(page, number)
    expect(page.locator("#hand-news")).to_contain_text(f"Hand {number} is waiting on this phone")
    expect(page.get_by_role("button", name=f"Save hand {number + 1}")).to_be_visible()


def test_three_hands_in_a_cellar_are_on_the_sheet_afterwards_in_order_and_once(page: Page, evening: GameSession):
    """The network goes in the moment of saving; the page is closed and opened again before it comes back."""
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    cut(page)
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    enter_offline(page, 2, **THREE[1])
    enter_offline(page, 3, **THREE[2])
    phones.sign(page, "waiting (3)")
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(url(evening))
    expect(rows(page)).to_have_text([re.compile("Anna · 2"), re.compile("Cili · 1"), re.compile("Béla · 2")])
    expect(rows(page).first).to_contain_text("waiting")
    phones.sign(page, "waiting (3)")
    assert phones.recorded(evening) == []
    mend(page)
    phones.settled(page, evening, BALANCES)
    phones.sign(page, "saved")
    assert phones.recorded(evening) == IN_THE_LEDGER
    assert phones.outbox(page) == []


def test_the_form_goes_on_without_the_server(page: Page, evening: GameSession, owner: User):
    """Number and dealer follow, another token is made, and nothing stays chosen but what the form begins with."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    token = page.locator("[name=token]").input_value()
    page.locator("summary").tap()
    enter_offline(page, 1, declarer="Béla", game_kontra=1, arrivazs="won", arrivazs_kontra=2)
    expect(page.locator("summary")).to_have_text(re.compile("Hand 2 · .?Béla.? deals · .?Cili.? speaks first"))
    assert page.locator("[name=token]").input_value() != token
    assert page.locator("#hand-form :checked").evaluate_all("all => all.map((one) => one.name + '=' + one.value)") == [
        "dealer=1",
        "game_kontra=0",
        "arrivazs=none",
        "arrivazs_kontra=0",
    ]
    entry = phones.outbox(page)[0]
    assert entry["label"] == "Béla · 2 ♥︎ · kontra ×2 · arrivázs won · rekontra ×4 · 7 tricks"
    page.locator("summary").tap()
    page.get_by_role("button", name="same dealer again").tap()
    expect(page.locator("summary")).to_have_text(re.compile("Hand 3 · .?Béla.? deals"))
    page.locator("summary").tap()
    page.get_by_role("button", name="deal passes on").tap()
    expect(page.locator("summary")).to_have_text(re.compile("Hand 4 · .?Cili.? deals"))
    enter_offline(page, 4, declarer="Anna", tricks=6, opponent_tricks=5)
    assert phones.outbox(page)[3]["label"] == "Anna · 2 ♥︎ · 6 tricks · 5 : 0"
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("Hand 4 is saved.")
    assert phones.recorded(evening) == [(1, "2H 7 K A+R", 1), (2, "", None), (3, "", None), (4, "2H 6-5-0", 0)]
    assert list(evening.hands.order_by("number").values_list("dealer", flat=True)) == [0, 1, 1, 2]


def test_an_unfinished_hand_is_not_kept_and_what_is_missing_is_said(page: Page):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    page.locator("[name=contract][value='2']").tap()
    expect(page.locator("#count")).to_have_text("No network: it will be counted when it is saved.")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Something is still to be tapped: Declarer, Trumps, Tricks")
    assert phones.outbox(page) == []
    expect(page.locator("[name=contract][value='2']")).to_be_checked()


def test_six_tricks_ask_for_the_split_without_the_server_too(page: Page):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    phones.tap_in(page, "Béla", tricks=6)
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Something is still to be tapped: Split")
    assert phones.outbox(page) == []


# --- What the server has, and the phone does not know of ---


def lose_the_answer(page: Page) -> None:
    """The server writes the next hand; its answer is lost on the way, and so is what is asked after it.

    Before the form is opened: a page that is just coming may miss that its requests are to be caught.
    """
    written: list[int] = []

    def write_and_lose(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
            return
        if not written:
            written.append(route.fetch().status)
        route.abort("internetdisconnected")

    page.context.route("**/hands/new/", write_and_lose)


def test_a_hand_whose_answer_was_lost_is_found_again_and_not_written_twice(page: Page, evening: GameSession):
    lose_the_answer(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, "Béla")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    assert phones.recorded(evening) == [(1, "2H 7", 1)]
    phones.tap_in(page, "Cili", contract="1", trump="spades", tricks=8)
    page.context.unroute("**/hands/new/")
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    phones.save(page, 2)
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]


#: The outbox sends what waits by itself, whenever the server answers: at this step of the form's it has been quicker.
QUICKER = """(step) => {
    const form = outbox[step];
    outbox[step] = async (...what) => {
        const done = await form(...what);
        await outbox.flush();
        return done;
    };
}"""


@pytest.mark.parametrize("quicker_at", [None, "put", "of"])
def test_a_hand_is_on_the_phone_though_the_network_goes_before_the_sheet_comes(
    page: Page, evening: GameSession, quicker_at: str | None
):
    """The server has it, and the phone knows: neither is it entered again, nor does the next one take its number."""

    answered: list[Route] = []

    def answer_and_go(route: Route) -> None:
        if route.request.method != "POST" or answered:
            route.fallback()
            return
        answered.append(route)
        response = route.fetch()
        cut(page)
        route.fulfill(response=response)

    page.context.route("**/hands/new/", answer_and_go)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    if quicker_at:
        page.evaluate(QUICKER, quicker_at)
    phones.save(page, 1)
    expect(rows(page)).to_contain_text("Béla · 2 ♥")
    expect(page.get_by_role("heading", name="Saved, but not on this page yet")).to_be_visible()
    phones.sign(page, "offline")
    page.get_by_role("link", name="Enter hand 2").tap()
    expect(page.locator("summary")).to_contain_text("Hand 2 · Béla deals")
    enter_offline(page, 2, **THREE[1])
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is saved.")
    page.goto(url(evening))
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]


@pytest.fixture
def conflict(page: Page, evening: GameSession, owner: User) -> Page:
    """Hands 1 and 2 wait on this phone; another phone has recorded a hand 1 meanwhile; the network is back."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    enter_offline(page, 2, **THREE[1])
    record(evening, owner, "hC 5", declarer=0)
    page.goto(url(evening))
    mend(page)
    expect(rows(page).last).to_contain_text("Hand 1 was recorded on another phone meanwhile.")
    expect(rows(page).first).to_contain_text("waiting")
    expect(page.locator("#hand-1")).to_contain_text("Anna")
    phones.sign(page, "waiting (2)")
    assert phones.recorded(evening) == [(1, "hC 5", 0)]
    return page


def test_a_hand_that_another_phone_was_quicker_with_is_asked_about_and_corrected(conflict: Page, evening: GameSession):
    page = conflict
    page.get_by_role("link", name="Correct").first.tap()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 was recorded on another phone meanwhile.")
    expect(page.get_by_role("group", name="Declarer").get_by_role("radio", name="Béla")).to_be_checked()
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.locator("[name=tricks][value='8']").tap()
    phones.save(page, 2)
    expect(page.locator(".conflict")).to_contain_text("Anna")
    page.get_by_role("button", name="Mine is another hand").tap()
    phones.settled(page, evening, (-16 - 8 - 12, 8 + 16 - 12, 8 - 8 + 24))
    assert phones.recorded(evening) == [(1, "hC 5", 0), (2, "2H 8", 1), (3, "1S 8", 2)]


def test_it_is_dropped_only_when_that_was_said_twice_and_the_one_behind_it_goes(conflict: Page, evening: GameSession):
    page = conflict
    page.get_by_role("button", name="Discard", exact=True).last.tap()
    expect(rows(page).last).to_contain_text("Discard hand 1? It is only on this phone.")
    page.get_by_role("button", name="Keep it").tap()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Discard", exact=True).last.tap()
    page.get_by_role("button", name="Discard it").tap()
    phones.settled(page, evening, (-16 - 12, 8 - 12, 8 + 24))
    assert phones.recorded(evening) == [(1, "hC 5", 0), (2, "1S 8", 2)]


def test_it_is_kept_for_better_times_and_the_one_behind_it_waits(conflict: Page, evening: GameSession):
    page = conflict
    page.get_by_role("button", name="Keep").tap()
    expect(rows(page).last).to_contain_text("kept")
    page.reload()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).last).to_contain_text("kept")
    rows(page).last.locator("summary").tap()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    phones.sign(page, "waiting (2)")
    assert phones.recorded(evening) == [(1, "hC 5", 0)]


def test_an_ended_session_takes_it_when_it_is_reopened(page: Page, evening: GameSession):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    evenings.end(evening.pk)
    page.goto(url(evening))
    mend(page)
    expect(rows(page)).to_contain_text("This session has ended. Reopen to add or correct hands.")
    page.get_by_role("button", name="Keep").tap()
    expect(rows(page).locator(".tag")).to_have_text("kept")
    evenings.reopen(evening.pk)
    rows(page).locator("summary").tap()
    page.get_by_role("button", name="Try again").tap()
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_what_cannot_be_says_so_and_stays(page: Page, evening: GameSession):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    phones.tap_in(page, "Béla", tricks=2)
    page.evaluate("""() => {
        const won = document.querySelector("[name=arrivazs][value=won]");
        // Or a late answer to the form's first question would make it look again, and find the clash.
        for (const input of document.querySelectorAll("[data-excluded]")) delete input.dataset.excluded;
        won.disabled = false;
        won.checked = true;
    }""")
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.goto(url(evening))
    mend(page)
    expect(rows(page)).to_contain_text("An arrivázs is won with the last three tricks; the declarer has only 2.")
    assert phones.recorded(evening) == []


# --- Who is signed in, and who may write ---


def test_a_form_token_that_has_expired_loses_nothing(page: Page, evening: GameSession):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    page.context.clear_cookies(name="csrftoken")
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_a_form_token_that_has_expired_online_is_renewed_without_a_word(
    page: Page, evening: GameSession, expected: set[str]
):
    expected.add("403")
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.context.clear_cookies(name="csrftoken")
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_a_form_token_that_cannot_be_renewed_gives_the_form_back(page: Page, evening: GameSession, expected: set[str]):
    expected.add("403")
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    expect(page.locator("#count")).to_contain_text("4 + 2 = 6")
    page.context.clear_cookies(name="csrftoken")
    page.context.route("**/token/", lambda route: route.abort("internetdisconnected"))
    phones.save(page, 1)
    expect(page.get_by_text("Nothing was lost: press Save again.")).to_be_visible()
    assert [entry["state"] for entry in phones.outbox(page)] == ["refused"], "kept until it is saved"
    page.context.unroute("**/token/")
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_who_is_signed_out_keeps_the_hand_until_signed_in_again(
    page: Page, evening: GameSession, owner: User, sign_in: Callable[..., None], expected: set[str]
):
    expected.update(("403", "404"))
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    sign_in(page, None)
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone is no longer signed in.")
    page.get_by_role("link", name="Decide on the sheet").tap()
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(rows(page)).to_contain_text("This phone is no longer signed in.")
    phones.sign(page, "waiting (1)")
    sign_in(page, owner)
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_who_is_signed_out_while_saving_keeps_the_hand_too(
    page: Page, evening: GameSession, sign_in: Callable[..., None], expected: set[str]
):
    expected.update(("403", "404"))
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    page.wait_for_load_state("networkidle")
    sign_in(page, None)
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("This phone is no longer signed in.")
    expect(page.locator("[name=contract][value='2']")).to_be_checked()
    assert [entry["reason"] for entry in phones.outbox(page)] == ["signed-out"]
    assert phones.recorded(evening) == []


def test_who_was_taken_off_the_table_meanwhile_keeps_the_hand(
    phone_of: Callable[..., Page], evening: GameSession, expected: set[str]
):
    expected.add("404")
    keeper = MemberFactory(table=evening.table, role=Role.KEEPER).user
    page = phone_of(keeper, evening)
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    Member.objects.filter(user=keeper).delete()
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone no longer belongs to the circle.")
    page.goto("/")
    expect(rows(page)).to_contain_text("This phone no longer belongs to the circle.")
    assert phones.recorded(evening) == []


def test_who_may_only_look_by_now_keeps_the_hand(
    phone_of: Callable[..., Page], evening: GameSession, expected: set[str]
):
    expected.add("403")
    keeper = MemberFactory(table=evening.table, role=Role.KEEPER).user
    page = phone_of(keeper, evening)
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    Member.objects.filter(user=keeper).update(role=Role.VIEWER)
    mend(page)
    expect(page.locator("#hand-news")).to_contain_text("This phone can only watch.")
    page.get_by_role("link", name="Decide on the sheet").tap()
    expect(rows(page)).to_contain_text("This phone can only watch.")
    assert phones.recorded(evening) == []


# --- Two phones at once ---


def test_two_keepers_save_the_same_hand_number_at_once(
    phone_of: Callable[..., Page], evening: GameSession, owner: User, expected: set[str]
):
    """One hand; the other sees what happened, with his figures kept, and saves them as the next."""
    expected.add("409")
    keeper = MemberFactory(table=evening.table, role=Role.KEEPER).user
    quick, slow = phone_of(owner, evening), phone_of(keeper, evening)
    phones.stop_following(slow)
    for page, hand in ((quick, THREE[0]), (slow, THREE[1])):
        page.get_by_role("link", name="Enter hand 1").tap()
        phones.tap_in(page, **hand)
    phones.save(quick, 1)
    expect(quick.locator("#hand-1")).to_be_visible()
    phones.save(slow, 1)
    expect(slow.get_by_role("heading", name="Recorded meanwhile")).to_be_visible()
    expect(slow.locator(".conflict")).to_contain_text("Béla 2")
    expect(slow.locator("[name=contract][value='1']")).to_be_checked()
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]
    assert [entry["sentence"] for entry in phones.outbox(slow)] == ["Hand 1 was recorded on another phone meanwhile."]
    phones.sign(slow, "waiting (1)")
    phones.save(slow, 2)
    phones.settled(slow, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]


def test_two_taps_on_save_are_one_hand(page: Page, evening: GameSession):
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    page.get_by_role("button", name="Save hand 1").dblclick()
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_two_taps_on_save_in_a_cellar_are_one_hand(page: Page, evening: GameSession):
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    phones.tap_in(page, **THREE[0])
    page.get_by_role("button", name="Save hand 1").dblclick()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_visible()
    assert len(phones.outbox(page)) == 1


def test_what_waits_goes_before_what_is_saved_after_it(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: GameSession, owner: User, expected: set[str]
):
    """The network is back, and the next hand is saved before the first has been sent by itself."""
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script(phones.NO_WORKER)
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    cut(page)
    enter_offline(page, 1, **THREE[0])
    phones.tap_in(page, **THREE[1])
    page.evaluate("() => { window.flush = outbox.flush; }")
    page.evaluate("() => { outbox.flush = async () => {}; }")
    mend(page)
    phones.sign(page, "waiting (1)")
    page.evaluate("() => { outbox.flush = window.flush; }")
    order: list[str] = []
    page.on("request", lambda request: order.append(request.post_data or "") if request.method == "POST" else None)
    phones.save(page, 2)
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening) == IN_THE_LEDGER[:2]
    # The second may be sent once more, by the outbox while its own answer is on the way: its token makes that harmless.
    first, *then = ["declarer=1" in hand for hand in order if "number=" in hand]
    assert first
    assert then
    assert not any(then)


# --- A server that does not answer, and browsers that give less ---


def test_a_server_that_does_not_answer_in_time_is_none(page: Page, evening: GameSession):
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    page.wait_for_load_state("networkidle")
    page.clock.install()
    page.context.route("**/hands/new/", lambda route: None)
    with page.expect_request("**/hands/new/"):
        phones.save(page, 1)
    page.clock.fast_forward(8_000)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.context.unroute("**/hands/new/")
    page.goto(url(evening))
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_that_breaks_is_none(page: Page, evening: GameSession, expected: set[str], status: int):
    expected.add(str(status))
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    page.context.route("**/hands/new/", lambda route: route.fulfill(status=status, body="broken"))
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    page.context.unroute("**/hands/new/")
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is saved.")
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_where_the_browser_keeps_nothing_it_is_as_it_was(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: GameSession, owner: User, expected: set[str]
):
    expected.add(NO_NETWORK)
    page = new_phone()
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    phones.tap_in(page, **THREE[0])
    cut(page)
    phones.save(page, 1)
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost: try again.")
    mend(page)
    phones.save(page, 1)
    phones.settled(page, evening, (-6, 12, -6))
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


def test_the_browser_sends_it_by_itself_when_the_page_is_closed(page: Page, evening: GameSession):
    """Background Sync: the browser wakes the worker, and the worker sends."""
    page.get_by_role("link", name="Enter hand 1").tap()
    cut(page)
    enter_offline(page, 1, **THREE[0])
    context, origin = page.context, page.evaluate("location.origin")
    other = context.new_page()
    page.close()
    mend(other)
    browser = context.new_cdp_session(other)
    registrations: list[Any] = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    browser.send("ServiceWorker.enable")
    other.goto("about:blank")
    browser.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": origin,
            "registrationId": registrations[0]["registrationId"],
            "tag": "outbox",
            "lastChance": False,
        },
    )
    waiting, deadline = Event(), time.monotonic() + 10
    while not phones.recorded(evening) and time.monotonic() < deadline:
        waiting.wait(0.05)
    assert phones.recorded(evening) == IN_THE_LEDGER[:1]


# --- A hand that the ledger has under another number ---


def test_those_behind_follow_the_number_that_the_server_gave(page: Page, evening: GameSession, owner: User):
    """The first was recorded, its answer lost, and another phone recorded after it: the second is asked about."""
    lose_the_answer(page)
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, **THREE[0])
    phones.save(page, 1)
    expect(page.locator("#hand-news")).to_contain_text("Hand 1 is waiting on this phone")
    cut(page)
    page.context.unroute("**/hands/new/")
    enter_offline(page, 2, **THREE[1])
    record(evening, owner, "hC 5", declarer=0)
    page.goto(url(evening))
    mend(page)
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Hand 2 was recorded on another phone meanwhile.")
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "hC 5", 0)]
    ledger.void(evening.pk, 2, by=owner)
    rows(page).get_by_role("link", name="Correct").tap()
    phones.save(page, 3)
    page.get_by_role("button", name="Mine is another hand").tap()
    phones.settled(page, evening, (-18, 0, 18))
    assert phones.recorded(evening)[2] == (3, "1S 8", 2)
