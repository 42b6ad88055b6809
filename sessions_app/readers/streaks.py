"""Streaks: rows of evenings won or lost, one after the other."""

from collections.abc import Sequence


def longest_streak(holds: Sequence[bool]) -> tuple[int, int]:
    """Return the start and the length of the longest row of true values, the first of equal ones."""
    best, start = (0, 0), 0
    for at, each in enumerate(holds):
        if not each:
            start = at + 1
        elif at + 1 - start > best[1]:
            best = start, at + 1 - start
    return best
