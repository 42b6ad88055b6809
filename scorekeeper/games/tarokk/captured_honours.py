"""Aid at the end of a hand: the sides that took the honours and kings, and the items that follow from that."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Self

from scorekeeper.games.state_text import MalformedState
from scorekeeper.games.tarokk.enums import Pagat, Side

KINGS: Final = 4


class Honour(StrEnum):
    """The three honours, which make a trull."""

    SKIZ = "skiz"
    XXI = "xxi"
    PAGAT = "pagat"


@dataclass(frozen=True, slots=True)
class Items:
    """The items as fields of a deal: the side that made each, None for nobody."""

    trull: Side | None = None
    kings: Side | None = None
    xxi: Side | None = None
    pagat: Pagat = Pagat.NONE


def items_of(
    honours: Mapping[Honour, Side],
    kings: int | None = None,
    *,
    caught: bool = False,
    last: Pagat = Pagat.NONE,
) -> Items:
    """Return the items that follow.

    `honours` are the sides that took them, as far as known; `kings` is the number that the declarers took; `last` is
    the pagát in the last trick. `caught`: the side that took the XXI did not play it; only the skíz beats it, so that
    is a fogás.
    """
    holders = set(honours.values())
    has_all = honours.keys() == set(Honour) and len(holders) == 1
    return Items(
        trull=holders.pop() if has_all else None,
        kings={KINGS: Side.DECLARERS, 0: Side.OPPONENTS}.get(-1 if kings is None else kings),
        xxi=honours.get(Honour.XXI) if caught else None,
        pagat=last,
    )


@dataclass(frozen=True, slots=True)
class Taken:
    """The answers so far about honours, kings and the last trick; None: no answer yet."""

    skiz: Side | None = None
    xxi: Side | None = None
    pagat: Side | None = None
    caught: bool = False
    kings: int | None = None
    last: Pagat = Pagat.NONE

    @property
    def items(self) -> Items:
        known = {honour: side for honour in Honour if (side := getattr(self, honour))}
        return items_of(known, self.kings, caught=self.caught, last=self.last)

    def with_honour(self, honour: Honour, side: Side | None, *, caught: bool = False) -> Self:
        """Return the answers with the side that took an honour, without earlier ones that contradict it.

        In a fogás one side takes both the XXI and the skíz.
        """
        found = self._put(honour, side)
        if honour is Honour.XXI:
            found = replace(found, caught=caught and side is not None)
        if honour is Honour.SKIZ and found.caught and side is not found.xxi:
            found = replace(found, caught=False)
        if honour is Honour.PAGAT and found.last.won and side is not found.last.side:
            found = replace(found, last=Pagat.NONE)
        return replace(found, skiz=side) if found.caught and honour is Honour.XXI else found

    def with_kings(self, number: int | None) -> Self:
        """Return the answers with the number of kings that the declarers took, 0 to 4."""
        return replace(self, kings=number)

    def _put(self, honour: Honour, side: Side | None) -> Self:
        changed: dict[str, Any] = {honour.value: side}
        return replace(self, **changed)

    def with_last(self, last: Pagat) -> Self:
        """Return the answers with the pagát in the last trick; its own side took one that won."""
        return replace(self, last=last, pagat=last.side if last.won else self.pagat)

    def to_text(self) -> str:
        """Write the answers: `skiz=D xxi=O caught kings=3 last=d_won`."""
        honours = [f"{honour}={side}" for honour in Honour if (side := getattr(self, honour))]
        kings = [] if self.kings is None else [f"kings={self.kings}"]
        last = [] if self.last is Pagat.NONE else [f"last={self.last}"]
        return " ".join([*honours, *(["caught"] if self.caught else []), *kings, *last])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState."""
        taken = cls()
        try:
            for word in text.split():
                name, _, value = word.partition("=")
                match name:
                    case "caught":
                        taken = replace(taken, caught=True)
                    case "kings":
                        taken = replace(taken, kings=int(value))
                    case "last":
                        taken = replace(taken, last=Pagat(value))
                    case _:
                        taken = taken._put(Honour(name), Side(value))
        except ValueError as wrong:
            raise MalformedState(text) from wrong
        return taken
