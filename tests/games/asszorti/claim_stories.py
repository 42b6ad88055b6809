"""Plays of a hand, told by letters and words."""

from scorekeeper.games.asszorti.play import Play
from scorekeeper.games.asszorti.seating import Sides

SIDES = Sides(declarer=2, left=0, right=1)
ROLES = {"D": "2", "L": "0", "R": "1"}


def played(story: str) -> Play:
    """The play that `DDL claim disputed D` tells."""
    words = [word if word.islower() else " ".join(map(ROLES.__getitem__, word)) for word in story.split()]
    return Play.from_text(" ".join(("2-0-1", *words)))
