"""The games that can be kept, by key. Everything below this package is pure Python: standard library only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from scorekeeper.games import asszorti
from scorekeeper.games.base import Game

GAMES: Mapping[str, Game[Any, Any, Any]] = MappingProxyType({asszorti.key: asszorti})
#: The one that is played where nobody says which.
DEFAULT: Final = next(iter(GAMES))
