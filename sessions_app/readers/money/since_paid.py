"""Changes of a session after the first payment for it: of its hands, its results, its currency."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.games.amounts import Amount, simplified
from sessions_app.models import Action, Evening, FormerResult, Revision
from sessions_app.readers.money.repayments import RepaymentRow


class ChangedResult(NamedTuple):
    """A player's result when the session was first paid, and that of today; `now` is None if he has none."""

    name: str
    was: Amount
    was_in: str
    now: Amount | None


class StrayPayment(NamedTuple):
    """A payment for the session in a currency in which it counts no more: the payee has it to hand back.

    `is_for_others`: another session that it is for counts in its currency, so it is not to be taken back as a whole.
    """

    row: RepaymentRow
    is_for_others: bool


@dataclass(frozen=True, slots=True)
class SincePaid:
    """The changes of a session after the first payment for it.

    `hands` are those recorded or corrected, by number; `results` those that differ, by seat, in today's `currency`, ''
    if it has no result; `strays` the payments in another one, the oldest first.
    """

    currency: str
    hands: tuple[int, ...]
    results: tuple[ChangedResult, ...]
    strays: tuple[StrayPayment, ...]


def since_paid(evening: Evening, paid: Iterable[RepaymentRow]) -> SincePaid | None:
    """Return the changes of an evening after the first of these payments for it: three queries.

    Those taken back do not count. None if no other is left: no query.
    """
    rows = sorted((row for row in paid if not row.is_undone), key=lambda row: (row.made_at, row.id))
    if not rows:
        return None
    first, currency = rows[0].made_at, evening.result_currency
    written = Revision.objects.filter(hand__evening=evening.pk, made_at__gt=first).exclude(action=Action.RECOUNT)
    hands = written.order_by("hand__number").values_list("hand__number", flat=True).distinct()
    strays = tuple(
        StrayPayment(row, any(session.currency == row.currency for session in row.sessions))
        for row in rows
        if row.currency != currency
    )
    return SincePaid(currency, tuple(hands), _results(evening, first), strays)


def _results(evening: Evening, first: datetime) -> tuple[ChangedResult, ...]:
    """Return the results that differed at this moment: two queries."""
    was: dict[int, tuple[Fraction, str]] = {}
    former = FormerResult.objects.filter(seat__evening=evening.pk, replaced_at__gt=first).order_by("-pk")
    for key, result, parts, currency in former.values_list("seat", "result", "result_parts", "currency"):
        was[key] = Fraction(result, parts), currency
    changed = []
    for seat in evening.seats.select_related("player"):
        now = None if seat.result is None else simplified(Fraction(seat.result, seat.result_parts))
        if seat.pk in was and was[seat.pk] != (now, evening.result_currency):
            then, currency = was[seat.pk]
            changed.append(ChangedResult(seat.player.name, simplified(then), currency, now))
    return tuple(changed)
