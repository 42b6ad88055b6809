"""The pages that a phone keeps for offline use, by its service worker or in the open page, and their deletion."""

import re
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from sessions_app.models import Evening, Hand, Member, User
from sessions_app.writers import evenings
from tests.browser import phones, thumb
from tests.browser.phones import Phones, rows, url
from tests.factories import UserFactory, evening_of, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(kept_phone: Phones, evening: Evening, owner: User, expected: set[str]) -> Page:
    """The owner's phone on the sheet of an evening of two hands, kept by the worker."""
    expected.add("404")
    record(evening, owner, "2H 7", declarer=1)
    record(evening, owner, "2H 7", declarer=1)
    return kept_phone(owner, evening)


def no_network(page: Page, path: str) -> None:
    """This address shows nothing of the evening without network, but says that there is none."""
    page.context.set_offline(True)
    page.goto(path)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.locator("[data-balance]")).to_have_count(0)


def test_sheet_and_form_are_there_as_last_seen_and_other_pages_lead_back(page: Page, evening: Evening, owner: User):
    names = page.evaluate("caches.keys()")
    assert sorted(name.partition(":")[0] for name in names) == ["pages", "shell"]
    shell = page.evaluate("""async () => {
        const name = (await caches.keys()).find((one) => one.startsWith("shell:"));
        return (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname);
    }""")
    assert all(path.startswith(("/static/", "/messages/")) or path == "/offline/" for path in shell)
    record(evening, owner, "1S 8", declarer=2)
    phones.look_again(page)
    phones.until(page, f"(await (await caches.match('{url(evening)}')).text()).includes('hand-3')")
    page.context.set_offline(True)
    page.reload()
    thumb.expect_balances(page, (-24, 12, 12))
    phones.sign(page, "offline")
    no_network(page, url(evening, "settle/"))
    page.get_by_role("link", name="The session as last seen").tap()
    expect(page.locator("#hand-3")).to_be_visible()
    page.goto(url(evening, "?saved=3"))
    expect(page.locator("#hand-3")).to_be_visible()
    # The form is there though it was never open.
    page.get_by_role("link", name="Enter hand 4").tap()
    first = page.locator("[name=token]").input_value()
    phones.tap_in(page, "Cili")
    phones.save(page, 4)
    expect(page.locator("#hand-news")).to_contain_text("Hand 4 is waiting on this phone")
    page.get_by_role("link", name="The session").tap()
    page.get_by_role("link", name="Enter hand 5").tap()
    expect(page.locator(".deal-head > summary")).to_contain_text("Hand 5 ·")
    assert page.locator("[name=token]").input_value() != first
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 4 is saved.")
    page.goto(url(evening, "settle/"))
    expect(page.get_by_role("heading", name="Settle up")).to_be_visible()


@pytest.mark.thorough
def test_server_that_takes_too_long_is_not_waited_for(page: Page, evening: Evening):
    answer = Event()
    with patch("sessions_app.writers.members.note_presence", lambda *_: answer.wait(20)):
        page.goto(url(evening))
        expect(page.locator("body")).to_have_attribute("data-kept", "")
        expect(page.locator("#hand-2")).to_be_visible()
        answer.set()
    phones.sign(page, "saved")


def deleted_after(page: Page, visit: str, of: Evening) -> None:
    """Visit an address, and expect that no page of the evening is kept any more."""
    page.goto(visit)
    phones.until(page, "(await pages()).length === 0")
    no_network(page, url(of))
    page.context.set_offline(False)


def test_kept_pages_are_deleted_when_the_phone_is_signed_in_as_another_user_or_signed_out(
    page: Page, evening: Evening, owner: User, sign_in: Callable[[Page, User | None], None]
):
    def become(user: User | None) -> None:
        page.goto("about:blank")  # the sheet would see that it is denied, and load itself anew
        sign_in(page, user)

    # A hand that is not there is a reason to ask whether the evening is open still, and none to forget it.
    with page.context.expect_event("response", lambda answer: answer.request.method == "HEAD"):
        page.goto(url(evening, "hands/99/"))
    phones.kept(page)
    for user, visit in ((UserFactory(), "/"), (None, "/sessions/")):
        become(user)
        deleted_after(page, visit, evening)
        become(owner)
        page.goto(url(evening))
        phones.kept(page)


def test_kept_pages_give_way_to_another_session_and_go_with_its_end_or_the_membership(
    page: Page, evening: Evening, owner: User
):
    other = evening_of(owner, names=("Xénia", "Yvette", "Zita"))
    page.goto(url(other))
    replaced = f"(await stored()).every((page) => page.startsWith('{url(other)}')) && (await stored()).length === 3"
    phones.until(page, replaced)
    asked: list[str] = []
    page.context.on("request", lambda request: request.service_worker and asked.append(request.url))
    with page.expect_response("**/count-tables/**") as response:
        page.goto(url(other, "hands/new/"))
    assert response.value.from_service_worker
    assert not any("/count-tables/" in address for address in asked), "the form's tables are not asked for again"
    ended = evening_of(owner)
    evenings.end(ended.pk)
    deleted_after(page, url(ended), other)
    for of, visit in ((other, url(other)), (evening, "/")):
        page.goto(url(of))
        phones.kept(page)
        Member.objects.filter(circle=of.circle).delete()
        deleted_after(page, visit, of)


# --- A form that was sent without the scripts and found no network comes back as it was filled in ---


NAMES = ('Zoé <b> & "co"', "مريم", "👩‍👩‍👧")
UNANSWERED = "No answer from the server. Nothing is lost: try again."
ELSEWHERE = "What you just sent did not arrive, or the answer did not come back. Nothing is lost."


def send_into_nothing(page: Page, form: str, said: str = UNANSWERED) -> None:
    """Send the form without network, as the browser does without scripts."""
    page.context.set_offline(True)
    with page.expect_event("domcontentloaded"):
        page.evaluate("(form) => document.querySelector(form).submit()", form)
    expect(page.get_by_text(said)).to_be_visible()
    page.context.set_offline(False)


def test_form_that_was_sent_into_nothing_without_scripts_comes_back_filled_in(page: Page, evening: Evening):
    page.get_by_role("link", name="Enter hand 3").tap()
    hand = {"declarer": "Cili", "tricks": 6, "opponent_tricks": 5, "game_kontra": 2}
    phones.tap_in(page, **hand)
    token = page.locator("[name=token]").input_value()
    send_into_nothing(page, "#hand-form")
    for name, value in (hand | {"declarer": 2}).items():
        expect(page.locator(f"[name={name}][value='{value}']")).to_be_checked()
    phones.save(page, 3)
    expect(page.locator("#hand-3")).to_be_visible()
    assert phones.recorded(evening)[2:] == [(3, "2H 6-5-0 R", 2)]
    assert str(Hand.objects.get(number=3).token) == token
    page.goto("/sessions/new/")
    fields = [page.get_by_role("textbox", name=f"{which} player") for which in ("First", "Second", "Third")]
    for field, name in zip(fields, NAMES, strict=True):
        field.fill(name)
    page.locator("[name=stake]").fill("0.5")
    page.locator("[name=currency]").select_option("EUR")
    page.locator("[name=circle]").select_option(label="New people")
    send_into_nothing(page, "#session-form")
    for field, name in zip(fields, NAMES, strict=True):
        expect(field).to_have_value(name)
    # Another page was loaded meanwhile: the worker no longer has this one.
    page.context.new_page().goto("/")
    send_into_nothing(page, "#session-form", ELSEWHERE)
    page.get_by_role("button", name="Send it again").tap()
    expect(page.get_by_role("link", name="Enter hand 1")).to_be_visible()
    started = Evening.objects.exclude(pk=evening.pk).get()
    assert [seat.player.name for seat in started.seats.order_by("position")] == list(NAMES)
    assert started.currency == "EUR"


# --- By plain http a browser keeps nothing: sheet and form go back and forth as long as the page is open ---


@pytest.fixture
def plain_phone(
    browser: Browser, browser_context_args: dict[str, Any], live_server: Any, settings: Any, owner: User
) -> Iterator[Page]:
    """The owner's phone, which reaches the server as a laptop in the same network: by a name, without HTTPS."""
    settings.ALLOWED_HOSTS = ["laptop.test"]
    client = Client()
    client.force_login(owner)
    address = f"http://laptop.test:{urlsplit(live_server.url).port}"
    context = browser.new_context(**browser_context_args, base_url=address)
    value = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": value, "domain": "laptop.test", "path": "/"}])
    yield context.new_page()
    context.close()


def open_next_form(page: Page, number: int) -> None:
    page.locator("[data-next-hand]").tap()
    expect(page.get_by_role("button", name=f"Save hand {number}")).to_be_visible()
    expect(page).to_have_title(re.compile("Hand"))


def open_sheet(page: Page) -> None:
    page.get_by_role("link", name="The session").tap()
    expect(page.locator("#state")).to_be_visible()


def enter_two_hands_offline(page: Page) -> None:
    """From the sheet to its form, back, and to the form again, which has a token of its own."""
    tokens = set()
    for number, declarer in enumerate(("Béla", "Cili"), 1):
        open_next_form(page, number)
        expect(page).to_have_url(re.compile("/hands/new/$"))
        tokens.add(page.locator("[name=token]").input_value())
        phones.tap_in(page, declarer)
        phones.save(page, number)
        phones.sign(page, f"waiting ({number})")
        open_sheet(page)
        expect(rows(page).first).to_contain_text(f"{declarer} · 2")
    assert len(tokens) == 2
    expect(page.locator(".seat", has_text="provisional")).to_have_count(3)


def test_by_plain_http_an_open_page_says_so_and_goes_on_without_network(
    plain_phone: Page, evening: Evening, owner: User
):
    page = plain_phone
    page.goto(url(evening))
    notice = page.locator("#plain-http")
    expect(notice).to_contain_text("Without HTTPS, this phone cannot open pages offline")
    notice.get_by_role("button", name="Got it").tap()
    expect(notice).to_be_hidden()
    phones.kept_in_memory(page, evening)
    page.context.set_offline(True)
    enter_two_hands_offline(page)
    page.go_back()
    expect(page.get_by_role("button", name="Save hand 3")).to_be_visible()
    page.go_forward()
    expect(page).to_have_url(re.compile(f"{url(evening)}$"))
    expect(rows(page)).to_have_count(2)
    page.context.set_offline(False)
    phones.settled(page, evening, (-12, 6, 6))
    assert phones.recorded(evening) == [(1, "2H 7", 1), (2, "2H 7", 2)]
    # With network the page comes from the server.
    open_next_form(page, 3)
    record(evening, owner, "2H 7", declarer=1)
    open_sheet(page)
    expect(page.locator("#hand-3")).to_be_visible()
    expect(page.locator("body[data-kept]")).to_have_count(0)
    phones.sign(page, "saved")
    expect(page.locator("#plain-http")).to_be_hidden()
