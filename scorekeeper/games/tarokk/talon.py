"""The distribution of the talon (docs/rules/tarokk.md §4)."""

from scorekeeper.games.tarokk.enums import OTHERS, Contract

CARDS = 6


def drawn(contract: Contract) -> tuple[int, int, int, int]:
    """Return the number of cards that each of the four draws and lays away, by place.

    The declarer draws 3, 2, 1 or 0, the others the rest evenly; the extra cards go to the places that come first.
    """
    rest = CARDS - contract.drawn
    one, two, three = (rest // len(OTHERS) + (place <= rest % len(OTHERS)) for place in OTHERS)
    return contract.drawn, one, two, three
