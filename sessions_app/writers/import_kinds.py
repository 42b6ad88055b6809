"""The kinds of files that can be brought, a book or a table: how each is stored, read, reviewed and taken in."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import batched
from mmap import ACCESS_READ, mmap
from typing import IO, Any, Final

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scorekeeper.tables import grid, reading
from scorekeeper.tables.grid import MOST_BYTES, MOST_COLUMNS, TableRefused
from sessions_app.errors import DocumentRefused
from sessions_app.models import POINTS, Circle, Import, ImportMade, ImportPart, Revision, Role
from sessions_app.readers.book.document import Value, authors_in, packed
from sessions_app.readers.book.document_parts import cut
from sessions_app.readers.book.document_reading import Members, check_payment, check_session, head, into_of
from sessions_app.readers.book.document_session import CountedSession, counted_session
from sessions_app.readers.book.import_plan import (
    AT_ONCE,
    BATCH,
    PAYMENTS_AT_ONCE,
    BookFacts,
    BookReview,
    circles_of_sessions,
    part,
)
from sessions_app.readers.book.table_review import TableReview, grid_of
from sessions_app.readers.people.new_circles import require_new_circle
from sessions_app.transactions import hold_user, writing
from sessions_app.words.imports import refusal
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers.import_rows import (
    GoOn,
    Stored,
    as_stored,
    has_same_circle,
    hold_circle_of,
    left_out,
    made,
    made_evening,
)
from sessions_app.writers.imports import (
    ImportedPlayers,
    new_circle,
    write_payments,
    write_players,
    write_profiles,
    write_session,
)

# --- A book in JSON ---
#
# Its parts are counted one by one, reviewed, and taken in. Part 0 has the circle, its house rules and players; then
# comes a part for each session, and one for every PAYMENTS_AT_ONCE payments. The facts of a part are what the review
# needs of it, so that only one part is parsed at a time. A file is taken in whole or not at all: while one of its parts
# cannot be read, nothing of it is, unless the user leaves that session out. The payments for it stay out with it.


class BookImport:
    """Import of a book in JSON, and the base of other kinds.

    A method that takes long asks `go_on` between two steps, stops once that is false, and returns False. `template` is
    the part of the review that is its own; its context is `review`.
    """

    template = "import/_book.html"

    def stored(self, file: IO[bytes], make_way: GoOn) -> Stored:
        """Return what to store of a file. Raise DocumentRefused for one that cannot be read."""
        # A file in memory has no number; a pasted text is short.
        data = mmap(file.fileno(), 0, access=ACCESS_READ) if hasattr(file, "name") else file.read()
        parts = cut(data, make_way)
        value = head(parts)
        sessions, payments = (Members(parts, name) for name in ("sessions", "payments"))
        found = {"sessions": len(sessions), "payments": len(payments), "players": len(value["players"])}

        def parts_to_store() -> Iterator[bytes]:
            yield packed(value)
            for at in range(len(sessions)):
                make_way()
                yield sessions.raw(at)
            for batch in batched(range(len(payments)), PAYMENTS_AT_ONCE):
                yield b"[" + b",".join(map(payments.raw, batch)) + b"]"

        return Stored(Import.Kind.BOOK, parts_to_store(), found)

    def read(self, row: Import, go_on: GoOn) -> bool:
        """Read on in the stored file, and keep in `ImportPart.facts` or `Import.found` what that finds.

        Return True once there is nothing left to read.
        """
        unread = ImportPart.objects.filter(of=row.pk, facts__isnull=True, number__gt=0).order_by("number")
        numbers = list(unread.values_list("number", flat=True))
        value = part(row, 0) if numbers else {}
        facts: dict[int, Value] = {}
        is_whole = True
        for number in numbers:
            facts[number] = _facts(row, value, number)
            if len(facts) == AT_ONCE:
                _keep(row, facts)
                facts = {}
            if not go_on():
                is_whole = number == numbers[-1]
                break
        _keep(row, facts)
        if is_whole and numbers and row.circle_id is None:
            _propose_circle(row)
        return is_whole

    def answers(self, row: Import, posted: Mapping[str, str]) -> dict[str, Any]:
        """Return the answers that the review's form posts: the players chosen by the ids of the file's, 0 for new."""
        value = self.head(row)
        chosen = {}
        for number, player in enumerate(value["players"], start=1):
            key = whole_number(posted.get(f"player-{number}", ""), KEY_DIGITS)
            if key is not None:
                chosen[player["id"]] = key
        out = left_out(row, posted, range(1, row.found["sessions"] + 1))
        if posted.get("leave") == "unreadable":
            out |= BookFacts(row).unreadable()
        players = row.answers.get("players", {}) | chosen
        return {"players": players if has_same_circle(row, posted) else {}, "out": sorted(out)}

    def review(self, row: Import, shown: int) -> dict[str, Any]:
        """Return the context of the template, with `refused`: why it cannot be taken in, '' if it can.

        `shown` is the page of a long list, from 1.
        """
        return BookReview(row).context(shown)

    def head(self, row: Import) -> Value:
        """Return the book without its sessions and payments."""
        found: Value = part(row, 0)
        return found

    def take(self, row: Import, go_on: GoOn) -> bool:
        """Take in what is not there yet, in one transaction a session, and note each row by `import_rows.made`.

        Return True once all is in. Raise ImportRefused, DocumentRefused.
        """
        value, review = self.head(row), BookFacts(row)
        circle, players = _begin(row, value, review.authors(value), row.answers.get("players", {}))
        row.circle = circle
        known = circles_of_sessions(review.ids())
        for number, facts in review.taken.items():
            if facts["id"] in known:
                continue
            session = part(row, number)
            _write_session(row, session, players, counted_session(session, number))
            if not go_on():
                return False
        for number in review.payments:
            _take_payments(row, part(row, number), players)
            if not go_on() and number != max(review.payments):
                return False
        return True


@writing
def _propose_circle(row: Import) -> None:
    """Let a book that is here already, or a part of it, go into the circle that has it, if its user may write there."""
    mine = Circle.objects.filter(members__user=row.user_id, members__role__in=(Role.OWNER, Role.KEEPER), is_demo=False)
    circle = mine.filter(pk__in=set(circles_of_sessions(BookFacts(row).ids()).values())).order_by("pk").first()
    if circle is not None:
        Import.objects.filter(pk=row.pk, state=Import.State.OPEN, circle=None).update(circle=circle)
        row.circle = circle


@writing
def _keep(row: Import, facts: Mapping[int, Value]) -> None:
    parts = list(ImportPart.objects.filter(of=row.pk, number__in=facts).defer("data"))
    for each in parts:
        each.facts = facts[each.number]
    ImportPart.objects.bulk_update(parts, ["facts"])


# --- Facts of a part ---


def _facts(row: Import, value: Value, number: int) -> Value:
    """Return what the review needs of a session, or of some payments; with a `fault` if they cannot be read."""
    into = into_of(value["players"])
    is_session = number <= row.found["sessions"]
    first = number if is_session else (number - row.found["sessions"] - 1) * PAYMENTS_AT_ONCE + 1
    try:
        read = part(row, number)
        return _session_facts(read, first, into) if is_session else _payment_facts(read, first, into)
    except DocumentRefused as refused:
        path = refused.path or ["sessions" if is_session else "payments", str(first)]
        return {"fault": [refused.message, path, refused.said]}


def _session_facts(session: Value, number: int, into: Mapping[str, str | None]) -> Value:
    check_session(session, number, into)
    counted_session(session, number)
    return {
        "id": session["id"],
        "game": session["game"],
        "at": session["started_at"],
        "title": session["title"],
        "hands": len(session["hands"]),
        "seats": [[seat["player"], seat["sat_as"]] for seat in session["seats"]],
        "authors": sorted(authors_in([session], ())),
        "played": sorted(_currencies(session)),
    }


def _currencies(session: Value) -> set[str]:
    """Return the currencies that a session is, or was, played for, as `played_for` does."""
    changes = [change for change in session["changes"] if change["kind"] == "stake"]
    states = [session, *(change[when] for change in changes for when in ("before", "after"))]
    return {state["currency"] if state["stake"] else f"{POINTS}{session['game']}" for state in states}


def _payment_facts(payments: list[Value], first: int, into: Mapping[str, str | None]) -> Value:
    for number, payment in enumerate(payments, start=first):
        check_payment(payment, number, into)
    sides = [[each[f"{side}_as"] or each[side] for side in ("payer", "payee")] for each in payments]
    rows = [
        [each["id"], *pair, each["currency"], each["sessions"], each["undone"] is not None]
        for each, pair in zip(payments, sides, strict=True)
    ]
    return {"rows": rows, "first": first, "authors": sorted(authors_in((), payments))}


# --- Taking it in ---


@writing
def _begin(row: Import, value: Value, authors: set[str], chosen: Mapping[str, int]) -> tuple[Circle, ImportedPlayers]:
    """Write the circle if it is new, and the players, authors and house rules that are new.

    The user is locked first: a second tap finds the circle of the first.
    """
    user = hold_user(row.user_id)
    held = Import.objects.get(pk=row.pk)
    if held.circle_id is None:
        require_new_circle(user)
        circle = new_circle(value["circle"], user)
        Import.objects.filter(pk=row.pk).update(circle=circle)
        made(row, ImportMade.What.CIRCLE, [circle.pk])
    else:
        circle = hold_circle_of(row, held.circle_id)
    players, new = write_players(circle, value, authors, chosen)
    profiles = write_profiles(circle, value["house_profiles"], players)
    made(row, ImportMade.What.PLAYER, [player.pk for player in new])
    made(row, ImportMade.What.PROFILE, [profile.pk for profile in profiles])
    return circle, players


@writing
def _write_session(row: Import, session: Value, players: ImportedPlayers, counted: CountedSession) -> None:
    circle = hold_circle_of(row, row.circle_id or 0)
    evening = write_session(circle.pk, session, counted, players)
    if evening is not None:
        made_evening(row, evening)


@writing
def _take_payments(row: Import, payments: list[Value], players: ImportedPlayers) -> None:
    circle = hold_circle_of(row, row.circle_id or 0)
    if row.answers.get("out"):
        named = {token for payment in payments for token in payment["sessions"]}
        there = set(map(str, circle.evenings.filter(token__in=named).values_list("token", flat=True)))
        payments = [payment for payment in payments if there.issuperset(payment["sessions"])]
    written = write_payments(circle.pk, payments, players)
    made(row, ImportMade.What.PAYMENT, [payment.pk for payment in written])


# --- A table ---
#
# Each line of a spreadsheet or a paper book becomes an ended session. Part 0 of the import is the grid. When it is
# taken in, its sessions become the parts of a book in JSON, and are counted, checked and written as such: they stay as
# they were reviewed, however long that takes.


_POSTED: Final = re.compile("-?[0-9]{1,18}")


class TableImport(BookImport):
    """Import of a table."""

    template = "import/_table.html"

    def stored(self, file: IO[bytes], make_way: GoOn) -> Stored:
        data = file.read(MOST_BYTES + 1)
        try:
            found = grid.from_file(data)
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


# --- Kinds ---


KINDS: Final[Mapping[str, BookImport]] = {Import.Kind.BOOK: BookImport(), Import.Kind.TABLE: TableImport()}


def kind_of(file: IO[bytes]) -> BookImport:
    """Return the kind of a file by its first bytes: JSON is a book, anything else a table. Raise DocumentRefused."""
    begin = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()
    file.seek(0)
    kind = Import.Kind.BOOK if begin[:1] in (b"{", b"[") else Import.Kind.TABLE
    if not begin:
        raise DocumentRefused(_("there is nothing in it"))
    return KINDS[kind]
