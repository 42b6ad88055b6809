"""The refusals of illegal moves, for every game's tests; and Asszorti's vectors of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scorekeeper.games.errors import GameError, IllegalMove, Message

VECTORS = Path(__file__).parent / "asszorti" / "vectors" / "referee"


def refusal(move: Callable[[], object]) -> Message:
    """The error of the move; fails if it is not."""
    with pytest.raises(IllegalMove) as caught:
        move()
    assert isinstance(caught.value, GameError)
    assert caught.value.message.code in str(caught.value)
    return caught.value.message


def code[**P](move: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> str | None:
    """The code that the move is refused with, or None if it is not."""
    try:
        move(*args, **kwargs)
    except IllegalMove as refused:
        return refused.message.code
    return None


def vectors(name: str) -> list[tuple[str, str]]:
    """The two sides of each line `given | expected`."""
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("|") for line in lines if line and not line.startswith("#")]
    return [(given.strip(), expected.strip()) for given, expected in pairs]
