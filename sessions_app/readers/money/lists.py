"""The one list of payments that a page suggests: of a night, or of everything that is open in a currency.

A night is the sessions of a circle and currency that followed one another. Results count once a session has ended, as
in the balances. Amounts are in the smallest unit of the currency.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from django.db.models import Exists, Max, OuterRef, Q, Subquery

from scorekeeper.currencies import CURRENCIES, NOTES
from scorekeeper.games.amounts import Amount, simplified
from scorekeeper.money.settlement import Transfer, in_whole_coins, is_even, suggested_payments
from sessions_app.models import Circle, Evening, Hand, Repayment, RepaymentEvening, Seat, User
from sessions_app.readers.money.balances import CircleBalances, balances_by_circle
from sessions_app.readers.people.circles import CirclePlayer

# --- The sessions of one night ---


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
        """Return whether it is reopened, or ended so long after its last hand that it was: play ended by that hand."""
        if self.ended_at is None or self.last_hand_at is None:
            return self.ended_at is None
        return self.ended_at - self.last_hand_at > BETWEEN_SESSIONS

    def _has_overlapped(self, later: "_Session") -> bool:
        return self.ended_at is not None and self.ended_at > later.started_at


@dataclass(frozen=True, slots=True)
class Night:
    """The sessions of a night, the oldest first, and the balances of all who sat in one, after the payments for them.

    `made` are these payments by players' keys, in order of time, and `made_for` those for each session;
    `paid_together` are the sessions of which one was for another session of the night, too. The night
    `is_offered` until it was paid together with something else: somebody who sat there has paid or was paid for no
    session since it began, or one of these payments is for a session of another night, too. `ended_at` is the end of
    its last session, None while that is reopened.
    """

    currency: str
    sessions: tuple[int, ...]
    balances: Mapping[int, Amount]
    made: tuple[Transfer, ...]
    made_for: Mapping[int, tuple[Transfer, ...]]
    paid_together: frozenset[int]
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
    made, made_for, together, is_wider = _made_for(keys, currency, balances)
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
    return Night(currency, keys, exact, made, made_for, together, is_apart, sessions[-1].ended_at)


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
) -> tuple[tuple[Transfer, ...], dict[int, tuple[Transfer, ...]], frozenset[int], bool]:
    """Return the payments for the sessions between two who sat there, by session.

    Then the sessions of which one is for several, and whether one is for a session of another night.
    """
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
    sessions_of: dict[int, list[int]] = defaultdict(list)
    columns = ("repayment", "evening", "is_wider", "repayment__payer", "repayment__payee", "repayment__units")
    is_any_wider = False
    for repayment, session, is_wider, *paid in links.order_by("repayment").values_list(*columns):
        made[repayment] = Transfer(*paid)
        by_session[session] += (made[repayment],)
        sessions_of[repayment].append(session)
        is_any_wider = is_any_wider or is_wider
    together = frozenset(session for paid in sessions_of.values() if len(paid) > 1 for session in paid)
    return tuple(made.values()), dict(by_session), together, is_any_wider


# --- Lists ---


#: Players with what is owed to each, below zero what he owes.
type Named = tuple[tuple[CirclePlayer, Amount], ...]

#: The latest payments that leave the other lines as they are; lines are found anew from those before.
MOST_FOLLOWED: Final = 30
#: The namespace of the tokens of suggested payments.
SUGGESTED: Final = UUID("5f1d9a52-52a1-5f6e-9d0e-2f1a7c8b0d35")


@dataclass(frozen=True, slots=True)
class Line:
    """A payment that a list suggests, the sessions it is for, and the token by which any phone books it once.

    `seen` is the number of the circle's payments in the currency that the list was made of.
    """

    payer: CirclePlayer
    payee: CirclePlayer
    units: int
    currency: str
    evenings: tuple[int, ...]
    token: UUID
    seen: int


@dataclass(frozen=True, slots=True)
class Owed:
    """The exact balance of a player in a currency, and its size as pages show it."""

    player: int
    currency: str
    amount: Amount
    size: Amount


@dataclass(frozen=True, slots=True)
class PaymentList:
    """The payments suggested in a scope, `tonight` or `everything`, and the exact balances that they settle.

    Where the balances are even there is no line.
    """

    scope: str
    currency: str
    balances: Named
    lines: tuple[Line, ...]

    @property
    def is_even(self) -> bool:
        return not self.lines

    @property
    def is_open(self) -> bool:
        """Return whether any balance is not zero, however little it is."""
        return any(amount for _player, amount in self.balances)

    @property
    def best_first(self) -> tuple[tuple[CirclePlayer, Amount, Amount], ...]:
        """Return each player with his balance, exact and as a page shows it, the highest first."""
        shown = shown_balances(self.currency, [amount for _player, amount in self.balances])
        rows = [(player, amount, said) for (player, amount), said in zip(self.balances, shown, strict=True)]
        return tuple(sorted(rows, key=lambda row: (-row[1], row[0].id)))

    @property
    def is_rounded(self) -> bool:
        """Return whether a page shows other amounts than the exact ones, or none where all are even."""
        return (self.is_even and self.is_open) or any(amount != said for _player, amount, said in self.best_first)

    def suggests_as(self, other: "PaymentList") -> bool:
        """Return whether both suggest the same payments: a page then needs no switch between them."""
        return {line.token for line in self.lines} == {line.token for line in other.lines}


def coin_of(circle: Circle, currency: str) -> int:
    """Return the smallest coin that the circle pays in, in the currency's smallest unit."""
    coin = circle.cash_coins.get(currency, 1)
    return coin if type(coin) is int and coin > 0 else 1


def shown_balances(currency: str, amounts: Sequence[Amount]) -> tuple[Amount, ...]:
    """Return all balances in a currency as pages show them: money in whole units, points exactly."""
    if currency not in CURRENCIES:
        return tuple(amounts)
    return (0,) * len(amounts) if is_even(amounts) else in_whole_coins(amounts)


def of_user(user: User) -> dict[int, tuple[Owed, ...]]:
    """Return what is open to the player of the user's phone, by each of his circles: three queries."""
    members = {each.circle_id: each for each in user.memberships.exclude(player=None).select_related("circle")}
    found = balances_by_circle(tuple(members))
    return {pk: of_player(member.circle, found[pk], member.player_id or 0) for pk, member in members.items()}


def of_player(circle: Circle, found: CircleBalances, player: int) -> tuple[Owed, ...]:
    """Return what is open to a player in each currency; nothing where everybody is even."""
    owed = []
    for currency, amounts in found.by_currency.items():
        shown = dict(zip(amounts, shown_balances(currency, tuple(amounts.values())), strict=True)).get(player)
        if shown and not is_even(amounts.values(), coin_of(circle, currency)):
            owed.append(Owed(player, currency, amounts[player], abs(Fraction(shown))))
    return tuple(owed)


def everything(
    circle: Circle,
    found: CircleBalances,
    players: Iterable[CirclePlayer],
    cut: Sequence[int] = (),
    currencies: Iterable[str] | None = None,
) -> dict[str, PaymentList]:
    """Return the list of all that is open in these currencies (None: all), with the `cut` of one night: two queries.

    Payments made since then leave the other lines as they are: since the latest session in the currency ended, or a
    paper debt was entered.
    """
    made, everybody, lists = _since_the_end(circle), tuple(players), {}
    for currency in found.by_currency if currencies is None else currencies:
        amounts = found.by_currency[currency]
        balances = _named(amounts, everybody)
        lines = _lines(circle, found, currency, balances, made[currency], cut=cut)
        lists[currency] = PaymentList("everything", currency, balances, lines)
    return lists


def tonight(
    circle: Circle, found: CircleBalances, night: Night, players: Iterable[CirclePlayer], cut: Sequence[int] = ()
) -> PaymentList:
    """Return the list of a night; `cut` are the players that cut for the odd point, the highest first. No query."""
    balances = _named(night.balances, players)
    lines = _lines(circle, found, night.currency, balances, night.made, night.sessions, cut)
    return PaymentList("tonight", night.currency, balances, lines)


def by_pairs(
    circle: Circle,
    found: CircleBalances,
    night: Night,
    players: Iterable[CirclePlayer],
    evening: int,
    owed: Iterable[Transfer],
) -> PaymentList | None:
    """Return the list of a night in which an evening is paid pair by pair, None once it was paid otherwise. No query.

    `owed` are the payments of the pairs in whole coins, by players' keys.
    """
    if evening in night.paid_together:
        return None
    left = {(each.payer, each.payee): int(each.points) for each in owed}
    for paid in night.made_for.get(evening, ()):
        pair = (paid.payer, paid.payee)
        if left.get(pair, 0) < paid.points:
            return None
        left[pair] -= int(paid.points)
    balances = _named(night.balances, players)
    transfers = (Transfer(*pair, units) for pair, units in left.items() if units)
    lines = _as_lines(circle, found, night.currency, balances, transfers, (evening,))
    return PaymentList("tonight", night.currency, balances, lines)


def _named(balances: Mapping[int, Amount], players: Iterable[CirclePlayer]) -> Named:
    by_key = {player.id: player for player in players}
    return tuple((by_key[key], amount) for key, amount in balances.items())


def _lines(
    circle: Circle,
    found: CircleBalances,
    currency: str,
    balances: Named,
    made: Sequence[Transfer],
    evenings: tuple[int, ...] = (),
    cut: Sequence[int] = (),
) -> tuple[Line, ...]:
    """Return the lines that settle the balances, which are those after the payments `made`, by players' keys."""
    people, amounts = [player for player, _amount in balances], [amount for _player, amount in balances]
    places = {player.id: place for place, player in enumerate(people)}
    moved = [Transfer(places[each.payer], places[each.payee], each.points) for each in made[-MOST_FOLLOWED:]]
    for each in moved:
        amounts[each.payer] -= each.points
        amounts[each.payee] += each.points
    first = [places[player] for player in cut if player in places]
    suggested = suggested_payments(amounts, coin_of(circle, currency), NOTES.get(currency, ()), moved, first)
    transfers = (Transfer(people[each.payer].id, people[each.payee].id, each.points) for each in suggested)
    return _as_lines(circle, found, currency, balances, transfers, evenings)


def _as_lines(
    circle: Circle,
    found: CircleBalances,
    currency: str,
    balances: Named,
    transfers: Iterable[Transfer],
    evenings: tuple[int, ...],
) -> tuple[Line, ...]:
    """Return payments by players' keys as lines for these evenings."""
    people, seen = {player.id: player for player, _amount in balances}, found.rows.get(currency, 0)
    lines = []
    for each in transfers:
        units = int(each.points)
        token = token_of(circle.pk, currency, each.payer, each.payee, units, seen)
        lines.append(Line(people[each.payer], people[each.payee], units, currency, evenings, token, seen))
    return tuple(lines)


def token_of(circle: int, currency: str, payer: int, payee: int, units: int, seen: int) -> UUID:
    """Return the token of a suggested payment.

    It follows from what the line says and the number of the circle's payments in the currency: it is the same on every
    phone and page until anything is paid.
    """
    return uuid5(SUGGESTED, " ".join(map(str, (circle, currency, payer, payee, units, seen))))


def _since_the_end(circle: Circle) -> dict[str, list[Transfer]]:
    """Return the payments in each currency since a session in it ended or a paper debt was entered, oldest first."""
    sessions = Evening.objects.filter(circle=circle.pk).order_by().exclude(result_currency="")
    ended = dict(sessions.values_list("result_currency").annotate(at=Max("ended_at")))
    rows = Repayment.objects.filter(circle=circle.pk, undone_at=None).order_by("-pk")
    columns = rows.values_list("currency", "made_at", "kind", "payer", "payee", "units")
    made: dict[str, list[Transfer]] = defaultdict(list)
    for currency, made_at, kind, payer, payee, units in reversed(columns[:MOST_FOLLOWED]):
        last_end = ended.get(currency)
        if kind == Repayment.Kind.OPENING:
            made[currency].clear()
        elif last_end is None or made_at > last_end:
            made[currency].append(Transfer(payer, payee, units))
    return made
