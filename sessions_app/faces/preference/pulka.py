"""The pul'ka: the sheet as Preference players draw it, in figures that go on from one another. In no language.

Each has a field with his pool, his dump, and his whists against each other. In a row stands what the account had come
to with each hand that wrote in it: '2.6.10'. What a correction has changed stands struck out before the figure that
holds; what a void hand had written is struck out, and the row goes on without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.games.base import Account, Amount
from scorekeeper.games.preference import is_finished, lowest_level, next_price, standing_from_text
from scorekeeper.games.preference.facts import BANK, DUMP, LEVELS, POOL
from scorekeeper.games.preference.house import PoolEnd, Rules
from sessions_app.readers.people import SeatView
from sessions_app.readers.written import HandWritten, Written

#: What a row has room for on a phone of 320 px, in eights of a pixel; the drawing grows with the phone. A figure takes
#: three at least, as much as a thumb needs.
HALF: Final = {BANK: 12, POOL: 11, DUMP: 9}
WIDE: Final = {BANK: 28, POOL: 26, DUMP: 24}
READY: Final = 5
LEAST: Final = 3


class Figure(NamedTuple):
    """What an account had come to with a hand."""

    amount: int
    number: int
    is_struck: bool = False
    is_newest: bool = False

    @property
    def width(self) -> int:
        return max(LEAST, len(str(self.amount)) + 1)


@dataclass(frozen=True, slots=True)
class Row:
    """An account: its figures, and the last of them that there is room for in a drawing.

    `against` is whose name it stands under, '' for pool and dump; `began` what earlier hands have brought.
    """

    account: str
    against: str
    figures: tuple[Figure, ...]
    latest: tuple[Figure, ...]
    began: int
    now: int
    is_full: bool = False

    @property
    def is_cut(self) -> bool:
        return bool(self.began) or len(self.latest) < len(self.figures)


@dataclass(frozen=True, slots=True)
class Field:
    """A player's part of the sheet, and what he would get now; his whists against the others go clockwise."""

    name: str
    balance: Amount
    pool: Row
    dump: Row
    whists: tuple[Row, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        return (self.pool, self.dump, *self.whists)


@dataclass(frozen=True, slots=True)
class Pulka:
    """The fields by seats; `target` is of each pool or of all together, None where the game has no end.

    `price` is what a trick of the next raspasovka writes, `lowest` the lowest contract, None where it is any.
    """

    fields: tuple[Field, ...]
    target: int | None
    is_of_all: bool
    price: int
    lowest: int | None
    is_over: bool

    @property
    def results(self) -> tuple[Field, ...]:
        """Who has won the most first."""
        return tuple(sorted(self.fields, key=lambda field: -field.balance))


def pulka(written: Written, seats: Sequence[SeatView], rules: Rules) -> Pulka:
    standing = standing_from_text(written.standing)
    lowest = lowest_level(standing, rules)
    return Pulka(
        fields=tuple(_field(seat, written, seats, rules) for seat in seats),
        target=_target(rules, len(seats)),
        is_of_all=rules.pool_end is PoolEnd.SUM,
        price=next_price(standing, rules),
        lowest=lowest if lowest > LEVELS.start else None,
        is_over=is_finished(standing, rules),
    )


def _target(rules: Rules, seats: int) -> int | None:
    """What the pools are filled to ("Pool, aid, end", 3)."""
    match rules.pool_end:
        case PoolEnd.EACH:
            return rules.target
        case PoolEnd.SUM:
            return rules.target * seats
        case PoolEnd.NEVER:
            return None


def _field(seat: SeatView, written: Written, seats: Sequence[SeatView], rules: Rules) -> Field:
    at, newest = seat.position, _newest(written.hands)
    # The third of three sits across the whole sheet.
    room = WIDE if len(seats) == 3 and seat is seats[-1] else HALF

    def row(account: str, against: SeatView | None = None) -> Row:
        return _row((account, at, against.position if against else None), against, written, newest, room, rules)

    others = (*seats[at + 1 :], *seats[:at])
    return Field(seat.name, seat.balance, row(POOL), row(DUMP), tuple(row(BANK, other) for other in others))


def _newest(hands: Sequence[HandWritten]) -> int:
    """The last hand that stands and wrote anything."""
    return next((hand.number for hand in reversed(hands) if hand.amounts and not hand.is_void), 0)


def _row(
    of: Account, against: SeatView | None, written: Written, newest: int, room: dict[str, int], rules: Rules
) -> Row:
    account, began = of[0], written.before.get(of, 0)
    figures = tuple(_figures(of, began, written.hands, newest))
    now = next((figure.amount for figure in reversed(figures) if not figure.is_struck), began)
    is_full = account == POOL and rules.pool_end is PoolEnd.EACH and now >= rules.target
    latest = _fitting(figures, room[account] - (READY if is_full else 0))
    return Row(account, against.name if against else "", figures, latest, began, now, is_full)


def _figures(of: Account, began: int, hands: Sequence[HandWritten], newest: int) -> Iterator[Figure]:
    so_far = began
    for hand in hands:
        amount = hand.amounts.get(of, 0)
        struck = amount if hand.is_void else hand.was.get(of, 0) if hand.was is not None else amount
        if struck and (hand.is_void or struck != amount):
            yield Figure(so_far + struck, hand.number, is_struck=True)
        if amount and not hand.is_void:
            so_far += amount
            yield Figure(so_far, hand.number, is_newest=hand.number == newest)


def _fitting(figures: tuple[Figure, ...], room: int) -> tuple[Figure, ...]:
    """The last figures that there is room for, and the last one in any case."""
    first = len(figures)
    while first and (room >= figures[first - 1].width or first == len(figures)):
        room -= figures[first - 1].width
        first -= 1
    return figures[first:]
