"""Two phones in three circles whose players have the same first names: each session is where it was meant to be."""

import re
from collections.abc import Callable, Sequence
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from sessions_app.models import Circle, Evening, Role, User
from sessions_app.writers import evenings
from tests.browser.phones import url
from tests.factories import MemberFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)

TRIO = ("Anna", "Béla", "Cili")


def circle_of(name: str, *owners: User) -> Evening:
    """An evening of a circle that these users own."""
    circle = Circle.objects.create(name=name)
    for user in owners:
        MemberFactory(circle=circle, user=user, role=Role.OWNER)
    return evenings.start(evenings.Opening(TRIO, 0), token=uuid4(), by=owners[0], circle=circle)


def start(page: Page, names: Sequence[str] = ()) -> None:
    for seat, name in enumerate(names, 1):
        page.locator(f"#player_{seat}").fill(name)
    page.get_by_role("button", name="Start", exact=True).tap()


def landed(page: Page, circle: Circle) -> Evening:
    """The session that the page shows, the newest of this circle."""
    expect(page).to_have_url(re.compile(r"/sessions/\d+/$"))
    evening = Evening.objects.latest("pk")
    expect(page).to_have_url(re.compile(url(evening)))
    assert evening.circle == circle
    return evening


@pytest.mark.thorough
def test_each_session_is_in_the_circle_that_was_meant_and_no_other_phone_sees_it(
    new_phone: Callable[..., Page], sign_in: Callable[..., None], expected: set[str]
) -> None:
    expected.update(("404", "422"))
    ours, theirs = UserFactory(), UserFactory()
    home, club, work = circle_of("Home", ours), circle_of("Club", ours, theirs), circle_of("Work", theirs)
    mine, other = new_phone(), new_phone()
    sign_in(mine, ours)
    sign_in(other, theirs)

    mine.goto(url(home))
    mine.get_by_role("link", name="Another game").tap()
    expect(mine.locator("#circle option:checked")).to_have_text("Home")
    start(mine)
    at_home = landed(mine, home.circle)

    mine.goto("/sessions/new/")
    expect(mine.locator("#circle option:checked")).to_have_text("Home")
    start(mine, ("Anna", "Béla", "Dóra"))
    expect(mine.locator("#player_3")).to_have_value("Dóra")
    mine.get_by_role("button", name="Home new there: Dóra").tap()
    with_dora = landed(mine, home.circle)

    other.goto(f"/circles/{club.circle_id}/")
    other.get_by_role("link", name="New session").tap()
    expect(other).to_have_url(re.compile(r"/sessions/new/"))
    other.wait_for_load_state()  # with its scripts: a list is quicker than a thumb
    other.locator("#circle").select_option(label="Work")
    expect(other.locator("[name=shown_circle]")).to_have_value(str(work.circle_id))
    start(other, TRIO)
    at_work = landed(other, work.circle)

    for phone, hidden in ((other, (at_home, with_dora)), (mine, (at_work,))):
        for evening in hidden:
            answer = phone.goto(url(evening))
            assert answer is not None
            assert answer.status == 404
    assert list(club.circle.evenings.all()) == [club]
