"""The screens of ways out: a circle that is left, archived or deleted, and what is left of it; deleting one's book."""

from collections.abc import Iterator

from playwright.sync_api import Page

from sessions_app.models import Role
from sessions_app.writers import circles, evenings
from tests.browser.gallery import LONG, Screen, submitted
from tests.factories import MemberFactory, UserFactory, evening_of, record


def screens() -> Iterator[Screen]:
    owner, keeper, viewer, only = (UserFactory() for _user in range(4))
    running = evening_of(owner, LONG)
    record(running, owner)
    of_circle = {"circle": running.circle, "player": running.seats.get(position=0).player}
    MemberFactory(user=keeper, **of_circle)
    MemberFactory(user=viewer, role=Role.VIEWER, **of_circle)
    ended = evening_of(owner, ("Anna", "Béla", LONG[2]))
    record(ended, owner)
    evenings.end(ended.pk)
    MemberFactory(circle=ended.circle, role=Role.OWNER)
    MemberFactory(circle=ended.circle, user=keeper, player=ended.seats.get(position=1).player)
    evening_of(only)
    of_running, of_ended = (f"/circles/{evening.circle_id}/" for evening in (running, ended))
    yield Screen("leave, viewer", viewer, f"{of_running}leave/")
    yield Screen("leave, the only owner", owner, f"{of_running}leave/")
    yield Screen("archive, while a session is running", owner, f"{of_running}archive/")
    yield Screen("archive", owner, f"{of_ended}archive/")
    yield Screen("delete", owner, f"{of_ended}delete/")
    yield Screen("delete, another name", owner, f"{of_running}delete/", _wrong_name)
    yield Screen("own book, to be handed over first", owner, "/me/delete/")
    yield Screen("own book, alone", only, "/me/delete/")
    yield Screen("own book, not sure", keeper, "/me/delete/", lambda page: submitted(page, "main form .button.danger"))
    archived, deleted = evening_of(keeper, ("Dóra", "Edit", "Feri")), evening_of(owner, ("Gabi", "Hugó", "Ida"))
    MemberFactory(circle=deleted.circle, user=keeper)
    for evening in (archived, deleted):
        evenings.end(evening.pk)
    circles.archive(archived.circle_id)
    circles.delete(deleted.circle_id)
    yield Screen("circle, archived", keeper, f"/circles/{archived.circle_id}/")
    yield Screen("circle closed", keeper, f"/sessions/{archived.pk}/edit/", status=403)
    yield Screen("circle, deleted, keeper", keeper, f"/circles/{deleted.circle_id}/")
    yield Screen("home, circles archived and deleted", keeper, "/", _unfold)
    yield Screen("home, deleted, owner", owner, "/")


def _wrong_name(page: Page) -> None:
    page.locator("#name").fill("Somebody else's")
    submitted(page, "main form .button.danger")


def _unfold(page: Page) -> None:
    for details in page.locator("main details").all():
        details.evaluate("(it) => { it.open = true }")
