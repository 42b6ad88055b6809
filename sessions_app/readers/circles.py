"""Names of circles."""

from collections.abc import Sequence
from typing import Final

from sessions_app.models import CIRCLE_NAME_LENGTH

#: Players whose names make a circle's; more would not fit on a phone.
MOST_NAMED: Final = 4


def offered_name(names: Sequence[str]) -> str:
    """Return a name for a circle that has none, of its players' names: 'Anna, Béla, Cili'.

    An ellipsis stands for the players after the first `MOST_NAMED`, and for the end of a name too long to store.
    """
    offered = ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    return offered if len(offered) <= CIRCLE_NAME_LENGTH else f"{offered[: CIRCLE_NAME_LENGTH - 1]}…"
