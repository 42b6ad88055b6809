"""The one list of payments that a page suggests: of a night, or of everything that is open in a currency."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid5

from django.db.models import Max, Q

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import Transfer
from scorekeeper.money.suggested_payments import is_even, suggested_payments
from sessions_app.models import Circle, Evening, Repayment
from sessions_app.readers.money.balances import CircleBalances
from sessions_app.readers.money.tonight import Night
from sessions_app.readers.people.circles import CirclePlayer
from sessions_app.words.money import NOTES

#: Players with what is owed to each, below zero what he owes.
type Named = tuple[tuple[CirclePlayer, Amount], ...]

#: The latest payments that leave the other lines as they are; lines are found anew from those before.
MOST_FOLLOWED: Final = 30
#: The namespace of the tokens of suggested payments.
SUGGESTED: Final = UUID("5f1d9a52-52a1-5f6e-9d0e-2f1a7c8b0d35")


@dataclass(frozen=True, slots=True)
class Line:
    """A payment that a list suggests, in units of its currency, and the token by which any phone books it once."""

    payer: CirclePlayer
    payee: CirclePlayer
    units: int
    token: UUID


@dataclass(frozen=True, slots=True)
class PaymentList:
    """The payments suggested in a scope, `tonight` or `everything`; `sessions` are those they are for, () for none.

    `balances` are the exact balances of the scope, by player. Where these are even there is no line.
    """

    scope: str
    currency: str
    balances: Named
    lines: tuple[Line, ...]
    sessions: tuple[int, ...] = ()

    @property
    def is_even(self) -> bool:
        return not self.lines

    def suggests_as(self, other: "PaymentList") -> bool:
        """Return whether both suggest the same payments: a page then needs no switch between them."""
        return {line.token for line in self.lines} == {line.token for line in other.lines}


def coin_of(circle: Circle, currency: str) -> int:
    """Return the smallest coin that the circle pays in, in the currency's smallest unit."""
    coin = circle.cash_coins.get(currency, 1)
    return coin if type(coin) is int and coin > 0 else 1


def everything(circle: Circle, found: CircleBalances, currency: str, players: Iterable[CirclePlayer]) -> PaymentList:
    """Return the list of all that is open in the currency: two queries, none if everybody is even.

    Payments made since the circle's latest session in it ended leave the other lines as they are.
    """
    balances = _named(found.of(currency), players)
    made = () if is_even(found.of(currency).values(), coin_of(circle, currency)) else _since_the_end(circle, currency)
    return PaymentList("everything", currency, balances, _lines(circle, found, currency, balances, made))


def tonight(circle: Circle, found: CircleBalances, night: Night, players: Iterable[CirclePlayer]) -> PaymentList:
    """Return the list of a night. No query."""
    balances = _named(night.balances, players)
    lines = _lines(circle, found, night.currency, balances, night.made)
    return PaymentList("tonight", night.currency, balances, lines, night.sessions)


def _named(balances: Mapping[int, Amount], players: Iterable[CirclePlayer]) -> Named:
    by_key = {player.id: player for player in players}
    return tuple((by_key[key], amount) for key, amount in balances.items())


def _lines(
    circle: Circle, found: CircleBalances, currency: str, balances: Named, made: Sequence[Transfer]
) -> tuple[Line, ...]:
    """Return the lines that settle the balances, which are those after the payments `made`, by players' keys.

    A token follows from what the line says and the number of the circle's payments in the currency: it is the same on
    every phone and page until anything is paid.
    """
    people, amounts = [player for player, _amount in balances], [amount for _player, amount in balances]
    places = {player.id: place for place, player in enumerate(people)}
    moved = [Transfer(places[each.payer], places[each.payee], each.points) for each in made[-MOST_FOLLOWED:]]
    for each in moved:
        amounts[each.payer] -= each.points
        amounts[each.payee] += each.points
    lines = []
    for each in suggested_payments(amounts, coin_of(circle, currency), NOTES.get(currency, ()), moved):
        payer, payee, units = people[each.payer], people[each.payee], int(each.points)
        says = (circle.pk, currency, payer.id, payee.id, units, found.rows.get(currency, 0))
        lines.append(Line(payer, payee, units, uuid5(SUGGESTED, " ".join(map(str, says)))))
    return tuple(lines)


def _since_the_end(circle: Circle, currency: str) -> tuple[Transfer, ...]:
    """Return the latest movements of money since a session in the currency ended, the oldest first."""
    ended = Evening.objects.filter(circle=circle.pk, result_currency=currency).aggregate(at=Max("ended_at"))["at"]
    since = Q() if ended is None else Q(made_at__gt=ended)
    rows = Repayment.objects.filter(since, circle=circle.pk, currency=currency, undone_at=None).order_by("-pk")
    made = rows.values_list("kind", "payer", "payee", "units")[:MOST_FOLLOWED]
    # A paper debt is as if its creditor had paid its debtor.
    return tuple(
        Transfer(payee, payer, units) if kind == Repayment.Kind.OPENING else Transfer(payer, payee, units)
        for kind, payer, payee, units in reversed(made)
    )
