"""Pool points: into the own dump, the own pool, the others', off the dump (docs/rules/preference.md §6.1, §6.2)."""

from collections.abc import Iterator, Mapping

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.preference.deal import POOL
from scorekeeper.games.preference.house_rules import MadeTo, Rules
from scorekeeper.games.preference.score_lines import Won, in_bank, in_dump


class Pools:
    """The pools of an evening during the count of a hand: each win changes them for the next.

    The dumps stay those before the hand: no player wins twice in one hand, or both wins and has tricks written.
    """

    def __init__(
        self, seats: tuple[int, ...], pools: Mapping[int, int], dumps: Mapping[int, int], rules: Rules
    ) -> None:
        self._seats = seats
        self._pools = dict(pools)
        self._dumps = dumps
        self._rules = rules

    def lines(self, won: Won) -> Iterator[ScoreLine]:
        """Yield the lines for points won; the first holds their number, and its amount is those in the own pool."""
        cleared = self._cleared(won)
        left = won.points - cleared
        own = min(left, self._room(won.seat)) if self._rules.aid else left
        self._pools[won.seat] += own
        yield ScoreLine(won.item, "won", {"account": POOL, "seat": won.seat, "won": won.points, **won.params}, own)
        if cleared:
            yield self._off_dump(won.item, "cleared", won.seat, cleared)
        yield from self._given(won.seat, left - own)

    def _room(self, seat: int) -> int:
        return max(self._rules.target - self._pools[seat], 0)

    def _cleared(self, won: Won) -> int:
        """Return the points that clear the own dump, if `made_to` has it first; none clears less than its worth."""
        if self._rules.made_to is not MadeTo.DUMP_FIRST:
            return 0
        return min(won.points, max(self._dumps[won.seat], 0) // self._rules.dump_points_of_a_pool_point)

    def _off_dump(self, item: str, code: str, seat: int, points: int) -> ScoreLine:
        each = self._rules.dump_points_of_a_pool_point
        return in_dump(item, code, seat, -points * each, points=points, each=each)

    def _given(self, donor: int, points: int) -> Iterator[ScoreLine]:
        """Yield the lines for points past a full pool: to the highest pool with room, the next, then off the dump."""
        pools = [self._pools[seat] for seat in self._seats if seat != donor and self._room(seat)]
        for seat in self._receivers(donor):
            given = min(points, self._room(seat))
            if given:
                yield from self._aid(donor, seat, given, is_equal=pools.count(self._pools[seat]) > 1)
                points -= given
        if points:
            yield self._off_dump("surplus", "off_dump", donor, points)

    def _receivers(self, donor: int) -> list[int]:
        """Return the other seats, the highest pool first; of equals, the first clockwise from the donor."""
        at = self._seats.index(donor)
        clockwise = self._seats[at + 1 :] + self._seats[:at]
        return sorted(clockwise, key=lambda seat: -self._pools[seat])

    def _aid(self, donor: int, receiver: int, points: int, *, is_equal: bool) -> Iterator[ScoreLine]:
        rate = self._rules.aid_rate
        self._pools[receiver] += points
        received: dict[str, int | str] = {"account": POOL, "seat": receiver, "donor": donor, "points": points}
        yield ScoreLine("aid", "received", received | {"equal": int(is_equal)}, points)
        yield in_bank("aid", "written", donor, receiver, points * rate, points=points, rate=rate)
