"""The count of a hand, line by line, except the pools (docs/rules/preference.md §5).

The parameters of a line name its account: `account`, `seat` and, in a bank, `against`. Its item is the reason of the
entry. A line of amount 0 explains why nothing is written.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from scorekeeper.games.base import Account, Entry, ScoreLine
from scorekeeper.games.errors import Params
from scorekeeper.games.preference.deal import (
    ALL_TRICKS,
    BANK,
    DUMP,
    MIZER_VALUE,
    PLAYERS,
    Answers,
    Contract,
    Mizer,
    Raspasovka,
    half_tricks,
    quota,
    value,
)
from scorekeeper.games.preference.house_rules import (
    AT_RATE,
    BY_VALUE,
    Liable,
    RaspasyTo,
    Retrieved,
    Rules,
    ShortOne,
    ShortShare,
    Style,
)

# --- Lines ---


class Won(NamedTuple):
    """Pool points that a seat won in a hand, and the parameters of their line; `Pools` writes them into accounts."""

    item: str
    seat: int
    points: int
    params: Params


type Step = ScoreLine | Won


def in_bank(item: str, code: str, seat: int, against: int, amount: int | Fraction, **params: int | str) -> ScoreLine:
    """Return a line in the bank of one seat against another."""
    return ScoreLine(item, code, {"account": BANK, "seat": seat, "against": against, **params}, whole(amount))


def in_dump(item: str, code: str, seat: int, amount: int | Fraction, **params: int | str) -> ScoreLine:
    """Return a line in the dump of a seat."""
    return ScoreLine(item, code, {"account": DUMP, "seat": seat, **params}, whole(amount))


def whole(amount: int | Fraction) -> int:
    """Return an amount that the rules make whole: values are even, and so are the tricks that two lowest share.

    Raise ArithmeticError for a fraction.
    """
    if amount != int(amount):
        raise ArithmeticError(f"an entry must be a whole number, not {amount}")
    return int(amount)


def entries(lines: Iterable[ScoreLine]) -> tuple[Entry, ...]:
    """Return the entries of the lines, summed by account and reason, without amounts of 0."""
    sums: dict[tuple[Account, str], int] = {}
    for line in lines:
        if line.amount:
            of = account_of(line), line.item
            sums[of] = sums.get(of, 0) + line.amount
    return tuple(Entry(*account, amount, item) for (account, item), amount in sums.items() if amount)


def account_of(line: ScoreLine) -> Account:
    """Return the account of a line."""
    against = line.params.get("against")
    return str(line.params["account"]), int(line.params["seat"]), None if against is None else int(against)


# --- Liability for the tricks that the defence lacks (§5.4 and the switches `short_…`) ---


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
    side = max(quota(deal.level) - sum(deal.tricks[1:]), 0)  # the tricks that the defence lacks
    if rules.pair_shares:
        return tuple(Short(place, side, "pair", halved=True) for place in (1, 2)) if side else ()
    if deal.level >= ONE_TRICK:
        why, lacks = rules.short_one.value, _for_one(side, own_lacks(deal), rules.short_one)
    else:
        why, lacks = rules.short_share.value, _for_halves(side, own_lacks(deal), rules.short_share)
    return tuple(Short(place, lack, why) for place, lack in enumerate(lacks, start=1) if lack)


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


# --- A contract and a mizer (§5.1 to §5.5) ---


class Players(NamedTuple):
    """The players of a hand: the declarer, the first, the second; and of four the dealer, who sits out."""

    places: tuple[int, ...]
    sits_out: tuple[int, ...]

    @property
    def declarer(self) -> int:
        return self.places[0]

    @property
    def opponents(self) -> tuple[int, ...]:
        return *self.places[1:], *self.sits_out


def mizer(deal: Mizer, players: Players, rules: Rules) -> Iterator[Step]:
    """Count a mizer (§5.5): made with no trick; else ten a trick in the dump and in each opponent's bank."""
    tricks = deal.tricks or 0
    worth = {"value": MIZER_VALUE, "tricks": tricks}
    if not tricks:
        yield Won("mizer", players.declarer, MIZER_VALUE, worth)
        return
    dumped, each = rules.caught_price * tricks, rules.caught_bank_price * tricks
    yield in_dump("mizer", "caught", players.declarer, dumped, factor=rules.dump_factor, **worth)
    if each:
        for seat in players.opponents:
            yield in_bank("mizer", "written", seat, players.declarer, each, factor=rules.bank_factor, **worth)


def contract(deal: Contract, players: Players, rules: Rules) -> Iterator[Step]:
    """Count a game of six to ten, played or not (§5.1 to §5.4)."""
    worth = value(deal.level)
    match deal.answers:
        case Answers.GIVEN_UP:
            times = {"value": worth, "factor": rules.dump_factor, "times": rules.give_up}
            amount = rules.given_up_price(deal.level)
            yield in_dump("given_up", "given_up", players.declarer, amount, **times)
        case Answers.PASSED:
            yield Won("passed_out", players.declarer, worth, {"value": worth})
        case Answers.HALF:
            yield Won("half", players.declarer, worth, {"value": worth})
            amount, tricks = rules.half_price(deal.level), half_tricks(deal.level)
            params = {"value": worth, "factor": rules.bank_factor, "tricks": tricks}
            yield in_bank("half", "half", players.places[2], players.declarer, amount, **params)
        case _:
            yield from _Played(deal, players, rules).steps()


class _Played:
    """The count of a contract that was played."""

    def __init__(self, deal: Contract, players: Players, rules: Rules) -> None:
        self.deal = deal
        self.players = players
        self.rules = rules
        self.value = value(deal.level)
        self.down = max(deal.level - deal.tricks[0], 0)
        self.defence = ALL_TRICKS - deal.tricks[0]
        self.shorts = {each.place: each for each in shorts(deal, rules)}
        #: The seat of a second who writes nothing (§11 `retrieved`).
        silent = deal.answers is Answers.RETRIEVED and rules.retrieved is Retrieved.NOTHING
        self.silent = players.places[2] if silent else None

    def steps(self) -> Iterator[Step]:
        """Yield the steps in order: made or down, consolation, the whisters' tricks, their missing tricks."""
        yield self._result()
        if self.down:
            yield from self._consolation()
        if self.deal.answers.lone:
            yield from self._lone(self.deal.answers.lone)
        elif self.rules.pair_shares and self.deal.answers is Answers.BOTH:
            yield from self._shared("pair", (1, 2))
        else:
            yield from (line for place in (1, 2) for line in self._own_tricks(place, self.deal.tricks[place]))
        for place in (1, 2):
            yield from self._short(place)

    def _result(self) -> Step:
        """Count the contract as made or down (§5.2)."""
        declarer, worth = self.players.declarer, {"value": self.value, "tricks": self.deal.tricks[0]}
        if not self.down:
            return Won("made", declarer, self.value, worth)
        amount, factor = self.rules.undertrick_price(self.deal.level) * self.down, self.rules.dump_factor
        return in_dump("undertricks", "down", declarer, amount, factor=factor, down=self.down, **worth)

    # --- Written against the declarer ---

    def _bank(
        self, item: str, code: str, seat: int, amount: int | Fraction, tricks: int, **params: int | str
    ) -> ScoreLine:
        worth = {"value": self.value, "factor": self.rules.bank_factor, "tricks": tricks}
        return in_bank(item, code, seat, self.players.declarer, amount, **worth, **params)

    def _worth(self, tricks: int) -> int:
        return self.rules.trick_price(self.deal.level) * tricks

    def _consolation(self) -> Iterator[ScoreLine]:
        """Count the consolation of every opponent (§5.2)."""
        each = self.rules.consolation_price(self.deal.level)
        if not each:
            return
        params, code = {"each": each, "down": self.down}, "flat"
        if self.rules.consolation == BY_VALUE:
            params, code = params | {"value": self.value, "factor": self.rules.bank_factor}, "value"
        for seat in self.players.opponents:
            if seat == self.silent:
                yield in_bank("consolation", "retrieved", seat, self.players.declarer, 0, **params)
            else:
                yield in_bank("consolation", code, seat, self.players.declarer, each * self.down, **params)

    def _lone(self, place: int) -> Iterator[ScoreLine]:
        """Count the defence's tricks for a lone whister, the passer's too (§5.3), or by `whist_style` half for each."""
        passer = self.players.places[3 - place]
        gentle = self.rules.whist_style is Style.GENTLEMAN and self.down and passer != self.silent
        if gentle:
            yield from self._shared("passer", (place, 3 - place))
            return
        yield from self._own_tricks(place, self.defence)
        if self.defence and not self._forfeits(place):
            code = "retrieved" if passer == self.silent else "passed"
            yield self._bank("whist", code, passer, 0, self.defence, whister=self.players.places[place])

    def _own_tricks(self, place: int, tricks: int) -> Iterator[ScoreLine]:
        """Count a whister's own tricks (§5.3), none of them where the whister is short (§5.4)."""
        seat = self.players.places[place]
        if tricks and self._forfeits(place):
            yield self._bank("whist", "forfeited", seat, 0, tricks)
        elif tricks:
            yield self._bank("whist", "tricks", seat, self._worth(tricks), tricks)

    def _shared(self, code: str, places: tuple[int, int]) -> Iterator[ScoreLine]:
        """Count half of the defence's tricks for each of two (§11 `pair_shares`, `whist_style`)."""
        for place, other in (places, places[::-1]):
            seat, with_whom = self.players.places[place], self.players.places[other]
            if self.defence and self._forfeits(place):
                yield self._bank("shared", "forfeited", seat, 0, self.defence, other=with_whom)
            elif self.defence:
                half = Fraction(self._worth(self.defence), 2)
                yield self._bank("shared", code, seat, half, self.defence, other=with_whom)

    # --- Written for missing tricks ---

    def _forfeits(self, place: int) -> bool:
        return place in self.shorts and not self.rules.short_keeps

    def _short(self, place: int) -> Iterator[ScoreLine]:
        short = self.shorts.get(place)
        if short:
            halved = Fraction(1, 2) if short.halved else 1
            amount = self.rules.missing_price(self.deal.level) * short.lack * halved
            yield self._missing(short, amount)
        elif self._is_covered(place):
            yield self._missing(Short(place, 0, "covered"), 0)

    def _is_covered(self, place: int) -> bool:
        """Return whether a whister without liability is under half the quota."""
        of_halves = self.deal.answers is Answers.BOTH and self.deal.level < ONE_TRICK and not self.rules.pair_shares
        return of_halves and own_lacks(self.deal)[place - 1] > 0

    def _missing(self, short: Short, amount: int | Fraction) -> ScoreLine:
        """Return the line of missing tricks, in the declarer's bank or the whister's dump."""
        whister = self.players.places[short.place]
        both = self.deal.answers is Answers.BOTH
        params: dict[str, int | str] = {
            "value": self.value,
            "factor": "1" if self.rules.short_factor == 1 else "half",
            "lack": short.lack,
            "own": own_lacks(self.deal)[short.place - 1] if both else short.lack,
            "halved": int(short.halved),
            "whister": whister,
            "tricks": self.deal.tricks[short.place] if both else self.defence,
            "keeps": int(self.rules.short_keeps),
        }
        if self.rules.short_to is Liable.BANK:
            return in_bank("short", short.why, self.players.declarer, whister, amount, **params)
        return in_dump("short", short.why, whister, amount, **params)


# --- A raspasovka, and the hands that end a row of them (§5.6, §11 `raspasy_…`) ---


def raspasovka(deal: Raspasovka, part: tuple[int, ...], rate: int, row: int, rules: Rules) -> Iterator[Step]:
    """Count a raspasovka, the `row`-th in a row: the tricks at `rate` each, then pool points for taking none.

    `part` are the seats that take part, in the order of the deal's tricks.
    """
    taken, price = dict(zip(part, deal.tricks, strict=True)), {"rate": rate, "row": row}
    yield from _in_banks(taken, price) if rules.raspasy_to is RaspasyTo.BANK else _in_dumps(taken, price, rules)
    zero = zero_points(rate, rules)
    for seat in part[:PLAYERS]:
        if zero and not taken[seat]:
            yield Won("raspasy_zero", seat, zero, {"rate": rate})


def zero_points(rate: int, rules: Rules) -> int:
    """Return the pool points for taking no trick at this price of a trick; 0 for none."""
    return rate if rules.raspasy_zero == AT_RATE else rules.raspasy_zero


def _in_dumps(taken: Mapping[int, int], price: Mapping[str, int], rules: Rules) -> Iterator[ScoreLine]:
    off = min(taken.values()) if rules.raspasy_amnesty else 0
    for seat, tricks in taken.items():
        amount = price["rate"] * (tricks - off)
        if off:
            yield in_dump("raspasy", "amnesty", seat, amount, tricks=tricks, off=off, **price)
        elif tricks:
            yield in_dump("raspasy", "tricks", seat, amount, tricks=tricks, **price)
        elif not rules.raspasy_zero:
            yield in_dump("raspasy", "none", seat, 0, **price)


def _in_banks(taken: Mapping[int, int], price: Mapping[str, int]) -> Iterator[ScoreLine]:
    """Yield the lines of the lowest against each player with more tricks; two lowest write half each."""
    least = min(taken.values())
    lowest = [seat for seat, tricks in taken.items() if tricks == least]
    code = "lowest" if len(lowest) == 1 else "two_lowest"
    for seat in lowest:
        for other, tricks in taken.items():
            if tricks > least:
                amount = Fraction(price["rate"] * tricks, len(lowest))
                yield in_bank("raspasy", code, seat, other, amount, tricks=tricks, **price)
