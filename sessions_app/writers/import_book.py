"""The import of a book in JSON, from a page: its parts are counted one by one, reviewed, and taken in.

Part 0 has the circle, its house rules and players; then comes a part for each session, and one for every
PAYMENTS_AT_ONCE payments. The facts of a part are what the review needs of it, so that only one part is parsed at a
time. A file is taken in whole or not at all: while one of its parts cannot be read, nothing of it is, unless the user
leaves that session out. The payments that are for it stay out with it.
"""

from collections.abc import Iterator, Mapping
from itertools import batched
from mmap import ACCESS_READ, mmap
from typing import IO, Any

from sessions_app.errors import DocumentRefused
from sessions_app.models import POINTS, Circle, Import, ImportMade, ImportPart, Role
from sessions_app.readers.book.document import Value, authors_in, packed
from sessions_app.readers.book.document_parts import cut, parsed
from sessions_app.readers.book.document_reading import Members, check_payment, check_session, head, into_of
from sessions_app.readers.book.document_session import counted_session
from sessions_app.readers.book.import_plan import (
    AT_ONCE,
    PAYMENTS_AT_ONCE,
    BookFacts,
    BookReview,
    circles_of_sessions,
    part,
)
from sessions_app.readers.people.new_circles import require_new_circle
from sessions_app.words.parsing import KEY_DIGITS, whole_number
from sessions_app.writers.import_rows import (
    GoOn,
    Stored,
    has_same_circle,
    left_out,
    made,
    made_evening,
    require_writer,
)
from sessions_app.writers.imported_players import ImportedPlayers, write_players
from sessions_app.writers.imports import new_circle, write_payments, write_profiles, write_session
from sessions_app.writers.transactions import hold_circle, hold_user, writing


class BookImport:
    """Import of a book in JSON: an `ImportKind`."""

    template = "import/_book.html"

    def stored(self, file: IO[bytes], make_way: GoOn) -> Stored:
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
        unread = ImportPart.objects.filter(of=row.pk, facts__isnull=True, number__gt=0).order_by("number")
        numbers = list(unread.values_list("number", flat=True))
        value = parsed(part(row, 0)) if numbers else {}
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
        """Return the chosen players by the ids of the file's; 0 for a new one."""
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
        return BookReview(row).context(shown)

    def head(self, row: Import) -> Value:
        """Return the book without its sessions and payments."""
        found: Value = parsed(part(row, 0))
        return found

    def take(self, row: Import, go_on: GoOn) -> bool:
        value, review = self.head(row), BookFacts(row)
        circle, players = _begin(row, value, review.authors(value), row.answers.get("players", {}))
        row.circle = circle
        known = circles_of_sessions(review.ids())
        for number, facts in review.taken.items():
            if facts["id"] in known:
                continue
            session = parsed(part(row, number))
            _write_session(row, session, number, players, counted_session(session, number))
            if not go_on():
                return False
        for number in review.payments:
            _take_payments(row, parsed(part(row, number)), players)
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


# --- What a part says ---


def _facts(row: Import, value: Value, number: int) -> Value:
    """Return what the review needs of a session, or of some payments; with a `fault` if they cannot be read."""
    into = into_of(value["players"])
    is_session = number <= row.found["sessions"]
    first = number if is_session else (number - row.found["sessions"] - 1) * PAYMENTS_AT_ONCE + 1
    try:
        read = parsed(part(row, number))
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
        circle = hold_circle(held.circle_id)
        require_writer(row, circle)
    players, new = write_players(circle, value, authors, chosen)
    profiles = write_profiles(circle, value["house_profiles"], players)
    made(row, ImportMade.What.PLAYER, [player.pk for player in new])
    made(row, ImportMade.What.PROFILE, [profile.pk for profile in profiles])
    return circle, players


@writing
def _write_session(row: Import, session: Value, number: int, players: ImportedPlayers, counted: Any) -> None:
    circle = hold_circle(row.circle_id or 0)
    require_writer(row, circle)
    evening = write_session(circle, session, counted, players)
    if evening is not None:
        made_evening(row, evening)


@writing
def _take_payments(row: Import, payments: list[Value], players: ImportedPlayers) -> None:
    circle = hold_circle(row.circle_id or 0)
    require_writer(row, circle)
    if row.answers.get("out"):
        named = {token for payment in payments for token in payment["sessions"]}
        there = set(map(str, circle.evenings.filter(token__in=named).values_list("token", flat=True)))
        payments = [payment for payment in payments if there.issuperset(payment["sessions"])]
    written = write_payments(circle, payments, players)
    made(row, ImportMade.What.PAYMENT, [payment.pk for payment in written])
