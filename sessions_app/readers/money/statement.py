"""A player's statement in a currency: the sessions, payments and paper debts that his balance adds up from.

The newest comes first. A page begins after a cursor (the place of a row) and not after a number of rows: what is booked
meanwhile moves nothing. Amounts are exact, in the smallest unit of the currency; each row's balance is that of the row
below it plus its own amount.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple, Self

from django.db.models import F, Max, Q

from scorekeeper.games.amounts import Amount, simplified
from sessions_app.models import FormerResult, Player, Repayment, Seat
from sessions_app.readers.money.balances import balances_of_player

ROWS_PER_PAGE: Final = 50
SESSION: Final = "session"
#: The kinds of rows that payments and paper debts make, by `Repayment.kind`.
KINDS: Final = {Repayment.Kind.PAYMENT: "payment", Repayment.Kind.OPENING: "paper"}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: Microseconds up to the year 5138, the table, and a primary key.
_PLACE: Final = re.compile(r"(\d{1,17})-([01])-(\d{1,18})", re.ASCII)


class Place(NamedTuple):
    """The place of a row. At one moment payments come after sessions."""

    at: datetime
    is_payment: bool
    key: int

    def __str__(self) -> str:
        return f"{(self.at - _EPOCH) // timedelta(microseconds=1)}-{self.is_payment:d}-{self.key}"

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """Return the place that `text` writes, None if it writes none."""
        found = _PLACE.fullmatch(text)
        if not found:
            return None
        return cls(_EPOCH + timedelta(microseconds=int(found[1])), found[2] == "1", int(found[3]))

    def sessions_before(self) -> Q:
        """Return the condition of the seats of sessions below this place."""
        here = Q() if self.is_payment else Q(evening__lt=self.key)
        return Q(evening__started_at__lt=self.at) | Q(here, evening__started_at=self.at)

    def payments_before(self) -> Q:
        """Return the condition of the payments below this place."""
        earlier = Q(made_at__lt=self.at)
        return earlier | Q(made_at=self.at, pk__lt=self.key) if self.is_payment else earlier


class Former(NamedTuple):
    """A result that a session had until it was corrected, or its stake changed."""

    amount: Amount
    currency: str
    replaced_at: datetime


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A session, payment or paper debt, with the player's balance after it.

    `name_then` is the player's other name of that time, '' for the one he has. `former` is the latest other result of
    the session. `other` is whom he paid, or who paid him; `note` the words of the payment.
    """

    kind: str
    place: Place
    amount: Amount
    name_then: str
    balance_after: Amount = 0
    game_key: str = ""
    title: str = ""
    is_reopened: bool = False
    former: Former | None = None
    other: str = ""
    is_payer: bool = False
    note: str = ""

    @property
    def id(self) -> int:
        return self.place.key

    @property
    def balance_before(self) -> Amount:
        return simplified(Fraction(self.balance_after) - self.amount)


@dataclass(frozen=True, slots=True)
class Statement:
    """A page of a statement. `currencies` are all in which the player has rows, `balance` is that of the newest row.

    `below` is the balance before the last row of the page, `after` the cursor of the next page, None on the last.
    """

    currency: str
    currencies: tuple[str, ...]
    balance: Amount
    rows: tuple[StatementRow, ...]
    after: Place | None

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(each for each in self.currencies if each != self.currency)

    @property
    def below(self) -> Amount:
        return self.rows[-1].balance_before


def statement(player: Player, currency: str = "", after: Place | None = None) -> Statement:
    """Return the page of the player's statement after a cursor: five queries, seven with one.

    Without a currency it is in the first of the player's.
    """
    balances = balances_of_player(player.circle_id, player.pk)
    currency = currency or next(iter(balances), "")
    balance = below = balances.get(currency, 0)
    sessions, payments = Q(), Q()
    if after:
        sessions, payments = after.sessions_before(), after.payments_before()
        below = balances_of_player(player.circle_id, player.pk, sessions, payments).get(currency, 0)
    read = ROWS_PER_PAGE + 1
    found = [*_sessions(player, currency, sessions, read), *_payments(player, currency, payments, read)]
    found.sort(key=lambda row: row.place, reverse=True)
    former = _former_results(player, [row.id for row in found[:ROWS_PER_PAGE] if row.kind == SESSION])
    rows = tuple(_completed(found[:ROWS_PER_PAGE], below, former))
    return Statement(currency, tuple(balances), balance, rows, rows[-1].place if found[ROWS_PER_PAGE:] else None)


def _completed(rows: Iterable[StatementRow], balance: Amount, former: Mapping[int, Former]) -> Iterator[StatementRow]:
    for row in rows:
        completed = replace(row, balance_after=balance, former=former.get(row.id) if row.kind == SESSION else None)
        yield completed
        balance = completed.balance_before


def _former_results(player: Player, sessions: Sequence[int]) -> dict[int, Former]:
    """Return the latest result, other than that of today, that the player had in each of these sessions: one query."""
    today = Q(
        result=F("seat__result"), result_parts=F("seat__result_parts"), currency=F("seat__evening__result_currency")
    )
    # 0 is no session's key: the query is sent without any session too, so the number of queries is fixed.
    others = FormerResult.objects.filter(~today, seat__player=player.pk, seat__evening__in=[0, *sessions])
    latest = others.order_by().values("seat").annotate(latest=Max("pk")).values("latest")
    rows = FormerResult.objects.filter(pk__in=latest).values_list(
        "seat__evening", "result", "result_parts", "currency", "replaced_at"
    )
    return {
        evening: Former(simplified(Fraction(result, parts)), currency, at)
        for evening, result, parts, currency, at in rows
    }


def _sessions(player: Player, currency: str, wanted: Q, most: int) -> Iterator[StatementRow]:
    """Yield the newest sessions of which the player has a result in the currency."""
    seats = Seat.objects.filter(
        wanted,
        player=player.pk,
        result__isnull=False,
        evening__circle=player.circle_id,
        evening__result_currency=currency,
    )
    columns = seats.order_by("-evening__started_at", "-evening").values_list(
        *("evening", "evening__started_at", "evening__ended_at", "evening__game_key", "evening__title"),
        *("result", "result_parts", "sat_as__name"),
    )
    for evening, started_at, ended_at, game_key, title, result, parts, sat_as in columns[:most]:
        amount = simplified(Fraction(result or 0, parts))
        yield StatementRow(
            SESSION,
            Place(started_at, False, evening),
            amount,
            sat_as or "",
            game_key=game_key,
            title=title,
            is_reopened=ended_at is None,
        )


def _payments(player: Player, currency: str, wanted: Q, most: int) -> Iterator[StatementRow]:
    """Yield the newest payments and paper debts of the player in the currency that were not taken back."""
    repayments = Repayment.objects.filter(
        Q(payer=player.pk) | Q(payee=player.pk),
        wanted,
        circle=player.circle_id,
        circle__is_demo=False,
        currency=currency,
        undone_at=None,
    )
    columns = repayments.order_by("-made_at", "-pk").values_list(
        *("pk", "made_at", "kind", "units", "note"),
        *("payer", "payer__name", "payer_as__name", "payee__name", "payee_as__name"),
    )
    for pk, made_at, kind, units, note, payer, *names in columns[:most]:
        is_payer = payer == player.pk
        raises = is_payer == (kind == Repayment.Kind.PAYMENT)
        payer_name, payer_as, payee_name, payee_as = names
        yield StatementRow(
            KINDS[Repayment.Kind(kind)],
            Place(made_at, True, pk),
            units if raises else -units,
            (payer_as if is_payer else payee_as) or "",
            other=payee_name if is_payer else payer_name,
            is_payer=is_payer,
            note=note,
        )
