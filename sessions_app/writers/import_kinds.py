"""The kinds of files that can be brought: how each is stored, read, reviewed and taken in."""

from collections.abc import Mapping
from typing import IO, Any, Final, Protocol

from django.utils.translation import gettext_noop as _

from sessions_app.errors import DocumentRefused
from sessions_app.models import Import
from sessions_app.writers.import_book import BookImport
from sessions_app.writers.import_rows import GoOn, Stored
from sessions_app.writers.import_table import TableImport


class ImportKind(Protocol):
    """A kind of import. What takes long asks `go_on` between two steps, stops once that is false, and returns False.

    `template` is the part of the review that is its own; its context is `review`.
    """

    template: str

    def stored(self, file: IO[bytes], make_way: GoOn) -> Stored:
        """Return what to store of a file. Raise DocumentRefused for one that cannot be read."""

    def read(self, row: Import, go_on: GoOn) -> bool:
        """Read on in the stored file, and keep in `ImportPart.facts` or `Import.found` what that finds.

        Return True once there is nothing left to read.
        """

    def answers(self, row: Import, posted: Mapping[str, str]) -> dict[str, Any]:
        """Return the answers that the review's form posts, for the row to keep."""

    def review(self, row: Import, shown: int) -> dict[str, Any]:
        """Return the context of the template, with `refused`: why it cannot be taken in, '' if it can.

        `shown` is the page of a long list, from 1.
        """

    def take(self, row: Import, go_on: GoOn) -> bool:
        """Take in what is not there yet, in one transaction a session, and note each row by `import_rows.made`.

        Return True once all is in. Raise ImportRefused, DocumentRefused.
        """


KINDS: Final[Mapping[str, ImportKind]] = {Import.Kind.BOOK: BookImport(), Import.Kind.TABLE: TableImport()}


def kind_of(file: IO[bytes]) -> ImportKind:
    """Return the kind of a file by its first bytes: JSON is a book, anything else a table. Raise DocumentRefused."""
    begin = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()
    file.seek(0)
    kind = Import.Kind.BOOK if begin[:1] in (b"{", b"[") else Import.Kind.TABLE
    if not begin:
        raise DocumentRefused(_("there is nothing in it"))
    return KINDS[kind]
