"""A pul'ka as it is drawn, of the evening of docs/rules/preference.md §13.2."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scorekeeper.games.preference import GAME, sheet_from_text
from sessions_app.faces.preference.pulka import Pulka, pulka
from sessions_app.readers.evening.hand_entries import HandWritten, Written
from sessions_app.readers.evening.seating import SeatView

THREE, FOUR = ("Anna", "Béla", "Cili"), ("Anna", "Béla", "Cili", "Dani")
#: §13.2.
EVENING = (
    "P0+2 B0>2+2 B1>0+4",
    "D1+18 B0>1+18 B2>1+48",
    "D0+4 D1+2 D2+4",
    "D1+6 D2+14",
    "P2+4 B1>2+8",
    "P2+2 B1>2+4",
    "D1+20 B0>1+20 B2>1+20",
    "P1+8 P2+2 B1>2+20",
    "P0+4",
    "P0+2 D0-6",
)


def hands(*written: str) -> tuple[HandWritten, ...]:
    return tuple(
        HandWritten(number, is_void=False, amounts=sheet_from_text(entries), recorded=number)
        for number, entries in enumerate(written, 1)
    )


def drawn(
    hands: Sequence[HandWritten],
    names: Sequence[str] = THREE,
    rules: str = "target=8",
    before: str = "",
    standing: str = "",
) -> Pulka:
    seats = tuple(SeatView(at, name, Fraction(0), 0) for at, name in enumerate(names))
    return pulka(Written(tuple(hands), sheet_from_text(before), standing), seats, GAME.rules_from_text(rules))


def corrected(hand: HandWritten, writes: str, version: int = 20) -> HandWritten:
    return replace(hand, amounts=sheet_from_text(writes), was=hand.counted, changed=version)


def voided(hand: HandWritten, version: int = 20) -> HandWritten:
    return replace(hand, is_void=True, was=hand.counted, changed=version)
