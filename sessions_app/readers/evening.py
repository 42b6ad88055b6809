"""The reader of an evening's own row."""

from typing import Any

from django.db.models import QuerySet

from sessions_app.models import GameSession
from sessions_app.prepared import Row, Slot, columns, loaded, prepared


def evening_of(pk: int) -> GameSession:
    """An evening: one query. Raises GameSession.DoesNotExist."""
    return loaded(GameSession, columns(GameSession), row_of(pk))


def row_of(pk: int) -> Row:
    """Its columns: one query. Raises GameSession.DoesNotExist."""
    rows = _evening.ask(pk=pk)
    if not rows:
        raise GameSession.DoesNotExist
    return rows[0]


@prepared
def _evening(pk: Slot) -> QuerySet[GameSession, Any]:
    return GameSession.objects.filter(pk=pk).values_list(*columns(GameSession))
