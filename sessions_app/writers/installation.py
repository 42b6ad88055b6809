"""The writer of the time zone that the data are of."""

from sessions_app.models import Installation
from sessions_app.transactions import writing


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
