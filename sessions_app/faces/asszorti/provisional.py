"""What a phone needs to count a hand that waits in its outbox, before the server has it: tables, made by the rules.

Nothing here is known to the script that reads them (static/js/provisional.js) but their shape:
- `points`: a sum of products. Each product is of tables, each table keyed by the values of some of the form's fields,
  joined by a comma ("" where the form says nothing); "*" stands for all keys that are not named.
- `amounts`: by "dealer,declarer", what each seat wins or loses for one point of the declarer's.
- `first`: by dealer, the seat that speaks first.
The ledger counts the hand again when it comes: this is only shown, and marked as provisional.
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

#: A split of the declarer's opponents that is no 6:5:0.
SHARED = {tricks: (tricks, (11 - tricks) // 2, 11 - tricks - (11 - tricks) // 2) for tricks in range(12)}
BARE_SIX = {"0": (6, 0, 5), "5": (6, 5, 0)}
#: Any hand will do where only the proportion is looked at.
CHEAPEST = (Contract.THREE, Trump.HEARTS)


class Table(TypedDict):
    """A factor: the fields it looks at, and its values by theirs."""

    by: list[str]
    values: dict[str, int]


class Tables(TypedDict):
    """All that is needed at a table of so many seats."""

    points: list[list[Table]]
    amounts: dict[str, list[int]]
    first: list[int]


def of(evening: Evening, columns: int) -> Tables | None:
    """The tables for an evening; None where somebody has come or gone."""
    seats = len(evening.sitting)
    return tables(seats, evening.house.six_five_nil) if evening.sitting == tuple(range(columns)) else None


@cache
def tables(seats: int, six_five_nil: bool = True) -> Tables:
    """The tables for so many at the table, and whether a bare six is less."""
    return {
        "points": [
            [_step(), _tricks(), _factor("game_kontra")],
            *([[_step(), _bare_six()]] if six_five_nil else ()),
            [_arrivazs(), _factor("arrivazs_kontra")],
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
    """What one trick more is worth; all that a game counts is so many times this."""
    return _points(contract, trump, SHARED[8]) - _points(contract, trump, SHARED[7])


def _step() -> Table:
    each = {f"{contract},{trump}": _each(contract, trump) for contract in Contract for trump in Trump}
    return _table(each, "contract", "trump")


def _tricks() -> Table:
    counts = {str(tricks): _points(*CHEAPEST, shared) // _each(*CHEAPEST) for tricks, shared in SHARED.items()}
    return _table(counts, "tricks")


def _bare_six() -> Table:
    """What a 6:5:0 takes off. The form asks for the split wherever it counts."""
    shared = _points(*CHEAPEST, SHARED[6])
    off = {
        f"6,{first}": (_points(*CHEAPEST, tricks) - shared) // _each(*CHEAPEST) for first, tricks in BARE_SIX.items()
    }
    return _table({**off, "*": 0}, "tricks", "opponent_tricks")


def _factor(field: str) -> Table:
    return _table({str(kontra.value): kontra.factor for kontra in Kontra} | {"": 1}, field)


def _arrivazs() -> Table:
    worth = {
        f"{arrivazs},{trump}": score(Deal(*_called(trump), SHARED[7], arrivazs=arrivazs)).arrivazs
        for arrivazs in Arrivazs
        for trump in Trump
        if (arrivazs, trump) != (Arrivazs.IDEGEN, Trump.NONE)
    }
    return _table(worth, "arrivazs", "trump")


def _called(trump: Trump) -> tuple[Contract, Trump]:
    return CHEAPEST[0], trump


def _amounts(seats: int, dealer: int, declarer: int) -> list[int]:
    deal = Deal(*CHEAPEST, SHARED[6])
    points = score(deal).points
    amounts = [0] * seats
    for payment in payments(deal, declarer=declarer, opponents=opponents(seats, dealer, declarer)):
        amounts[payment.payer] -= payment.points // points
        amounts[payment.payee] += payment.points // points
    return amounts
