"""The games that can be kept, by key. Everything below this package is pure Python: standard library only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from scorekeeper.games import asszorti, preference, tarokk
from scorekeeper.games.base import Game

_GAMES: Final[dict[str, Game[Any, Any, Any]]] = {
    asszorti.key: asszorti,
    tarokk.key: tarokk,
    preference.key: preference,
}
GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = MappingProxyType(_GAMES)
#: The one that is played where nobody says which.
DEFAULT: Final = next(iter(GAMES))
