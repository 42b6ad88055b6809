"""The screens of an evening that is edited or removed, of one that has just begun, and of a demo."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal

from playwright.sync_api import Page

from sessions_app.models import Evening, Member, User
from sessions_app.readers.evening.edit import latest_change, shape_of
from sessions_app.writers import demo, evening_edit, evenings
from tests.browser.gallery import LONG, Screen, played
from tests.browser.phones import url
from tests.factories import UserFactory, evening_of


def screens() -> Iterator[Screen]:
    yield from _others()
    yield from _edited()


def _edited() -> Iterator[Screen]:
    keeper = UserFactory()
    new, names = evening_of(keeper), evening_of(keeper, (*LONG, "Dóra"), stake=Decimal("0.05"), currency="EUR")
    begun, ended = played(keeper, 2, names=("Xénia", "Yvett", "Zita")), evening_of(keeper)
    _mend_all(names, keeper)
    evenings.end(ended.pk)
    yield Screen("edit", keeper, url(new, "edit/"))
    yield Screen("edit, errors", keeper, url(new, "edit/"), _save_nonsense)
    yield Screen("edit, changed meanwhile", keeper, url(new, "edit/"), _save_stale(new, keeper))
    yield Screen("edit, four long names and a history", keeper, url(names, "edit/"))
    yield Screen("edit, after the first hand", keeper, url(begun, "edit/"))
    yield Screen("edit, ended", keeper, url(ended, "edit/"))
    yield Screen("take away, four long names", keeper, url(names, "remove/"))
    yield Screen("take away, it stays", keeper, url(begun, "remove/"))


def _others() -> Iterator[Screen]:
    maker, guest = UserFactory(), UserFactory()
    asking = evening_of(maker, (*LONG, "Dóra"))
    Member.objects.filter(user=maker).update(to_be_asked=True)
    shown = demo.lay(guest).evenings.latest("started_at")
    yield Screen("session, asks whose phone it is", maker, url(asking))
    for name, path in (("session", ""), ("settle", "settle/"), ("table view", "table/")):
        yield Screen(f"{name}, of the demo", guest, url(shown, path))


def _mend_all(evening: Evening, by: User) -> None:
    was = shape_of(evening)
    order = (1, 0, 2, 3)
    wanted = replace(
        was,
        players=tuple(was.players[seat] for seat in order),
        names=("Ödönke", *(was.names[seat] for seat in order[1:])),
        stake=None,
        currency="",
    )
    evening_edit.edit(evening.pk, wanted, seen=0, by=by)


def _save_nonsense(page: Page) -> None:
    page.locator("[name=player_1]").fill("")
    page.locator("[name=player_2]").fill("Cili")
    page.locator("[name=stake]").fill("0")
    _saved(page, ".error")


def _save_stale(evening: Evening, by: User) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        now = Evening.objects.get(pk=evening.pk)
        was = shape_of(now)
        higher = replace(was, stake=(was.stake or 0) + Decimal(1), currency="HUF")
        evening_edit.edit(now.pk, higher, seen=latest_change(now), by=by)
        page.locator("[name=player_3]").fill("Csilla")
        _saved(page, ".notice")

    return act


def _saved(page: Page, seen: str) -> None:
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator(".bar .button.primary").tap()
    page.locator(f"{seen}:visible").first.wait_for()
