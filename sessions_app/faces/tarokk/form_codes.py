"""The codes of sides, partners and voláts in the values of the hand form."""

from typing import Final

from scorekeeper.games.tarokk import Side

NOBODY: Final = "none"
ALONE: Final = "alone"
LETTERS: Final = {Side.DECLARERS: "d", Side.OPPONENTS: "o"}
VOLATS: Final = {"v": Side.DECLARERS, "-v": Side.OPPONENTS}
