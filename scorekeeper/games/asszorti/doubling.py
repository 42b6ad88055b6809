"""Kontra and what follows it: who may say what next, and who said it (docs/rules/asszorti.md §4).

When it may be said is left to the table: no rule closes the doubling, so the ladder is open until the hand is
counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, Self

from scorekeeper.games.asszorti.sides import (
    IllegalMove,
    MalformedState,
    Sides,
    seat_from_text,
    seats_from_text,
    seats_to_text,
)
from scorekeeper.games.kontra import Kontra


class Item(StrEnum):
    """What can be doubled, each by itself."""

    GAME = "game"
    ARRIVAZS = "arrivazs"


class Said(NamedTuple):
    """One step of a ladder: of which item, and who said it."""

    item: Item
    seat: int


DECLARERS: Final = frozenset({Kontra.REKONTRA, Kontra.HIRSKONTRA})
ANNOUNCED: Final = "announced"


@dataclass(frozen=True)
class Doubling:
    """What was said so far, in order, to the game and, if it was announced, to the arrivázs."""

    sides: Sides
    arrivazs_announced: bool = False
    said: tuple[Said, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """What can be doubled in this hand."""
        return tuple(Item) if self.arrivazs_announced else (Item.GAME,)

    def speakers(self, item: Item) -> tuple[int, ...]:
        """The seats that said kontra, rekontra, … to the item, in that order."""
        return tuple(said.seat for said in self.said if said.item is item)

    def level(self, item: Item) -> Kontra:
        """How far the item's ladder was climbed."""
        return Kontra(len(self.speakers(item)))

    def may_say(self, item: Item) -> Mapping[int, Kontra]:
        """Who may say what next to the item, by seat, left opponent before right; empty if nobody may."""
        if item not in self.items or self.level(item) is Kontra.MORDKONTRA:
            return {}
        step = Kontra(self.level(item) + 1)
        if step in DECLARERS:
            return {self.sides.declarer: step}
        silent = self.speakers(item)[:1] if step is Kontra.SZUBKONTRA else ()
        return {seat: step for seat in self.sides.opponents if seat not in silent}

    def say(self, seat: int, item: Item) -> Self:
        """The doubling after this seat said the next step to the item.

        Raises IllegalMove: `not_playing` (seat); `arrivazs_not_announced`; `ladder_end` (item); and with
        seat, item and kontra (the step, 1 … 5): `szubkontra_same_opponent`, `not_his_kontra`.
        """
        if seat not in self.sides:
            raise IllegalMove("not_playing", seat=seat)
        if item not in self.items:
            raise IllegalMove("arrivazs_not_announced")
        may_say = self.may_say(item)
        if not may_say:
            raise IllegalMove("ladder_end", item=item.value)
        if seat not in may_say:
            step = next(iter(may_say.values()))
            same = step is Kontra.SZUBKONTRA and seat in self.sides.opponents
            code = "szubkontra_same_opponent" if same else "not_his_kontra"
            raise IllegalMove(code, seat=seat, item=item.value, kontra=step.value)
        return replace(self, said=(*self.said, Said(item, seat)))

    def at_level(self, item: Item, level: Kontra) -> Self:
        """The doubling with the item climbed so far, where it is known how far and not by whom.

        Steps too many are taken back from the top; a missing one is said by the first who may, the left opponent
        before the right. Raises IllegalMove `arrivazs_not_announced`.
        """
        doubling = self
        while doubling.level(item) > level:
            doubling = replace(doubling, said=doubling._without_latest(item))
        while doubling.level(item) < level:
            doubling = doubling.say(next(iter(doubling.may_say(item)), self.sides.declarer), item)
        return doubling

    def undo(self) -> Self:
        """The doubling before the latest step, of either item. Raises IllegalMove `nothing_to_undo`."""
        if not self.said:
            raise IllegalMove("nothing_to_undo")
        return replace(self, said=self.said[:-1])

    def talon_shown(self, tricks_played: int) -> bool:
        """Whether the talon lies open: from any kontra on, until the end of the first trick."""
        return bool(self.said) and tricks_played == 0

    def to_text(self) -> str:
        """`0-1-2 announced game:1 game:0 arrivazs:2`: the sides, whether arrivázs was announced, who said."""
        words = [seats_to_text(self.sides)]
        if self.arrivazs_announced:
            words.append(ANNOUNCED)
        return " ".join(words + [f"{said.item}:{said.seat}" for said in self.said])

    def _without_latest(self, item: Item) -> tuple[Said, ...]:
        latest = max(place for place, said in enumerate(self.said) if said.item is item)
        return self.said[:latest] + self.said[latest + 1 :]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Raises MalformedState, or IllegalMove for a step that could not be said."""
        seats, *words = text.split(" ")
        announced = words[:1] == [ANNOUNCED]
        doubling = cls(Sides(*seats_from_text(seats)), announced)
        for word in words[announced:]:
            item, separator, seat = word.partition(":")
            if item not in Item or not separator:
                raise MalformedState(text)
            doubling = doubling.say(seat_from_text(seat), Item(item))
        return doubling
