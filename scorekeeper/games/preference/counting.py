"""The count of a hand: its entries, and the lines that explain them.

The parameters of every line name its account: `account`, `seat` and in a bank `against`. Its item is the reason of the
entry, and the entries are the sums of the lines. A line of amount 0 explains why nothing is written where a player
might expect it. Items, codes and parameters (0/1: no, yes; `value` is v, `factor` dump_factor or bank_factor):

made passed_out half mizer raspasy_zero (pool points)
              won (won: all points won, the line's amount those in the own pool; value, or rate; tricks, if played),
              cleared (points, each): points won that go off the own dump
aid           received (donor, points, equal 0/1: whether another pool is as high), written (points, rate)
surplus       off_dump (points, each)
half          half (value, factor, tricks)
undertricks   down (value, factor, down, tricks: the declarer's)
consolation   value (each, down, value, factor), flat (each, down); 0: retrieved (the same as if it were written)
whist         tricks (value, factor, tricks); 0: forfeited (the same), passed, retrieved (the same and whister: the
              whister writes them)
shared        passer, pair (value, factor, tricks: half of them written, other: the seat that writes the other half);
              0: forfeited (the same)
short         lone, side, own, strict, second, both, second_strict, pair: the rule (value, factor: `1` or `half`,
              lack: the tricks answered for, own: the whister's own lack, halved 0/1: whether only half of that is
              paid, whister, tricks: the whister's, keeps 0/1: whether the whister writes them);
              0: covered (the same): under half the quota, without liability
mizer         caught (value, factor, tricks), written (the same)
raspasy       tricks (rate, row: the number in the row, tricks), amnesty (the same, off: may come to 0), lowest,
              two_lowest (rate, row, tricks: the other's); 0: none (rate, row)
given_up      given_up (value, factor, times)
agreed        agreed; pool_below (pool: its new number), pool_above (the same, target): a pool amount that could not
              be recorded now; 0: after_end (said: the amount agreed): in a pool
after_end     0: after_end, without any parameters: the hand counts for nothing
"""

from collections.abc import Iterator

from scorekeeper.games.base import Count, Place, ScoreLine
from scorekeeper.games.errors import InvalidDeal, Message, NotPlaying
from scorekeeper.games.preference.deal import DUMP, POOL, Agreed, Contract, Deal, Mizer, Raspasovka
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.pools import Pools
from scorekeeper.games.preference.raspasovka import raspasovka, row_after
from scorekeeper.games.preference.score_lines import Step, Won, entries
from scorekeeper.games.preference.scoring import Players, contract, mizer
from scorekeeper.games.preference.seating import participants, places, playing_seats
from scorekeeper.games.preference.standing import Standing, after, by_seat, is_finished, next_price
from scorekeeper.games.preference.validation import check, check_seats, pool_refusal


def count(deal: Deal | None, place: Place, standing: Standing, rules: Rules) -> Count[Standing]:
    """Return the entries of the hand and their lines; none for a hand thrown in.

    A deal that the standing forbids to record is counted all the same, since a correction may bring it there: after
    the end a hand counts for nothing, and neither do agreed entries in a pool. Raise NotPlaying for a declarer who is
    missing, sits out, or is given where nobody declares; InvalidDeal for a deal impossible by these rules or at this
    table; ValueError for a number of seats that the game is not played with, or seats not numbered from 0.
    """
    _check_table(place)
    if deal is None:
        if place.declarer is not None:
            raise NotPlaying("a hand thrown in has no declarer")
        return Count((), (), standing)
    check(deal, rules)
    _check_place(deal, place, rules)
    lines = tuple(_lines(deal, place, standing, rules))
    return Count(entries(lines), lines, _after(deal, lines, place, standing, rules))


def _check_table(place: Place) -> None:
    playing_seats(place.seats, place.dealer)
    if set(place.seats) != set(range(len(place.seats))):
        raise ValueError(f"seats must be numbered from 0, not {place.seats}")


def _check_place(deal: Deal, place: Place, rules: Rules) -> None:
    try:
        check_seats(deal, place.seats, place.dealer, place.declarer, rules)
    except InvalidDeal as invalid:
        if "declarer" in invalid.errors:
            raise NotPlaying(str(invalid)) from invalid
        raise


def _lines(deal: Deal, place: Place, standing: Standing, rules: Rules) -> Iterator[ScoreLine]:
    over = is_finished(standing, rules)
    if isinstance(deal, Agreed):
        yield from _agreed(deal, standing, rules, over=over)
    elif over:
        yield ScoreLine("after_end", "after_end", {}, 0)
    else:
        pools = Pools(place.seats, *_accounts(standing, place), rules)
        for step in _steps(deal, place, standing, rules):
            yield from pools.lines(step) if isinstance(step, Won) else (step,)


def _steps(deal: Contract | Mizer | Raspasovka, place: Place, standing: Standing, rules: Rules) -> Iterator[Step]:
    if isinstance(deal, Raspasovka):
        part = participants(place.seats, place.dealer, talon=rules.raspasy_dealer)
        return raspasovka(deal, part, next_price(standing, rules), standing.row + 1, rules)
    players = _players(place)
    return contract(deal, players, rules) if isinstance(deal, Contract) else mizer(deal, players, rules)


def _players(place: Place) -> Players:
    """Return the players of the hand. Raise NotPlaying for a missing declarer or one who does not play."""
    if place.declarer is None:
        raise NotPlaying("this deal needs a declarer")
    playing = places(place.seats, place.dealer, place.declarer)
    return Players(playing, () if place.dealer in playing else (place.dealer,))


def _agreed(deal: Agreed, standing: Standing, rules: Rules, *, over: bool) -> Iterator[ScoreLine]:
    pools = by_seat(standing.pools, range(len(standing.pools)))
    for (name, seat, against), amount in deal.amounts:
        params: dict[str, int | str] = {"account": name, "seat": seat}
        params |= {} if against is None else {"against": against}
        if over and name == POOL:
            yield ScoreLine("agreed", "after_end", params | {"said": amount}, 0)
        else:
            refusal = pool_refusal(pools.get(seat, 0) + amount, seat, rules) if name == POOL else None
            code, more = refusal or Message("agreed", {})
            yield ScoreLine("agreed", code, params | dict(more), amount)


def _accounts(standing: Standing, place: Place) -> tuple[dict[int, int], dict[int, int]]:
    return by_seat(standing.pools, place.seats), by_seat(standing.dumps, place.seats)


def _after(deal: Deal, lines: tuple[ScoreLine, ...], place: Place, standing: Standing, rules: Rules) -> Standing:
    pools, dumps = _accounts(standing, place)
    for line in lines:
        written = {POOL: pools, DUMP: dumps}.get(str(line.params.get("account")))
        if written is not None:
            written[int(line.params["seat"])] += line.amount
    return after(pools, dumps, _row_after(deal, standing, rules), rules)


def _row_after(deal: Deal, standing: Standing, rules: Rules) -> int:
    if isinstance(deal, Agreed) or is_finished(standing, rules):
        return standing.row
    return standing.row + 1 if isinstance(deal, Raspasovka) else row_after(deal, standing.row, rules)
