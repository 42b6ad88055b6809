"""The form of agreed entries under the thumb: it asks, counts, grows, and keeps what was tapped."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, User
from tests.browser import phones
from tests.browser.phones import NO_NETWORK, url
from tests.views.agreed_entries import pulka

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


def test_agreed_entry_is_counted_while_tapped_and_kept_without_network_and_over_a_look_at_the_sheet(
    page: Page, sign_in: Callable[..., None], evening: Evening, owner: User, expected: set[str]
):
    expected.update((NO_NETWORK, "422"))
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
    page.context.set_offline(True)
    save(page, "Save entry 1")
    expect(page.locator("#no-network")).to_contain_text("“Save entry 1” was not done. Nothing is lost: try again.")
    page.context.set_offline(False)
    assert values(page) == typed
    # A look at the sheet loses nothing.
    page.locator("a.back").tap()
    page.locator(f"a.act[href='{url(evening, 'entries/new/')}']").tap()
    expect(page.locator(".place")).to_have_count(2)
    assert values(page) == typed
    save(page, "Save entry 1")
    expect(page.locator("#hand-1")).to_contain_text("agreed (2)")
    assert phones.recorded(evening) == [(1, "= D1-3 B0>2+20", None)]
