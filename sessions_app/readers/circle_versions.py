"""The counters by which caches of a circle's evenings are keyed, as they are in the open snapshot.

A write raises its counter in its own transaction, so what was read in one snapshot is the state of the counters that
were read in it. Without a snapshot there is no key, and nothing is taken from a cache or put into it.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sessions_app.models import Circle, Evening
from sessions_app.readers import snapshot


class CircleVersions(NamedTuple):
    """A circle's counters. The moment of creation tells circles apart, as a primary key may be reused."""

    circle: int
    created_at: datetime
    ended: int
    repayments: int

    @property
    def of_ended(self) -> tuple[int, datetime, int]:
        """The key of what is read of the ended evenings alone."""
        return self[:3]


def know(circle: Circle) -> None:
    """Note the counters of a circle that was just read in the open snapshot: they are not read again."""
    versions = CircleVersions(circle.pk, circle.created_at, circle.ended_version, circle.repayment_version)
    snapshot.know(_key(circle.pk), versions)


def versions_of(circle: Circle) -> CircleVersions | None:
    """Return the circle's counters in the open snapshot, None if none is open: one query for all of its readers."""
    if not snapshot.is_open():
        return None
    columns = Circle.objects.values_list("pk", "created_at", "ended_version", "repayment_version")
    return snapshot.read_once(_key(circle.pk), lambda: CircleVersions(*columns.get(pk=circle.pk)))


def _key(circle_id: int) -> tuple[str, int]:
    return ("circle", circle_id)


def stamp_of_running(circle: Circle) -> tuple[Any, ...]:
    """Return a value that differs whenever one of the circle's running evenings does: one query in a snapshot."""
    running = Evening.objects.filter(circle=circle, ended_at=None).order_by("pk").values_list("pk", "version")
    return snapshot.read_once(("running evenings", circle.pk), lambda: tuple(running))
