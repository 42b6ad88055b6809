"""The reader of an evening's own row."""

from typing import Any

from django.db.models import QuerySet

from scorekeeper.db.compiled_queries import Row, Slot, columns, compiled, loaded
from sessions_app.models import Evening


def evening_of(pk: int) -> Evening:
    """An evening: one query. Raises Evening.DoesNotExist."""
    return loaded(Evening, columns(Evening), row_of(pk))


def row_of(pk: int) -> Row:
    """Its columns: one query. Raises Evening.DoesNotExist."""
    rows = _evening.ask(pk=pk)
    if not rows:
        raise Evening.DoesNotExist
    return rows[0]


@compiled
def _evening(pk: Slot) -> QuerySet[Evening, Any]:
    return Evening.objects.filter(pk=pk).values_list(*columns(Evening))
