"""The screens of settling for real: two ways, paid in part, corrected after a payment, and a circle's payments."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

from sessions_app.models import Evening, Repayment, User
from sessions_app.writers import circles, evenings, ledger, repayments
from tests.browser.gallery import LONG, Screen
from tests.browser.phones import url
from tests.factories import UserFactory, evening_of, record

#: Forints a point, for long figures.
MUCH = Decimal(999)


def screens() -> Iterator[Screen]:
    keeper = UserFactory()
    before, now = (evening_of(keeper, LONG, stake=MUCH, currency="HUF") for _ in range(2))
    for evening in (before, now):
        for deal, declarer in (("3S 9 K A*R", 0), ("2H 5", 1), ("hD 4 K", 2)):
            record(evening, keeper, deal, declarer=declarer)
        evenings.end(evening.pk)
    circle = f"/circles/{now.circle_id}/"
    circles.rename(now.circle_id, f"{LONG[0]} {LONG[2]}")
    yield Screen("settle, two ways", keeper, url(now, "settle/"), _unfold)
    _pay(before, keeper, 12_345_678, note=LONG[0], evenings=(before.pk,))
    repayments.undo(now.circle_id, _pay(now, keeper, 5, evenings=(before.pk, now.pk)).pk, by=keeper)
    _pay(now, keeper, 10**12, kind="opening", note="kék füzet, 2019")
    booked = _pay(now, keeper, 777)
    evenings.reopen(before.pk)
    ledger.void(before.pk, 2, by=keeper)
    circles.set_cash_coins(now.circle_id, {"HUF": 5})
    yield Screen("settle, paid in part and corrected", keeper, url(before, f"settle/?booked={booked.pk}"), _unfold)
    yield Screen("circle, who owes whom", keeper, f"{circle}?booked={booked.pk}", _unfold)
    yield Screen("payments", keeper, f"{circle}repayments/", _unfold)
    yield Screen("payments, refused", keeper, f"{circle}repayments/", _refused)


def _pay(evening: Evening, by: User, units: int, **more: Any) -> Repayment:
    payee, payer, *_others = evening.seats.values_list("player", flat=True)
    wanted = repayments.Wanted(payer, payee, units, "HUF", **more)
    return repayments.book(evening.circle_id, wanted, token=uuid4(), by=by).row


def _unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")


def _refused(page: Page) -> None:
    page.locator("#amount").fill("0,5")
    page.locator("#repayment-form .primary").tap()
    page.wait_for_selector("#error-amount")
