"""Processor time of an evening of four phones, request by request, each beside /healthz.

`python -m tests.bench.costs GAME LANGUAGE WAY [PORT WORKER]`, as tests/bench/test_costs.py runs it by itself, prints
its measurements as JSON: for each question the seconds of each time that it was asked, and of /healthz then.

A question is asked several times in a row, and so is /healthz then: any request between large pages costs twice what it
costs among its like, as the processor has forgotten it meanwhile, and that would flatter the pages.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from tests.bench.hands import answered, names, next_form, tapped
from tests.bench.ways import ByClient, ByServer, ByWsgi, Measured, processor_of
from tests.soak.phones import invitation
from tests.views.page import HTMX_COUNT, hand_form

#: An evening has so many hands before it is measured; 40 on the average, and half as many more in the end.
HANDS_FIRST = 26
EVENINGS, WARM_UP = 8, 1
PHONES = 4
#: Seconds of /healthz on the quiet machine that the budgets are for.
HEALTHZ = 0.00027
#: So many hands each question is asked after, and so many are recorded; each time /healthz is asked so often, and what
#: the first of these took is not counted.
HANDS, RECORDED = 4, 8
PULSES, UNCOUNTED = 6, 2
STATE = {"HX-Request": "true", "HX-Target": "div#state"}


class Cost(NamedTuple):
    """Time of the first phone's request after each hand, of the others' requests, and of /healthz beside them."""

    first: list[float]
    others: list[float]
    health: list[float]


class Evening:
    """An evening of as many as play the game, and four phones that write."""

    def __init__(self, phone: Callable[[], Measured], chance: Random, game: str) -> None:
        self._stranger, self._chance, self._game = phone(), chance, game
        self._phones = [phone() for _phone in range(PHONES)]
        self._owner, *others = self._phones
        begun = self._owner.post("/sessions/new/", names(self._owner.get("/sessions/new/"), game))
        self._path = answered(begun, 302).headers["Location"].partition("?")[0]
        self._owner.get(self._path)  # signing in changes the CSRF token
        answered(self._owner.post(f"{self._path}members/me/", {"ask_no_more": "1", "session": "1"}), 302)
        for other in others:
            link = invitation(self._owner, self._path)
            other.get(link)
            answered(other.post(link, {"player": ""}), 302)
        self._opened = hand_form(self._owner.get(f"{self._path}hands/new/").page)
        self._health: list[float] = []
        for _hand in range(HANDS_FIRST):
            self.record()

    def costs(self) -> Iterator[tuple[str, Cost]]:
        yield "record a hand", self._beside_health(self._recorded)
        yield "the evening's page", self._beside_health(lambda: self._after_each_hand(lambda: ""))
        yield "the hand form", self._beside_health(lambda: self._after_each_hand(lambda: "hands/new/"))
        yield "the live count of a tap", self._beside_health(self._tapped_through)
        yield "settle up", self._beside_health(lambda: self._after_each_hand(lambda: "settle/"))
        yield "a poll that finds nothing new", self._beside_health(self._polled)
        yield "a poll that finds a hand", self._beside_health(lambda: self._after_each_hand(self._before, STATE))

    def record(self) -> float:
        """Record the next hand by the owner's phone; the time that took."""
        self._opened |= tapped(self._chance, self._game)
        answered(self._owner.post(f"{self._path}hands/new/", self._opened), 302)
        self._opened = next_form(self._opened, self._game)
        return self._owner.used

    def _beside_health(self, ask: Callable[[], tuple[list[float], list[float]]]) -> Cost:
        self._health = []
        return Cost(*ask(), self._health)

    def _recorded(self) -> tuple[list[float], list[float]]:
        costs = []
        for _pair in range(RECORDED // 2):
            costs += [self.record(), self.record()]
            self._pulse()
        return costs, []

    def _after_each_hand(
        self, rest: Callable[[], str], headers: Mapping[str, str] = {}
    ) -> tuple[list[float], list[float]]:
        """After each hand all phones ask for the same: the first may fill the cache for the others."""
        first, others = [], []
        for _hand in range(HANDS):
            address = self._path + rest()
            self.record()
            each = [self._asked(phone, address, headers) for phone in self._phones]
            first += each[:1]
            others += each[1:]
            self._pulse()
        return first, others

    def _before(self) -> str:
        return f"live/?v={self._version()}"

    def _polled(self) -> tuple[list[float], list[float]]:
        self.record()
        address = f"{self._path}live/?v={self._version()}"
        costs = []
        for _turn in range(HANDS):
            costs += [self._asked(phone, address, STATE, 204) for phone in self._phones]
            self._pulse()
        return costs, []

    def _tapped_through(self) -> tuple[list[float], list[float]]:
        costs = []
        for tap in range(PHONES * HANDS):
            answered(
                self._owner.post(
                    f"{self._path}hands/preview/", self._opened | tapped(self._chance, self._game), HTMX_COUNT
                ),
                200,
            )
            costs.append(self._owner.used)
            if tap % PHONES == PHONES - 1:
                self._pulse()
        return costs, []

    def _pulse(self) -> None:
        pulses = [self._asked(self._stranger, "/healthz") for _pulse in range(PULSES)]
        self._health += pulses[UNCOUNTED:]

    def _asked(self, phone: Measured, address: str, headers: Mapping[str, str] = {}, status: int = 200) -> float:
        answered(phone.get(address, headers), status)
        return phone.used

    def _version(self) -> str:
        found = re.search(r'data-version="(\d+)"', self._owner.get(self._path).text)
        assert found
        return found[1]


def measured(phone: Callable[[], Measured], game: str) -> dict[str, Cost]:
    chance, costs = Random(8), defaultdict[str, Cost](lambda: Cost([], [], []))  # noqa: S311
    for turn in range(WARM_UP + EVENINGS):
        for what, cost in Evening(phone, chance, game).costs():
            if turn >= WARM_UP:
                for kept, times in zip(costs[what], cost, strict=True):
                    kept += times
    return costs


def way(name: str, *served: str) -> Callable[[], Measured]:
    if name == "server":
        port, worker = map(int, served)
        return lambda: ByServer(port, lambda: processor_of(worker))
    import django

    from scorekeeper.ops import installation

    installation.prepare()
    django.setup()
    return {"client": ByClient, "wsgi": ByWsgi}[name]


if __name__ == "__main__":
    game, Measured.language, *by = sys.argv[1:]
    json.dump(measured(way(*by), game), sys.stdout)
