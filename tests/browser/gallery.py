"""Every page of the program in every state that looks different, and the way to it, in any language."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from unittest.mock import patch

from django.utils import timezone
from playwright.sync_api import Page

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Role, User
from sessions_app.readers.check_figure import figure_of
from sessions_app.writers import demo, evenings, ledger
from tests.browser import phones
from tests.factories import MemberFactory, UserFactory, evening_of, record, strike_out
from tests.views.failing import FULL

DEALS = ("2H 7", "hN 6-5-0 H A-M", "1S 6-3-2 K", "hC 8 A+", "2D 4 A-", "3S 9 K A*R", "3N 10 A+S")
#: The longest that is allowed, and the widest that fits.
LONG = ("Nagyszentmiklósi-Erzsébet Gyöngyvér 40", "Ödön", "Wilhelmine-Karolina")
FOUR = (*LONG, "Dóra")


@dataclass(frozen=True, slots=True)
class Screen:
    """A page in one state. `show` brings a phone of `user` there, from `path`, which answers with `status`."""

    name: str
    user: User | None
    path: str
    show: Callable[[Page], object] = id
    status: int = 200


@dataclass(frozen=True, slots=True)
class Cast:
    """The users of the phones."""

    newcomer: User
    keeper: User
    viewer: User


def screens() -> Iterator[Screen]:
    cast = Cast(UserFactory(), UserFactory(), UserFactory())
    yield from _first_steps(cast)
    yield from _evening(cast.keeper)
    yield from _hands(cast)
    yield from _ends(cast.keeper)
    yield from _errors(cast)


def _first_steps(cast: Cast) -> Iterator[Screen]:
    veteran = UserFactory()
    running = demo.lay(veteran).evenings.get(ended_at=None)
    evening_of(veteran)
    evening_of(veteran, LONG)
    yield Screen("home, first visit", None, "/")
    yield Screen("home, running and past", veteran, "/")
    yield Screen("demo", None, "/demo/")
    yield Screen("session of a demo", veteran, f"/sessions/{running.pk}/")
    yield Screen("past sessions", veteran, "/sessions/")
    yield Screen("past sessions, filtered", veteran, "/sessions/?q=anna&from=2020-01-01&state=all", unfold)
    yield Screen("past sessions, nothing found", veteran, "/sessions/?q=nobody")
    refused = "/sessions/?q=a+b+c+d+e+f+g+h+i&game=x&player=1&from=2020-01-02&to=2020-01-01&after=x"
    yield Screen("past sessions, refused", veteran, refused, status=422)
    yield Screen("new session, known names", veteran, "/sessions/new/")


def _evening(keeper: User) -> Iterator[Screen]:
    empty, long = evening_of(keeper), played(keeper, 20)
    names = played(keeper, 3, names=LONG, stake=None)
    strike_out(long, 19, keeper)
    ledger.void(long.pk, 16, by=keeper)
    ended = played(keeper, 14)
    evenings.end(ended.pk)
    yield Screen("session, empty", keeper, f"/sessions/{empty.pk}/")
    yield Screen("session, 20 hands", keeper, f"/sessions/{long.pk}/")
    yield Screen("session, saved", keeper, f"/sessions/{long.pk}/?saved=20")
    yield Screen("session, earlier page", keeper, f"/sessions/{long.pk}/?before=9")
    yield Screen("session, long names", keeper, f"/sessions/{names.pk}/")
    yield Screen("session, ended", keeper, f"/sessions/{ended.pk}/")
    yield Screen("session on paper, long names", keeper, f"/sessions/{names.pk}/print/")
    figure = figure_of(long)
    yield Screen("check, the book says so", keeper, f"/check/{figure}/")
    yield Screen("check, corrected", keeper, f"/check/{_corrected(names, keeper)}/")
    yield Screen("check, no figure of the book", keeper, f"/check/{figure[:-1]}{'1' if figure[-1] == '0' else '0'}/")


def _corrected(evening: Evening, keeper: User) -> str:
    """Return the figure of an evening whose hands are corrected afterwards."""
    figure = figure_of(evening)
    ledger.void(evening.pk, 1, by=keeper)
    ledger.amend(evening.pk, 2, facts=Facts(1, 2, "3S 6-4-1"), by=keeper)
    record(evening, keeper)
    return figure


def _hands(cast: Cast) -> Iterator[Screen]:
    keeper = cast.keeper
    evening, names = played(keeper, 4), played(keeper, 1, names=LONG)
    thrown_in = record(evening, keeper, declarer=None, dealer=1)
    ledger.amend(evening.pk, 5, facts=Facts(1, deal_stays=True), by=keeper, seen=thrown_in.revision_count)
    ledger.amend(evening.pk, 2, facts=Facts(1, 2, "3S 6-4-1"), by=keeper, seen=1)
    strike_out(evening, 3, keeper)
    new, hand = f"/sessions/{evening.pk}/hands/new/", f"/sessions/{evening.pk}/hands"
    yield Screen("hand form, empty", keeper, new)
    yield Screen("hand form, filled", keeper, new, _fill)
    yield Screen("hand form, all rows open", keeper, new, _open_all)
    yield Screen("hand form, dealer open", keeper, new, lambda page: page.locator(".deal-head > summary").tap())
    yield Screen("hand form, errors", keeper, new, _press_enter)
    yield Screen("hand form, conflict", keeper, new, _save_stale)
    yield Screen("hand form, correcting", keeper, f"{hand}/2/edit/")
    yield Screen("hand form, long names", keeper, f"/sessions/{names.pk}/hands/new/", _fill)
    yield Screen("hand", keeper, f"{hand}/1/")
    yield Screen("hand, corrected", keeper, f"{hand}/2/")
    for seen, tricks in enumerate((5, 7) * 12, start=1):
        ledger.amend(evening.pk, 1, facts=Facts(0, 1, f"2H {tricks}"), by=keeper, seen=seen)
    yield Screen("hand, an earlier page of its history", keeper, f"{hand}/1/?before=24")
    yield Screen("hand, void", keeper, f"{hand}/3/")
    yield Screen("hand, thrown in", keeper, f"{hand}/5/")
    yield Screen("hand, long names", keeper, f"/sessions/{names.pk}/hands/1/")


def _ends(keeper: User) -> Iterator[Screen]:
    money, even = played(keeper, 9), played(keeper, 2, deals=("2H 6-5-0",))
    coins = played(keeper, 7, names=LONG, stake=Decimal("0.5"), currency="EUR")
    points = played(keeper, 8, stake=None)
    yield Screen("settle, money", keeper, f"/sessions/{money.pk}/settle/", unfold)
    yield Screen("settle, coins and long names", keeper, f"/sessions/{coins.pk}/settle/", unfold)
    yield Screen("settle, points only", keeper, f"/sessions/{points.pk}/settle/")
    yield Screen("settle, even", keeper, f"/sessions/{even.pk}/settle/")


def _errors(cast: Cast) -> Iterator[Screen]:
    table = evening_of(cast.keeper, names=("Xénia", "Yvette", "Zita"))
    MemberFactory(circle=table.circle, user=cast.viewer, role=Role.VIEWER)
    closing = played(cast.keeper, 1)
    yield Screen("400", cast.newcomer, "/demo/", _send_too_much)
    yield Screen("403", cast.viewer, f"/sessions/{table.pk}/hands/new/", status=403)
    yield Screen("404", None, "/nowhere/", status=404)
    yield Screen("405", cast.keeper, f"/sessions/{table.pk}/end/", status=405)
    yield Screen("500", cast.newcomer, "/demo/", _refuse(RuntimeError("broken on purpose")))
    yield Screen("503, full", cast.newcomer, "/demo/", _refuse(FULL))
    yield Screen("csrf", None, "/demo/", _open_demo_without_cookie)
    yield Screen(
        "changing an ended session", cast.keeper, f"/sessions/{closing.pk}/hands/1/", _void_once_ended(closing)
    )


def played(
    owner: User,
    hands: int,
    names: tuple[str, ...] = ("Anna", "Béla", "Cili"),
    deals: tuple[str, ...] = DEALS,
    stake: Decimal | None = Decimal(10),
    currency: str = "HUF",
) -> Evening:
    evening = evening_of(owner, names, stake=stake, currency=currency)
    for number in range(hands):
        record(evening, owner, deals[number % len(deals)])
    return evening


# The steps to take on the page. Field names and classes, as words are of one language.


def _answered(page: Page, act: Callable[[], None]) -> None:
    """Do it, and wait for the server's answer to stand on the page."""
    with page.expect_response(lambda response: response.request.method == "POST"):
        act()


def save(page: Page) -> None:
    _answered(page, page.locator(".bar .button.primary").tap)
    page.locator(".error:visible, .notice:visible").first.wait_for()


def _press_enter(page: Page) -> None:
    """Too soon: a tap leads to the missing field, and only the Enter key still asks the server."""
    page.locator("[name=declarer]").first.focus()
    _answered(page, lambda: page.keyboard.press("Enter"))
    page.locator(".error:visible").first.wait_for()


def _fill(page: Page) -> None:
    phones.tap(page, declarer=1, contract=2, trump="hearts", tricks=7)
    page.locator("#count [data-points]").wait_for()


def _open_all(page: Page) -> None:
    phones.tap(page, declarer=1, contract="hand", trump="none", game_kontra=5)
    phones.tap(page, arrivazs="lost", arrivazs_kontra=4, tricks=6, opponent_tricks=5)
    page.locator("#count [data-points]").wait_for()


def _save_stale(page: Page) -> None:
    _fill(page)
    page.locator("[name=number]").evaluate("(field) => { field.value = 2 }")
    _answered(page, page.locator(".bar .button.primary").tap)
    page.locator(".conflict").wait_for()


def _send_too_much(page: Page) -> None:
    page.locator("main [name=key]").evaluate("(field) => { field.value = 'x'.repeat(300_000) }")
    submitted(page)


def _refuse(error: Exception) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        with patch("sessions_app.writers.demo.lay", side_effect=error):
            submitted(page)

    return act


def _open_demo_without_cookie(page: Page) -> None:
    page.context.clear_cookies(name="csrftoken")
    submitted(page)


def _void_once_ended(evening: Evening) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        Evening.objects.filter(pk=evening.pk).update(ended_at=timezone.now())
        submitted(page, "form[method=post] .button")
        Evening.objects.filter(pk=evening.pk).update(ended_at=None)

    return act


def submitted(page: Page, button: str = "main form .button") -> None:
    """Send a plain form as the browser does without scripts, and wait for the page that comes of it."""
    with page.expect_event("domcontentloaded"):
        page.locator(button).last.evaluate("(button) => { button.form.submit() }")


def unfold(page: Page) -> None:
    page.locator("details").evaluate_all("(all) => { for (const each of all) each.open = true; }")
