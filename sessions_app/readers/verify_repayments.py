"""Check of the payments of all circles: whose they are, in what, for which evenings; and that the books sum to zero."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from django.db.models import F

from scorekeeper.debts import Pair
from scorekeeper.games.amounts import Amount
from sessions_app.errors import DAMAGE
from sessions_app.models import MOST_UNITS, Circle, Repayment, RepaymentEvening
from sessions_app.readers.open_debts import counted_debts, counts_as_debts
from sessions_app.readers.repayments import is_currency
from sessions_app.readers.verify_circles import CircleFault

#: Rows in memory at once.
BATCH: Final = 200


def repayment_faults() -> Iterator[CircleFault]:
    """Yield the faults of payments."""
    rows = Repayment.objects.select_related("payer", "payee", "payer_as", "payee_as").order_by("pk")
    for row in rows.iterator(BATCH):
        for what in (*_of_row(row), *_of_side(row, "payer"), *_of_side(row, "payee")):
            yield row.circle_id, f"payment {row.pk} {what}"
    links = RepaymentEvening.objects.order_by("pk")
    strays = links.exclude(repayment__circle=F("evening__circle"))
    for pk, circle, evening in strays.values_list("repayment", "repayment__circle", "evening"):
        yield circle, f"payment {pk} is for session {evening} of another circle"
    for pk, circle, evening in links.filter(evening__last_number=0).values_list(
        "repayment", "repayment__circle", "evening"
    ):
        yield circle, f"payment {pk} is for session {evening}, which has no hand"
    openings = links.filter(repayment__kind=Repayment.Kind.OPENING)
    for pk, circle in openings.values_list("repayment", "repayment__circle").distinct():
        yield circle, f"opening balance {pk} is for a session"


def _of_row(row: Repayment) -> Iterator[str]:
    if not 1 <= row.units <= MOST_UNITS:
        yield f"is of {row.units} units"
    if not is_currency(row.currency):
        yield f"is in {row.currency!r}, which cannot be read"
    if row.kind not in Repayment.Kind.values:
        yield f"is of the kind {row.kind!r}"
    if row.payer_id == row.payee_id and not row.is_undone:
        yield f"is of player {row.payer_id} to himself"
    if row.undone_at is None and row.undone_by_id is not None:
        yield f"was taken back by user {row.undone_by_id} at no time"
    if row.undone_at is not None and row.undone_at < row.made_at:
        yield f"was taken back at {row.undone_at}, before it was booked at {row.made_at}"


def _of_side(row: Repayment, side: str) -> Iterator[str]:
    player, name = getattr(row, side), getattr(row, f"{side}_as")
    if player.circle_id != row.circle_id:
        yield f"has player {player.pk} of another circle as its {side}"
    if player.merged_into_id is not None:
        yield f"has player {player.pk} as its {side}, who is merged into player {player.merged_into_id}"
    if name is not None and name.merged_into_id != player.pk:
        yield f"has player {player.pk} as its {side} by the name of player {name.pk}, who is not merged into him"


def book_faults() -> Iterator[CircleFault]:
    """Yield the faults of all circles' books, but of those that cannot be read: then another fault says why."""
    for pk in Circle.objects.order_by("pk").values_list("pk", flat=True).iterator(BATCH):
        with suppress(*DAMAGE):
            yield from [(pk, what) for what in _of_books(pk)]


def _of_books(circle_id: int) -> Iterator[str]:
    """Yield a fault for each pair whose standing is not what the sheets and the payments say.

    It is added up anew, without dividing the payments. Raise whatever damaged data may.
    """
    debts = counted_debts(Circle.objects.get(pk=circle_id))
    owed: dict[str, Counter[Pair]] = {}

    def owes(currency: str, payer: int, payee: int, amount: Amount) -> None:
        sums = owed.setdefault(currency, Counter())
        sums[payer, payee] += amount  # type: ignore[assignment]
        sums[payee, payer] -= amount  # type: ignore[assignment]

    for evening in filter(counts_as_debts, debts.evenings.values()):
        for payer, payee, amount in evening.debts:
            owes(evening.currency, payer, payee, amount)
    for row in debts.rows:
        if not row.is_undone:
            owes(row.currency, row.payer, row.payee, row.units if row.is_opening else -row.units)
    for currency, book in debts.books.items():
        for pair in {*book.pairs, *owed.get(currency, ())}:
            stands, adds_up = book.between(*pair), owed.get(currency, Counter())[pair]
            if stands != adds_up:
                debt = f"player {pair[0]} owes player {pair[1]} {stands} in {currency}"
                yield f"{debt}; sheets and payments say {adds_up}"
        if sum(book.balances.values()):
            yield f"its balances in {currency} sum to {sum(book.balances.values())}"
