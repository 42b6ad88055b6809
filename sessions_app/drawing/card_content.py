"""The content of a picture for friends: results, payments and figures, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scorekeeper.games.amounts import Amount

type Tone = Literal["plus", "minus", "zero"]


class Result(NamedTuple):
    """A player's row: name, points with a sign, their tone, money, and the number of the line.

    `money` is '' where only points are shown; `number` is None for a player whose line is not drawn.
    """

    name: str
    points: str
    tone: Tone
    money: str
    number: int | None


class Paid(NamedTuple):
    """A payment: who pays whom, and how much."""

    payer: str
    payee: str
    amount: str


class Figure(NamedTuple):
    """A figure worth telling: its label, the words that say it, and what stands behind them, smaller."""

    label: str
    words: str
    behind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """The words and figures of a picture, in one language. Characters that no font has are left out as it is drawn.

    `emblem` is the drawing of the game, 32 × 32. `under` stands below the name of the game, `where` above the results.
    `winners` are named under `won`, with their `points` and `money`; without any, `won` is the headline. `curves` are
    the balances of the results' players by the number of the line, from the start on, or () where nothing is drawn.
    """

    emblem: str
    game: str
    under: Sequence[str]
    where: str
    won: str
    winners: str
    points: str
    money: str
    results: Sequence[Result]
    curves: Sequence[Sequence[Amount]] = ()
    edges: tuple[str, str] = ("", "")
    payments: str = ""
    paid: Sequence[Paid] = ()
    nothing_to_pay: str = ""
    more_paid: str = ""
    more_results: str = ""
    figures: Sequence[Figure] = ()
    check: str = ""
    check_label: str = ""
    check_address: str = ""
