"""The writer of imports: a file is stored, reviewed, taken in or dropped, and what came in can be taken out for a day.

One import of a user's is open at a time: another file takes the place of the one that waits. An import belongs to its
user alone, who must be able to write to the circle that it goes into when each part of it is written.
"""

import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from sessions_app.errors import ImportBusy, ImportRefused
from sessions_app.models import (
    FILE_NAME_LENGTH,
    Circle,
    Evening,
    EveningChange,
    Import,
    ImportMade,
    ImportPart,
    Member,
    Revision,
    Role,
    User,
)
from sessions_app.transactions import hold_circle, hold_user, writing

#: How long a file waits to be taken in, and how long it can be taken out again.
KEPT_FOR: Final = timedelta(days=1)
#: How long an import waits that was interrupted while it was taken in or out.
KEPT_HALF_FOR: Final = timedelta(days=30)
#: How long an import that was interrupted while it was taken in keeps out another one. Its sessions stay.
STUCK_AFTER: Final = timedelta(hours=1)
#: Bytes of all parts that are stored, and of those that one transaction stores.
MOST_BYTES: Final = 500_000_000
BATCH_BYTES: Final = 1_000_000

#: Characters of the numbers of those sessions that a page of the review lists, and such a number.
MOST_LISTED: Final = 1_000
_LISTED: Final = re.compile("[0-9]{1,6}")

#: Called between two steps of long work: False once the time for it is over.
type GoOn = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as it is stored: its kind, its parts, and the facts that are known of them already."""

    kind: Import.Kind
    parts: Iterable[bytes]
    found: dict[str, Any]


def open_import(user: User, stored: Stored, *, file_name: str, circle: Circle | None) -> Import:
    """Store a file to be reviewed, in the place of one that waits. Raise ImportBusy, ImportRefused, DocumentRefused.

    `circle` is the one from whose page it was brought; `parts` are stored as they are made.
    """
    row = _new(user=user, kind=stored.kind, circle=circle, file_name=shown_name(file_name), state=Import.State.DROPPED)
    try:
        for number, batch in _batches(stored.parts):
            _store(row, number, batch)
        row.found = stored.found
        _open(row)
    except BaseException:
        forget(row.pk)
        raise
    return row


@writing
def _new(**columns: Any) -> Import:
    return Import.objects.create(**columns)


def shown_name(name: str) -> str:
    """Return a file's name as a page can show it."""
    return "".join(letter for letter in name if letter.isprintable())[:FILE_NAME_LENGTH].strip()


def _batches(parts: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the parts, compressed, by as many as one transaction stores, and the number of the first of them."""
    number, size, batch = 0, 0, list[bytes]()
    for part in parts:
        batch.append(as_stored(part))
        size += len(batch[-1])
        if size > BATCH_BYTES:
            yield number, batch
            number, size, batch = number + len(batch), 0, []
    yield number, batch


def as_stored(part: bytes) -> bytes:
    return zlib.compress(part, 1)


@writing
def _store(row: Import, number: int, batch: list[bytes]) -> None:
    stored = Import.objects.aggregate(sum=Sum("bytes"))["sum"] or 0
    size = sum(map(len, batch))
    if stored + size > MOST_BYTES:
        raise ImportRefused(_("Too many files wait here to be taken in. Try again tomorrow."))
    ImportPart.objects.bulk_create(ImportPart(of=row, number=at, data=data) for at, data in enumerate(batch, number))
    row.bytes += size
    row.save(update_fields=["bytes"])


@writing
def _open(row: Import) -> None:
    hold_user(row.user_id)
    mine = Import.objects.filter(user=row.user_id)
    for stuck in mine.filter(state=Import.State.TAKING, made_at__lt=timezone.now() - STUCK_AFTER):
        _close(stuck, Import.State.TAKEN)
    if mine.filter(state=Import.State.TAKING).exists():
        raise ImportBusy
    for waiting in mine.filter(state=Import.State.OPEN):
        _close(waiting, Import.State.DROPPED)
    row.state = Import.State.OPEN
    row.save(update_fields=["state", "found"])


def waiting(user: User) -> Import | None:
    """Return the user's import that waits for an answer, or is being taken in."""
    return Import.objects.filter(user=user.pk, state__in=(Import.State.OPEN, Import.State.TAKING)).first()


@writing
def answered(row: Import, circle: Circle | None, answers: dict[str, Any]) -> None:
    """Keep the answers that the user gives in the review, unless it was taken in or dropped meanwhile."""
    hold_user(row.user_id)
    Import.objects.filter(pk=row.pk, state=Import.State.OPEN).update(circle=circle, answers=answers)
    row.refresh_from_db()


def has_same_circle(row: Import, posted: Mapping[str, str]) -> bool:
    """Return whether the players were chosen among those of the circle that the file is to go into."""
    return {posted.get("circle", ""), posted.get("of_circle", "")} == {str(row.circle_id or "")}


def left_out(row: Import, posted: Mapping[str, str], numbers: Collection[int]) -> set[int]:
    """Return those of these sessions that the user leaves out, by a form that `listed` some of them."""
    listed = {int(text) for text in posted.get("listed", "")[:MOST_LISTED].split() if _LISTED.fullmatch(text)}
    chosen = {number for number in listed if f"out-{number}" in posted}
    return ((set(row.answers.get("out", ())) - listed) | chosen).intersection(numbers)


@writing
def drop(row: Import) -> None:
    """Drop a file that waits. Dropping it twice, or after it was taken in, changes nothing."""
    hold_user(row.user_id)
    row.refresh_from_db()
    if row.state == Import.State.OPEN:
        _close(row, Import.State.DROPPED)


@writing
def begin_to_take(row: Import) -> bool:
    """Note that the file is being taken in, and return whether there is something to take."""
    hold_user(row.user_id)
    row.refresh_from_db()
    if row.state == Import.State.OPEN:
        row.state = Import.State.TAKING
        row.save(update_fields=["state"])
    return row.state == Import.State.TAKING


@writing
def end_taking(row: Import) -> None:
    """Note that all of the file is in. Nothing more of it is needed."""
    hold_user(row.user_id)
    row.refresh_from_db()
    if row.state == Import.State.TAKING:
        _close(row, Import.State.TAKEN)


def close_early(row: Import) -> None:
    """Close an import for good, for a caller that has locked its user. What it has taken in stays."""
    _close(row, Import.State.TAKEN if row.state == Import.State.TAKING else Import.State.DROPPED)


def end_undoing(row: Import, stayed: int) -> None:
    """Note, in the transaction that deletes its last rows, that the import is out but for so many sessions."""
    row.refresh_from_db()
    row.found |= {"stayed": stayed}
    row.save(update_fields=["found"])
    _close(row, Import.State.UNDONE)


def _close(row: Import, state: Import.State) -> None:
    row.state, row.closed_at, row.bytes = state, timezone.now(), 0
    row.save(update_fields=["state", "closed_at", "bytes"])
    ImportPart.objects.filter(of=row.pk).delete()


def made(row: Import, what: ImportMade.What, keys: Iterable[int], *, version: int = 0) -> None:
    """Note in the transaction that makes these rows that they came by the import."""
    rows = (ImportMade(of=row, what=what, key=key, version=version) for key in keys)
    ImportMade.objects.bulk_create(rows, 500, ignore_conflicts=True)


def made_evening(row: Import, evening: Evening) -> None:
    """Note in the transaction that writes an evening, with all its hands, that it came by the import."""
    made(row, ImportMade.What.EVENING, [evening.pk], version=histories([evening.pk])[evening.pk])


def sessions_made(row: Import) -> int:
    """Return how many sessions have come by the import."""
    return ImportMade.objects.filter(of=row.pk, what=ImportMade.What.EVENING).count()


def sessions_to_make(row: Import) -> int:
    """Return how many sessions of its file are taken in, 0 while that is not known."""
    return int(row.found.get("sessions", 0)) - len(row.answers.get("out", ()))


def histories(evenings: Collection[int]) -> dict[int, int]:
    """Return a number for each of these evenings that is there, which differs once its hands, it or its end changed.

    Not its version: a player who is renamed raises that.
    """
    revisions, changes = (
        dict(rows.values_list(of).annotate(count=Count("pk")).order_by())
        for rows, of in (
            (Revision.objects.filter(hand__evening__in=evenings), "hand__evening"),
            (EveningChange.objects.filter(evening__in=evenings), "evening"),
        )
    )
    rows = Evening.objects.filter(pk__in=evenings).values_list("pk", "ended_at")
    return {pk: 2 * (revisions.get(pk, 0) + changes.get(pk, 0)) + (ended_at is not None) for pk, ended_at in rows}


def hold_circle_of(row: Import, circle_id: int) -> Circle:
    """Lock the circle that an import goes into. Raise ImportRefused unless its user may write there."""
    circle = hold_circle(circle_id)
    member = Member.objects.filter(circle=circle.pk, user=row.user_id).first()
    if member is None or not member.may(Role.KEEPER) or circle.is_closed:
        raise ImportRefused(_("You cannot write to this circle any more."))
    return circle


# --- Those that are over ---


def expired(now: datetime) -> list[int]:
    """Return the keys of the imports that are of no more use, the oldest first. One that can go on is kept longer."""
    state, over = Import.State, now - KEPT_FOR
    half = Q(state__in=(state.TAKING, state.UNDOING), made_at__lt=now - KEPT_HALF_FOR)
    whole = Q(state__in=(state.TAKEN, state.UNDONE), closed_at__lt=over)
    rows = Import.objects.filter(half | whole | Q(state__in=(state.OPEN, state.DROPPED), made_at__lt=over))
    return list(rows.order_by("pk").values_list("pk", flat=True))


@writing
def forget(import_id: int) -> int:
    """Delete an import that is over, and nothing that came by it. Return how many were deleted."""
    gone, _rows = Import.objects.filter(pk=import_id).delete()
    return int(gone > 0)
