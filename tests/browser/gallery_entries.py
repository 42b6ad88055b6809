"""The screens of agreed entries: its form, and the pages on which it stands."""

from collections.abc import Iterator

from playwright.sync_api import Page

from sessions_app.hand_facts import Facts
from sessions_app.models import Role
from sessions_app.writers import evenings, ledger
from tests.browser.gallery import LONG, Screen
from tests.browser.phones import url
from tests.factories import MemberFactory, UserFactory, evening_of, strike_out
from tests.views.agreed_entries import played, pulka

#: The widest that can be written of the longest names.
WIDEST = "= P0+10 D0-99 D1+199 B0>2+999 B2>0-999"


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    evening, four = pulka(keeper), pulka(keeper, names=(*LONG, "Dani"))
    other = MemberFactory(circle=evening.circle, role=Role.KEEPER).user
    played(evening, other, "= D1+5")
    played(evening, keeper, "= P0+3 D1-2 B2>0+20")
    ledger.amend(evening.pk, 2, facts=Facts(0, None, "= P0+4 D1-2 B2>0+20", True), by=keeper)
    played(four, keeper, WIDEST)
    played(four, keeper, "= B1>0+7")
    strike_out(four, 2, keeper)
    ended = pulka(keeper)
    played(ended, keeper, "= D1+5")
    evenings.end(ended.pk)
    new = url(evening, "entries/new/")
    yield Screen("agreed: form, empty", keeper, new)
    yield Screen("agreed: form, counted", keeper, new, _fill)
    yield Screen("agreed: form, several places", keeper, new, _fill_two)
    yield Screen("agreed: form, refused", keeper, new, _save_what_cannot_be)
    yield Screen("agreed: form, conflict", keeper, new, _save_stale)
    yield Screen("agreed: form of four, long names", keeper, url(four, "entries/new/"), _fill_long)
    yield Screen("agreed: form, correcting", keeper, url(four, "entries/1/edit/"))
    paid = evening_of(keeper, LONG)
    played(paid, keeper, "= P0>2+123456 P1>2+7")
    yield Screen("agreed: form, correcting figures", keeper, url(paid, "entries/1/edit/"))
    yield Screen("agreed: way from the hand form", keeper, url(evening, "hands/new/"), _unfold_head)
    for name, table in (("three", evening), ("four, long names", four)):
        yield Screen(f"agreed: session of {name}", keeper, url(table, "?saved=2"))
        yield Screen(f"agreed: page, {name}", keeper, url(table, "hands/1/"))
    yield Screen("agreed: page, corrected", keeper, url(evening, "hands/2/"))
    yield Screen("agreed: page, void", keeper, url(four, "hands/2/"))
    yield Screen("agreed: page of an ended session", keeper, url(ended, "hands/1/"))
    yield Screen("agreed: settle", keeper, url(evening, "settle/"))


# The steps to take on the page. Field names and classes, as words are of one language.


def _say(page: Page, index: int, amount: str, **said: str) -> None:
    for name, value in said.items():
        page.locator(f"[name={name}_{index}][value='{value}']").tap()
    page.locator(f"[name=amount_{index}]").fill(amount)
    page.locator(f"[name=amount_{index}]").blur()


def _fill(page: Page) -> None:
    _say(page, 0, "20", account="bank", seat="2", against="0")
    page.locator("#count .won-lost").wait_for()


def _fill_two(page: Page) -> None:
    _fill(page)
    page.locator("[name=more]").tap()
    page.locator("[name=amount_1]").wait_for()
    _say(page, 1, "3", account="dump", seat="1", sign="-")
    page.locator("#count", has_text="−3").wait_for()


def _save(page: Page, status: int) -> None:
    with page.expect_response(lambda response: response.status == status):
        page.locator(".bar .button.primary").tap()


def _save_what_cannot_be(page: Page) -> None:
    _say(page, 0, "99", account="pool", seat="1")
    page.locator(".whole-sheet > summary").tap()
    page.locator("[name=line]").fill("B1>1+4")
    _save(page, 422)
    page.locator("#error-amount_0").wait_for()


def _save_stale(page: Page) -> None:
    _say(page, 0, "5", account="dump", seat="1")
    page.locator("#entries-form").evaluate("(form) => { form.number.value = form.meant.value = 1 }")
    _save(page, 409)
    page.locator(".conflict").wait_for()


def _fill_long(page: Page) -> None:
    _say(page, 0, "9999", account="bank", seat="0", against="2")
    page.locator("#count .won-lost").wait_for()


def _unfold_head(page: Page) -> None:
    page.locator(".deal-head > summary").tap()
