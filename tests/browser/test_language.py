"""The language is switched in the midst of filling in a form: nothing that was tapped or typed is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Hand, User
from tests.browser.phones import tap_in, url
from tests.factories import record

type SignIn = Callable[[Page, User | None], None]


def switch(page: Page, to: str = "Magyar", language: str = "hu") -> None:
    page.get_by_role("button", name=to, exact=True).tap()
    expect(page.locator("html")).to_have_attribute("lang", language)


def checked(page: Page) -> dict[str, str]:
    """The choices in the hand form, by field."""
    return fields(page, "[type=radio]:checked:enabled")


def hidden(page: Page) -> dict[str, str]:
    return fields(page, "[type=hidden]:not([name=csrfmiddlewaretoken])")


def fields(page: Page, which: str) -> dict[str, str]:
    script = "(all) => Object.fromEntries(all.map((one) => [one.name, one.value]))"
    found: dict[str, str] = page.locator(f"#hand-form {which}").evaluate_all(script)
    return found


def kept_for_later(page: Page) -> int:
    count: int = page.evaluate("sessionStorage.length")
    return count


def test_a_half_tapped_hand_is_as_it_was_and_can_be_saved(
    page: Page, sign_in: SignIn, owner: User, evening: Evening
) -> None:
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    page.locator("summary").tap()
    page.locator("[name=dealer][value='1']").tap()
    tap_in(page, "Cili", contract="1", trump="clubs", tricks=6, game_kontra=2, arrivazs="won", opponent_tricks=5)
    expect(page.locator("#count .sum")).to_be_visible()
    tapped, known = checked(page), hidden(page)
    switch(page)
    expect(page.locator("#count .sum")).to_be_visible()
    assert checked(page) == tapped
    assert hidden(page) == known
    expect(page.locator("details.deal-head")).to_have_attribute("open", "")
    expect(page.locator("#count")).to_contain_text("Cili +52")
    page.get_by_role("button", name="1. leosztás mentése", exact=True).tap()
    expect(page.locator("#hand-1")).to_be_visible()
    assert kept_for_later(page) == 0
    hand = Hand.objects.get()
    assert (hand.deal, hand.declarer, hand.dealer, str(hand.token)) == ("1C 6-5-0 R A+", 2, 1, known["token"])


@pytest.mark.thorough
def test_what_was_recorded_meanwhile_is_still_noticed(
    page: Page, sign_in: SignIn, owner: User, evening: Evening, expected: set[str]
) -> None:
    sign_in(page, owner)
    page.route("**/hands/new/live/**", lambda route: route.fulfill(status=204, headers={"X-Scorekeeper": "1"}))
    page.goto(url(evening, "hands/new/"))
    tap_in(page, "Cili")
    number = page.locator("#hand-form [name=number]")
    expect(number).to_have_value("1")
    record(evening, owner, "3S 7")
    switch(page)
    expect(number).to_have_value("1")
    assert checked(page)["declarer"] == "2"


@pytest.mark.thorough
def test_a_half_made_correction_is_as_it_was(page: Page, sign_in: SignIn, owner: User, evening: Evening) -> None:
    record(evening, owner, "2H 7")
    sign_in(page, owner)
    page.goto(url(evening, "hands/1/edit/"))
    page.locator("[name=tricks][value='9']").tap()
    switch(page)
    expect(page.locator("[name=tricks][value='9']")).to_be_checked()
    expect(page.locator("[name=contract][value='2']")).to_be_checked()


@pytest.mark.thorough
def test_a_contract_half_named_to_the_referee_is_as_it_was(
    page: Page, sign_in: SignIn, owner: User, evening: Evening
) -> None:
    sign_in(page, owner)
    page.goto(url(evening, "referee/"))
    page.locator("form[action$='declarer/'] button").first.tap()
    page.locator("#naming [name=contract][value='2']").tap()
    switch(page)
    expect(page.locator("#naming [name=contract][value='2']")).to_be_checked()


@pytest.mark.thorough
def test_a_new_session_that_was_refused_keeps_what_was_typed(page: Page, expected: set[str], live_server: Any) -> None:
    expected.add("422")
    page.goto("/sessions/new/")
    page.locator("#player_1").fill("Zsuzsanna")
    page.locator("#player_2").fill("Béla")
    page.locator("[name=first_dealer][value='2']").check(force=True)
    page.locator("#stake").fill("0,5")
    page.locator("[name=currency]").select_option("EUR")
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page.locator("#error-player_3")).to_be_visible()
    switch(page)
    for name, value in {"player_1": "Zsuzsanna", "player_2": "Béla", "stake": "0,5", "currency": "EUR"}.items():
        expect(page.locator(f"[name={name}]")).to_have_value(value)
    expect(page.locator("[name=first_dealer][value='2']")).to_be_checked()
    page.reload()
    expect(page.locator("#player_1")).to_have_value("")


@pytest.mark.thorough
def test_without_scripts_too(new_phone: Callable[..., Page], sign_in: SignIn, owner: User, evening: Evening) -> None:
    page = new_phone(java_script_enabled=False)
    page.goto("/sessions/new/")
    page.locator("#player_1").fill("Zsuzsanna")
    page.locator("#stake").fill("0,5")
    switch(page)
    expect(page.locator("#player_1")).to_have_value("Zsuzsanna")
    expect(page.locator("#stake")).to_have_value("0,5")
    sign_in(page, owner)
    page.goto(url(evening, "hands/new/"))
    tap_in(page, "Cili", game_kontra=1)
    switch(page)
    for name, value in {"declarer": "2", "contract": "2", "trump": "hearts", "game_kontra": "1", "tricks": "7"}.items():
        expect(page.locator(f"[name={name}][value='{value}']")).to_be_checked()
