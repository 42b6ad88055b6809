"""Check of the payments of all circles: whose they are, in what, for which evenings; and that the books sum to zero."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from itertools import chain
from typing import Final

from django.db.models import F
from django.utils import timezone

from sessions_app.models import (
    MOST_UNITS,
    POINTS,
    Circle,
    Evening,
    EveningChange,
    Player,
    Repayment,
    RepaymentEvening,
    Seat,
)
from sessions_app.readers.money.balances import balances
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.rows import CircleFault, as_far_as_read, readable

#: The clocks of two servers may differ by this.
CLOCKS_DIFFER: Final = timedelta(minutes=5)


def repayment_faults() -> Iterator[CircleFault]:
    """Yield the faults of payments, and of the books that they are in."""
    players = {pk: (circle, into) for pk, circle, into in Player.objects.values_list("pk", "circle", "merged_into")}
    for circle in Circle.objects.order_by("pk").values_list("pk", flat=True):
        played, there = played_for(circle), _there(circle)
        for row in readable(Repayment.objects.filter(circle=circle).order_by("pk")):
            sides = (_of_side(row, side, players, there.get(row.pk)) for side in ("payer", "payee"))
            for what in chain(_of_row(row), *sides, _of_currency(row, played, has_evening=row.pk in there)):
                yield circle, f"payment {row.pk} {what}"
        for what in as_far_as_read("the books of its payments", _of_books(circle)):
            yield circle, what
    yield from _of_links()


def played_for(circle: int) -> set[str]:
    """Return the currencies of the circle's evenings, now or before their stake was changed, and of its paper debts."""
    evenings = Evening.objects.filter(circle=circle).order_by()
    points = {f"{POINTS}{game_key}" for game_key in evenings.values_list("game_key", flat=True)}
    found = set(Repayment.objects.filter(circle=circle, kind=Repayment.Kind.OPENING).values_list("currency", flat=True))
    found.update(evenings.exclude(stake=None).values_list("currency", flat=True))
    if evenings.filter(stake=None).exists():
        found |= points
    for change in readable(EveningChange.objects.filter(evening__circle=circle, kind=EveningChange.Kind.STAKE)):
        for state in filter(_is_stake, (change.before, change.after)):
            found |= {state["currency"]} if state["stake"] else points
    return found


def _there(circle: int) -> dict[int, set[int]]:
    """Return who sat in the circle's evenings that a payment is for, by the key of each payment that is for one."""
    seated = defaultdict(set)
    for evening, player in Seat.objects.filter(evening__circle=circle).values_list("evening", "player"):
        seated[evening].add(player)
    found: dict[int, set[int]] = defaultdict(set)
    links = RepaymentEvening.objects.filter(evening__circle=circle, repayment__circle=circle)
    for row, evening in links.values_list("repayment", "evening"):
        found[row] |= seated[evening]
    return found


def _is_stake(state: object) -> bool:
    return isinstance(state, dict) and {"stake", "currency"}.issubset(state)


def _of_row(row: Repayment) -> Iterator[str]:
    if not 1 <= row.units <= MOST_UNITS:
        yield f"is of {row.units} units"
    if row.kind not in Repayment.Kind.values:
        yield f"is of the kind {row.kind!r}"
    if row.payer_id == row.payee_id and not row.is_undone:
        yield f"is of player {row.payer_id} to himself"
    if row.undone_at is None and row.undone_by_id is not None:
        yield f"was taken back by user {row.undone_by_id} at no time"
    if row.undone_at and row.made_at and row.undone_at < row.made_at:
        yield f"was taken back at {row.undone_at}, before it was booked at {row.made_at}"
    if row.made_at is not None and row.made_at > timezone.now() + CLOCKS_DIFFER:
        yield f"was booked at {row.made_at}, which is not yet"


def _of_side(
    row: Repayment, side: str, players: Mapping[int, tuple[int, int | None]], there: Collection[int] | None
) -> Iterator[str]:
    """Yield the faults of the payer or the payee.

    `players` are the circle and the merge of each player by key, `there` those who sat in the evenings that the payment
    is for; None if it is for none.
    """
    player, name = getattr(row, f"{side}_id"), getattr(row, f"{side}_as_id")
    circle, merged_into = players.get(player, (row.circle_id, None))
    if circle != row.circle_id:
        yield f"has player {player} of another circle as its {side}"
    elif merged_into is not None:
        yield f"has player {player} as its {side}, who is merged into player {merged_into}"
    elif there is not None and player not in there:
        yield f"has player {player} as its {side}, who sat in none of the sessions it is for"
    if name in players and players[name][1] != player:
        yield f"has player {player} as its {side} by the name of player {name}, who is not merged into him"


def _of_currency(row: Repayment, played: Collection[str], *, has_evening: bool) -> Iterator[str]:
    if not is_currency(row.currency):
        yield f"is in {row.currency!r}, which cannot be read"
    elif has_evening and row.currency not in played:  # else it may be that of a session that was removed
        yield f"is in {row.currency}, for which the circle never played"


def _of_links() -> Iterator[CircleFault]:
    links = RepaymentEvening.objects.order_by("pk")
    strays = links.exclude(repayment__circle=F("evening__circle"))
    for pk, circle, evening in strays.values_list("repayment", "repayment__circle", "evening"):
        yield circle, f"payment {pk} is for session {evening} of another circle"
    unwritten = links.filter(evening__last_number=0)
    for pk, circle, evening in unwritten.values_list("repayment", "repayment__circle", "evening"):
        yield circle, f"payment {pk} is for session {evening}, which has no hand"
    openings = links.filter(repayment__kind=Repayment.Kind.OPENING)
    for pk, circle in openings.values_list("repayment", "repayment__circle").distinct():
        yield circle, f"opening balance {pk} is for a session"


def _of_books(circle_id: int) -> Iterator[str]:
    """Yield a fault for each currency whose balances do not sum to zero. Raise whatever damaged data may."""
    for currency, amounts in balances(circle_id).by_currency.items():
        if sum(amounts.values()):
            yield f"its balances in {currency} sum to {sum(amounts.values())}"
