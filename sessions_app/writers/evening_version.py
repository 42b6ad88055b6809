"""The only writer of an evening's version, on which every cache and every phone's poll depends.

Each write that changes what a page of the evening shows raises it in the same transaction.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet

from scorekeeper.db.compiled_queries import update
from sessions_app.models import Evening


def raise_versions(evenings: QuerySet[Evening], **changes: Any) -> None:
    """Raise the version of these evenings and set the columns `changes`, in one statement."""
    evenings.update(version=F("version") + 1, **changes)


def raise_version(evening: Evening, *changed: str) -> None:
    """Raise the version of a locked evening, and save it with the fields named in `changed`."""
    evening.version += 1
    evening.save(update_fields=[*changed, "version"])


def claim(evening: Evening, changes: Mapping[str, Any]) -> bool:
    """Raise the version and set `changes` in one statement, if the version in the database is still `evening`'s.

    Return whether it was: of several writers that read the same version, one claims it.
    """
    return bool(
        update(
            Evening,
            {"id": evening.pk, "version": evening.version},
            {"version": evening.version + 1, **changes},
        )
    )
