"""Chips that the players of an evening push to each other after each hand, where it is paid so."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q

from scorekeeper.games.base import Account
from scorekeeper.games.payment_game import PAID, netted
from sessions_app.models import Evening, Revision

#: A hand as its history stores it; None before it was recorded.
type State = dict[str, Any] | None
#: Payer, payee, chips.
type Paid = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Push:
    """Chips that one seat pushes to another; `is_back` if it was pushed at least as many for the same hands before."""

    payer: int
    payee: int
    chips: int
    is_back: bool = False


def of_hand(written: Iterable[tuple[Account, int]]) -> tuple[Push, ...]:
    """Return the pushes of a hand, by its entries."""
    paid = netted((seat, against, amount) for (_paid, seat, against), amount in written if against is not None)
    return tuple(Push(each.payer, each.payee, each.points) for each in paid)


def between(changes: Iterable[tuple[State, State]]) -> tuple[Push, ...]:
    """Return the pushes that make up for changed hands, by their states before and after."""
    was: list[Paid] = []
    is_now: list[Paid] = []
    for before, after in changes:
        was += _paid(before)
        is_now += _paid(after)
    pushed = {(each.payer, each.payee): each.points for each in netted(was)}
    missing = netted((*is_now, *((payer, payee, -chips) for payer, payee, chips in was)))
    return tuple(
        Push(each.payer, each.payee, each.points, pushed.get((each.payee, each.payer), 0) >= each.points)
        for each in missing
    )


def of_latest_change(evening: Evening, number: int) -> tuple[Push, ...]:
    """Return the pushes that make up for the latest correction of a hand, recounted hands included: one query."""
    of_itself = Q(hand__number=number, number=F("hand__revision_count"))
    of_later = Q(cause__hand__number=number, cause__number=F("cause__hand__revision_count"))
    rows = Revision.objects.filter(of_itself | of_later, hand__evening=evening, hand__number__gte=number)
    return between(rows.values_list("before", "after"))


def _paid(state: State) -> Iterator[Paid]:
    if state is None or state["is_void"]:
        return
    for account, seat, against, amount, *_reason in state["entries"]:
        if account == PAID:
            yield seat, against, amount
