"""A hand of Tarokk in two steps, by thumb, on three phones; and its referee on one."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Evening, Hand, Role, User
from sessions_app.writers.evenings import Opening, start
from tests.browser.phones import url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)

#: Anna deals, Dóra speaks first.
NAMES = ("Anna", "Béla", "Cili", "Dóra")


@pytest.fixture
def tarokk(owner: User) -> Evening:
    return start(Opening(NAMES, 0, game_key="tarokk"), token=uuid4(), by=owner)


def tap(page: Page, **rows: str) -> None:
    for name, value in rows.items():
        page.locator(f"[name={name}][value='{value}']").tap()


@pytest.mark.thorough
def test_a_hand_is_announced_without_its_partner_followed_by_all_and_finished(
    phone_of: Callable[..., Page], tarokk: Evening, owner: User
) -> None:
    keeper, viewer = (MemberFactory(circle=tarokk.circle, role=role).user for role in (Role.KEEPER, Role.VIEWER))
    watching, beside = phone_of(viewer, url(tarokk)), phone_of(keeper, url(tarokk, "hands/new/"))
    page = phone_of(owner, url(tarokk, "hands/new/"))

    tap(page, declarer="1", contract="2")
    page.locator(".bonuses > summary").tap()
    page.locator("[name=d_kings]").tap()
    tap(page, d_kings_kontra="1")
    page.get_by_role("button", name="Announce", exact=True).tap()

    for phone in (page, watching):
        line = phone.locator("#open-hand summary")
        expect(line).to_contain_text("Béla")
        expect(line).to_contain_text("2+?")
        line.tap()
        expect(phone.locator(".worth-items")).to_contain_text("négy király")
    expect(beside.locator("[name=declarer][value='1']")).to_be_checked()
    expect(beside.locator("[name=d_kings]")).to_be_checked()
    expect(beside.locator("[name=d_kings_kontra][value='1']")).to_be_checked()

    page.get_by_role("link", name="Finish hand 1", exact=True).tap()
    expect(page.locator("[name=d_kings]")).to_be_checked()
    tap(page, partner="3", result="+", kings="d")
    page.get_by_role("button", name="Save hand 1", exact=True).tap()
    expect(watching.locator("#open-hand")).to_have_count(0)
    expect(watching.locator("[data-seat='1']").first).to_contain_text("+6")
    assert Hand.objects.get().deal == "2+2 + NK n"
