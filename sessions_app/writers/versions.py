"""The only writer of the versions of evenings and of circles, on which every cache and every phone's poll depend.

Each is raised in the transaction of the write that it counts. Each write that changes what a page of the evening shows
raises the evening's, and with it the version of the circle's ended evenings if the evening is one of these, before or
after: then the caller has locked the circle.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet

from scorekeeper.db.compiled_queries import update
from sessions_app.models import Circle, Evening


def raise_repayment_version(circle: Circle) -> None:
    """Raise the version of a locked circle's repayments: one of them, or whose it is, has changed."""
    circle.repayment_version += 1
    circle.save(update_fields=["repayment_version"])


def raise_ended_version(evenings: QuerySet[Evening]) -> None:
    """Raise the version of the ended evenings of locked circles: these have ended, or are no longer what they were."""
    circles = Circle.objects.filter(pk__in=evenings.values("circle"))
    circles.update(ended_version=F("ended_version") + 1)


def raise_versions(evenings: QuerySet[Evening], **changes: Any) -> None:
    """Raise the version of these evenings and set the columns `changes`, in one statement."""
    raise_ended_version(evenings if "ended_at" in changes else evenings.filter(ended_at__isnull=False))
    evenings.update(version=F("version") + 1, **changes)


def raise_version(evening: Evening, *changed: str) -> None:
    """Raise the version of a locked evening, and save it with the fields named in `changed`."""
    if evening.has_ended or "ended_at" in changed:
        raise_ended_version(Evening.objects.filter(pk=evening.pk))
    evening.version += 1
    evening.save(update_fields=[*changed, "version"])


def claim(evening: Evening, changes: Mapping[str, Any]) -> bool:
    """Raise the version and set `changes` in one statement, if the version in the database is still `evening`'s.

    For an evening that runs. Return whether it was: of several writers that read the same version, one claims it.
    """
    return bool(
        update(
            Evening,
            {"id": evening.pk, "version": evening.version},
            {"version": evening.version + 1, **changes},
        )
    )
