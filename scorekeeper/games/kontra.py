"""The ladder of doublings that Hungarian games share: kontra, rekontra, … mordkontra."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final


class Kontra(IntEnum):
    """How often an item was doubled; `factor` is what that multiplies the item by."""

    NONE = 0
    KONTRA = 1
    REKONTRA = 2
    SZUBKONTRA = 3
    HIRSKONTRA = 4
    MORDKONTRA = 5

    @property
    def factor(self) -> int:
        return 1 << self.value


#: As a notation writes them.
KONTRAS: Final[Mapping[str, Kontra]] = {
    "": Kontra.NONE,
    "K": Kontra.KONTRA,
    "R": Kontra.REKONTRA,
    "S": Kontra.SZUBKONTRA,
    "H": Kontra.HIRSKONTRA,
    "M": Kontra.MORDKONTRA,
}
