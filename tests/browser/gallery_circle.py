"""The screens of a circle: its players, payments, statements, statistics, and a year of it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

from django.utils import timezone
from playwright.sync_api import Page

from sessions_app.models import Evening, Player, Repayment, Role, User
from sessions_app.readers.evening.edit import shape_of
from sessions_app.readers.money.statement import ROWS_PER_PAGE
from sessions_app.writers import circles, demo, evening_edit, evenings, ledger, players, repayments
from tests.browser.gallery import LONG, Screen, unfold
from tests.browser.phones import url
from tests.factories import MemberFactory, UserFactory, evening_of, record, started
from tests.full_circle import pay
from tests.views.agreed_entries import played

#: Forints a point, for long figures.
MUCH = Decimal(999)


def screens() -> Iterator[Screen]:
    yield from _players()
    yield from _payments()
    yield from _statements()
    yield from _statistics()


def _players() -> Iterator[Screen]:
    keeper, viewer, newcomer, several = (UserFactory() for _user in range(4))
    fresh = evening_of(newcomer, LONG)
    yield Screen("circle, nothing played", newcomer, _circle(fresh))
    yield Screen("player, nothing played", newcomer, _player(fresh, 0))
    first = evening_of(keeper, (*LONG, "Zsuzsi"), stake=Decimal("12.5"), currency="EUR")
    second = evening_of(keeper, (LONG[0], LONG[2], "zsuzsi."))
    for evening in (first, second):
        for _hand in range(3):
            record(evening, keeper, "3S 9 K A*R")
    evenings.end(first.pk)
    circle, zsuzsi = first.circle_id, first.seats.get(position=3).player_id
    MemberFactory(circle=first.circle, user=viewer, role=Role.VIEWER)
    circles.save_profile(circle, "asszorti", LONG[0], "", by=keeper)
    circles.rename(circle, f"{LONG[0]} {LONG[2]}")
    players.set_mark(circle, first.seats.get(position=0).player_id, "♠", "blue")
    yield Screen("circle, watching", viewer, _circle(first))
    for number, name in enumerate(("", "Péntek", "Péntek", "Klub", "Munkahely", LONG[0], f"{LONG[0]} {LONG[2]}", "V.")):
        each = evenings.start(evenings.Opening(("Anna", "Béla", f"Cili {number}"), 0), token=uuid4(), by=several)
        if name:
            circles.rename(each.circle_id, name)
            evenings.end(each.pk)
    yield Screen("home, eight circles", several, "/")
    yield Screen("circle, all unfolded", keeper, _circle(first), unfold)
    yield Screen("player, a merge refused", keeper, _player(first, 3), _merge_with_himself)
    yield Screen("player, all unfolded", keeper, _player(first, 0), unfold)
    players.merge(circle, zsuzsi, second.seats.get(position=2).player_id, by=keeper)
    players.set_plays_no_more(circle, zsuzsi, True)
    players.rename(circle, zsuzsi, "Zsuzsa", by=keeper)
    yield Screen("player, two names, all unfolded", keeper, _player(first, 3), unfold)


def _payments() -> Iterator[Screen]:
    """Settled in two ways, paid in part, corrected after a payment."""
    keeper = UserFactory()
    before, now = (evening_of(keeper, LONG, stake=MUCH, currency="HUF") for _ in range(2))
    for evening in (before, now):
        for deal, declarer in (("3S 9 K A*R", 0), ("2H 5", 1), ("hD 4 K", 2)):
            record(evening, keeper, deal, declarer=declarer)
        evenings.end(evening.pk)
    circles.rename(now.circle_id, f"{LONG[0]} {LONG[2]}")
    yield Screen("settle, two ways", keeper, url(now, "settle/"), unfold)
    pay(before, keeper, 12_345_678, note=LONG[0], evenings=(before.pk,))
    repayments.undo(now.circle_id, pay(now, keeper, 5, evenings=(before.pk, now.pk)).pk, by=keeper)
    pay(now, keeper, 10**12, kind="opening", note="kék füzet, 2019")
    booked = pay(now, keeper, 777)
    evenings.reopen(before.pk)
    ledger.void(before.pk, 2, by=keeper)
    circles.set_cash_coins(now.circle_id, {"HUF": 5})
    yield Screen("settle, paid in part and corrected", keeper, url(before, f"settle/?booked={booked.pk}"), unfold)
    yield Screen("circle, who owes whom", keeper, f"{_circle(now)}?booked={booked.pk}", unfold)
    yield Screen("payments", keeper, f"{_circle(now)}repayments/", unfold)
    yield Screen("payments, refused", keeper, f"{_circle(now)}repayments/", _book_nonsense)


def _statements() -> Iterator[Screen]:
    """A player's, of long names and figures, thirds, two currencies, and two pages."""
    keeper, newcomer = UserFactory(), UserFactory()
    fresh = evening_of(newcomer, LONG)
    yield Screen("statement, empty", newcomer, f"{_player(fresh, 0)}statement/")
    evening = evening_of(keeper, LONG, stake=MUCH, currency="HUF")
    record(evening, keeper, "3S 9 K A*R", declarer=0)
    evenings.end(evening.pk)
    titled = replace(shape_of(Evening.objects.get(pk=evening.pk)), title="Szilveszter éjjelén, a nagyszobában")
    evening_edit.edit(evening.pk, titled, seen=0, by=keeper)
    _play_for_thirds(keeper)
    _merge_with_another_name(evening, keeper)
    points = evening_of(keeper, LONG, stake=None, currency="")
    record(points, keeper, "2H 5", declarer=0)
    evenings.end(points.pk)
    pay(evening, keeper, 12_345_678, note=LONG[0])
    booked = pay(evening, keeper, 10**9, kind="opening", note="kék füzet, 2019")
    evenings.reopen(evening.pk)
    statement = f"{_player(evening, 0)}statement/"
    yield Screen("statement, all on one page", keeper, statement)
    long_ago = timezone.now() - timedelta(days=400)
    parties = {"circle": evening.circle, "payer_id": booked.payer_id, "payee_id": booked.payee_id, "currency": "HUF"}
    Repayment.objects.bulk_create(
        Repayment(**parties, units=500 + day, made_at=long_ago + timedelta(days=day)) for day in range(ROWS_PER_PAGE)
    )
    yield Screen("statement, first page", keeper, f"{statement}?currency=HUF")


def _statistics() -> Iterator[Screen]:
    newcomer, keeper, several = UserFactory(), UserFactory(), UserFactory()
    fresh = evening_of(newcomer)
    yield Screen("statistics, nothing played", newcomer, _statistics_of(fresh))
    yield Screen("statistics of a player, nothing played", newcomer, _player_statistics(fresh))
    games = demo.lay(several).evenings.order_by("pk")
    for evening in games[:3]:
        query = f"?game={evening.game_key}"
        of_all, of_one = _statistics_of(evening), _player_statistics(evening)
        yield Screen(f"statistics, {evening.game_key}", several, f"{of_all}{query}&best=5", unfold)
        yield Screen(f"statistics of a player, {evening.game_key}", several, f"{of_one}{query}", unfold)
    yield Screen("the sessions behind points", several, f"{_player_statistics(games[0])}points/")
    for number in range(6):
        long = evening_of(keeper, LONG, stake=Decimal("12.5"), currency="EUR")
        for declarer in (0, 0, 1):
            record(long, keeper, "3S 9 K A*R" if number else "2D 4 A-", declarer=declarer)
        evenings.end(long.pk)
    of_all, of_one = _statistics_of(long), _player_statistics(long)
    year, against = f"{_circle(long)}years/{timezone.localdate().year}/", long.seats.get(position=1).player_id
    for name, path, status in (
        ("statistics, refused days", f"{of_all}?from=2026-12-31&to=nonsense&best=5", 422),
        ("sessions behind nothing", f"{of_one}hands/?game=all&to=2001-12-31", 200),
        ("year, long names", year, 200),
        ("year on paper, long names", f"{year}print/", 200),
        ("statistics, long names", f"{of_all}?best=5", 200),
        ("statistics of a player, a long name", of_one, 200),
        ("the sessions and hands behind a figure", f"{of_one}as_declarer/", 200),
        ("the sessions behind a debt", f"{of_one}against/?against={against}", 200),
    ):
        yield Screen(name, keeper, path, unfold, status)


def _circle(evening: Evening) -> str:
    return f"/circles/{evening.circle_id}/"


def _player(evening: Evening, position: int) -> str:
    return f"{_circle(evening)}players/{evening.seats.get(position=position).player_id}/"


def _statistics_of(evening: Evening) -> str:
    return f"{_circle(evening)}statistics/"


def _player_statistics(evening: Evening) -> str:
    return f"{_player(evening, 0)}statistics/"


def _play_for_thirds(keeper: User) -> None:
    """Let something be agreed on in Preference that comes to thirds of forints."""
    evening = started(evenings.Opening(LONG, 0, MUCH, "HUF", "preference"), by=keeper)
    played(evening, keeper, "= D2+2")
    evenings.end(evening.pk)


def _merge_with_another_name(evening: Evening, keeper: User) -> None:
    """Let the first player have sat under another name."""
    other = evening_of(keeper, ("Erzsi", *LONG[1:]))
    record(other, keeper, "2H 7", declarer=0)
    evenings.end(other.pk)
    name = Player.objects.get(circle=evening.circle, name="Erzsi")
    players.merge(evening.circle_id, evening.seats.get(position=0).player_id, name.pk, by=keeper)


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


def _book_nonsense(page: Page) -> None:
    page.locator("#amount").fill("0,5")
    page.locator("#repayment-form .primary").tap()
    page.wait_for_selector("#error-amount")
