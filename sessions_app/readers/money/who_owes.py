"""Open debts as pages show them: balances, the fewest payments, and the debts of pairs by evening."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final
from uuid import uuid5

from scorekeeper.games.amounts import Amount
from scorekeeper.money.cash import CashPayments, in_cash
from scorekeeper.money.debts import Pair
from scorekeeper.money.fewest_payments import fewest_payments, is_least
from sessions_app.models import Circle
from sessions_app.readers.money.lists import SUGGESTED, Line, coin_of
from sessions_app.readers.money.open_debts import EveningDebts, OpenDebts, Opening
from sessions_app.readers.money.repayments import RepaymentRow
from sessions_app.readers.people.circles import CirclePlayer
from sessions_app.words.money import NOTES

#: The parts of a debt that are shown: in a circle that never booked a payment every session is one.
MOST_PARTS: Final = 12


@dataclass(frozen=True, slots=True)
class Rounding:
    """The amount that a player gains by rounding to whole coins, or loses if it is below zero; it stays open."""

    player: CirclePlayer
    amount: Amount


@dataclass(frozen=True, slots=True)
class Suggested:
    """The fewest payments of some balances, in whole coins of `coin` units.

    `has_rest` says that some came to no coin, `is_least` whether no other payments can be fewer.
    """

    lines: tuple[Line, ...]
    coin: int
    rounding: tuple[Rounding, ...]
    has_rest: bool
    is_least: bool


@dataclass(frozen=True, slots=True)
class Part:
    """The open or closed part of one evening or opening balance; of neither if it was paid ahead.

    `written_since` are the hands of the evening that were recorded or corrected after it was paid.
    """

    amount: Amount
    evening: EveningDebts | None = None
    opening: RepaymentRow | None = None
    written_since: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenPair:
    """The debt of the payer to the payee in all, above zero, and the parts that add up to it, the oldest first.

    Of many parts only the latest are there; `earlier` is the number of the others, and `of_earlier` their sum. Where it
    is shown for some evenings, `of_these` is what is left of them and `before` all else. Then a pair that is even may
    be shown, too, with the one of which it owes these as the payer.
    """

    payer: CirclePlayer
    payee: CirclePlayer
    amount: Amount
    parts: tuple[Part, ...]
    of_these: Amount = 0
    before: Amount = 0
    earlier: int = 0
    of_earlier: Amount = 0


@dataclass(frozen=True, slots=True)
class OpenCurrency:
    """The open debts in one currency: the balances, best first, the payments that settle them, and the pairs.

    All balances are zero where only debts that cancel each other out in a ring are left.
    """

    currency: str
    players: tuple[tuple[CirclePlayer, Amount], ...]
    suggested: Suggested
    pairs: tuple[OpenPair, ...]

    def __hash__(self) -> int:
        """Return a hash of little: the pairs may have thousands of parts."""
        return hash((self.currency, self.players))

    @property
    def is_even(self) -> bool:
        return not any(amount for _player, amount in self.players)

    @property
    def is_of_two_times(self) -> bool:
        """Return whether anything is open of other evenings than these."""
        return any(pair.before for pair in self.pairs)


def _whole(amount: Amount) -> Amount:
    return amount.numerator if amount.denominator == 1 else amount


class WhoOwes:
    """The open debts of a circle, with the names of its players.

    `written_since` are the hands that were recorded or corrected after their evening was paid, by evening.
    """

    def __init__(
        self,
        circle: Circle,
        debts: OpenDebts,
        players: Iterable[CirclePlayer],
        written_since: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
    ) -> None:
        self.circle, self.debts, self.written_since = circle, debts, written_since
        self.players = {player.id: player for player in players}

    @property
    def stamp(self) -> tuple[Any, ...] | None:
        """Return a value that differs whenever what is open, or how it is shown, does; None if it was counted anew."""
        coins = tuple(sorted(self.circle.cash_coins.items()))
        return self.debts.stamp and (self.debts.stamp, tuple(self.players.values()), coins)

    def open_in(self, currency: str, evenings: Collection[int] = ()) -> OpenCurrency:
        """Return what is open in the currency; of each pair what is of these evenings, and what of before."""
        book = self.debts.book(currency)
        ranked = sorted(book.balances.items(), key=lambda item: (-item[1], item[0]))
        return OpenCurrency(
            currency,
            tuple((self.players[player], amount) for player, amount in ranked),
            self.suggested(book.balances, currency),
            tuple(self._pairs(currency, evenings)),
        )

    def of_evenings(self, currency: str, evenings: tuple[int, ...]) -> Suggested:
        """Return the payments that settle what is left of these evenings alone."""
        return self.suggested(self.debts.book(currency).balances_of(evenings), currency, evenings)

    def suggested(self, balances: Mapping[int, Amount], currency: str, evenings: tuple[int, ...] = ()) -> Suggested:
        """Return the fewest payments of these balances, each rounded to the coin."""
        people, coin = [player for player, balance in balances.items() if balance], coin_of(self.circle, currency)
        amounts = [balances[player] for player in people]
        cash = in_cash(fewest_payments(amounts, NOTES.get(currency, ()), coin=coin), coin)
        lines = tuple(
            self.line(people[each.payer], people[each.payee], int(each.points), currency, evenings)
            for each in cash.transfers
        )
        return Suggested(lines, coin, self._rounding(people, cash), bool(cash.left_out), is_least(amounts))

    def _rounding(self, people: list[int], cash: CashPayments) -> tuple[Rounding, ...]:
        return tuple(Rounding(self.players[people[at]], gain) for at, gain in cash.gains.items())

    def line(self, payer: int, payee: int, units: int, currency: str, evenings: tuple[int, ...] = ()) -> Line:
        """Return a suggested payment, under a token that every phone derives that is shown the same.

        So a payment that two phones book at once is one. The number of payments of the pair so far stands in it: the
        same payment may be suggested again later.
        """
        says = (
            self.circle.pk,
            currency,
            payer,
            payee,
            units,
            *evenings,
            "after",
            self.debts.rows_between(payer, payee),
        )
        token, seen = (
            uuid5(SUGGESTED, " ".join(map(str, says))),
            sum(row.currency == currency for row in self.debts.rows),
        )
        return Line(self.players[payer], self.players[payee], units, currency, evenings, token, seen)

    def _pairs(self, currency: str, evenings: Collection[int]) -> Iterable[OpenPair]:
        book = self.debts.book(currency)
        pairs: dict[Pair, Amount] = dict(book.open_pairs)
        for payer, payee in book.pairs_of(evenings) if evenings else ():
            if (payer, payee) not in pairs and (payee, payer) not in pairs:
                pairs[payer, payee] = 0
        for (payer, payee), amount in pairs.items():
            of_these = book.between(payer, payee, evenings) if evenings else 0
            parts = list(book.pairs[min(payer, payee), max(payer, payee)].still_open().items())
            earlier = parts[:-MOST_PARTS]
            yield OpenPair(
                self.players[payer],
                self.players[payee],
                amount,
                tuple(self.part(source, abs(Fraction(owed))) for source, owed in parts[-MOST_PARTS:]),
                of_these,
                amount - of_these,
                len(earlier),
                _whole(abs(Fraction(sum(owed for _source, owed in earlier)))),
            )

    def part(self, source: object, amount: Amount) -> Part:
        whole = _whole(amount)
        if isinstance(source, Opening):
            return Part(whole, opening=self.rows[source.repayment])
        if isinstance(source, int):
            return Part(whole, self.debts.evenings[source], written_since=self.written_since.get(source, ()))
        return Part(whole)

    @cached_property
    def rows(self) -> dict[int, RepaymentRow]:
        return {row.id: row for row in self.debts.rows}
