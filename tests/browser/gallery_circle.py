"""The screens of a circle and of its players: named, merged, marked, refused, watched."""

from collections.abc import Iterator
from decimal import Decimal
from uuid import uuid4

from playwright.sync_api import Page

from sessions_app.models import Evening, Role
from sessions_app.writers import circles, evenings, players
from tests.browser.gallery import LONG, Screen
from tests.factories import MemberFactory, UserFactory, evening_of, record


def screens() -> Iterator[Screen]:
    keeper, viewer, newcomer = UserFactory(), UserFactory(), UserFactory()
    fresh = evening_of(newcomer, LONG)
    yield Screen("circle, nothing played", newcomer, f"/circles/{fresh.circle_id}/")
    yield Screen("player, nothing played", newcomer, _page_of(fresh, 0))
    first = evening_of(keeper, (*LONG, "Zsuzsi"), stake=Decimal("12.5"), currency="EUR")
    second = evening_of(keeper, (LONG[0], LONG[2], "zsuzsi."))
    for evening in (first, second):
        for _hand in range(3):
            record(evening, keeper, "3S 9 K A*R")
    evenings.end(first.pk)
    circle = first.circle_id
    MemberFactory(circle=first.circle, user=viewer, role=Role.VIEWER)
    circles.save_profile(circle, "asszorti", LONG[0], "", by=keeper)
    circles.rename(circle, f"{LONG[0]} {LONG[2]}")
    players.set_mark(circle, first.seats.get(position=0).player_id, "♠", "blue")
    yield Screen("circle, watching", viewer, f"/circles/{circle}/")
    yield Screen("home, the only circle unfolded", keeper, "/", _unfold)
    several = UserFactory()
    for number, name in enumerate(
        ("", "Péntek", "Péntek", "Klub", "Munkahely", LONG[0], f"{LONG[0]} {LONG[2]}", "Vasárnap")
    ):
        each = evenings.start(evenings.Opening(("Anna", "Béla", f"Cili {number}"), 0), token=uuid4(), by=several)
        if name:
            circles.rename(each.circle_id, name)
            evenings.end(each.pk)
    yield Screen("home, eight circles", several, "/")
    yield Screen("circle, all unfolded", keeper, f"/circles/{circle}/", _unfold)
    yield Screen("player, watching", viewer, _page_of(first, 0))
    yield Screen("player, a merge refused", keeper, _page_of(first, 3), _merge_with_himself)
    other = second.seats.get(position=2).player_id
    yield Screen("player, all unfolded", keeper, _page_of(first, 0), _unfold)
    players.merge(circle, first.seats.get(position=3).player_id, other, by=keeper)
    players.set_plays_no_more(circle, first.seats.get(position=3).player_id, True)
    players.rename(circle, first.seats.get(position=3).player_id, "Zsuzsa", by=keeper)
    yield Screen("player, two names, all unfolded", keeper, _page_of(first, 3), _unfold)


def _page_of(evening: Evening, position: int) -> str:
    return f"/circles/{evening.circle_id}/players/{evening.seats.get(position=position).player_id}/"


def _unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")


def _merge_with_himself(page: Page) -> None:
    player = page.url.rstrip("/").rpartition("/")[2]
    page.evaluate(
        """(player) => {
            const form = document.querySelector("form[action$='/merge/']");
            const field = document.createElement("input");
            field.name = "other";
            field.value = player;
            form.append(field);
            form.submit();
        }""",
        player,
    )
    page.wait_for_selector(".notice")
