"""The import of a table of a spreadsheet or a paper book: each of its lines becomes an ended session.

Part 0 of the import is the grid. When it is taken in, its sessions become the parts of a book in JSON, and are counted,
checked and written as such: what is taken in stays as it was reviewed, however long that takes.
"""

import re
from collections.abc import Iterable, Mapping
from typing import IO, Any, Final

from django.utils import timezone

from scorekeeper.tables import grid, reading
from scorekeeper.tables.grid import MOST_BYTES, MOST_COLUMNS, TableRefused
from sessions_app.errors import DocumentRefused
from sessions_app.models import Import, ImportMade, ImportPart, Revision
from sessions_app.readers.book.document import Value, packed
from sessions_app.readers.book.import_plan import BATCH
from sessions_app.readers.book.table_review import TableReview, grid_of
from sessions_app.words.tables import refusal
from sessions_app.writers.import_book import BookImport
from sessions_app.writers.import_rows import GoOn, Stored, as_stored, has_same_circle, left_out
from sessions_app.writers.transactions import hold_user, writing

_POSTED: Final = re.compile("-?[0-9]{1,18}")


class TableImport(BookImport):
    """Import of a table: an `ImportKind`."""

    template = "import/_table.html"

    def stored(self, file: IO[bytes], make_way: GoOn) -> Stored:
        data = file.read(MOST_BYTES + 1)
        try:
            grid.refuse_others(data)
            found = grid.from_workbook(data) if grid.is_workbook(data) else grid.from_bytes(data)
            make_way()
            reading.read(found, timezone.localdate())
        except TableRefused as refused:
            raise DocumentRefused("%s", said=refusal(refused.message)) from None
        return Stored(Import.Kind.TABLE, [packed([[line.number, *line.cells] for line in found])], {})

    def read(self, row: Import, go_on: GoOn) -> bool:
        return True

    def answers(self, row: Import, posted: Mapping[str, str]) -> dict[str, Any]:
        """Return the answers; those on players are dropped if the circle is another one."""
        asked = {name: posted[name][:20] for name in ("game", "order", "unit", "currency", "stake") if name in posted}
        of_players = _whole_numbers(posted, "player-", range(MOST_COLUMNS)) if has_same_circle(row, posted) else {}
        numbers = {line.number for line in grid_of(row)}
        gives = row.answers.get("gives", {}) | _whole_numbers(posted, "gives-", numbers)
        return asked | {"players": of_players, "gives": gives, "out": sorted(left_out(row, posted, numbers))}

    def review(self, row: Import, shown: int) -> dict[str, Any]:
        return TableReview(row).context(shown)

    def head(self, row: Import) -> Value:
        found: Value = row.found["head"]
        return found

    def take(self, row: Import, go_on: GoOn) -> bool:
        if "sessions" not in row.found:
            _make_book(row)
        is_whole = super().take(row, go_on)
        if is_whole:
            _sign(row)
        return is_whole


def _make_book(row: Import) -> None:
    """Store the sessions that the table becomes by its answers, as the parts of a book."""
    plan = TableReview(row).plan
    parts = [
        ImportPart(of=row, number=number, data=as_stored(packed(value)), facts={"id": value["id"]})
        for number, value in enumerate(plan.values(), start=1)
    ]
    _store_book(row, parts, {"head": plan.head(), "sessions": len(parts), "payments": 0}, plan.chosen)


@writing
def _store_book(row: Import, parts: list[ImportPart], found: Mapping[str, Any], chosen: Mapping[str, int]) -> None:
    """Store them unless the request of a second tap has done so."""
    hold_user(row.user_id)
    row.refresh_from_db()
    if "sessions" not in row.found:
        ImportPart.objects.bulk_create(parts, BATCH)
        row.found |= found
        row.answers = {"players": chosen}
        row.bytes += sum(len(part.data) for part in parts)
        row.save(update_fields=["found", "answers", "bytes"])


@writing
def _sign(row: Import) -> None:
    """Name the user as the author of what came in."""
    made = ImportMade.objects.filter(of=row.pk, what=ImportMade.What.EVENING)
    revisions = Revision.objects.filter(hand__evening__in=made.values("key"), made_by=None)
    revisions.update(made_by=row.user_id)


def _whole_numbers(posted: Mapping[str, str], prefix: str, of: Iterable[int]) -> dict[str, int]:
    """Return the whole numbers that were posted for these columns or lines, by the numbers of those."""
    texts = {str(each): posted.get(f"{prefix}{each}", "") for each in of}
    return {each: int(text) for each, text in texts.items() if _POSTED.fullmatch(text)}
