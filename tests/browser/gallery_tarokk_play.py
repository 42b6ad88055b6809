"""The screens of a hand of Tarokk while it is played, with the longest names and everything announced."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

from scorekeeper.games.kontra import Kontra
from scorekeeper.games.tarokk import Announced, Bonus, Contract, Side, referee
from scorekeeper.games.tarokk.announcing import AnnouncedFacts
from scorekeeper.games.tarokk.auction import Auction
from scorekeeper.games.tarokk.hand_in_play import Summary, Taken
from sessions_app.hand_facts import Seen
from sessions_app.models import Evening, User
from sessions_app.readers.evening.hand_in_play import latest
from sessions_app.writers import evenings, hand_in_play
from tests.browser.gallery import LONG, Screen
from tests.factories import UserFactory

FOUR = (*LONG, "Dóra")
BOTH = tuple(Announced(side, bonus, Kontra.KONTRA) for side in Side for bonus in (Bonus.TRULL, Bonus.ULTIMO))


def screens() -> Iterator[Screen]:
    owner = UserFactory()
    for name, moves in (
        ("auction", _called("3 2")),
        ("próba", _called("pass pass pass")),
        ("thrown in", _called("pass pass pass pass")),
        ("what is played", (referee.let_play(2),)),
        ("announcing", (*_called("3 2 pass pass pass"), *_said("2:T 2:8 2:mehet 1:K 1:mehet"))),
        ("the end", (*_called("pass 2 pass pass"), *_said("2:N 2:8"), referee.close, referee.take(_kings))),
    ):
        evening = _evening(owner)
        for move in moves:
            hand_in_play.change(evening.pk, move, seen=_seen(evening), by=owner)
        yield Screen(f"tarokk, referee, {name}", owner, f"/sessions/{evening.pk}/referee/", _unfold)
    most = _evening(owner)
    said = Summary(0, 1, Contract.SOLO, AnnouncedFacts(Kontra.MORDKONTRA, BOTH, (0, 9, 0, 8)))
    hand_in_play.announce(most.pk, said, seen=_seen(most), by=owner, token=uuid4())
    yield Screen("tarokk, referee, announced", owner, f"/sessions/{most.pk}/referee/", _unfold)
    yield Screen("tarokk, session, announced", owner, f"/sessions/{most.pk}/", _unfold_bar)
    yield Screen("tarokk, table view, announced", owner, f"/sessions/{most.pk}/table/")
    yield Screen("tarokk, hand form, announced", owner, f"/sessions/{most.pk}/hands/new/")
    yield Screen("tarokk, take back", owner, f"/sessions/{most.pk}/announce/back/")


def _evening(owner: User) -> Evening:
    return evenings.start(evenings.Opening(FOUR, 0, game_key="tarokk"), token=uuid4(), by=owner)


def _seen(evening: Evening) -> Seen:
    row = latest(evening)
    return Seen(1, row.version if row else 0)


def _called(calls: str) -> tuple[Any, ...]:
    """Calls, each by the seat whose turn it is."""
    return tuple(referee.bid(_next(call)) for call in calls.split())


def _next(call: str) -> Callable[[Auction], Auction]:
    return lambda auction: Auction.from_text(f"{auction.to_text()} {call}")


def _said(said: str) -> tuple[Any, ...]:
    return tuple(referee.say(int(each[0]), each[2:]) for each in said.split())


def _kings(taken: Taken) -> Taken:
    return taken.with_kings(4)


# --- Steps on the page ---


def _unfold(page: Page) -> None:
    page.locator("#referee details").evaluate_all("(all) => { for (const each of all) each.open = true }")


def _unfold_bar(page: Page) -> None:
    page.locator("#open-hand summary").tap()
