"""The stamps of a circle's evenings, by which caches of what they come to are keyed."""

from typing import Any

from django.db.models import Count, Max, QuerySet, Sum

from scorekeeper.db.compiled_queries import Slot, compiled
from sessions_app.models import Circle, Evening


def stamp_of_ended(circle: Circle) -> tuple[Any, ...]:
    """Return a value that differs whenever one of the circle's ended evenings does: one query.

    An evening ends at a later time than all before it, and each change of an ended one raises its version. So an equal
    number of ended evenings with the same latest end and the same sum of versions is the same state. The moment of
    creation tells circles apart, as a primary key may be reused.
    """
    return (circle.pk, circle.created_at, *map(tuple, _stamp.ask(circle=circle.pk)))


@compiled
def _stamp(circle: Slot) -> QuerySet[Evening, Any]:
    ended = Evening.objects.filter(circle=circle, ended_at__isnull=False).order_by().values("circle")
    found = ended.annotate(number=Count("pk"), latest=Max("ended_at"), versions=Sum("version"))
    return found.values_list("number", "latest", "versions")


def stamp_of_running(circle: Circle) -> tuple[Any, ...]:
    """Return a value that differs whenever one of the circle's running evenings does: one query."""
    return tuple(map(tuple, _running.ask(circle=circle.pk)))


@compiled
def _running(circle: Slot) -> QuerySet[Evening, Any]:
    return Evening.objects.filter(circle=circle, ended_at=None).order_by("pk").values_list("pk", "version")
