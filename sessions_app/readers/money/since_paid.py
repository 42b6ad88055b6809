"""What changed in a session since something was first paid for it: its hands, its results, its currency."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.amounts import Amount, simplified
from sessions_app.models import Action, Evening, FormerResult, Repayment, RepaymentEvening, Revision


class ChangedResult(NamedTuple):
    """A player's result when the session was first paid, and that of today; `now` is None if he has none."""

    player: int
    was: Amount
    was_in: str
    now: Amount | None


class StrayPayment(NamedTuple):
    """A payment for the session in a currency in which it counts no more: the payee has it to hand back.

    `still_for` are the other sessions that it is for, and that do count in its currency: with one of these it is not to
    be taken back as a whole.
    """

    id: int
    payer: int
    payee: int
    units: int
    currency: str
    still_for: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SincePaid:
    """When the session was first paid, and what changed after that.

    `hands` are those recorded or corrected, by number; `results` those that differ, by seat, in today's `currency`, ''
    if it has no result; `strays` the payments in another one, the oldest first.
    """

    first_paid_at: datetime
    currency: str
    hands: tuple[int, ...]
    results: tuple[ChangedResult, ...]
    strays: tuple[StrayPayment, ...]


def since_paid(evening: Evening) -> SincePaid | None:
    """Return what changed since something was first paid for an evening: four queries, five with a stray payment.

    None if nothing is booked for it that counts: one query.
    """
    booked = Repayment.objects.filter(links__evening=evening.pk, kind=Repayment.Kind.PAYMENT, undone_at=None)
    rows = list(booked.order_by("made_at", "pk"))
    if not rows:
        return None
    first = rows[0].made_at
    written = Revision.objects.filter(hand__evening=evening.pk, made_at__gt=first).exclude(action=Action.RECOUNT)
    hands = written.order_by("hand__number").values_list("hand__number", flat=True).distinct()
    strays = tuple(_strays(evening, [row for row in rows if row.currency != evening.result_currency]))
    return SincePaid(first, evening.result_currency, tuple(hands), _results(evening, first), strays)


def _results(evening: Evening, first: datetime) -> tuple[ChangedResult, ...]:
    """Return the results that were others at this moment: two queries."""
    was: dict[int, tuple[Fraction, str]] = {}
    former = FormerResult.objects.filter(seat__evening=evening.pk, replaced_at__gt=first).order_by("-pk")
    for key, result, parts, currency in former.values_list("seat", "result", "result_parts", "currency"):
        was[key] = Fraction(result, parts), currency
    changed = []
    for seat in evening.seats.all():
        now = None if seat.result is None else simplified(Fraction(seat.result, seat.result_parts))
        if seat.pk in was and was[seat.pk] != (now, evening.result_currency):
            then, currency = was[seat.pk]
            changed.append(ChangedResult(seat.player_id, simplified(then), currency, now))
    return tuple(changed)


def _strays(evening: Evening, rows: Iterable[Repayment]) -> Iterable[StrayPayment]:
    """Yield the payments with the other sessions that they are for: one query, none without a payment."""
    still_for: dict[int, tuple[int, ...]] = defaultdict(tuple)
    links = RepaymentEvening.objects.filter(repayment__in=rows).exclude(evening=evening.pk).order_by("pk")
    for payment, other, counts_in, currency in links.values_list(
        "repayment", "evening", "evening__result_currency", "repayment__currency"
    ):
        if counts_in == currency:
            still_for[payment] += (other,)
    for row in rows:
        yield StrayPayment(row.pk, row.payer_id, row.payee_id, row.units, row.currency, still_for[row.pk])
