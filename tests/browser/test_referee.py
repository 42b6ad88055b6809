"""A hand through the referee and in two steps, by thumb, on one phone and on several."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sessions_app.models import Evening, Hand, HandInPlay, Role, User
from tests import moves
from tests.browser import thumb
from tests.browser.phones import begun, url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)


def button(page: Page, words: str) -> Locator:
    return page.get_by_role("button", name=words, exact=True)


def call(page: Page, *calls: tuple[str, str]) -> None:
    """Tap each player's calls, once it is his turn."""
    for name, words in calls:
        expect(page.get_by_role("heading", name=f"{name} calls")).to_be_visible()
        button(page, words).tap()


def win(page: Page, *names: str) -> None:
    """Let each win a trick, the first with two taps, the next one when the last is counted."""
    for number, name in enumerate(names, 1):
        expect(page.get_by_role("heading", name=f"Trick {number} of 11")).to_be_visible()
        tile = page.locator(".tile").filter(has_text=name)
        tile.tap() if number > 1 else tile.dblclick()


def test_a_whole_hand_goes_through_the_referee(phone_of: Callable[..., Page], evening: Evening, owner: User) -> None:
    page = phone_of(owner, url(evening))
    page.get_by_role("link", name="Referee: who can say what?").tap()
    call(page, ("Béla", "3"), ("Cili", "2"), ("Anna", "pass"), ("Béla", "hold"), ("Cili", "pass"))
    expect(page.locator(".now")).to_contain_text("plays: 2 or higher.")
    thumb.choose(page, [("Contract", "2"), ("Trumps", "hearts")])
    # The choices stay while others write.
    version = int(page.locator("#referee").get_attribute("data-version") or "") + 1
    Evening.objects.filter(pk=evening.pk).update(version=version)
    expect(page.locator("#referee")).to_have_attribute("data-version", str(version))
    expect(thumb.choice(page, "Contract", "2")).to_be_checked()
    page.get_by_role("radio", name="announced", exact=True).tap()
    button(page, "Announce").tap()
    expect(page.locator(".open-headline")).to_be_visible()
    button(page, "Cili: kontra").first.tap()
    expect(page.get_by_text("The talon lies open")).to_be_visible()
    button(page, "Béla: rekontra").tap()
    expect(button(page, "Anna: szubkontra")).to_be_visible()
    expect(button(page, "Cili: szubkontra")).to_have_count(0)
    win(page, "Cili", *["Béla"] * 6, "Anna", *["Béla"] * 3)
    expect(page.get_by_text("All eleven tricks are played.")).to_be_visible()
    page.get_by_role("radio", name="No: idegen").tap()
    button(page, "Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="is saved.")).to_have_text("Hand 1 is saved.")
    assert Hand.objects.get().deal == "2H 9-1-1 R A*"
    thumb.expect_balances(page, (-56, 112, -56))
    assert moves.row_in_play(evening) is None


def test_two_thumbs_at_once_overwrite_nothing(
    phone_of: Callable[..., Page], evening: Evening, owner: User, expected: set[str]
) -> None:
    expected.add("409")
    one = phone_of(owner, url(evening, "referee/"))
    other = phone_of(MemberFactory(circle=evening.circle).user, url(evening, "referee/"))
    # The other phone hears nothing meanwhile.
    other.locator("#referee").evaluate("(part) => part.removeAttribute('data-live')")
    call(one, ("Béla", "3"))
    expect(one.get_by_role("heading", name="Cili calls")).to_be_visible()
    button(other, "pass").tap()
    expect(other.get_by_role("alert").filter(has_text="The hand has changed meanwhile.")).to_be_visible()
    expect(other.get_by_role("heading", name="Cili calls")).to_be_visible()
    assert HandInPlay.objects.get().state.get("auction", "") == "1-2-0 3"


def test_hand_of_tarokk_is_announced_in_the_form_followed_by_all_and_finished(
    phone_of: Callable[..., Page], owner: User
) -> None:
    """Anna deals, Dóra speaks first; the partner is not known yet."""

    def tap(**rows: str) -> None:
        for name, value in rows.items():
            page.locator(f"[name={name}][value='{value}']").tap()

    evening = begun(owner, "tarokk", ("Anna", "Béla", "Cili", "Dóra"))
    keeper, viewer = (MemberFactory(circle=evening.circle, role=role).user for role in (Role.KEEPER, Role.VIEWER))
    watching, beside = phone_of(viewer, url(evening)), phone_of(keeper, url(evening, "hands/new/"))
    page = phone_of(owner, url(evening, "hands/new/"))
    tap(declarer="1", contract="2")
    page.locator(".bonuses > summary").tap()
    page.locator("[name=d_kings]").tap()
    tap(d_kings_kontra="1")
    button(page, "Announce").tap()
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
    tap(partner="3", result="+", kings="d")
    button(page, "Save hand 1").tap()
    expect(watching.locator("#open-hand")).to_have_count(0)
    expect(watching.locator("[data-seat='1']").first).to_contain_text("+6")
    assert Hand.objects.get().deal == "2+2 + NK n"
