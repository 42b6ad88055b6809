"""Two phones settle an evening for real: one line paid by one tap on both, a part, and a payment taken back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Repayment, User
from tests.browser.phones import url
from tests.factories import MemberFactory, record

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_phones_settle_an_evening(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], owner: User, evening: Evening
) -> None:
    record(evening, owner, "2H 7", declarer=0)
    ours, theirs = (new_phone() for _ in range(2))
    sign_in(ours, owner)
    sign_in(theirs, MemberFactory(circle=evening.circle).user)
    for page in (ours, theirs):
        page.goto(url(evening, "settle/"))
    for page, words in ((ours, "Booked."), (theirs, "Another phone has already booked this.")):
        page.get_by_role("button", name=re.compile("Paid: Béla to Anna")).tap()
        expect(page.locator(".notice")).to_contain_text(words)
    assert Repayment.objects.count() == 1

    left = theirs.locator("section[aria-labelledby=left]")
    expect(left).to_contain_text("Cili")
    left.get_by_role("link", name="Another amount: Cili to Anna").tap()
    theirs.locator("#amount").fill("25")
    theirs.get_by_role("button", name="Book", exact=True).tap()
    expect(theirs).to_have_url(re.compile(f"{url(evening, 'settle/')}.*booked="))
    expect(left).to_contain_text("HUF 35")

    theirs.locator(".notice").get_by_role("button", name=re.compile("Take back")).tap()
    expect(left).to_contain_text("HUF 60")
    expect(theirs.locator("section[aria-labelledby=paid] .undone")).to_have_count(1)

    ours.goto(f"/circles/{evening.circle_id}/")
    expect(ours.locator("[data-open][data-payer]")).to_have_count(1)
    ours.get_by_role("button", name=re.compile("Paid: Cili to Anna, HUF 60")).tap()
    expect(ours.locator(".notice")).to_contain_text("Booked.")
    expect(ours.locator("[data-open]")).to_have_count(0)
