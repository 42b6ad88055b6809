"""Validation of a deal, by field (docs/rules/preference.md §10).

The codes, with their parameters:
any field   `unknown`: not a value of the field
tricks      `tricks_needed`, `split_needed`, `tricks_extra`, `tricks_range`, `tricks_sum` (sum),
            `raspasy_count` (count: how many take part), `talon_tricks` (most)
answers     `half_off`, `half_second`, `half_after_pass`, `half_level`, `ten_checked`, `ten_whisted`, `must_whist`,
            `give_up_off`
strain      `strain_needed`
amounts     `bank_self` (seat), `place_twice` (account, seat), `amount_range` (most), `seat_unknown` (seat)
dealer      `dealer_unknown` (seat)
declarer    `declarer_unknown` (seat), `declarer_sits_out` (seat), `declarer_needed`, `declarer_extra`
deal        `game_over`
amounts     by the standing: `game_over` (seat), `pool_below` (seat, pool: its new number), `pool_above` (the same,
            target)
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from scorekeeper.games.base import Account, Place
from scorekeeper.games.errors import InvalidDeal, Message, is_of, refuse, unknown
from scorekeeper.games.preference.announcing import CLOSED
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    BANK,
    DUMP,
    HIGHEST_HALF,
    LEVELS,
    PLAYERS,
    POOL,
    TALON_TRICKS,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    Strain,
    deal_as_spelled,
    participants,
    playing_seats,
)
from scorekeeper.games.preference.house_rules import BOOK, Rules
from scorekeeper.games.preference.standing import Standing, by_seat, is_finished

#: The largest amounts of agreed entries, so that all accounts of four seats fit in a text of 200 characters.
MOST_AGREED: Final = {POOL: 9999, DUMP: 9999, BANK: 99_999}


def deal_from_text(text: str, rules: Rules = BOOK) -> Deal:
    """Read a deal. Raise NotationError if the text is malformed, InvalidDeal if the rules forbid the deal."""
    deal = deal_as_spelled(text)
    check(deal, rules)
    return deal


def check(deal: Deal, rules: Rules) -> None:
    """Raise InvalidDeal, with one message for each field, for a deal that the rules forbid at any table."""
    refuse(unknown(deal, _KNOWN[type(deal)]) or _refusals(deal, rules))


def _refusals(deal: Deal, rules: Rules) -> dict[str, Message | None]:
    match deal:
        case Contract():
            return {
                "answers": _answers(deal, rules),
                "strain": _strain(deal, rules),
                "tricks": _tricks_of_contract(deal),
            }
        case Mizer(tricks):
            return {"tricks": Message("tricks_needed", {}) if tricks is None else _range((tricks,))}
        case Raspasovka(tricks):
            return {"tricks": _tricks_of_raspasovka(tricks, rules)}
        case Agreed(amounts):
            return {"amounts": _amounts(amounts)}


# --- Values ---


def _are_numbers(value: object) -> bool:
    return isinstance(value, tuple) and all(is_of(each, int) for each in value)


def _is_agreed(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(_is_amount(*each) for each in value)


def _is_amount(account: Account, amount: object) -> bool:
    name, seat, against = account
    known = name in (POOL, DUMP, BANK) and is_of(seat, int) and is_of(amount, int) and amount != 0
    return known and (is_of(against, int) if name == BANK else against is None)


_KNOWN: Final[Mapping[type, Mapping[str, Callable[[Any], bool]]]] = {
    Contract: {
        "level": lambda value: is_of(value, int) and value in LEVELS,
        "answers": lambda value: is_of(value, Answers),
        "strain": lambda value: is_of(value, Strain, type(None)),
        "tricks": _are_numbers,
    },
    Mizer: {"tricks": lambda value: is_of(value, int, type(None))},
    Raspasovka: {"tricks": _are_numbers},
    Agreed: {"amounts": _is_agreed},
}


# --- Answers ---


def _answers(deal: Contract, rules: Rules) -> Message | None:
    code, needed = None, rules.unasked(deal.level, deal.strain)
    if deal.answers is Answers.GIVEN_UP:
        code = None if rules.give_up else "give_up_off"
    elif needed:
        code = None if deal.answers is needed else CLOSED[needed]
    elif deal.answers is Answers.CHECKED:
        code = "ten_whisted"
    elif deal.answers in (Answers.HALF, Answers.RETRIEVED):
        code = "half_off" if not rules.half_whist else "half_level" if deal.level > HIGHEST_HALF else None
    return Message(code, {}) if code else None


def _strain(deal: Contract, rules: Rules) -> Message | None:
    is_needed = rules.stalingrad and deal.level == LEVELS[0] and deal.strain is None
    return Message("strain_needed", {}) if is_needed else None


# --- Tricks ---


def _tricks_of_contract(deal: Contract) -> Message | None:
    tricks = deal.tricks
    if not deal.answers.is_played:
        return Message("tricks_extra", {}) if tricks else None
    if not tricks:
        return Message("tricks_needed", {})
    if not deal.answers.of_two:
        return Message("tricks_extra", {}) if len(tricks) > 1 else _range(tricks)
    if len(tricks) > PLAYERS:
        return Message("tricks_extra", {})
    return _range(tricks) or (_sum(tricks) if len(tricks) == PLAYERS else Message("split_needed", {}))


def _tricks_of_raspasovka(tricks: tuple[int, ...], rules: Rules) -> Message | None:
    most = PLAYERS + 1 if rules.raspasy_dealer else PLAYERS
    if not tricks:
        return Message("tricks_needed", {})
    if len(tricks) not in range(PLAYERS, most + 1):
        return Message("raspasy_count", {"count": most})
    return _range(tricks) or _talon(tricks[PLAYERS:]) or _sum(tricks)


def _talon(tricks: tuple[int, ...]) -> Message | None:
    return Message("talon_tricks", {"most": TALON_TRICKS}) if sum(tricks) > TALON_TRICKS else None


def _range(tricks: tuple[int, ...]) -> Message | None:
    return Message("tricks_range", {}) if max(tricks) > ALL_TRICKS or sum(tricks) < 0 else None


def _sum(tricks: tuple[int, ...]) -> Message | None:
    """Return `tricks_sum` if not ten in all. A last number below 0 was computed as the rest: the others exceed ten."""
    taken = sum(each for each in tricks if each > 0)
    return None if taken == sum(tricks) == ALL_TRICKS else Message("tricks_sum", {"sum": taken})


# --- Agreed entries ---


def _amounts(amounts: tuple[tuple[Account, int], ...]) -> Message | None:
    for (name, seat, against), amount in amounts:
        if seat == against:
            return Message("bank_self", {"seat": seat})
        if abs(amount) > MOST_AGREED[name]:
            return Message("amount_range", {"most": MOST_AGREED[name]})
    for (one, _amount), (other, _other) in pairwise(amounts):
        if one == other:
            return Message("place_twice", {"account": one[0], "seat": one[1]})
    return None


# --- By place and standing ---


def check_seats(deal: Deal, seats: tuple[int, ...], dealer: int, declarer: int | None, rules: Rules) -> None:
    """Raise InvalidDeal for a deal impossible with these seats, this dealer and this declarer.

    Raise ValueError for a number of seats that the game is not played with.
    """
    if dealer not in seats:
        raise InvalidDeal({"dealer": Message("dealer_unknown", {"seat": dealer})})
    found = {"declarer": _declarer(deal, seats, dealer, declarer)}
    match deal:
        case Raspasovka(tricks):
            count = len(participants(seats, dealer, talon=rules.raspasy_dealer))
            found["tricks"] = Message("raspasy_count", {"count": count}) if len(tricks) != count else None
        case Agreed(amounts):
            named = [seat for (_name, *both), _amount in amounts for seat in both if seat is not None]
            unknown = [seat for seat in named if seat not in seats]
            found["amounts"] = Message("seat_unknown", {"seat": unknown[0]}) if unknown else None
    refuse(found)


def check_place(deal: Deal, place: Place, rules: Rules) -> None:
    """Raise InvalidDeal as `check_seats`, which the count calls too."""
    check_seats(deal, place.seats, place.dealer, place.declarer, rules)


def _declarer(deal: Deal, seats: tuple[int, ...], dealer: int, declarer: int | None) -> Message | None:
    playing = playing_seats(seats, dealer)
    declares = isinstance(deal, Contract | Mizer)
    if declarer is None:
        return Message("declarer_needed", {}) if declares else None
    if declarer not in seats:
        return Message("declarer_unknown", {"seat": declarer})
    if not declares:
        return Message("declarer_extra", {})
    return None if declarer in playing else Message("declarer_sits_out", {"seat": declarer})


def may_follow(deal: Deal, standing: Standing, rules: Rules) -> None:
    """Raise InvalidDeal for a deal that may not be recorded after this standing; a correction may bring it there.

    That is a hand after the end, or agreed entries in a pool after the end or that bring it below 0, or with aid above
    the target.
    """
    over = is_finished(standing, rules)
    if not isinstance(deal, Agreed):
        if over:
            raise InvalidDeal({"deal": Message("game_over", {})})
        return
    for (name, seat, _against), amount in deal.amounts:
        if name == POOL:
            # The pool of an unknown seat is 0: such a seat is refused for any account (`seat_unknown`).
            pool = by_seat(standing.pools, range(len(standing.pools))).get(seat, 0) + amount
            refuse({"amounts": Message("game_over", {"seat": seat}) if over else pool_refusal(pool, seat, rules)})


def objection(deal: Deal, after: Standing, rules: Rules) -> Message | None:
    """Return why a recorded deal could not be recorded now, by the standing after it; None if it could.

    For agreed entries it is the first pool left below 0, or with aid above the target.
    """
    if not isinstance(deal, Agreed):
        return None
    pools = by_seat(after.pools, range(len(after.pools)))
    refusals = (pool_refusal(pools.get(seat, 0), seat, rules) for (name, seat, _), _ in deal.amounts if name == POOL)
    return next(filter(None, refusals), None)


def pool_refusal(pool: int, seat: int, rules: Rules) -> Message | None:
    """Return why agreed entries may not leave a pool at this number; None if they may."""
    if pool < 0:
        return Message("pool_below", {"seat": seat, "pool": pool})
    if rules.aid and pool > rules.target:
        return Message("pool_above", {"seat": seat, "pool": pool, "target": rules.target})
    return None
