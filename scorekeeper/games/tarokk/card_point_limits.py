"""The limits of the declarers' card points, from the cards in skarts and tricks (docs/rules/tarokk.md §10).

The six cards of the skarts are no honours and no kings, so each counts 1 to 4: four cards are queens, four riders. The
seven honours and kings count 5 each and lie in tricks.
"""

from typing import Final

ALL_POINTS: Final = 94
SKART: Final = 6
FIVE: Final = 5
LEAST_TRICK: Final = 4


def most_laid_away(cards: int) -> int:
    """Return the most points that so many cards of a skart can count: the queens first, then the riders."""
    return 4 * min(cards, 4) + 3 * max(cards - 4, 0)


def least_in_tricks(fives: int) -> int:
    """Return the fewest points in a side's tricks, at least one trick, with so many honours and kings in them.

    They lie in as few tricks of four cards as possible, and every other card of these tricks counts 1.
    """
    return FIVE * fives + 4 * -(-fives // 4) - fives if fives else LEAST_TRICK


def without_volat(drawn: int, fives: tuple[int, int], *, all_discards: bool) -> range:
    """Return the declarers' possible card points if both sides won tricks.

    The declarer's skart has `drawn` cards, the opponents' 6 - `drawn`; with `all_discards` these may count for him too.
    `fives` are the numbers of honours and kings known in the tricks of the declarers and of the opponents.
    """
    theirs = 0 if all_discards else SKART - drawn
    return range(drawn + least_in_tricks(fives[0]), ALL_POINTS - theirs - least_in_tricks(fives[1]) + 1)


def with_volat(drawn: int, *, by_declarers: bool, all_discards: bool) -> range:
    """Return the declarers' possible card points if one side won all tricks: the other has its skart only."""
    theirs = 0 if all_discards else SKART - drawn
    if by_declarers:
        return range(ALL_POINTS - most_laid_away(SKART - drawn), ALL_POINTS - theirs + 1)
    return range(drawn, most_laid_away(SKART if all_discards else drawn) + 1)
