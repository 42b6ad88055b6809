"""A hand of Preference by thumb: refereed by two phones in turn while a third looks on, and announced by one."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.games.preference import referee
from scorekeeper.games.preference.auction import Call
from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, Hand, Role, User
from sessions_app.readers.evening.hand_in_play import latest
from sessions_app.writers import hand_in_play
from sessions_app.writers.evenings import Opening, start
from tests.browser.phones import url
from tests.factories import MemberFactory

pytestmark = pytest.mark.django_db(transaction=True)

#: Anna deals, Béla speaks first.
NAMES = ("Anna", "Béla", "Cili")


@pytest.fixture
def preference(owner: User) -> Evening:
    return start(Opening(NAMES, 0, game_key="preference"), token=uuid4(), by=owner)


def says(page: Page, asked: str, name: str, value: str) -> None:
    """Wait until this phone is asked it, and takes taps; then tap, and wait until it shows the result."""
    referee = page.locator("#referee")
    expect(page.get_by_role("heading", name=asked)).to_be_visible()
    expect(page.locator("#referee.settling")).to_have_count(0)
    version = referee.get_attribute("data-version") or ""
    page.locator(f"button[name={name}][value='{value}']").tap()
    expect(referee).not_to_have_attribute("data-version", version)


@pytest.mark.thorough
def test_two_phones_referee_a_hand_in_turn_and_a_third_looks_on(
    phone_of: Callable[..., Page], preference: Evening, owner: User
) -> None:
    keeper, viewer = (MemberFactory(circle=preference.circle, role=role).user for role in (Role.KEEPER, Role.VIEWER))
    one, other = (phone_of(user, url(preference, "referee/")) for user in (owner, keeper))
    watching = phone_of(viewer, url(preference))

    says(one, "Béla calls", "call", "6S")
    says(other, "Cili calls", "call", "6C")
    says(one, "Anna calls", "call", "pass")
    says(other, "Béla calls", "call", "here")
    expect(watching.locator("#open-hand summary")).to_contain_text("Cili is to call.")
    says(one, "Cili calls", "call", "pass")
    says(other, "Which contract?", "contract", "7H")
    says(one, "Cili answers", "word", "pass")
    expect(watching.locator("#open-hand summary")).to_contain_text("Anna is to answer.")
    says(other, "Anna answers", "word", "half")
    says(one, "Cili answers", "word", "whist")
    expect(watching.locator("#open-hand summary")).to_contain_text("Cili whists after Anna's half")

    # It was a slip, and is put right where it can be reached.
    expect(other.locator(".undo-tap .what")).to_have_text("Cili: whist")
    expect(other.locator("#referee.settling")).to_have_count(0)
    other.get_by_role("button", name="Undo").tap()
    says(one, "Cili answers", "word", "whist")

    tricks = one.get_by_role("group", name="Béla")
    tricks.get_by_role("radio", name="9", exact=True).tap()
    expect(one.locator("#count")).to_contain_text("Cili is 1 short")
    tricks.get_by_role("radio", name="8", exact=True).tap()
    expect(one.locator("#count")).to_contain_text("Béla pool +4; Cili on Béla +8")
    one.get_by_role("button", name="Save hand 1").tap()
    one.wait_for_url("**/?saved=1")
    assert Hand.objects.get().deal == "7H rh 8"
    expect(watching.locator("#open-hand")).to_have_count(0)
    expect(watching.locator("#hand-1")).to_contain_text("7 hearts")
    expect(other.get_by_role("heading", name="Cili calls")).to_be_visible()


#: The positions of the tap targets on the screen, to the pixel, by their words.
PLACES = """() => Object.fromEntries([...document.querySelectorAll(".bids button, .aside, .undo-place")].map((one) => {
    const { left, top, width } = one.getBoundingClientRect();
    return [one.value ?? one.className, [left, top, width].map(Math.round)];
}))"""


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_the_ladder_stands_still_while_another_phone_referees(
    new_phone: Callable[..., Page],
    sign_in: Callable[..., None],
    preference: Evening,
    owner: User,
    size: tuple[int, int],
) -> None:
    page = new_phone(viewport=dict(zip(("width", "height"), size, strict=True)))
    sign_in(page, owner)
    page.goto(url(preference, "referee/"))
    before = page.evaluate(PLACES)
    for seat, call in enumerate(("6S", "6C", "pass", "here", "7S", "here", "9D", "here"), 1):
        at = {4: 1, 5: 2, 6: 1, 7: 2, 8: 1}.get(seat, seat % 3)
        preference.refresh_from_db()
        row = latest(preference)
        seen = Seen(1, row.version if row else 0)
        hand_in_play.change(preference.pk, referee.call(at, Call(call)), seen=seen, by=owner)
        preference.refresh_from_db()
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("#referee")).to_have_attribute("data-version", str(preference.version))
        after = page.evaluate(PLACES)
        stayed = before.keys() & after.keys()
        assert {value: after[value] for value in stayed} == {value: before[value] for value in stayed}, call
        before = after
