"""Registry of the faces: FACES["asszorti"]. A new game adds one line here, and nowhere else in the web layer."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from sessions_app.faces import asszorti, preference, tarokk
from sessions_app.faces.base import Face
from sessions_app.faces.sample_evening import SampleEvening, played
from sessions_app.models import Evening
from sessions_app.readers.evening.seating import SeatView, row_in_play
from sessions_app.readers.evening.sheets import written
from sessions_app.words.wording import listed

_FACES: Final[dict[str, Face]] = {face.key: face for face in (asszorti.FACE, tarokk.FACE, preference.FACE)}
FACES: Final[Mapping[str, Face]] = MappingProxyType(_FACES)


def face_of(evening: Evening) -> Face:
    return FACES[evening.game_key]


def game_names() -> str:
    """Return the names of all games as a list in words."""
    return listed(str(face.name) for face in FACES.values())


def sample_evening() -> SampleEvening:
    """Return the evening that home draws for a first visit: that of the first game with sample hands. No query."""
    return next(played(face.key, face.sample_hands) for face in FACES.values() if face.sample_hands)


def drawn_of(evening: Evening, seats: Sequence[SeatView]) -> Any:
    """Return the sheet as the game's players draw it, None where they draw none. Two queries."""
    draw = face_of(evening).drawn
    return draw(written(evening), seats, evening.house) if draw else None


def hand_in_play_of(evening: Evening, columns: int) -> Any:
    """Return the evening's hand in play as pages show it, or None. One query."""
    referee = face_of(evening).referee
    row = row_in_play(evening) if referee else None
    return referee.view(row, evening, columns) if referee and row else None
