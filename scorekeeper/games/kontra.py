"""The ladder of doublings that the Hungarian games share: kontra, rekontra, … mordkontra."""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Final

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


def boldest_kontra(declarer: int, kontras: Iterable[Kontra]) -> Iterator[Feat]:
    """Yield the feat of the highest of all kontras of a hand, as the declarer's; nothing if nobody said one."""
    boldest = max(kontras)
    if boldest:
        yield Feat("kontra", 9 if boldest > Kontra.KONTRA else 2, (declarer,), boldest.value)
