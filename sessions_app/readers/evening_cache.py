"""Bounded, thread-safe LRU cache of an evening's state as all phones see it, one per process.

Everything read here is written with a new version in the same transaction: hands and marks, the open hand, the seats
and their players' names, the stake, the end. So one version is one state. A request asks for the version that it has
read from the database, so no process shows an older one. Nothing is cached that differs between phones (a role, the
viewer), nor anything that changes without a version (the followers, the players of the phones).

The key holds the token of the evening's form, as the primary key of a deleted evening may be reused. Inside a writer's
transaction the cache is neither filled nor read: the transaction may be rolled back.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from scorekeeper.db.cache import LRUCache
from scorekeeper.db.compiled_queries import Row, Slot, columns, compiled, loaded
from sessions_app.models import Evening, OpenHand
from sessions_app.readers import (
    balance_curve,
    chips,
    next_deal,
    open_hands,
    people,
    remarkable_hands,
    settlements,
    sheets,
)
from sessions_app.readers.balance_curve import BalanceCurve
from sessions_app.readers.chips import Push
from sessions_app.readers.evening import row_of
from sessions_app.readers.hand_entries import Written, written
from sessions_app.readers.next_deal import Turn
from sessions_app.readers.people import SeatView
from sessions_app.readers.remarkable_hands import RemarkableHand
from sessions_app.readers.sheets import Sheet
from sessions_app.readers.snapshot import know, read_once

#: An evening in play needs about eight entries; the largest is a sheet of 36 hands, about 30 kB.
_cache: LRUCache[tuple[Any]] = LRUCache()


#: The columns that identify a state of an evening: its version, and the token, as a primary key may be reused.
#: `last_number` and `ended_at` are not needed for that, but the access check has read them at no cost.
STAMP: Final = ("token", "version", "last_number", "ended_at")


def stamp_of(evening: Evening) -> tuple[Any, ...]:
    return tuple(getattr(evening, name) for name in STAMP)


def evening_at(pk: int, stamp: tuple[Any, ...]) -> Evening:
    """Return the evening at `stamp`, a state that was just read, or as it is now. Raise Evening.DoesNotExist."""
    key = (*stamp, "row")
    found = None if connection.in_atomic_block else _cache.get(key)
    if found:
        return _know(_evening(found[0]))
    row = row_of(pk)
    evening = _know(_evening(row))
    if not connection.in_atomic_block and stamp_of(evening) == stamp:
        _cache.put(key, (row,))
    return evening


def seats(evening: Evening) -> tuple[SeatView, ...]:
    return _of(evening, "seats", lambda: people.seats_of(evening, names(evening)))


def names(evening: Evening) -> list[str]:
    """Return the players' names by seat."""
    return list(_of(evening, "names", lambda: people.names_of(evening)))


def turn(evening: Evening) -> Turn:
    return _of(evening, "turn", lambda: next_deal.turn(evening))


def sheet(evening: Evening, names: Sequence[str], before: int | None = None, down_to: int | None = None) -> Sheet:
    """Return a page of the sheet, as `sheets.sheet` reads it; `names` are the evening's own."""
    lines = sheets.lines_shown(evening, down_to)
    return _of(evening, ("sheet", before, lines), lambda: sheets.sheet(evening, names, before, down_to))


def pushes_of_latest_change(evening: Evening, number: int) -> tuple[Push, ...]:
    """Return the pushes that make up for the latest correction of a hand."""
    return _of(evening, ("pushes", number), lambda: chips.of_latest_change(evening, number))


def settlement(
    evening: Evening, explain: settlements.Explain | None, cut: tuple[int, ...] = ()
) -> settlements.Settlement:
    """Return the settlement, explained by the evening's own game. `cut` holds only seats that may have to cut."""
    return _of(evening, ("settlement", cut), lambda: settlements.settlement(evening, explain, cut))


def curve(evening: Evening, columns: int) -> BalanceCurve:
    """Return the balances hand by hand; `columns` is the number of the evening's seats."""
    return _of(evening, "curve", lambda: balance_curve.balance_curve(evening, columns))


def remarkable(evening: Evening) -> tuple[RemarkableHand, ...]:
    """Return the remarkable hands of an evening that has ended."""
    return _of(evening, "remarkable", lambda: remarkable_hands.remarkable_hands(evening))


def open_hand(evening: Evening) -> OpenHand | None:
    """Return the row of the open hand with its `evening` set, or None."""
    row = _of(evening, "open hand", lambda: open_hands.latest_row(evening))
    return open_hands.of_row(evening, row) if row else None


def drawn[Drawn](evening: Evening, draw: Callable[[Written], Drawn]) -> Drawn:
    """Return `draw` of the written hands; it must depend on nothing else that differs between phones or languages."""
    return _of(evening, "drawn", lambda: draw(written(evening)))


def _of[Part](evening: Evening, part: Hashable, read: Callable[[], Part]) -> Part:
    if connection.in_atomic_block:
        return read()
    key = (*stamp_of(evening), part)
    found = _cache.get(key)
    if found:
        return found[0]  # type: ignore[no-any-return]
    read_now = read()
    if _version_of(evening.pk) == evening.version:
        _cache.put(key, (read_now,))
    return read_now


def _know(evening: Evening) -> Evening:
    """Note the version of an evening that was just read; in an open snapshot it holds for all later reads."""
    know(("version", evening.pk), evening.version)
    return evening


def _version_of(pk: int) -> int | None:
    """Return the evening's current version, None if it was deleted.

    Called after a part was read: as versions only grow, the evening had this one all the time. One query; in a snapshot
    one for all parts.
    """
    return read_once(("version", pk), lambda: next((version for (version,) in _version.ask(pk=pk)), None))


@compiled
def _version(pk: Slot) -> QuerySet[Evening, Any]:
    return Evening.objects.filter(pk=pk).values_list("version")


def _evening(row: Row) -> Evening:
    return loaded(Evening, columns(Evening), row)
