"""How the hand form spells what its keys say."""

from typing import Final

from scorekeeper.games.tarokk import Side

NOBODY: Final = "none"
ALONE: Final = "alone"
LETTERS: Final = {Side.DECLARERS: "d", Side.OPPONENTS: "o"}
VOLATS: Final = {"v": Side.DECLARERS, "-v": Side.OPPONENTS}
