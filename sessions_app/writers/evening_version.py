"""The only writer of an evening's version, on which every cache and every phone's poll depends.

Each write that changes what a page of the evening shows raises it in the same transaction, and with it the version of
the circle's ended evenings if the evening is one of these, before or after: then the caller has locked the circle.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet

from scorekeeper.db.compiled_queries import update
from sessions_app.models import Evening
from sessions_app.writers.circle_versions import raise_ended_version


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
