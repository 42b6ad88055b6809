"""Agreed entries on real phones: tapped, typed, without network, without scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Role, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, url
from tests.factories import MemberFactory
from tests.views.agreed_entries import played, pulka

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def evening(owner: User) -> Evening:
    return pulka(owner)


def tap(page: Page, **said: object) -> None:
    for name, value in said.items():
        if name.startswith("amount"):
            page.locator(f"[name={name}]").fill(str(value))
        else:
            page.locator(f"[name={name}][value='{value}']").tap()


def button(page: Page, words: str) -> Locator:
    return page.get_by_role("button", name=words, exact=True)


def save(page: Page, words: str) -> None:
    """Save once the request before it is over: until then htmx drops another one of the form."""
    expect(page.locator(".htmx-request")).to_have_count(0)
    button(page, words).tap()


def values(page: Page) -> dict[str, str]:
    """The values of the form, without its hidden state."""
    script = """(all) => Object.fromEntries(all.filter((one) => one.type !== "radio" || one.checked)
        .map((one) => [one.name, one.value]))"""
    fields = "[name^=account_], [name^=seat_], [name^=against_], [name^=sign_], [name^=amount_], [name=line]"
    found: dict[str, str] = page.locator(f"#entries-form :is({fields})").evaluate_all(script)
    return found


def saves_nothing_without_network(page: Page) -> None:
    """A save without network is refused with a sentence, and the form keeps its values."""
    page.context.set_offline(True)
    save(page, "Save entry 1")
    expect(page.locator("#no-network")).to_contain_text("“Save entry 1” was not done. Nothing is lost: try again.")
    page.context.set_offline(False)


def corrects_it_as_one_line(page: Page) -> None:
    """By the same form; the line is refused at first."""
    page.get_by_role("link", name="Correct", exact=True).tap()
    tap(page, amount_0=0, amount_1=0)
    page.locator(".whole-sheet > summary").tap()
    page.locator("[name=line]").fill("D1-9 P2+99")
    save(page, "Save entry 2")
    expect(page.locator("[data-code=pool_above]")).to_have_text("A pool cannot go past 10.")
    page.locator("[name=line]").fill("D1-9 P2+3")
    save(page, "Save entry 2")
    expect(page.get_by_role("status").filter(has_text="Agreed entry 2 is saved.")).to_be_visible()


def types_one_into_a_hand_without_network(page: Page, evening: Evening) -> None:
    """On a screen that has the field for it; it waits as any other, and the dealer stays."""
    page.goto(url(evening))
    phones.kept(page)
    page.get_by_role("link", name="Enter hand 3").tap()
    page.context.set_offline(True)
    head = page.locator(".deal-head > summary")
    expect(head).to_have_text(re.compile("Hand 3 · .?Béla.? deals"))
    phones.type_line(page, "= D1+5")
    phones.save(page, 3)
    expect(page.locator("#hand-news")).to_contain_text("Agreed entry 3 is waiting on this phone")
    expect(head).to_have_text(re.compile("Hand 4 · .?Béla.? deals"))
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Agreed entry 3 is saved.")


def test_agreed_entry_is_tapped_kept_without_network_asked_about_and_corrected_as_one_line(
    page: Page, sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
):
    expected.update((NO_NETWORK, "409", "422"))
    sign_in(page, owner)
    page.goto(url(evening))
    page.get_by_role("link", name="Agreed entry").tap()
    expect(page.locator(".place")).to_have_count(1)
    tap(page, account_0="pool", seat_0=0)
    expect(page.locator(".against")).to_be_hidden()
    expect(page.locator("#count")).to_contain_text("Still to say: How much?")
    tap(page, account_0="bank", against_0=0, amount_0=20)
    expect(page.locator("#count")).to_contain_text("Nobody writes whists against themselves.")
    tap(page, against_0=2)
    expect(page.locator("#count")).to_contain_text("Then: Anna +20 Béla 0 Cili −20")
    button(page, "One more place").tap()
    expect(page.locator(".place")).to_have_count(2)
    tap(page, account_1="dump", seat_1=1, sign_1="-", amount_1=3)
    typed = values(page)
    assert (typed["account_0"], typed["against_0"], typed["amount_0"], typed["sign_1"]) == ("bank", "2", "20", "-")
    saves_nothing_without_network(page)
    assert values(page) == typed
    # A look at the sheet loses nothing.
    page.locator("a.back").tap()
    page.locator(f"a.act[href='{url(evening, 'entries/new/')}']").tap()
    expect(page.locator(".place")).to_have_count(2)
    assert values(page) == typed
    # Somebody else was quicker: it is the next one then, by an explicit answer.
    played(evening, MemberFactory(circle=evening.circle, role=Role.KEEPER).user, "6S pp", 1)
    save(page, "Save entry 1")
    expect(page.locator(".conflict")).to_be_visible()
    assert values(page) == typed
    save(page, "Save mine as entry 2")
    expect(page.locator("#hand-2")).to_contain_text("agreed (2)")
    assert phones.recorded(evening) == [(1, "6S pp", 1), (2, "= D1-3 B0>2+20", None)]
    corrects_it_as_one_line(page)
    assert phones.recorded(evening)[1] == (2, "= P2+3 D1-9", None)
    types_one_into_a_hand_without_network(page, evening)
    assert phones.recorded(evening)[2] == (3, "= D1+5", None)
