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

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from scorekeeper.games.base import Account, Count, Place, ScoreLine
from scorekeeper.games.errors import InvalidDeal, Message, NotPlaying
from scorekeeper.games.preference.announcing import Named
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    DUMP,
    POOL,
    Agreed,
    Answers,
    Contract,
    Deal,
    Mizer,
    Raspasovka,
    participants,
    places,
    playing_seats,
)
from scorekeeper.games.preference.house_rules import MadeTo, Reset, Rules
from scorekeeper.games.preference.scoring import (
    Players,
    Step,
    Won,
    contract,
    entries,
    in_bank,
    in_dump,
    mizer,
    raspasovka,
)
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
    """Return the number of raspasovkas in a row after a hand; one of another kind may leave it unchanged."""
    if isinstance(deal, Agreed) or is_finished(standing, rules):
        return standing.row
    if isinstance(deal, Raspasovka):
        return standing.row + 1
    return 0 if _ends_row(deal, rules.raspasy_reset) else standing.row


def _ends_row(deal: Contract | Mizer, reset: Reset) -> bool:
    match reset:
        case Reset.ANY:
            return True
        case Reset.PLAYED:
            return isinstance(deal, Mizer) or deal.answers.is_played
        case Reset.MADE:
            return deal.is_made
        case Reset.WHISTED:
            # Nobody whists a mizer or a ten that is checked, so neither ends such a row.
            is_whisted = isinstance(deal, Contract) and deal.answers.is_played and deal.answers is not Answers.CHECKED
            return is_whisted and deal.is_made


# --- Pool points: into the own dump, the own pool, the others', off the dump (§6.1, §6.2) ---


class Pools:
    """The pools of an evening during the count of a hand: each win changes them for the next.

    The dumps stay those before the hand: no player wins twice in one hand, or both wins and has tricks written.
    """

    def __init__(
        self, seats: tuple[int, ...], pools: Mapping[int, int], dumps: Mapping[int, int], rules: Rules
    ) -> None:
        self._seats = seats
        self._pools = dict(pools)
        self._dumps = dumps
        self._rules = rules

    def lines(self, won: Won) -> Iterator[ScoreLine]:
        """Yield the lines for points won; the first holds their number, and its amount is those in the own pool."""
        cleared = self._cleared(won)
        left = won.points - cleared
        own = min(left, self._room(won.seat)) if self._rules.aid else left
        self._pools[won.seat] += own
        yield ScoreLine(won.item, "won", {"account": POOL, "seat": won.seat, "won": won.points, **won.params}, own)
        if cleared:
            yield self._off_dump(won.item, "cleared", won.seat, cleared)
        yield from self._given(won.seat, left - own)

    def _room(self, seat: int) -> int:
        return max(self._rules.target - self._pools[seat], 0)

    def _cleared(self, won: Won) -> int:
        """Return the points that clear the own dump, if `made_to` has it first; none clears less than its worth."""
        if self._rules.made_to is not MadeTo.DUMP_FIRST:
            return 0
        return min(won.points, max(self._dumps[won.seat], 0) // self._rules.dump_points_of_a_pool_point)

    def _off_dump(self, item: str, code: str, seat: int, points: int) -> ScoreLine:
        each = self._rules.dump_points_of_a_pool_point
        return in_dump(item, code, seat, -points * each, points=points, each=each)

    def _given(self, donor: int, points: int) -> Iterator[ScoreLine]:
        """Yield the lines for points past a full pool: to the highest pool with room, the next, then off the dump."""
        pools = [self._pools[seat] for seat in self._seats if seat != donor and self._room(seat)]
        for seat in self._receivers(donor):
            given = min(points, self._room(seat))
            if given:
                yield from self._aid(donor, seat, given, is_equal=pools.count(self._pools[seat]) > 1)
                points -= given
        if points:
            yield self._off_dump("surplus", "off_dump", donor, points)

    def _receivers(self, donor: int) -> list[int]:
        """Return the other seats, the highest pool first; of equals, the first clockwise from the donor."""
        at = self._seats.index(donor)
        clockwise = self._seats[at + 1 :] + self._seats[:at]
        return sorted(clockwise, key=lambda seat: -self._pools[seat])

    def _aid(self, donor: int, receiver: int, points: int, *, is_equal: bool) -> Iterator[ScoreLine]:
        rate = self._rules.aid_rate
        self._pools[receiver] += points
        received: dict[str, int | str] = {"account": POOL, "seat": receiver, "donor": donor, "points": points}
        yield ScoreLine("aid", "received", received | {"equal": int(is_equal)}, points)
        yield in_bank("aid", "written", donor, receiver, points * rate, points=points, rate=rate)


# --- A hand that is still being played ---


#: The largest number of missing tricks that is shown.
MOST_MISSING: Final = 3
_MAY_BE_PLAYED: Final = (Answers.FIRST, Answers.SECOND, Answers.BOTH)


class Prospect(NamedTuple):
    """The certain amounts with `missing` tricks too few, or in a mizer too many; 0: made."""

    missing: int
    written: Mapping[Account, int]


@lru_cache(maxsize=200)  # forty counts, on every page of a hand that is announced
def prospects(
    contract: Named, answers: Answers | None, place: Place, standing: Standing, rules: Rules
) -> tuple[Prospect, ...]:
    """Return the prospects of made and of down one, two, three; none if nothing is played.

    `answers` is None until all are given.
    """
    if answers and not answers.is_played:
        return ()
    return tuple(
        Prospect(
            missing, _certain([_written(deal, place, standing, rules) for deal in _deals(contract, answers, missing)])
        )
        for missing in range(MOST_MISSING + 1)
    )


def _deals(contract: Named, answers: Answers | None, missing: int) -> Iterator[Contract | Mizer]:
    """Yield the deals that are still possible; for two whisters every split, as any of them may change an amount."""
    if contract.level is None:
        yield Mizer(missing)
        return
    taken = contract.level - missing
    for each in (answers,) if answers else _MAY_BE_PLAYED:
        tricks = tuple(_splits(taken)) if each.of_two else ((taken,),)
        yield from (Contract(contract.level, each, split, contract.strain) for split in tricks)


def _splits(taken: int) -> Iterator[tuple[int, int, int]]:
    left = ALL_TRICKS - taken
    return ((taken, first, left - first) for first in range(left + 1))


def _written(deal: Contract | Mizer, place: Place, standing: Standing, rules: Rules) -> dict[Account, int]:
    sheet: dict[Account, int] = {}
    for entry in count(deal, place, standing, rules).entries:
        sheet[entry.of] = sheet.get(entry.of, 0) + entry.amount
    return sheet


def _certain(sheets: list[dict[Account, int]]) -> dict[Account, int]:
    """Return the accounts with the same amount in all of the sheets."""
    return {
        account: amount
        for account, amount in sheets[0].items()
        if all(sheet.get(account) == amount for sheet in sheets)
    }
