"""The ladder of doublings that the Hungarian games share: kontra, rekontra, … mordkontra."""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Final

from scorekeeper.games.errors import Message
from scorekeeper.games.measures import Feat


class Kontra(IntEnum):
    """The number of times an item was doubled; `factor` multiplies the item."""

    NONE = 0
    KONTRA = 1
    REKONTRA = 2
    SZUBKONTRA = 3
    HIRSKONTRA = 4
    MORDKONTRA = 5

    @property
    def factor(self) -> int:
        return 1 << self.value


#: The kontras by their letters in a notation.
KONTRAS: Final[Mapping[str, Kontra]] = {
    "": Kontra.NONE,
    "K": Kontra.KONTRA,
    "R": Kontra.REKONTRA,
    "S": Kontra.SZUBKONTRA,
    "H": Kontra.HIRSKONTRA,
    "M": Kontra.MORDKONTRA,
}


def letter_of[Value](letters: Mapping[str, Value], value: Value) -> str:
    """Return the letter of a value in the notation, by a table such as KONTRAS."""
    return next(letter for letter, meant in letters.items() if meant is value)


def too_high(kontra: Kontra, ladder: int) -> Message | None:
    """Return the message for a kontra above the highest of the house rules, else None."""
    return Message("kontra_too_high", {"highest": ladder}) if kontra > ladder else None


def boldest_kontra(declarer: int, kontras: Iterable[Kontra]) -> Iterator[Feat]:
    """Yield the feat of the highest of all kontras of a hand, as the declarer's; nothing if nobody said one."""
    boldest = max(kontras)
    if boldest:
        yield Feat("kontra", 9 if boldest > Kontra.KONTRA else 2, (declarer,), boldest.value)
