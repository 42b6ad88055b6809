"""The rules of the games, and the registered games by key. All is pure Python: standard library only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from scorekeeper.games.asszorti.game import GAME as ASSZORTI
from scorekeeper.games.base import Game
from scorekeeper.games.preference.game import GAME as PREFERENCE
from scorekeeper.games.tarokk.game import GAME as TAROKK

_GAMES: Final[dict[str, Game[Any, Any, Any]]] = {game.key: game for game in (ASSZORTI, TAROKK, PREFERENCE)}
GAMES: Final[Mapping[str, Game[Any, Any, Any]]] = MappingProxyType(_GAMES)
#: The key of the default game, for an evening that names none.
DEFAULT: Final = ASSZORTI.key
