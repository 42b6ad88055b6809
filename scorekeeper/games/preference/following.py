"""Whether a deal may be recorded where it is: at this table, and after these hands (docs/rules/preference.md §10)."""

from scorekeeper.games.base import InvalidDeal, Message, Place
from scorekeeper.games.preference.deal import POOL, Agreed, Contract, Deal, Mizer, Raspasovka
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.seating import playing_seats, takes_part
from scorekeeper.games.preference.standing import Standing, by_seat, is_finished


def check_seats(deal: Deal, seats: tuple[int, ...], dealer: int, declarer: int | None, rules: Rules) -> None:
    """Raise InvalidDeal for a deal that cannot be at this table, dealt by this seat and declared by that.

    ValueError if the game is not played by so many.
    """
    if dealer not in seats:
        raise InvalidDeal({"dealer": Message("dealer_unknown", {"seat": dealer})})
    found = {"declarer": _declarer(deal, seats, dealer, declarer)}
    match deal:
        case Raspasovka(tricks):
            count = len(takes_part(seats, dealer, talon=rules.raspasy_dealer))
            found["tricks"] = Message("raspasy_count", {"count": count}) if len(tricks) != count else None
        case Agreed(amounts):
            named = [seat for (_name, *both), _amount in amounts for seat in both if seat is not None]
            unknown = [seat for seat in named if seat not in seats]
            found["amounts"] = Message("seat_unknown", {"seat": unknown[0]}) if unknown else None
    errors = {name: message for name, message in found.items() if message}
    if errors:
        raise InvalidDeal(errors)


def check_place(deal: Deal, place: Place, rules: Rules) -> None:
    """Raise InvalidDeal as `check_seats` does, which a count asks too."""
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
    """Raise InvalidDeal for a deal that nobody may record after this standing, though a correction may bring it there.

    A hand after the end; agreed entries in a pool then, or that bring it below 0, or with aid above the target.
    """
    over = is_finished(standing, rules)
    if not isinstance(deal, Agreed):
        if over:
            raise InvalidDeal({"deal": Message("game_over", {})})
        return
    for (name, seat, _against), amount in deal.amounts:
        if name == POOL:
            # Nobody's pool is nothing; that no such seat is there is said of any account (`seat_unknown`).
            pool = by_seat(standing.pools, range(len(standing.pools))).get(seat, 0) + amount
            message = Message("game_over", {"seat": seat}) if over else pool_refusal(pool, seat, rules)
            if message:
                raise InvalidDeal({"amounts": message})


def objection(deal: Deal, after: Standing, rules: Rules) -> Message | None:
    """Return why a recorded deal could not be recorded any more, by the standing after it; None where it could.

    Of agreed entries the first pool that they leave below 0, or with aid above the target.
    """
    if not isinstance(deal, Agreed):
        return None
    pools = by_seat(after.pools, range(len(after.pools)))
    refusals = (pool_refusal(pools.get(seat, 0), seat, rules) for (name, seat, _), _ in deal.amounts if name == POOL)
    return next(filter(None, refusals), None)


def pool_refusal(pool: int, seat: int, rules: Rules) -> Message | None:
    """Return why agreed entries may not leave a pool so; None where they may."""
    if pool < 0:
        return Message("pool_below", {"seat": seat, "pool": pool})
    if rules.aid and pool > rules.target:
        return Message("pool_above", {"seat": seat, "pool": pool, "target": rules.target})
    return None
