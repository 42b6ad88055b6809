"""The writer that takes out again what came by an import: for a day, and nothing else.

What was used since stays: a session that was changed, or for which a payment was made, with its players and payments.
"""

from dataclasses import dataclass
from datetime import datetime

from sessions_app.models import (
    Import,
)
from sessions_app.writers.import_rows import KEPT_FOR, GoOn


@dataclass(frozen=True, slots=True)
class Undo:
    """How many sessions would go, and stay as they were changed since; `until` when it can be done."""

    sessions: int
    stay: int
    until: datetime


def planned(row: Import, now: datetime) -> Undo | None:
    """Return what taking out would do; None if it is too late."""
    until = (row.closed_at or now) + KEPT_FOR
    return None if now > until else Undo(0, 0, until)


def undo(row: Import, go_on: GoOn) -> bool:
    return False
