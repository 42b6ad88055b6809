"""The writer of payments that were made, and of opening balances: book one, take one back.

Each write is one short transaction that locks the circle, as merging players does: so a payment is booked once for a
token, however many phones send it, and nobody is merged into the one he pays meanwhile. Nothing is rewritten but the
time and user of taking back.

The token of a suggested payment follows from what it says (UUID version 5), that of a form is random (version 4).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from django.utils import timezone

from scorekeeper.games.amounts import Amount
from scorekeeper.money.settlement import in_whole_coins, is_even
from sessions_app.errors import OverpaidSince, RepaymentRefused, RepaymentTokenSpent, SameRepayment
from sessions_app.models import MOST_UNITS, Circle, Evening, Repayment, RepaymentEvening, Seat, User
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.lists import coin_of, night_of
from sessions_app.readers.money.repayments import currencies_played_for, currency_of, is_currency
from sessions_app.readers.people.players import NamedPlayer, named
from sessions_app.transactions import hold_circle, raise_repayment_version, writing

#: The version of the UUIDs that readers.money.lists derives.
SUGGESTED_VERSION: Final = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """A payment as a form says it: the keys of players and evenings, a whole number of the currency's units."""

    payer: int
    payee: int
    units: int
    currency: str
    evenings: tuple[int, ...] = ()
    note: str = ""
    kind: str = Repayment.Kind.PAYMENT


class Booked(NamedTuple):
    """The row of a payment, and whether this call wrote it."""

    row: Repayment
    is_new: bool


@writing
def book(
    circle_id: int,
    wanted: Wanted,
    *,
    token: UUID,
    by: User,
    known: int | None = None,
    another: bool = False,
    seen: int | None = None,
    anyway: bool = False,
) -> Booked:
    """Book a payment or an opening balance; a known token returns the row that it booked, taken back since or not.

    `known` is the highest key of a payment that the caller's page showed (None: not said), `another` confirms that
    this is not the one that another member has booked since. `seen` is the number of payments in the currency of which
    a suggested payment was made (None: it was not suggested), `anyway` confirms that it is more than the payer owes.
    Raise RepaymentRefused, RepaymentTokenSpent, SameRepayment, OverpaidSince, Circle.DoesNotExist.
    """
    circle = hold_circle(circle_id)
    payer, payee = (_person(circle, key, field) for key, field in ((wanted.payer, "payer"), (wanted.payee, "payee")))
    row = Repayment.objects.filter(circle=circle, token=token).first()
    if row:
        if not _is_of(row, payer, payee, wanted):
            raise RepaymentTokenSpent(row)
        return Booked(row, is_new=False)
    evenings = _evenings(circle, wanted)
    _require_possible(circle, payer, payee, wanted)
    if known is not None and not another:
        _require_another(circle, payer, payee, wanted, known, by)
    if seen is not None and not anyway:
        _require_owed(circle, payer, payee, wanted, evenings, seen)
    return Booked(_stored(circle, payer, payee, wanted, evenings, token, by), is_new=True)


@writing
def undo(circle_id: int, repayment_id: int, *, by: User) -> Repayment:
    """Take a payment back; doing it twice changes nothing. Raise Repayment.DoesNotExist, Circle.DoesNotExist."""
    circle = hold_circle(circle_id)
    row = circle.repayments.get(pk=repayment_id)
    if not row.is_undone:
        row.undone_at, row.undone_by = timezone.now(), by
        row.save(update_fields=["undone_at", "undone_by"])
        raise_repayment_version(circle)
    return row


def _person(circle: Circle, key: int, field: str) -> NamedPlayer:
    """Return the person of a player's key, with the name's own row if that is merged into him."""
    player = circle.players.filter(pk=key).select_related("merged_into").first()
    if player is None:
        raise RepaymentRefused("no_player", field)
    return named(player)


def _evenings(circle: Circle, wanted: Wanted) -> list[int]:
    """Return the keys of the evenings that it is for, each once, in order of time. They count in its currency."""
    asked = set(wanted.evenings)
    # An evening without a hand may still be removed, and a payment for it would lose what it is for.
    found = Evening.objects.filter(circle=circle, pk__in=asked, last_number__gte=1)
    rows = list(found.defer("sheet", "standing").order_by("started_at", "pk"))
    if len(rows) != len(asked) or (rows and wanted.kind == Repayment.Kind.OPENING):
        raise RepaymentRefused("evening", "for")
    # One that was turned to chips after it was reopened counts as it ended.
    if any(evening.in_chips and not evening.result_currency for evening in rows):
        raise RepaymentRefused("chips", "for")
    # Nothing has a result in a demo: there a session counts in its own currency.
    currencies = {
        currency_of(evening.game_key, evening.currency, evening.stake) if circle.is_demo else evening.result_currency
        for evening in rows
    }
    if "" in currencies:
        raise RepaymentRefused("no_result", "for")
    if len(currencies) > 1:
        raise RepaymentRefused("two_currencies", "for")
    if currencies - {wanted.currency}:
        raise RepaymentRefused("not_its_currency", "currency", *currencies)
    return [evening.pk for evening in rows]


def _require_possible(circle: Circle, payer: NamedPlayer, payee: NamedPlayer, wanted: Wanted) -> None:
    if payer.player == payee.player:
        raise RepaymentRefused("himself", "payee")
    if wanted.units < 1:
        raise RepaymentRefused("nothing", "amount")
    if wanted.units > MOST_UNITS:
        raise RepaymentRefused("too_much", "amount")
    if wanted.kind == Repayment.Kind.OPENING:
        # A paper book is older than all sessions here.
        is_known = is_currency(wanted.currency)
    else:
        is_known = wanted.currency in currencies_played_for(circle)
    if not is_known:
        raise RepaymentRefused("currency", "currency")
    if wanted.evenings:
        there = set(Seat.objects.filter(evening__in=wanted.evenings).values_list("player", flat=True))
        for person, field in ((payer, "payer"), (payee, "payee")):
            if person.player.pk not in there:
                raise RepaymentRefused("not_there", field)


def _require_another(
    circle: Circle, payer: NamedPlayer, payee: NamedPlayer, wanted: Wanted, known: int, by: User
) -> None:
    """Raise SameRepayment if another member has booked the same since."""
    since = Repayment.objects.filter(
        circle=circle,
        pk__gt=known,
        payer=payer.player,
        payee=payee.player,
        units=wanted.units,
        currency=wanted.currency,
        kind=wanted.kind,
        undone_at=None,
    )
    same = since.exclude(made_by=by).order_by("-pk").first()
    if same:
        raise SameRepayment(same)


def _require_owed(
    circle: Circle, payer: NamedPlayer, payee: NamedPlayer, wanted: Wanted, evenings: Sequence[int], seen: int
) -> None:
    """Raise OverpaidSince if payments were booked since, and by now the payer owes less, by a coin or more."""
    rows = Repayment.objects.filter(circle=circle, currency=wanted.currency)
    count = rows.count()
    if count == seen:
        return
    amounts, player = _balances(circle, wanted.currency, evenings), payer.player.pk
    coin = coin_of(circle, wanted.currency)
    if wanted.units + amounts.get(player, 0) < coin:
        return
    whole = dict(zip(amounts, in_whole_coins(tuple(amounts.values()), coin), strict=True))
    left = 0 if is_even(amounts.values(), coin) else max(0, -whole.get(player, 0))
    since = rows.order_by("pk").values_list("payer", "units", "undone_at")[seen:]
    paid = sum(units for by, units, undone_at in since if by == player and undone_at is None)
    raise OverpaidSince(payer.player, payee.player, left, paid, count)


def _balances(circle: Circle, currency: str, evenings: Sequence[int]) -> Mapping[int, Amount]:
    """Return the balances that a suggested payment settles: of the night while that is offered, else of everything."""
    night = night_of(Evening.objects.get(pk=evenings[0])) if evenings else None
    if night and night.is_offered and night.currency == currency:
        return night.balances
    return balances(circle.pk).of(currency)


def _stored(
    circle: Circle,
    payer: NamedPlayer,
    payee: NamedPlayer,
    wanted: Wanted,
    evenings: Sequence[int],
    token: UUID,
    by: User,
) -> Repayment:
    """Store the payment and the evenings that it is for, and return its row."""
    seats = list(Seat.objects.filter(evening__in=evenings).values_list("player", "sat_as"))
    row = Repayment.objects.create(
        circle=circle,
        token=token,
        kind=wanted.kind,
        payer=payer.player,
        payee=payee.player,
        payer_as_id=_name_of(payer, seats),
        payee_as_id=_name_of(payee, seats),
        units=wanted.units,
        currency=wanted.currency,
        note=wanted.note,
        made_by=by,
    )
    RepaymentEvening.objects.bulk_create(RepaymentEvening(repayment=row, evening_id=evening) for evening in evenings)
    raise_repayment_version(circle)
    return row


def _name_of(person: NamedPlayer, seats: Sequence[tuple[int, int | None]]) -> int | None:
    """Return the merged name under which a person pays, None for his own.

    It is the name that the form said, or else the one under which he sat in all the evenings that it is for: so
    unmerging gives the name its payments together with its seats.
    """
    if person.sat_as is not None:
        return person.sat_as.pk
    names = {sat_as for player, sat_as in seats if player == person.player.pk}
    return names.pop() if len(names) == 1 else None


def _is_of(row: Repayment, payer: NamedPlayer, payee: NamedPlayer, wanted: Wanted) -> bool:
    """Return whether the row books what is wanted under its token.

    Two pages may suggest the same payment for different sessions: it is booked once, for those of the first to book it.
    """
    says = (row.payer_id, row.payee_id, row.units, row.currency, row.kind)
    if says != (payer.player.pk, payee.player.pk, wanted.units, wanted.currency, wanted.kind):
        return False
    if row.token.version == SUGGESTED_VERSION:
        return True
    return row.note == wanted.note and set(row.links.values_list("evening", flat=True)) == set(wanted.evenings)
