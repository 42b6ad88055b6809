"""The house rules that a circle has saved under names of its own."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.games import GAMES
from scorekeeper.games.errors import InvalidRules
from sessions_app.models import HouseProfile


@dataclass(frozen=True, slots=True)
class SavedProfile:
    """House rules under a name; `rules` is None if the program cannot read their `text`, or does not know the game."""

    id: int
    game_key: str
    name: str
    text: str
    rules: Any
    made_at: datetime


def of_circle(circle_id: int) -> tuple[SavedProfile, ...]:
    """Return all that a circle has saved, game by game, in the order in which they were saved: one query."""
    return _views(HouseProfile.objects.filter(circle=circle_id).order_by("game_key", "pk"))


def offered(circle_id: int, game_key: str) -> tuple[SavedProfile, ...]:
    """Return the rules of the game that a circle has saved, for a caller that may write there: one query."""
    return _views(HouseProfile.objects.filter(circle=circle_id, game_key=game_key).order_by("pk"))


def _views(rows: Iterable[HouseProfile]) -> tuple[SavedProfile, ...]:
    return tuple(SavedProfile(row.pk, row.game_key, row.name, row.rules, _read(row), row.made_at) for row in rows)


def _read(row: HouseProfile) -> Any:
    try:
        return GAMES[row.game_key].rules_from_text(row.rules)
    except (KeyError, InvalidRules):
        return None
