"""Liability for the tricks that the defence lacks (docs/rules/preference.md §5.4 and the switches `short_…`)."""

from typing import Final, NamedTuple

from scorekeeper.games.preference.deal import ALL_TRICKS, Answers, Contract, quota
from scorekeeper.games.preference.house_rules import Rules, ShortOne, ShortShare

#: The level from which one trick of the defence is enough.
ONE_TRICK: Final = 8


class Short(NamedTuple):
    """A whister who is liable: the place, the tricks answered for, the rule, and whether only half of them are paid.

    `why` is `lone`, one of the values of `short_share` or `short_one`, or `pair`: then `lack` is the number of tricks
    that the side lacks.
    """

    place: int
    lack: int
    why: str
    halved: bool = False


def shorts(deal: Contract, rules: Rules) -> tuple[Short, ...]:
    """Return the whisters who are short; none if a ten is checked."""
    if deal.answers.lone:
        lack = max(quota(deal.level) - (ALL_TRICKS - deal.tricks[0]), 0)
        return (Short(deal.answers.lone, lack, "lone"),) if lack else ()
    if deal.answers is not Answers.BOTH:
        return ()
    side = max(quota(deal.level) - sum(deal.tricks[1:]), 0)
    if rules.pair_shares:
        return tuple(Short(place, side, "pair", halved=True) for place in (1, 2)) if side else ()
    why, lacks = _of_two(deal, side, rules)
    return tuple(Short(place, lack, why) for place, lack in enumerate(lacks, start=1) if lack)


def _of_two(deal: Contract, side: int, rules: Rules) -> tuple[str, tuple[int, int]]:
    """Return the rule for two whisters, and the tricks each answers for; `side` is the number of tricks that the
    defence lacks.
    """
    if deal.level >= ONE_TRICK:
        return rules.short_one.value, _for_one(side, own_lacks(deal), rules.short_one)
    return rules.short_share.value, _for_halves(side, own_lacks(deal), rules.short_share)


def own_lacks(deal: Contract) -> tuple[int, int]:
    """Return the number of tricks that each of two whisters lacks of half the quota; from eight up, of one trick."""
    share = max(quota(deal.level) // 2, 1)
    return max(share - deal.tricks[1], 0), max(share - deal.tricks[2], 0)


def _for_one(side: int, own: tuple[int, int], rule: ShortOne) -> tuple[int, int]:
    match rule:
        case ShortOne.SECOND:
            return 0, side
        case ShortOne.BOTH:
            return side, side
        case ShortOne.STRICT:
            return own
        case ShortOne.SECOND_STRICT:
            return 0, own[1]


def _for_halves(side: int, own: tuple[int, int], rule: ShortShare) -> tuple[int, int]:
    match rule:
        case ShortShare.SIDE:
            # If both are under their half, their lacks add up to the side's; if one is, that lack is the larger.
            return min(own[0], side), min(own[1], side)
        case ShortShare.OWN:
            return own if side else (0, 0)
        case ShortShare.STRICT:
            return own
