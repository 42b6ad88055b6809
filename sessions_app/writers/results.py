"""The only writer of what is stored of an ended evening: its seats' results and points, and its roll-up.

Also of the time zone by which the days and years of these were counted.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Q

from sessions_app.errors import DAMAGE, StakeTooHigh
from sessions_app.models import LARGEST_RESULT, Evening, EveningRollup, FormerResult, Installation, Seat
from sessions_app.readers.evening.figures import EDITION, points_at, records_of, stored_figures
from sessions_app.readers.money.balances import NO_RESULT, counted_result
from sessions_app.transactions import held, raise_ended_version, writing


def write_results(evening: Evening, *, must_fit: bool = False) -> None:
    """Store the seats' results of an evening that the caller has ended or edited, and holds locked with its circle.

    It sets the `result_currency`, which the caller saves. Results that were stored before and differ are kept as former
    ones. A result that cannot be stored is left out, for an evening must end; `verify` names it. One that `must_fit`
    raises StakeTooHigh instead.
    """
    seats = list(evening.seats.all())
    result = counted_result(evening, [seat.position for seat in seats])
    if not result.is_storable:
        if must_fit:
            raise StakeTooHigh
        result = NO_RESULT
    replaced = []
    for seat in seats:
        amount = result.amounts.get(seat.position)
        stored, parts = (None, 1) if amount is None else amount.as_integer_ratio()
        was, was_parts, was_in = seat.result, seat.result_parts, evening.result_currency
        if was is not None and (was, was_parts, was_in) != (stored, parts, result.currency):
            replaced.append(FormerResult(seat=seat, result=was, result_parts=was_parts, currency=was_in))
        seat.result, seat.result_parts = stored, parts
    FormerResult.objects.bulk_create(replaced)
    Seat.objects.bulk_update(seats, ["result", "result_parts"])
    evening.result_currency = result.currency


def check_results(evening: Evening) -> None:
    """Raise StakeTooHigh if the result of the evening, by its sheet of now, could not be stored."""
    if not counted_result(evening, evening.seats.values_list("position", flat=True)).is_storable:
        raise StakeTooHigh


# --- Roll-ups and points ---


#: Evenings counted in one transaction when old ones are filled in.
BATCH: Final = 50
log = logging.getLogger(__name__)


def write_rollup(evening: Evening, figures: dict[str, Any]) -> None:
    """Write the roll-up of an evening that the caller has just ended, and holds locked with its circle."""
    EveningRollup.objects.create(evening=evening, edition=EDITION, figures=figures)
    write_points({evening: figures})


def write_points(ended: Mapping[Evening, Mapping[str, Any]]) -> None:
    """Store the seats' points of these evenings by their figures; None where no hand counts, or for too many."""
    seats = list(Seat.objects.filter(evening__in=ended))
    of_key = {evening.pk: (evening.is_written, figures) for evening, figures in ended.items()}
    for seat in seats:
        is_written, figures = of_key[seat.evening_id]
        points, took_part = points_at(figures, seat.position)
        if is_written and abs(points.numerator) <= LARGEST_RESULT:
            seat.points, seat.points_parts = points.as_integer_ratio()
        else:
            seat.points, seat.points_parts = None, 1
        seat.took_part = took_part
    Seat.objects.bulk_update(seats, ["points", "points_parts", "took_part"])


def drop_rollup(evening: Evening) -> None:
    """Delete the roll-up, if there is one, of an evening that the caller holds locked."""
    EveningRollup.objects.filter(evening=evening.pk).delete()


def fill_rollups() -> int:
    """Count the roll-ups of ended evenings that have none, or one of another edition; return how many.

    A transaction holds a few evenings, so that a member who saves a hand does not wait for all. An evening whose data
    is damaged is left out and logged: `manage verify` names its faults.
    """
    done, after = 0, 0
    while batch := _outdated(after):
        done += _fill(batch)
        after = batch[-1]
    return done


def _outdated(after: int) -> Sequence[int]:
    current = Q(rollup__edition=EDITION)
    found = Evening.objects.filter(~current, ended_at__isnull=False, pk__gt=after)
    return list(found.order_by("pk").values_list("pk", flat=True)[:BATCH])


@writing
def _fill(batch: Sequence[int]) -> int:
    list(held(Evening.objects.filter(pk__in=batch)).values_list("pk"))
    rows = []
    for record in records_of(list(Evening.objects.filter(pk__in=batch, ended_at__isnull=False).order_by("pk"))):
        try:
            figures = stored_figures(record)
        except DAMAGE as error:
            log.warning("Could not count the statistics of session %s: %r", record.evening.pk, error)
            continue
        rows.append(EveningRollup(evening=record.evening, edition=EDITION, figures=figures))
    EveningRollup.objects.filter(evening__in=batch).delete()
    EveningRollup.objects.bulk_create(rows)
    write_points({row.evening: row.figures for row in rows})
    raise_ended_version(Evening.objects.filter(pk__in=batch))
    return len(rows)


# --- The time zone ---


@writing
def keep_time_zone(zone: str) -> None:
    """Store the time zone unless one is stored."""
    Installation.objects.get_or_create(pk=1, defaults={"time_zone": zone})


@writing
def change_time_zone(zone: str) -> str:
    """Store the time zone, and return the former one, '' for none."""
    before = Installation.objects.values_list("time_zone", flat=True).first() or ""
    if before != zone:
        Installation.objects.update_or_create(pk=1, defaults={"time_zone": zone})
    return before
