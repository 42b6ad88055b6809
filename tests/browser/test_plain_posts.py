"""A form that was sent without the scripts and found no network comes back as it was filled in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Hand, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, url

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ('Zoé <b> & "co"', "مريم", "👩‍👩‍👧")


@pytest.fixture
def page(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
) -> Page:
    """The owner's phone on the sheet, kept by the worker."""
    expected.add(NO_NETWORK)
    page = new_phone()
    sign_in(page, owner)
    page.goto(url(evening))
    phones.kept(page)
    return page


UNANSWERED = "No answer from the server. Nothing is lost: try again."
ELSEWHERE = "What you just sent did not arrive, or the answer did not come back. Nothing is lost."


def send_into_nothing(page: Page, form: str, said: str = UNANSWERED) -> None:
    """Send the form without network, as the browser does without scripts."""
    page.context.set_offline(True)
    with page.expect_event("domcontentloaded"):
        page.evaluate("(form) => document.querySelector(form).submit()", form)
    expect(page.get_by_text(said)).to_be_visible()
    page.context.set_offline(False)


@pytest.mark.thorough
def test_a_hand_comes_back_in_its_form_and_is_saved_once(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 1").tap()
    phones.tap_in(page, "Cili", tricks=6, opponent_tricks=5, game_kontra=2)
    token = page.locator("[name=token]").input_value()
    send_into_nothing(page, "#hand-form")
    assert page.locator("#hand-form :checked").evaluate_all("all => all.map((one) => one.name + '=' + one.value)") == [
        "dealer=0",
        "declarer=2",
        "contract=2",
        "trump=hearts",
        "tricks=6",
        "opponent_tricks=5",
        "game_kontra=2",
        "arrivazs=none",
        "arrivazs_kontra=0",
    ]
    assert page.locator("[name=token]").input_value() == token
    phones.save(page, 1)
    expect(page.locator("#hand-1")).to_be_visible()
    assert phones.recorded(evening) == [(1, "2H 6-5-0 R", 2)]
    assert str(Hand.objects.get().token) == token


@pytest.mark.thorough
def test_a_form_that_is_not_kept_comes_back_as_it_was_loaded_last_or_with_a_button_that_sends_it(
    page: Page, evening: Evening
):
    page.goto("/sessions/new/")
    fields = [page.get_by_role("textbox", name=f"{which} player") for which in ("First", "Second", "Third")]
    for field, name in zip(fields, NAMES, strict=True):
        field.fill(name)
    page.locator("[name=first_dealer][value='3']").check(force=True)
    page.locator("[name=stake]").fill("0.5")
    page.locator("[name=currency]").select_option("EUR")
    page.locator("[name=circle]").select_option(label="New people")
    send_into_nothing(page, "#session-form")
    for field, name in zip(fields, NAMES, strict=True):
        expect(field).to_have_value(name)
    expect(page.locator("[name=first_dealer][value='3']")).to_be_checked()
    expect(page.locator("[name=currency]")).to_have_value("EUR")
    expect(page.locator("[name=circle] :checked")).to_have_text("New people")
    # Another page was loaded meanwhile: the worker no longer has this one.
    other = page.context.new_page()
    other.goto("/")
    send_into_nothing(page, "#session-form", ELSEWHERE)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.get_by_role("button", name="Send it again").tap()
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()
    started = Evening.objects.exclude(pk=evening.pk).get()
    assert [seat.player.name for seat in started.seats.order_by("position")] == list(NAMES)
    assert (started.first_dealer, started.currency) == (2, "EUR")
