"""The only writer of a circle's counters, on which the caches of what is open and of its leaderboards depend.

Each is raised in the transaction of the write that it counts.
"""

from django.db.models import F, QuerySet

from sessions_app.models import Circle, Evening


def raise_repayment_version(circle: Circle) -> None:
    """Raise the version of a locked circle's repayments: one of them, or whose it is, has changed."""
    circle.repayment_version += 1
    circle.save(update_fields=["repayment_version"])


def raise_ended_version(evenings: QuerySet[Evening]) -> None:
    """Raise the version of the ended evenings of locked circles: these have ended, or are no longer what they were."""
    circles = Circle.objects.filter(pk__in=evenings.values("circle"))
    circles.update(ended_version=F("ended_version") + 1)
