"""The eleven tricks: their winners, the leader, and the result of the last three."""

from dataclasses import dataclass, replace
from typing import Final, Self

from scorekeeper.games.asszorti.enums import ALL_TRICKS, Arrivazs, Trump
from scorekeeper.games.asszorti.sides import (
    IllegalMove,
    Sides,
    seat_from_text,
    seats_from_text,
    seats_to_text,
)

LAST: Final = 3


@dataclass(frozen=True)
class Tricks:
    """The tricks played so far: `winners` are seats, in order."""

    sides: Sides
    winners: tuple[int, ...] = ()

    @property
    def played(self) -> int:
        return len(self.winners)

    @property
    def remaining(self) -> int:
        return ALL_TRICKS - self.played

    @property
    def is_over(self) -> bool:
        return not self.remaining

    @property
    def leader(self) -> int | None:
        """The seat that leads to the next trick: the declarer's right, then each winner; None at the end."""
        if self.is_over:
            return None
        return self.winners[-1] if self.winners else self.sides.right

    @property
    def split(self) -> tuple[int, int, int]:
        """The numbers of tricks of the declarer, the left and the right opponent so far."""
        declarer, left, right = (self.winners.count(seat) for seat in self.sides)
        return declarer, left, right

    @property
    def last_three(self) -> tuple[int, ...]:
        """The winners of tricks 9, 10 and 11, as far as they were played."""
        return self.winners[ALL_TRICKS - LAST :]

    @property
    def arrivazs_outcome(self) -> Arrivazs | None:
        """The result of an announced arrivázs, `WON` or `LOST`; None while it is open.

        Lost with the first of the last three that the declarer does not win; won with the eleventh trick.
        """
        if any(seat != self.sides.declarer for seat in self.last_three):
            return Arrivazs.LOST
        return Arrivazs.WON if self.is_over else None

    def won(self, seat: int) -> Self:
        """Return the tricks with the next one won by this seat.

        Raise IllegalMove: `not_playing` (seat), `all_tricks_played`.
        """
        if seat not in self.sides:
            raise IllegalMove("not_playing", seat=seat)
        if self.is_over:
            raise IllegalMove("all_tricks_played")
        return replace(self, winners=(*self.winners, seat))

    def undo(self) -> Self:
        """Return the tricks without the latest. Raise IllegalMove `nothing_to_undo`."""
        if not self.winners:
            raise IllegalMove("nothing_to_undo")
        return replace(self, winners=self.winners[:-1])

    def first(self, number: int) -> Self:
        """Return the first `number` tricks."""
        return replace(self, winners=self.winners[:number])

    def to_text(self) -> str:
        """Write `0-1-2 0 0 2`: declarer, left and right, then the winners."""
        return " ".join((seats_to_text(self.sides), *map(str, self.winners)))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState, or IllegalMove for an impossible trick."""
        seats, *words = text.split(" ")
        tricks = cls(Sides(*seats_from_text(seats)))
        for word in words:
            tricks = tricks.won(seat_from_text(word))
        return tricks


def idegen_can_be_asked(outcome: Arrivazs | None, trump: Trump, *, announced: bool) -> bool:
    """Return whether the declarer must be asked if a trump of his was in the last three tricks.

    That is so for an announced arrivázs, won, in a trump contract.
    """
    return announced and outcome is Arrivazs.WON and trump is not Trump.NONE
