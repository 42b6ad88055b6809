"""The screens of Hungarian Tarokk: its form folded and full, sheets of four and five, and a hand while it is played."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

from scorekeeper.games import tarokk
from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk import Announced, Bonus, Contract, Side, referee
from scorekeeper.games.tarokk.announcing import AnnouncedFacts, Announcing
from scorekeeper.games.tarokk.auction import Auction
from scorekeeper.games.tarokk.hand_in_play import Summary
from sessions_app.models import Evening, User
from sessions_app.writers import hand_in_play
from tests import factories
from tests.browser.gallery import FOUR, LONG, Screen
from tests.browser.gallery import unfold as unfold_all
from tests.browser.phones import tap, url
from tests.factories import begun
from tests.moves import seen

#: The fullest hand of docs/rules/tarokk.md §11, and others that say much; the last has the widest figures.
FULLEST = "1+2 72 R DK T -UK t -b 8@1"
DEALS = ("2+2 +", FULLEST, "3?", "2= -- -v", "2+2 ++ DH v 9@2", "1+2 - M U b", "s+3 53 M XM -XM x 8@0 9@3")
#: The fullest hand as it is tapped where Anna deals to four and Béla plays: after him come Anna, Dani and Cili.
CONTRACT = {"declarer": 1, "contract": 1, "partner": 3, "game_kontra": 2}
BOXES = (("d_double", "1"), ("d_trull", None), ("o_ultimo", "1"))
MADE = {"trull": "d", "pagat": "o_lost", "tarokks_0": 8}
BOTH = tuple(Announced(side, bonus, Kontra.KONTRA) for side in Side for bonus in (Bonus.TRULL, Bonus.ULTIMO))


def evening_of(keeper: User, names: tuple[str, ...], rules: str = "") -> Evening:
    return begun(keeper, tarokk.GAME.key, rules, names)


def record(evening: Evening, by: User, deal: str, declarer: int | None = None) -> None:
    """Record the next hand, played by the first to speak (a próba by the fourth) if no `declarer` is given."""
    evening.refresh_from_db()
    seats = evening.seats.count()
    dealer = -evening.last_number % seats
    first, *_others, fourth = tarokk.playing_seats(seats, dealer)
    speaks = fourth if tarokk.deal_from_text(deal).is_proba else first
    factories.record(evening, by, deal, declarer=speaks if declarer is None else declarer, dealer=dealer)


def screens() -> Iterator[Screen]:
    yield from _plays()
    yield from _forms()


def _forms() -> Iterator[Screen]:
    keeper = factories.UserFactory()
    empty, four = (evening_of(keeper, ("Anna", "Béla", "Cili", "Dani")) for _evening in range(2))
    five = evening_of(keeper, (*LONG, "Dani", "Edit"), "ladder=5 kings=4 after_throw_in=double")
    for deal in DEALS:
        record(four, keeper, deal)
        record(five, keeper, deal)
    new = url(empty, "hands/new/")
    yield Screen("new session, Tarokk and its house rules", keeper, "/sessions/new/", _choose_tarokk)
    yield Screen("Tarokk: form, plain", keeper, new, _fill)
    yield Screen("Tarokk: form, próba", keeper, new, _fill_proba)
    yield Screen("Tarokk: form, the fullest hand", keeper, new, fill_fullest)
    yield Screen("Tarokk: form of five, long names", keeper, url(five, "hands/new/"), _unfold)
    yield Screen("Tarokk: form, correcting", keeper, url(four, "hands/2/edit/"))
    for name, evening in (("four", four), ("five", five)):
        yield Screen(f"Tarokk: session of {name}", keeper, url(evening))
    yield Screen("Tarokk: hand of five", keeper, url(five, "hands/7/"))
    yield Screen("Tarokk: hand, próba", keeper, url(four, "hands/3/"))
    yield Screen("Tarokk: hand, the fullest", keeper, url(four, "hands/2/"))
    yield Screen("Tarokk: settle, five", keeper, url(five, "settle/"))


def _plays() -> Iterator[Screen]:
    """With the longest names, and everything announced."""
    owner = factories.UserFactory()
    for name, moves in (
        ("auction", _called("3 2")),
        ("próba", _called("pass pass pass")),
        ("thrown in", _called("pass pass pass pass")),
        ("what is played", (referee.let_play(2),)),
        ("announcing", (*_called("3 2 pass pass pass"), *_said("2:T 2:8 2:mehet 1:K 1:mehet"))),
        (
            "the end",
            (
                *_called("pass 2 pass pass"),
                *_said("2:N 2:8"),
                referee.announce(Announcing.close),
                referee.take(lambda taken: taken.with_kings(4)),
            ),
        ),
    ):
        evening = evening_of(owner, FOUR)
        for move in moves:
            hand_in_play.change(evening.pk, move, seen=seen(evening), by=owner)
        yield Screen(f"tarokk, referee, {name}", owner, url(evening, "referee/"), unfold_all)
    most = announced(owner)
    yield Screen("tarokk, referee, announced", owner, url(most, "referee/"), unfold_all)
    yield Screen("tarokk, session, announced", owner, url(most), unfold_all)
    yield Screen("tarokk, table view, announced", owner, url(most, "table/"))
    yield Screen("tarokk, hand form, announced", owner, url(most, "hands/new/"))
    yield Screen("tarokk, take back", owner, url(most, "announce/back/"))


def announced(owner: User) -> Evening:
    """An evening of long names in whose first hand everything is announced."""
    most = evening_of(owner, FOUR)
    said = Summary(0, 1, Contract.SOLO, AnnouncedFacts(Kontra.MORDKONTRA, BOTH, (0, 9, 0, 8)))
    hand_in_play.announce(most.pk, said, seen=seen(most), by=owner, token=uuid4())
    return most


def _called(calls: str) -> tuple[Any, ...]:
    """Calls, each by the seat whose turn it is."""
    return tuple(referee.bid(_next(call)) for call in calls.split())


def _next(call: str) -> Callable[[Auction], Auction]:
    return lambda auction: Auction.from_text(f"{auction.to_text()} {call}")


def _said(said: str) -> tuple[Any, ...]:
    return tuple(referee.say(int(each[0]), each[2:]) for each in said.split())


# The steps to take on the page. Field names and classes, as words are of one language.


def unfold(page: Page) -> None:
    page.locator(".bonuses > summary").tap()
    page.locator("[name=d_double]").wait_for()


def fill_fullest(page: Page) -> None:
    tap(page, **CONTRACT)
    unfold(page)
    for box, level in BOXES:
        page.locator(f"[name={box}]").tap()
        if level:
            tap(page, **{f"{box}_kontra": level})
    tap(page, **MADE)
    page.locator("[name=points]").fill("72")
    page.locator("[name=points]").blur()
    page.locator("#count [data-points='58']").wait_for()


def _fill(page: Page) -> None:
    tap(page, declarer=1, contract=2, partner=3, result="+")
    page.locator("#count [data-points]").wait_for()


def _unfold(page: Page) -> None:
    unfold(page)
    page.locator("[name=o_kings]").tap()
    page.locator("[name=o_kings_kontra]").first.wait_for()


def _fill_proba(page: Page) -> None:
    unfold(page)
    tap(page, declarer=0, contract=3)  # the dealer speaks last
    page.locator("[name=proba]").tap()
    page.locator("#count [data-points]").wait_for()


def _choose_tarokk(page: Page) -> None:
    page.locator("[name=game][value=tarokk]").tap()
    page.locator("[name=player_5]").wait_for()
    page.locator("#house-rules > summary").tap()
    page.locator("[name=rules_ladder][value='3']").tap()
