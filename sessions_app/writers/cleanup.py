"""Delete circles that were deleted a day ago, unused demos, imports that are over, and guests merged or unused.

No other real evening is touched, nor a user who has or ever had a part in one: a user whom any row outside a demo names
stays. Each transaction is short, and between two there is time for other writers.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from threading import Event
from typing import Any, Final

from django.db import DatabaseError, connection
from django.db.models import Exists, ManyToOneRel, OuterRef, Q, QuerySet
from django.utils import timezone

from sessions_app.models import Circle, Evening, EveningChange, HandInPlay, Member, Phone, Repayment, Revision, User
from sessions_app.readers.people.users import over
from sessions_app.transactions import writing
from sessions_app.writers import import_rows, users

UNUSED_FOR: Final = timedelta(days=30)
GUESTS_AT_A_TIME: Final = 100
#: Seconds between two transactions, so that a member who saves a hand meanwhile comes first.
PAUSE: Final = 0.05
AN_HOUR: Final = 3600
HOURS_OF_A_DAY: Final = 24
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    """The numbers of deleted circles, guests and imports."""

    circles: int
    guests: int
    imports: int = 0


def sweep(stopping: Event | None = None) -> Swept:
    """Delete circles that are due, and demos and guests unused for `UNUSED_FOR`, until `stopping` is set."""
    stopping, before = stopping or Event(), timezone.now() - UNUSED_FOR
    demos = _unused_demos(before).values_list("pk", flat=True)
    circles = delete_due(stopping) + sum(_each(demos, partial(_take_away, before=before), stopping))
    imports = sum(_each(import_rows.expired(timezone.now()), import_rows.forget, stopping))
    guests = sum(_each(over().order_by("pk").values_list("pk", flat=True), users.forget_merge, stopping))
    guests += sum(_each(_batches_of_guests(before), partial(_send_away, before=before), stopping))
    return Swept(circles, guests, imports)


def _each[Item](items: Iterable[Item], delete: Callable[[Item], int], stopping: Event) -> Iterator[int]:
    """Delete one after another until `stopping` is set, with time for other writers between two; yield the numbers."""
    for each in items:
        if stopping.is_set():
            return
        yield delete(each)
        stopping.wait(PAUSE)


def keep_swept(stopping: Event) -> None:
    """Sweep now and then once a day, in a thread beside a server, until `stopping` is set. Raise nothing.

    Deleted circles go within an hour after they are due.
    """
    for hour in count():
        if stopping.is_set():
            return
        try:
            _note(sweep(stopping) if hour % HOURS_OF_A_DAY == 0 else Swept(delete_due(stopping), 0))
        except DatabaseError as error:
            log.warning("Could not delete unused circles and guests; trying again later: %s", error)
        finally:
            connection.close()
        stopping.wait(AN_HOUR)


def _note(swept: Swept) -> None:
    if swept != Swept(0, 0):
        told = "Deleted %s circles, %s unused guests and %s imports that are over."
        log.info(told, swept.circles, swept.guests, swept.imports)


def delete_due(stopping: Event) -> int:
    """Delete the circles whose deletion can no longer be taken back, until `stopping` is set; return their number."""
    due = Circle.objects.filter(deleted_from__lte=timezone.now()).order_by("pk").values_list("pk", flat=True)
    return sum(number for circle in due for number in _each_part(circle, stopping))


def _each_part(circle: int, stopping: Event) -> Iterator[int]:
    """Delete a circle that is due, one evening after another: all of a large one would hold up writers for seconds."""
    evenings = Evening.objects.filter(circle=circle).order_by("pk").values_list("pk", flat=True)
    return _each((*evenings, None), partial(_delete_if_due, circle), stopping)


@writing
def _delete_if_due(circle: int, evening: int | None) -> int:
    """Delete an evening of a circle that is due, or the circle if there is none; return the number of circles."""
    if not Circle.objects.select_for_update().filter(pk=circle, deleted_from__lte=timezone.now()).exists():
        return 0
    if evening is None:
        _delete(circle)
        return 1
    # Without members nobody takes the deletion back, should the clock be set back meanwhile.
    Member.objects.filter(circle=circle).delete()
    Repayment.objects.filter(circle=circle).delete()
    Evening.objects.filter(pk=evening).delete()
    return 0


@writing
def _take_away(circle: int, before: datetime) -> int:
    # Locked with its key, since it is to be deleted, then checked again: it may have been used since.
    Circle.objects.select_for_update().filter(pk=circle).first()
    if not _unused_demos(before).filter(pk=circle).exists():
        return 0
    _delete(circle)
    return 1


def delete_circle(circle: int) -> None:
    """Delete a circle, part by part; `delete_due` deletes what is left of it after an interruption.

    Phones that have nothing else are swept as unused guests in time.
    """
    _make_due(circle)
    sum(_each_part(circle, Event()))


@writing
def _make_due(circle: int) -> None:
    Circle.objects.filter(pk=circle).update(deleted_from=timezone.now())


def _delete(circle: int) -> None:
    """Delete a locked circle; what protects others goes first."""
    Repayment.objects.filter(circle=circle).delete()
    Evening.objects.filter(circle=circle).delete()
    Circle.objects.filter(pk=circle).delete()


def _batches_of_guests(before: datetime) -> Iterator[list[int]]:
    batch, unused = [0], _unused_guests(before).values_list("pk", flat=True)
    while batch := list(unused.filter(pk__gt=batch[-1])[:GUESTS_AT_A_TIME]):
        yield batch


@writing
def _send_away(guests: list[int], before: datetime) -> int:
    # No new row can name a locked user. A guest whom a row has named meanwhile is no longer unused.
    list(User.objects.select_for_update().filter(pk__in=guests).order_by("pk").values_list("pk"))
    _all, gone = _unused_guests(before).filter(pk__in=guests).delete()
    return gone.get(User._meta.label, 0)


def _unused_demos(before: datetime) -> QuerySet[Circle]:
    """Return the demo circles not looked at or written to since `before`. (Their own evenings were played before.)"""
    seen = Member.objects.filter(Q(since__gte=before) | Q(last_seen_at__gte=before), circle=OuterRef("pk"))
    written = Revision.objects.filter(hand__evening__circle=OuterRef("pk"), made_at__gte=before)
    edited = EveningChange.objects.filter(
        Q(evening__circle=OuterRef("pk")) | Q(player__circle=OuterRef("pk")), made_at__gte=before
    )
    played = HandInPlay.objects.filter(evening__circle=OuterRef("pk"), changed_at__gte=before)
    paid = Repayment.objects.filter(Q(made_at__gte=before) | Q(undone_at__gte=before), circle=OuterRef("pk"))
    begun = Evening.objects.filter(Q(started_at__gte=before) | Q(ended_at__gte=before), circle=OuterRef("pk"))
    used = Exists(seen) | Exists(written) | Exists(edited) | Exists(played) | Exists(paid) | Exists(begun)
    return Circle.objects.filter(~used, is_demo=True, created_at__lt=before).order_by("pk")


def _unused_guests(before: datetime) -> QuerySet[User]:
    """Return the guests of no phone that was seen since `before`, whom no row of any other database table names."""
    guests = User.objects.filter(is_guest=True, date_joined__lt=before)
    guests = guests.filter(Q(last_login=None) | Q(last_login__lt=before)).order_by("pk")
    guests = guests.exclude(Exists(Phone.objects.filter(user=OuterRef("pk"), last_seen_on__gte=before.date())))
    for model, field in _namers():
        guests = guests.exclude(Exists(model._base_manager.filter(**{field: OuterRef("pk")})))
    return guests


def _namers() -> Iterator[tuple[Any, str]]:
    """Yield (model, field name) of every reference to a user but that of his own phones.

    They are found in the models, so that no new one is missed.
    """
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.related_model is not Phone:
            yield relation.related_model, relation.field.name
