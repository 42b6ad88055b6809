"""The rules of the games. Everything in this package is pure Python: standard library only."""

from scorekeeper.games.registry import DEFAULT, GAMES

__all__ = ["DEFAULT", "GAMES"]
