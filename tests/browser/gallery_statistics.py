"""The screens of the statistics: of a circle, of a player, and of the sessions behind a figure, of all games."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils import timezone
from playwright.sync_api import Page

from sessions_app.models import Evening
from sessions_app.writers import demo, evenings
from tests.browser.gallery import LONG, Screen
from tests.factories import UserFactory, evening_of, record


def screens() -> Iterator[Screen]:
    newcomer, keeper, several = UserFactory(), UserFactory(), UserFactory()
    fresh = evening_of(newcomer)
    yield Screen("statistics, nothing played", newcomer, _circle(fresh))
    yield Screen("statistics of a player, nothing played", newcomer, _player(fresh))
    games = demo.lay(several).evenings.order_by("pk")
    for evening in games[:3]:
        query = f"?game={evening.game_key}"
        yield Screen(f"statistics, {evening.game_key}", several, f"{_circle(evening)}{query}&best=5", _unfold)
        yield Screen(f"statistics of a player, {evening.game_key}", several, f"{_player(evening)}{query}", _unfold)
    yield Screen("the sessions behind points", several, f"{_player(games[0])}points/")
    for number in range(6):
        long = evening_of(keeper, LONG, stake=Decimal("12.5"), currency="EUR")
        for declarer in (0, 0, 1):
            record(long, keeper, "3S 9 K A*R" if number else "2D 4 A-", declarer=declarer)
        evenings.end(long.pk)
    yield Screen("statistics, some days", keeper, f"{_circle(long)}?from=2020-01-01&to=2199-12-31", _unfold)
    refused = "?from=2026-12-31&to=nonsense&best=5"
    yield Screen("statistics, refused days", keeper, f"{_circle(long)}{refused}", status=422)
    yield Screen(
        "statistics of a player, refused days", keeper, f"{_player(long)}?from=2026-02-02&to=2026-01-01", status=422
    )
    yield Screen("sessions behind nothing", keeper, f"{_player(long)}hands/?game=all&to=2001-12-31")
    year = f"/circles/{long.circle_id}/years/{timezone.localdate().year}/"
    yield Screen("year, long names", keeper, year, _unfold)
    yield Screen("year on paper, long names", keeper, f"{year}print/")
    yield Screen("statistics, long names", keeper, f"{_circle(long)}?best=5", _unfold)
    yield Screen("statistics of a player, a long name", keeper, _player(long), _unfold)
    yield Screen("the sessions and hands behind a figure", keeper, f"{_player(long)}as_declarer/")
    yield Screen("the sessions behind a debt", keeper, f"{_player(long)}against/?against={_key(long, 1)}")


def _key(evening: Evening, position: int) -> int:
    return evening.seats.get(position=position).player_id


def _circle(evening: Evening) -> str:
    return f"/circles/{evening.circle_id}/statistics/"


def _player(evening: Evening) -> str:
    return f"/circles/{evening.circle_id}/players/{_key(evening, 0)}/statistics/"


def _unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
