"""Tables by which a phone counts and words a hand in its outbox, and the words of each choice.

The script that reads the tables (static/js/provisional.js) knows only their shape:

- `points`: a sum of products. Each product is of tables, each table keyed by the values of some of the form's fields,
  joined by a comma ("" for an empty field); "*" stands for all keys that are not listed.
- `amounts`: by "dealer,declarer", the amount that each seat wins or loses for one point of the declarer's.
- `first`: by dealer, the seat that speaks first.

The phone shows the result as provisional; the ledger counts the hand again.
"""

from functools import cache
from typing import TypedDict

from scorekeeper.games.asszorti import (
    Arrivazs,
    Contract,
    Deal,
    Kontra,
    Trump,
    opponents,
    payments,
    playing_seats,
    score,
)
from sessions_app.models import Evening

#: By the declarer's tricks, a split that is no 6:5:0.
SHARED = {tricks: (tricks, (11 - tricks) // 2, 11 - tricks - (11 - tricks) // 2) for tricks in range(12)}
BARE_SIX = {"0": (6, 0, 5), "5": (6, 5, 0)}
#: Any hand will do where only proportions matter.
CHEAPEST = (Contract.THREE, Trump.HEARTS)


class Table(TypedDict):
    """A factor: the fields that it depends on, and its values by theirs."""

    by: list[str]
    values: dict[str, int]


class Tables(TypedDict):
    """All tables for so many seats."""

    points: list[list[Table]]
    amounts: dict[str, list[int]]
    first: list[int]


def provisional_tables(evening: Evening, columns: int) -> Tables | None:
    """Return an evening's tables, None if seats have changed."""
    seats = len(evening.sitting)
    return tables(seats, evening.house.six_five_nil) if evening.sitting == tuple(range(columns)) else None


@cache
def tables(seats: int, six_five_nil: bool = True) -> Tables:
    """Return the tables for so many seats; `six_five_nil` is whether a 6:5:0 is deducted."""
    return {
        "points": [
            [_step(), _tricks_table(), _factor("game_kontra")],
            *([[_step(), _bare_six()]] if six_five_nil else ()),
            [_arrivazs_table(), _factor("arrivazs_kontra")],
        ],
        "amounts": {
            f"{dealer},{declarer}": _amounts(seats, dealer, declarer)
            for dealer in range(seats)
            for declarer in playing_seats(seats, dealer)
        },
        "first": [playing_seats(seats, dealer)[0] for dealer in range(seats)],
    }


def _table(values: dict[str, int], *by: str) -> Table:
    return {"by": list(by), "values": values}


def _points(contract: Contract, trump: Trump, tricks: tuple[int, int, int]) -> int:
    return score(Deal(contract, trump, tricks)).points


def _each(contract: Contract, trump: Trump) -> int:
    """Return the value of one overtrick. All that a game counts is a multiple of it."""
    return _points(contract, trump, SHARED[8]) - _points(contract, trump, SHARED[7])


def _step() -> Table:
    each = {f"{contract},{trump}": _each(contract, trump) for contract in Contract for trump in Trump}
    return _table(each, "contract", "trump")


def _tricks_table() -> Table:
    counts = {str(tricks): _points(*CHEAPEST, shared) // _each(*CHEAPEST) for tricks, shared in SHARED.items()}
    return _table(counts, "tricks")


def _bare_six() -> Table:
    """Return the deduction for a 6:5:0. The form asks for the split wherever it counts."""
    shared = _points(*CHEAPEST, SHARED[6])
    off = {
        f"6,{first}": (_points(*CHEAPEST, tricks) - shared) // _each(*CHEAPEST) for first, tricks in BARE_SIX.items()
    }
    return _table({**off, "*": 0}, "tricks", "opponent_tricks")


def _factor(field: str) -> Table:
    return _table({str(kontra.value): kontra.factor for kontra in Kontra} | {"": 1}, field)


def _arrivazs_table() -> Table:
    worth = {
        f"{arrivazs},{trump}": score(Deal(Contract.THREE, trump, SHARED[7], arrivazs=arrivazs)).arrivazs
        for arrivazs in Arrivazs
        for trump in Trump
        if (arrivazs, trump) != (Arrivazs.IDEGEN, Trump.NONE)
    }
    return _table(worth, "arrivazs", "trump")


def _amounts(seats: int, dealer: int, declarer: int) -> list[int]:
    deal = Deal(*CHEAPEST, SHARED[6])
    points = score(deal).points
    amounts = [0] * seats
    for payment in payments(deal, declarer=declarer, opponents=opponents(seats, dealer, declarer)):
        amounts[payment.payer] -= payment.points // points
        amounts[payment.payee] += payment.points // points
    return amounts
