"""Tables by which a phone counts and words a hand in its outbox, and the words of each choice.

The script that reads the tables (static/js/provisional.js) knows only their shape:

- `points`: a sum of products. Each product is of tables, each table keyed by the values of some of the form's fields,
  joined by a comma ("" for an empty field); "*" stands for all keys that are not listed.
- `amounts`: by "dealer,declarer", the amount that each seat wins or loses for one point of the declarer's.
- `first`: by dealer, the seat that speaks first.

The phone shows the result as provisional; the ledger counts the hand again.
"""

from collections.abc import Callable
from functools import cache
from typing import TypedDict

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

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
from sessions_app.faces.asszorti.words import CONTRACTS, TRUMPS
from sessions_app.faces.kontra_words import KONTRAS
from sessions_app.models import Evening
from sessions_app.words.wording import Words

# --- In words ---


#: Followed by a variation selector, so that no phone draws an emoji.
SUITS = {Trump.HEARTS: "♥︎", Trump.DIAMONDS: "♦︎", Trump.CLUBS: "♣︎", Trump.SPADES: "♠︎"}


def _words_of(field: str, value: str) -> str:
    say = _WORDS.get(field)
    return say(value) if say else ""


#: Words of a choice in the line of a hand, by field and value; '' if the line leaves it out.
line_words: Callable[[str, str], Words] = lazy(_words_of, str)


def _contract(value: str) -> str:
    return str(CONTRACTS[Contract(value)])


def _trump(value: str) -> str:
    trump = Trump(value)
    return SUITS.get(trump) or str(TRUMPS[trump])


def _kontra(value: str) -> str:
    kontra = Kontra(int(value))
    return f"{KONTRAS[kontra]} ×{kontra.factor}" if kontra else ""


def _arrivazs(value: str) -> str:
    return {
        Arrivazs.NONE: "",
        Arrivazs.LOST: _("arrivázs lost"),
        Arrivazs.WON: _("arrivázs won"),
        Arrivazs.IDEGEN: _("idegen arrivázs"),
    }[Arrivazs(value)]


def _tricks(value: str) -> str:
    count = int(value)
    return ngettext("%(tricks)s trick", "%(tricks)s tricks", count) % {"tricks": count}


def _split(value: str) -> str:
    """Return the split of the other five tricks in words, '' if there are not five: it counts only then."""
    first = int(value)
    return f"{first} : {5 - first}" if first <= 5 else ""


_WORDS: dict[str, Callable[[str], str]] = {
    "contract": _contract,
    "trump": _trump,
    "game_kontra": _kontra,
    "arrivazs": _arrivazs,
    "arrivazs_kontra": _kontra,
    "tricks": _tricks,
    "opponent_tricks": _split,
}


# --- Tables ---


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
