"""The exclusions among a half-filled deal's fields: conditions that no possible deal meets all together.

They are complete: a half-filled deal that meets none of them leads to at least one possible deal. No exclusion is
longer than needed. The form offers a value unless an exclusion is met with it.

Most follow from the card points, which honours, kings and skarts limit (docs/rules/tarokk.md §10). The card points that
a combination of the other facts allows are one number, a bit for each. An incomplete combination allows all card points
that any of its completions allows. An exclusion is a combination that rules out card points which every combination of
one fact fewer allows. A fact that is left out can be nobody's, which allows the most.
"""

from collections.abc import Container, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any, Final, NamedTuple

from scorekeeper.games.payment_game import Kontra
from scorekeeper.games.tarokk.enums import BANDS, OTHERS, PLACES, Band, Contract, Pagat, Side
from scorekeeper.games.tarokk.house_rules import Rules
from scorekeeper.games.tarokk.validation import (
    ALL_POINTS,
    MOST_WITH_TAROKKS,
    declarers_win_tie,
    possible_points,
    refusals_of_made,
)


class Condition(NamedTuple):
    """The condition that a field has one of these values."""

    field: str
    values: Container[Any]


type Exclusion = tuple[Condition, ...]

#: The values that card points can be noted with, one bit each: the exact ones, then the bands.
NOTED: Final = (*range(ALL_POINTS + 1), *Band)
#: The value of a fact that is not entered.
OPEN: Final = "open"
#: The places of a partner, for which the exclusions are the same.
WITH_PARTNER: Final = frozenset(OTHERS)


class Facts(NamedTuple):
    """The facts that limit the card points; each may be OPEN; those that can be nobody's need not."""

    contract: Any
    is_alone: Any
    volat: Any
    trull: Any
    kings: Any
    xxi: Any
    pagat: Any


type _Said = tuple[Any, ...]

NOTHING: Final = Facts(OPEN, OPEN, OPEN, None, None, None, Pagat.NONE)
_COMPLETE: Final = ((*Contract,), (False, True), (None, *Side), (None, *Side), (None, *Side), (None, *Side), (*Pagat,))
#: The number of facts that are also tried as OPEN: contract, partner and volát.
_MAY_BE_OPEN: Final = 3


def exclusions(rules: Rules) -> tuple[Exclusion, ...]:
    """Return the exclusions among the fields of a deal under these rules; `tarokks` are fields by place, `tarokks_0` ….

    `is_fourth` is whether the declarer speaks fourth. Not among them are the fields that a lost próba has not, and the
    kontras above the ladder.
    """
    kontras = frozenset(kontra for kontra in Kontra if declarers_win_tie(kontra, rules))
    exact = (Condition("points", {Band.FROM_24}), Condition("game_kontra", kontras))
    return (*_of_made(lone_discards=rules.lone_discards), *_apart(), *((exact,) if kontras else ()))


def _apart() -> Iterator[Exclusion]:
    proba = Condition("is_proba", {True})
    yield proba, Condition("contract", {Contract.SOLO})
    yield proba, Condition("is_fourth", {False})
    for places in combinations(PLACES, MOST_WITH_TAROKKS + 1):
        yield tuple(Condition(f"tarokks_{place}", {8, 9}) for place in places)


@cache
def _of_made(*, lone_discards: bool) -> tuple[Exclusion, ...]:
    """Return the exclusions that follow from the card points, and from the tricks that hold honours and kings."""
    rules, allowed = Rules(lone_discards=lone_discards), dict[_Said, int]()
    for said in product(*_COMPLETE):
        allowed[said] = _allowed(Facts._make(said), rules)
    for at in range(_MAY_BE_OPEN):  # one fact after another, so that every set of them is open once
        for said, bits in list(allowed.items()):
            less = _without(said, at)
            allowed[less] = allowed.get(less, 0) | bits
    return tuple(exclusion for said in allowed for exclusion in _new(said, allowed))


def _allowed(facts: Facts, rules: Rules) -> int:
    """Return the card points, as bits, that complete facts allow, by the same rules that refuse a deal."""
    if any(refusals_of_made(facts).values()):
        return 0
    limits = possible_points(facts, rules)
    exact = (1 << len(limits)) - 1 << limits[0]
    for at, band in enumerate(BANDS.values()):
        if band[0] <= limits[-1] and limits[0] <= band[-1]:
            exact |= 1 << ALL_POINTS + 1 + at
    return exact


def _without(said: _Said, at: int) -> _Said:
    """Return the combination with one fact fewer."""
    return (*said[:at], NOTHING[at], *said[at + 1 :])


def _new(said: _Said, allowed: dict[_Said, int]) -> Iterator[Exclusion]:
    """Yield the exclusion of the combination, unless fewer facts exclude the same already."""
    here = allowed[said]
    named = [at for at, value in enumerate(said) if value != NOTHING[at]]
    gone = ~here & (1 << len(NOTED)) - 1
    for at in named:
        gone &= allowed[_without(said, at)]
    if not gone:
        return
    conditions = tuple(_condition(at, said[at]) for at in named)
    if here:
        points = frozenset(noted for at, noted in enumerate(NOTED) if gone >> at & 1)
        conditions = (*conditions, Condition("points", points))
    yield conditions


def _condition(at: int, value: Any) -> Condition:
    name = Facts._fields[at]
    if name == "is_alone":
        return Condition("partner", {None} if value else WITH_PARTNER)
    return Condition(name, {value})
