"""Periods of the statistics: days in the tables' time zone, by which evenings are chosen by their start."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.utils import timezone

#: Years that a date may be of. Others are no evening's, and some cannot be converted between time zones.
YEARS: Final = range(1900, 2200)


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last`, both included; None where the period is open."""

    first: date | None = None
    last: date | None = None

    def of_evenings(self, prefix: str = "") -> dict[str, Any]:
        """Return the conditions on evenings that started in the period, for a query that reaches them by `prefix`."""
        found: dict[str, Any] = {}
        if self.first:
            found[f"{prefix}started_at__gte"] = midnight(self.first)
        if self.last:
            found[f"{prefix}started_at__lt"] = midnight(self.last + timedelta(days=1))
        return found


@dataclass(frozen=True, slots=True)
class ChosenPeriod:
    """A period as an address names it: `kind` is year, last, days or '' for all."""

    kind: str
    period: Period

    @property
    def this_year(self) -> int:
        return timezone.localdate().year

    @property
    def last_year(self) -> int:
        return self.this_year - 1

    @property
    def days(self) -> dict[str, str]:
        """Its first and its last day, as an address names them."""
        days = {"from": self.period.first, "to": self.period.last}
        return {name: day.isoformat() for name, day in days.items() if day}

    @property
    def query(self) -> dict[str, str]:
        """The part of an address that names it."""
        return self.days if self.kind == "days" else {"period": self.kind} if self.kind else {}


def year_of(year: int) -> ChosenPeriod:
    """Return a year as a period from day to day, so that its address stays the same after the year."""
    return ChosenPeriod("days", _whole(year))


def this_or_last_year(kind: str) -> ChosenPeriod | None:
    """Return the period that an address calls `year` or `last`; None for any other word."""
    if kind not in ("year", "last"):
        return None
    return ChosenPeriod(kind, _whole(timezone.localdate().year - (kind == "last")))


def _whole(year: int) -> Period:
    return Period(date(year, 1, 1), date(year, 12, 31))


def midnight(day: date) -> datetime:
    """Return the start of a day in the tables' time zone."""
    return timezone.make_aware(datetime.combine(day, time.min))
