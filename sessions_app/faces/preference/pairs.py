"""Why one owes another what he owes: what their whists, dumps and pools come to. In no language."""

from itertools import combinations

from scorekeeper.games.base import Sheet
from scorekeeper.games.preference import Rules, Term, terms


def owed(sheet: Sheet, pair: tuple[int, int], seats: tuple[int, ...], rules: Rules) -> tuple[Term, ...]:
    """What the second of a pair gets of the first; an account that brings nobody anything is left out.

    That is the pool of a game that has ended.
    """
    payer, payee = pair
    each = (term for two in combinations(seats, 2) for term in terms(*two, sheet, len(seats), rules))
    uneven = {term.account for term in each if term.more != term.less}
    return tuple(term for term in terms(payee, payer, sheet, len(seats), rules) if term.account in uneven)
