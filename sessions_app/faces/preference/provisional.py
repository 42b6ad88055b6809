"""Lookup tables by which a phone counts a hand in its outbox, built by the rules.

Only balances are computed. They do not depend on the pools, as a point of aid is worth the one it replaces ("Pool, aid,
end"); where a house prices it otherwise, there are no tables. The script that reads them (static/js/provisional.js)
knows only their shape:

- `nths`: all amounts are whole n-ths of a point.
- `ways`: by "dealer,declarer" the way to look up a hand: the `table`; the fields by whose values it is nested, in order
  (`by`); those of them that have another name in it (`as`); the `seats` in the order of its amounts.
- `tables`: each nested by those values; at the end, the amounts of all seats, with a 1 after them if the hand leaves a
  row of raspasovkas as it is. In a way that is `in_a_row` they are for each point of the price, followed by the
  amounts paid at any price.
- `prices`: the price after so many in a row.
- `first`: by dealer, the seat that speaks first.

The phone shows the result as provisional; the ledger counts the hand again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Any, Final

from scorekeeper.db.cache import LRUCache
from scorekeeper.games.base import Place
from scorekeeper.games.errors import InvalidDeal
from scorekeeper.games.preference import (
    BOOK,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Rules,
    Standing,
    Strain,
    balances,
    count,
    next_price,
    participants,
    places,
    playing_seats,
)
from scorekeeper.games.preference.deal import ALL_TRICKS, LEVELS, TALON_TRICKS
from scorekeeper.games.preference.house_rules import AT_RATE, Growth
from sessions_app.faces.preference.fields import MIZER_ROW, checked, taken_by, whisted_by
from sessions_app.models import Evening
from sessions_app.readers.evening.recount import sheet_of

#: The prices cover so many raspasovkas in a row.
ROW: Final = 40
#: In a row already: the row that a hand leaves shows whether it ends one.
_IN_A_ROW: Final = Standing(row=1)
_cache: LRUCache[Mapping[str, Any]] = LRUCache()


def provisional_tables(evening: Evening, columns: int) -> Mapping[str, Any] | None:
    """Return an evening's tables; None if seats have changed, or if pools decide the value of a hand."""
    rules, seats = evening.house, tuple(range(columns))
    if evening.sitting != seats or (rules.aid and rules.aid_rate != rules.pool_point):
        return None
    return tables(columns, rules)


def tables(seats: int, rules: Rules) -> Mapping[str, Any]:
    """Return the tables for so many seats, by these rules."""
    # Neither the end of the game nor the exit ladder's warnings change the amounts.
    counted_by = replace(rules, target=BOOK.target, raspasy_exit=BOOK.raspasy_exit)
    return _cache.get_or_make((seats, counted_by), lambda: _tables(tuple(range(seats)), counted_by))


def _tables(seats: tuple[int, ...], rules: Rules) -> Mapping[str, Any]:
    return {
        "nths": len(seats),
        "ways": dict(_ways(seats, rules)),
        "tables": {"declared": _declared(seats, rules), "raspasovka": _raspasovka(seats, rules)},
        "prices": [next_price(Standing(row=row), rules) for row in range(ROW)],
        "first": [playing_seats(seats, dealer)[0] for dealer in seats],
    }


def _ways(seats: tuple[int, ...], rules: Rules) -> Iterator[tuple[str, Mapping[str, Any]]]:
    fields = ("level", "answers", "tricks", "first_tricks")
    for dealer in seats:
        for declarer in playing_seats(seats, dealer):
            at = places(seats, dealer, declarer)
            lone = {whisted_by(at[1]): Answers.FIRST.value, whisted_by(at[2]): Answers.SECOND.value}
            order = _with_the_rest(at, seats)
            yield f"{dealer},{declarer}", {"table": "declared", "by": fields, "as": lone, "seats": order}
        part = participants(seats, dealer, talon=rules.raspasy_dealer)
        by, order = tuple(map(taken_by, part[:-1])), _with_the_rest(part, seats)
        yield f"{dealer},", {"table": "raspasovka", "by": by, "as": {}, "seats": order, "in_a_row": True}


def _with_the_rest(part: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    return (*part, *(seat for seat in seats if seat not in part))


def _won(deal: Deal, place: Place, order: Sequence[int], rules: Rules) -> list[int]:
    """Return each seat's amount in n-ths, then a 1 if the hand leaves a row as it is. Raise InvalidDeal."""
    counted = count(deal, place, _IN_A_ROW, rules)
    won = balances(sheet_of(counted.entries), place.seats, rules)
    amounts = [int(won[seat] * len(place.seats)) for seat in order]
    return amounts if isinstance(deal, Raspasovka) or not counted.standing.row else [*amounts, 1]


# --- Hands with a declarer ---


def _declared(seats: tuple[int, ...], rules: Rules) -> Mapping[str, Any]:
    """Return amounts by contract, answers and tricks, by place: the first seat declares, the last deals."""
    place = Place(seats, seats[-1], seats[0])
    order = _with_the_rest(places(seats, place.dealer, seats[0]), seats)

    def won(deal: Deal) -> list[int] | None:
        try:
            return _won(deal, place, order, rules)
        except InvalidDeal:
            return None

    def played(level: int, answers: Answers) -> Any:
        contracts = starmap(Contract, _contracts(level, answers))
        if not answers.is_played:
            return won(next(contracts))
        if not answers.of_two:
            return [won(contract) for contract in contracts]
        by_tricks: list[list[Any]] = [[] for _tricks in range(ALL_TRICKS + 1)]
        for contract in contracts:
            by_tricks[contract.tricks[0]].append(won(contract))
        # With all of them nothing is asked of the opponents.
        return [*by_tricks[:-1], by_tricks[-1][0]]

    def answered(level: int) -> Mapping[str, Any]:
        is_open = f"level={level}" in checked(rules)
        named = {("" if answers is Answers.CHECKED else answers.value): answers for answers in _answers(is_open, rules)}
        if rules.stalingrad and level == LEVELS.start:
            named[""] = Answers.BOTH  # of spades, nobody is asked
        return {said: played(level, answers) for said, answers in named.items()}

    mizer = [won(Mizer(tricks)) for tricks in range(ALL_TRICKS + 1)]
    return {str(level): answered(level) for level in LEVELS} | {MIZER_ROW: {"": mizer}}


def _answers(is_open: bool, rules: Rules) -> Iterator[Answers]:
    for answers in Answers:
        if answers is Answers.GIVEN_UP:
            if rules.give_up:
                yield answers
        elif (answers is Answers.CHECKED) is is_open:
            yield answers


def _contracts(level: int, answers: Answers) -> Iterator[tuple[Any, ...]]:
    """Yield the contracts that may result. The strain never counts; a six is taken as hearts, which none must whist."""
    strain = Strain.HEARTS
    if not answers.is_played:
        yield level, answers, (), strain
    elif not answers.of_two:
        yield from ((level, answers, (tricks,), strain) for tricks in range(ALL_TRICKS + 1))
    else:
        for tricks in range(ALL_TRICKS + 1):
            for first in range(ALL_TRICKS - tricks + 1):
                yield level, answers, (tricks, first, ALL_TRICKS - tricks - first), strain


# --- A raspasovka ---


def _raspasovka(seats: tuple[int, ...], rules: Rules) -> Any:
    """Return amounts by the tricks of all but the last seat, in order of speaking: for each point, and fixed."""
    at_one = replace(rules, raspasy_base=1, raspasy_growth=Growth.NONE)
    is_flat = rules.raspasy_zero not in (0, AT_RATE)
    by_price = replace(at_one, raspasy_zero=0) if is_flat else at_one
    place = Place(seats, seats[-1], None)
    part = participants(seats, place.dealer, talon=rules.raspasy_dealer)
    order = _with_the_rest(part, seats)

    def won(tricks: tuple[int, ...]) -> list[int] | None:
        left = ALL_TRICKS - sum(tricks)
        if len(part) == len(seats) > 3 and left > TALON_TRICKS:
            return None
        deal = Raspasovka((*tricks, left))
        each = _won(deal, place, order, by_price)
        if not is_flat:
            return each
        return [*each, *(all_of - one for all_of, one in zip(_won(deal, place, order, at_one), each, strict=True))]

    def nested(tricks: tuple[int, ...]) -> Any:
        if len(tricks) == len(part) - 1:
            return won(tricks)
        return [nested((*tricks, taken)) for taken in range(ALL_TRICKS - sum(tricks) + 1)]

    return nested(())
