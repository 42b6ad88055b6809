"""The writer that takes out again what came by an import: for a day, and nothing else.

Rows that were used since stay: a session that was changed, is being played, or was paid for, with its players and
payments. Each session goes by a transaction of its own, so that an undo that is interrupted can go on.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from sessions_app.errors import ImportRefused
from sessions_app.models import (
    Circle,
    Evening,
    EveningChange,
    HandInPlay,
    HouseProfile,
    Import,
    ImportMade,
    Player,
    Removal,
    Repayment,
    RepaymentEvening,
    Revision,
    Seat,
)
from sessions_app.transactions import (
    hold_evening,
    hold_user,
    raise_ended_version,
    raise_repayment_version,
    writing,
)
from sessions_app.writers import results
from sessions_app.writers.import_rows import KEPT_FOR, GoOn, end_undoing, histories, hold_circle_of
from sessions_app.writers.imports import AUTHOR
from sessions_app.writers.players import UNUSED

#: Keys in one statement.
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Undo:
    """Plan of taking an import out: the keys of the sessions and payments that go, and how many sessions stay.

    It can be carried out up to `until`.
    """

    evenings: tuple[int, ...]
    payments: tuple[int, ...]
    stay: int
    until: datetime

    @property
    def is_in_time(self) -> bool:
        return timezone.now() <= self.until


def planned(row: Import) -> Undo:
    """Return the plan as it is now: a few queries for every BATCH sessions."""
    came = dict(_made(row, ImportMade.What.EVENING).values_list("key", "version"))
    payments = set(_made(row, ImportMade.What.PAYMENT).values_list("key", flat=True))
    there, links = set[int](), list[tuple[int, int]]()
    stay = set[int]()
    for keys in batched(sorted(came), BATCH):
        now = histories(keys)
        there.update(now)
        stay.update(key for key, history in now.items() if history != came[key])
        stay.update(_in_play(keys).values_list("evening", flat=True))
        links += RepaymentEvening.objects.filter(evening__in=keys).values_list("repayment", "evening")
    stay, kept = _with_payments(stay, payments, links)
    return Undo(tuple(sorted(there - stay)), tuple(sorted(payments - kept)), len(stay), _until(row))


def _in_play(evenings: Iterable[int]) -> Any:
    return HandInPlay.objects.filter(evening__in=evenings).exclude(state={})


def _until(row: Import) -> datetime:
    return (row.closed_at or timezone.now()) + KEPT_FOR


def _with_payments(stay: set[int], payments: set[int], links: Iterable[tuple[int, int]]) -> tuple[set[int], set[int]]:
    """Return the evenings and the payments that stay: a payment with one of its evenings, and that with the others."""
    payments_of, evenings_of = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for payment, evening in links:
        payments_of[evening].add(payment)
        evenings_of[payment].add(evening)
    stay = stay.union(*(evenings for payment, evenings in evenings_of.items() if payment not in payments))
    kept, reached = set[int](), list(stay)
    while reached:
        for payment in payments_of[reached.pop()] - kept:
            kept.add(payment)
            reached += evenings_of[payment] - stay
            stay |= evenings_of[payment]
    return stay, kept


def undo(row: Import, go_on: GoOn) -> None:
    """Take out what came by the import, as far as there is time for. Raise ImportRefused."""
    if not _begin(row):
        return
    plan = planned(row)
    for keys in batched(plan.payments, BATCH):
        _take_payments_out(row, keys)
    for key in plan.evenings:
        _take_evening_out(row, key)
        if not go_on():
            return
    _end(row, plan.stay)


@writing
def _begin(row: Import) -> bool:
    """Note that the import is being taken out, and return whether there is something to take out."""
    hold_user(row.user_id)
    row.refresh_from_db()
    if row.state == Import.State.TAKEN and timezone.now() > _until(row):
        raise ImportRefused(_("It is too late: what came in can be taken out for a day."))
    if row.state in (Import.State.TAKING, Import.State.TAKEN):
        row.state = Import.State.UNDOING
        row.save(update_fields=["state"])
    return row.state == Import.State.UNDOING


@writing
def _take_payments_out(row: Import, keys: tuple[int, ...]) -> None:
    circle = _held_circle(row)
    if circle is not None and Repayment.objects.filter(circle=circle, pk__in=keys).delete()[0]:
        raise_repayment_version(circle)


@writing
def _take_evening_out(row: Import, key: int) -> None:
    """Delete a session unless it was changed, played or paid for since the plan was made."""
    circle = _held_circle(row)
    if circle is None or not Evening.objects.filter(pk=key, circle=circle).exists():
        return
    evening = hold_evening(key)
    came = _made(row, ImportMade.What.EVENING).filter(key=key).values_list("version", flat=True)
    is_paid = RepaymentEvening.objects.filter(evening=key).exists()
    if histories([key]) != {key: came[0]} or is_paid or _in_play([key]).exists():
        return
    results.drop_rollup(evening)
    if evening.has_ended:
        raise_ended_version(Evening.objects.filter(pk=key))
    evening.delete()


@writing
def _end(row: Import, stay: int) -> None:
    """Delete the players, house rules and authors that are used no more, and the circle if it came and is empty."""
    hold_user(row.user_id)
    circle = _held_circle(row)
    if circle is not None:
        _forget_authors(circle)
        _take_players_out(circle, list(_made(row, ImportMade.What.PLAYER).values_list("key", flat=True)))
        profiles = _made(row, ImportMade.What.PROFILE).values_list("key", flat=True)
        HouseProfile.objects.filter(circle=circle, pk__in=list(profiles)).delete()
        if _made(row, ImportMade.What.CIRCLE).filter(key=circle.pk).exists() and _is_empty(circle, row):
            circle.delete()
    end_undoing(row, stay)


def _made(row: Import, what: ImportMade.What) -> Any:
    return ImportMade.objects.filter(of=row.pk, what=what).order_by("key")


def _held_circle(row: Import) -> Circle | None:
    """Lock the circle that it went into; None if that is gone. Raise ImportRefused if its user may not write there."""
    key = Import.objects.values_list("circle", flat=True).get(pk=row.pk)
    return None if key is None else hold_circle_of(row, key)


def _forget_authors(circle: Circle) -> None:
    """Delete the former members who came as authors and have written nothing that is still there."""
    authors = Removal.objects.filter(circle=circle, user__username__startswith=AUTHOR)
    for removal in authors:
        by = Q(made_by=removal.user_id)
        written = (
            Revision.objects.filter(by, hand__evening__circle=circle),
            EveningChange.objects.filter(by & (Q(evening__circle=circle) | Q(player__circle=circle))),
            Repayment.objects.filter(by | Q(undone_by=removal.user_id), circle=circle),
            HouseProfile.objects.filter(by, circle=circle),
        )
        if not any(rows.exists() for rows in written):
            removal.delete()


def _take_players_out(circle: Circle, keys: list[int]) -> None:
    """Delete those of the players whom nothing names; other names of a player before himself."""
    for names in (Q(merged_into__isnull=False), Q(merged_into=None)):
        for batch in batched(keys, BATCH):
            rows = Player.objects.filter(names, circle=circle, pk__in=batch, **UNUSED)
            rows = rows.exclude(pk__in=Seat.objects.filter(sat_as__in=batch).values("sat_as"))
            for side in ("payer_as", "payee_as"):
                rows = rows.exclude(pk__in=Repayment.objects.filter(**{f"{side}__in": batch}).values(side))
            rows.delete()


def _is_empty(circle: Circle, row: Import) -> bool:
    others = circle.members.exclude(user=row.user_id)
    return not any(rows.exists() for rows in (others, circle.evenings, circle.repayments, circle.players))
