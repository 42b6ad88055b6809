"""Payments booked without network, or whose answer is lost, wait on the phone and are booked once, or explained."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from sessions_app.models import Evening, Repayment, Role, User
from sessions_app.writers import evenings, repayments
from sessions_app.writers.repayments import Wanted
from tests.browser import phones
from tests.browser.offline.no_network import THREE, enter_offline
from tests.browser.phones import rows, url
from tests.factories import MemberFactory, record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def evening(evening: Evening, owner: User) -> Evening:
    """Béla and Cili owe Anna 60 forints each."""
    record(evening, owner, "2H 7", declarer=0)
    return evening


@pytest.fixture
def page(kept_phone: Callable[..., Page], evening: Evening, owner: User) -> Page:
    return kept_phone(owner, evening)


@pytest.fixture
def free(page: Page, evening: Evening) -> Page:
    """The owner's phone on the form of a payment."""
    page.goto(payments(evening))
    return page


def payments(evening: Evening) -> str:
    return f"/circles/{evening.circle_id}/repayments/"


def fill(page: Page, payer: str = "Béla", amount: str = "60") -> None:
    for field, name in (("payer", payer), ("payee", "Anna")):
        page.locator(f"[name={field}]").select_option(name)
    page.locator("[name=amount]").fill(amount)


def book(page: Page) -> None:
    page.get_by_role("button", name="Book").tap()


def book_offline(page: Page, payer: str = "Béla", amount: str = "60") -> None:
    """Book a payment into nothing, in an open form: it waits, and the form is ready for the next."""
    fill(page, payer, amount)
    book(page)
    expect(page.get_by_role("alert")).to_contain_text("is waiting on this phone")
    expect(page.locator("[name=amount]")).to_have_value("")


def booked() -> list[tuple[str, str, int]]:
    return list(Repayment.objects.values_list("payer__name", "payee__name", "units"))


def told(page: Page) -> Locator:
    """The notice of the server's page about the payment that was just booked."""
    return page.locator(".told-payment")


def book_and_lose_the_answer(page: Page) -> None:
    """The server books the payment; its answer is lost on the way, and so are the requests after it."""
    answered: list[int] = []

    def book_and_lose(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
            return
        if not answered:
            answered.append(route.fetch(max_redirects=0).status)
        route.abort("internetdisconnected")

    page.context.route("**/repayments/", book_and_lose)
    fill(page)
    book(page)
    expect(page.get_by_role("alert")).to_contain_text("is waiting on this phone")


def test_payments_booked_in_a_cellar_are_booked_afterwards_in_order_and_once(free: Page, evening: Evening):
    """The first answer is lost, the browser is closed between, and two tabs are open when the network is back."""
    page = free
    first = page.locator("[name=token]").input_value()
    book_and_lose_the_answer(page)
    assert booked() == [("Béla", "Anna", 60)]
    assert page.locator("[name=token]").input_value() != first
    page.context.set_offline(True)
    book_offline(page, "Cili", "25")
    expect(rows(page)).to_have_text([re.compile("Cili.? → .?Anna.? 25 HUF"), re.compile("Béla.? → .?Anna.? 60 HUF")])
    expect(rows(page).first).to_contain_text("waiting")
    phones.sign(page, "waiting (2)")
    page.context.unroute("**/repayments/")
    context = page.context
    page.close()
    page, other = context.new_page(), context.new_page()
    for each in (page, other):
        each.goto("/")
        expect(rows(each)).to_have_count(2)
    assert booked() == [("Béla", "Anna", 60)]
    page.context.set_offline(False)
    expect(rows(other)).to_contain_text(["saved", "saved"])
    expect(rows(page)).to_contain_text(["saved", "saved"])
    assert phones.outbox(page) == []
    assert booked() == [("Béla", "Anna", 60), ("Cili", "Anna", 25)]
    page.goto(payments(evening))
    expect(page.locator("[data-repayment]")).to_have_count(2)
    expect(rows(page)).to_have_count(0)


def correct_refused(page: Page) -> None:
    page.goto("/")
    expect(rows(page)).to_contain_text("The amount must be more than zero.")
    rows(page).get_by_role("link", name="Correct").tap()
    expect(page.locator("[name=amount]")).to_have_value("0")
    page.locator("[name=amount]").fill("60")
    book(page)
    expect(told(page)).to_contain_text("Béla paid Anna HUF 60")
    expect(page.locator("li[data-repayment]").first).to_contain_text("in the car")
    expect(rows(page)).to_have_count(0)
    assert booked() == [("Cili", "Anna", 60), ("Béla", "Anna", 60)]


def take_back_offline_and_again(page: Page) -> None:
    """Without network neither an unfinished payment nor a taking back waits on the phone."""
    page.context.set_offline(True)
    fill(page, amount="")
    book(page)
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost: try again.")
    told(page).get_by_role("button", name="Take back").tap()
    expect(page.get_by_role("alert")).to_contain_text("was not done")
    assert phones.outbox(page) == []
    page.context.set_offline(False)
    told(page).get_by_role("button", name="Take back").tap()
    expect(page.locator(".repayment.undone")).to_be_visible()


def test_payment_that_is_refused_is_corrected_and_holds_up_no_hand(free: Page, evening: Evening):
    page = free
    page.goto(url(evening))
    page.get_by_role("link", name="Enter hand 2").tap()
    phones.tap_in(page, **THREE[0])
    other = page.context.new_page()
    other.goto(payments(evening))
    page.context.set_offline(True)
    other.locator("[name=note]").fill("in the car")
    book_offline(other, amount="0")
    phones.save(page, 2)
    expect(page.locator("#hand-news")).to_contain_text("Hand 2 is waiting on this phone")
    enter_offline(page, 3, **THREE[2])
    book_offline(other, "Cili")
    page.context.set_offline(False)
    expect(page.locator("#hand-news")).to_contain_text("Hand 3 is saved.")
    expect(rows(other)).to_contain_text(["The amount must be more than zero.", "saved"])
    phones.sign(other, "waiting (1)")
    assert booked() == [("Cili", "Anna", 60)]
    assert [number for number, *_deal in phones.recorded(evening)] == [1, 2, 3]
    correct_refused(other)
    take_back_offline_and_again(other)


@pytest.mark.thorough
def test_corrected_payment_whose_first_version_was_booked_is_asked_about(free: Page, evening: Evening):
    """The answer to the first was lost: the token has booked that, and the corrected one is another payment."""
    page = free
    book_and_lose_the_answer(page)
    page.evaluate("""async () => {
        const [entry] = await outbox.all();
        const fields = entry.fields.map(([name, value]) => [name, name === "amount" ? "75" : value]);
        await outbox.put({ ...entry, fields });
    }""")
    page.context.unroute("**/repayments/")
    page.goto("/")
    expect(rows(page)).to_contain_text("This form has booked another payment already.")
    rows(page).get_by_role("button", name="Put aside").tap()
    rows(page).locator("summary").tap()
    rows(page).get_by_role("button", name="Try again").tap()
    expect(rows(page)).to_contain_text("saved")
    assert booked() == [("Béla", "Anna", 60), ("Béla", "Anna", 75)]


def pay(page: Page, payer: str) -> None:
    page.get_by_role("button", name=f"Paid: {payer} to Anna").first.tap()
    expect(page.get_by_role("alert")).to_contain_text(f"{payer} → Anna")


def test_suggested_payment_that_waited_is_booked_once_for_two_phones_or_asked_about_on_its_row(
    page: Page, evening: Evening, owner: User
):
    """Two phones send the same token: the second is told. Cili paid 20 of her 60 meanwhile: the row offers the rest."""
    evenings.end(evening.pk)
    page.set_viewport_size({"width": 320, "height": 500})
    page.goto(f"/circles/{evening.circle_id}/")
    token = page.locator("form[data-outbox]", has=page.get_by_role("button", name="Paid: Béla to Anna"))
    same = UUID(token.locator("[name=token]").first.input_value())
    page.context.set_offline(True)
    pay(page, "Béla")
    pay(page, "Cili")
    expect(rows(page)).to_contain_text(["waiting", "waiting"])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    anna, bela, cili = evening.seats.order_by("position").values_list("player", flat=True)
    other = MemberFactory(circle=evening.circle, role=Role.KEEPER, player_id=cili).user
    repayments.book(evening.circle_id, Wanted(bela, anna, 60, "HUF"), token=same, by=other)
    repayments.book(evening.circle_id, Wanted(cili, anna, 20, "HUF"), token=UUID(int=1), by=owner)
    page.context.set_offline(False)
    question = "Cili has paid HUF 20 of it since: book HUF 40, HUF 60 all the same, or nothing?"
    asked, booked_before = rows(page).filter(has_text=question), rows(page).filter(has_text="Béla")
    expect(booked_before).to_contain_text("Cili has already booked this. It is booked once.")
    expect(page.get_by_role("alert")).to_contain_text("The payment Cili → Anna HUF 60 was not booked.")
    expect(asked.get_by_role("button")).to_have_text(["Book HUF 40", "HUF 60 all the same", "Nothing"])
    asked.get_by_role("button", name="Book HUF 40").tap()
    expect(rows(page).filter(has_text="Cili → Anna HUF 40")).to_contain_text("saved")
    phones.sign(page, "saved")
    assert sorted(booked()) == [("Béla", "Anna", 60), ("Cili", "Anna", 20), ("Cili", "Anna", 40)]
    # It is told until somebody has read it.
    page.goto("/")
    expect(rows(page)).to_contain_text("has already booked this")
    expect(page.get_by_role("heading", name="Payments sent by this phone")).to_be_visible()
    rows(page).get_by_role("button", name="OK").tap()
    expect(rows(page)).to_have_count(0)
