"""The paper while one hand is written on it, with the state before the hand and after it."""

from typing import NamedTuple

from tests.games.preference.by_the_book.switches import Switches

type Place = tuple[str, int, int | None]  # account, seat, against


class Before(NamedTuple):
    """The state of earlier hands that a hand needs; `over`: it comes after the end."""

    pools: list[int]
    dumps: list[int]
    row: int
    over: bool


class After(NamedTuple):
    """The entries of a hand, summed by place and without zeros, and the state for the next one."""

    entries: dict[Place, int]
    pools: list[int]
    dumps: list[int]
    row: int
    over: bool


class Paper:
    """The paper while one hand is written on it."""

    def __init__(self, switches: Switches, n: int, before: Before) -> None:
        self.switches, self.n = switches, n
        self.pools, self.dumps = list(before.pools), list(before.dumps)
        self.entries: dict[Place, int] = {}

    def pool(self, seat: int, amount: int) -> None:
        self.pools[seat] += amount
        self._write(("pool", seat, None), amount)

    def dump(self, seat: int, amount: int) -> None:
        self.dumps[seat] += amount
        self._write(("dump", seat, None), amount)

    def bank(self, seat: int, against: int, amount: int) -> None:
        self._write(("bank", seat, against), amount)

    def _write(self, place: Place, amount: int) -> None:
        self.entries[place] = self.entries.get(place, 0) + amount

    def number(self, switch: str) -> int:
        return int(self.switches[switch])

    def full(self) -> bool:
        """Return whether the pools are as full as `pool_end` asks."""
        target = self.number("target")
        match self.switches["pool_end"]:
            case "each":
                return min(self.pools) >= target
            case "sum":
                return sum(self.pools) >= self.n * target
        return False
