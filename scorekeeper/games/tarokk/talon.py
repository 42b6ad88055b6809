"""How the talon goes round (docs/rules/tarokk.md §4)."""

from scorekeeper.games.tarokk.enums import OTHERS, Contract

CARDS = 6


def drawn(contract: Contract) -> tuple[int, int, int, int]:
    """The cards that each of the four draws, by place, and lays away: 3, 2, 1 or none the declarer, the rest evenly.

    The extra cards go to the places that come first.
    """
    rest = CARDS - contract.drawn
    one, two, three = (rest // len(OTHERS) + (place <= rest % len(OTHERS)) for place in OTHERS)
    return contract.drawn, one, two, three
