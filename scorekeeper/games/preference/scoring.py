"""The count of a contract and of a mizer, line by line, except the pools (docs/rules/preference.md §5.1 to §5.5)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.base import ScoreLine
from scorekeeper.games.preference import prices
from scorekeeper.games.preference.deal import ALL_TRICKS, MIZER_VALUE, Answers, Contract, Mizer, value
from scorekeeper.games.preference.house_rules import BY_VALUE, Liable, Retrieved, Rules, Style
from scorekeeper.games.preference.liability import ONE_TRICK, Short, own_lacks, shorts
from scorekeeper.games.preference.score_lines import Step, Won, in_bank, in_dump


class Players(NamedTuple):
    """The players of a hand: the declarer, the first, the second; and of four the dealer, who sits out."""

    places: tuple[int, int, int]
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
    dumped, each = prices.caught(rules) * tricks, prices.caught_bank(rules) * tricks
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
            amount = prices.given_up(deal.level, rules)
            yield in_dump("given_up", "given_up", players.declarer, amount, **times)
        case Answers.PASSED:
            yield Won("passed_out", players.declarer, worth, {"value": worth})
        case Answers.HALF:
            yield Won("half", players.declarer, worth, {"value": worth})
            amount, tricks = prices.half(deal.level, rules), prices.half_tricks(deal.level)
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
        amount, factor = prices.undertrick(self.deal.level, self.rules) * self.down, self.rules.dump_factor
        return in_dump("undertricks", "down", declarer, amount, factor=factor, down=self.down, **worth)

    # --- Written against the declarer ---

    def _bank(
        self, item: str, code: str, seat: int, amount: int | Fraction, tricks: int, **params: int | str
    ) -> ScoreLine:
        worth = {"value": self.value, "factor": self.rules.bank_factor, "tricks": tricks}
        return in_bank(item, code, seat, self.players.declarer, amount, **worth, **params)

    def _worth(self, tricks: int) -> int:
        return prices.trick(self.deal.level, self.rules) * tricks

    def _consolation(self) -> Iterator[ScoreLine]:
        """Count the consolation of every opponent (§5.2)."""
        each = prices.consolation(self.deal.level, self.rules)
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
            amount = prices.missing(self.deal.level, self.rules) * short.lack * halved
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
