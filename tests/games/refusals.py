"""The refusals of illegal moves, for every game's tests."""

from collections.abc import Callable

import pytest

from scorekeeper.games.errors import GameError, IllegalMove, Message


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
