"""The sessions of one night: those of a circle and currency that followed one another, and what is left to pay of them.

Results count once a session has ended, as in the balances. Amounts are in the smallest unit of the currency.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery

from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.money.settlement import Transfer
from sessions_app.models import Evening, Hand, Repayment, RepaymentEvening, Seat

#: The longest time between the end of a session and the start of the next one of the night.
BETWEEN_SESSIONS: Final = timedelta(hours=3)
#: Sessions are looked for that began within this time of the one asked for.
LONGEST_NIGHT: Final = timedelta(hours=36)


class _Session(NamedTuple):
    id: int
    started_at: datetime
    ended_at: datetime | None
    last_hand_at: datetime | None

    def leads_to(self, later: "_Session") -> bool:
        """Return whether the later one followed."""
        ended_at = self.last_hand_at if self._is_corrected or self._has_overlapped(later) else self.ended_at
        return ended_at is not None and later.started_at - ended_at <= BETWEEN_SESSIONS

    @property
    def _is_corrected(self) -> bool:
        """Whether it is reopened, or has ended so long after its last hand that it was: play ended by that hand."""
        if self.ended_at is None or self.last_hand_at is None:
            return self.ended_at is None
        return self.ended_at - self.last_hand_at > BETWEEN_SESSIONS

    def _has_overlapped(self, later: "_Session") -> bool:
        return self.ended_at is not None and self.ended_at > later.started_at


@dataclass(frozen=True, slots=True)
class Night:
    """The sessions of a night, the oldest first, and the balances of all who sat in one, after the payments for them.

    `made` are these payments by players' keys, in order of time, and `made_for` those for each session. The night
    `is_offered` until it was paid together with something else: somebody who sat there has paid or was paid for no
    session since it began, or one of these payments is for a session of another night, too. `ended_at` is the end of
    its last session, None while that is reopened.
    """

    currency: str
    sessions: tuple[int, ...]
    balances: Mapping[int, Amount]
    made: tuple[Transfer, ...]
    made_for: Mapping[int, tuple[Transfer, ...]]
    is_offered: bool
    ended_at: datetime | None


def night_of(evening: Evening) -> Night | None:
    """Return the night of an evening: four queries; None if it has no result."""
    currency = evening.result_currency
    if not currency:
        return None
    sessions = _in_a_row(evening)
    keys = tuple(session.id for session in sessions)
    balances = _results(keys)
    made, made_for, is_wider = _made_for(keys, currency, balances)
    for paid in made:
        balances[paid.payer] += paid.points
        balances[paid.payee] -= paid.points
    exact = {player: simplified(amount) for player, amount in sorted(balances.items())}
    at_large = Repayment.objects.filter(
        Q(payer__in=exact) | Q(payee__in=exact),
        circle=evening.circle_id,
        currency=currency,
        kind=Repayment.Kind.PAYMENT,
        undone_at=None,
        made_at__gt=sessions[0].started_at,
        evenings=None,
    )
    is_apart = not (is_wider or at_large.exists())
    return Night(currency, keys, exact, made, made_for, is_apart, sessions[-1].ended_at)


def _in_a_row(evening: Evening) -> list[_Session]:
    """Return the evening with those before and after it that followed one another."""
    last_hand = Hand.objects.filter(evening=OuterRef("pk"), number=OuterRef("last_number"))
    near = Evening.objects.filter(
        circle=evening.circle_id,
        result_currency=evening.result_currency,
        started_at__gte=evening.started_at - LONGEST_NIGHT,
        started_at__lte=evening.started_at + LONGEST_NIGHT,
    )
    rows = near.order_by("started_at", "pk").annotate(last_hand_at=Subquery(last_hand.values("recorded_at")))
    found: list[_Session] = []
    for row in rows.values_list("pk", "started_at", "ended_at", "last_hand_at"):
        session = _Session(*row)
        if not any(earlier.leads_to(session) for earlier in found):
            if any(earlier.id == evening.pk for earlier in found):
                break
            found.clear()
        found.append(session)
    return found


def _results(sessions: tuple[int, ...]) -> dict[int, Fraction]:
    results: dict[int, Fraction] = defaultdict(Fraction)
    seats = Seat.objects.filter(evening__in=sessions, result__isnull=False).order_by()
    for player, result, parts in seats.values_list("player", "result", "result_parts"):
        results[player] += Fraction(result or 0, parts)
    return results


def _made_for(
    sessions: tuple[int, ...], currency: str, players: Mapping[int, Fraction]
) -> tuple[tuple[Transfer, ...], dict[int, tuple[Transfer, ...]], bool]:
    """Return the payments for the sessions between two who sat there, by session, and if one is for others."""
    wider = RepaymentEvening.objects.filter(repayment=OuterRef("repayment")).exclude(evening__in=sessions)
    links = RepaymentEvening.objects.filter(
        evening__in=sessions,
        repayment__currency=currency,
        repayment__kind=Repayment.Kind.PAYMENT,
        repayment__undone_at=None,
        repayment__payer__in=players,
        repayment__payee__in=players,
    ).annotate(is_wider=Exists(wider))
    made: dict[int, Transfer] = {}
    by_session: dict[int, tuple[Transfer, ...]] = defaultdict(tuple)
    columns = ("repayment", "evening", "is_wider", "repayment__payer", "repayment__payee", "repayment__units")
    is_any_wider = False
    for repayment, session, is_wider, *paid in links.order_by("repayment").values_list(*columns):
        made[repayment] = Transfer(*paid)
        by_session[session] += (made[repayment],)
        is_any_wider = is_any_wider or is_wider
    return tuple(made.values()), dict(by_session), is_any_wider
