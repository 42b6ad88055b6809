"""Plan of an import: what of a document is new, counted whole before anything is written."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Final

from django.utils.translation import gettext_noop as _

from scorekeeper.text.names import name_key
from sessions_app.errors import DocumentRefused
from sessions_app.models import Circle, Evening, Import, ImportPart, Player
from sessions_app.readers.book.document import Value
from sessions_app.readers.book.document_session import counted_session
from sessions_app.readers.people.players import players_by_name
from sessions_app.readers.snapshot import snapshot

#: Ids that one query asks for.
BATCH: Final = 500
#: Payments in one transaction, and in one part of a file that a user has brought.
PAYMENTS_AT_ONCE: Final = 200

#: Keys of the players whom a user has chosen, by ids of the document; 0 for a new one.
type Chosen = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The new sessions and payments by their places in the document, and the circle that they go into.

    `circle` is None for a new one. `known` is the number of sessions and payments that are here already.
    """

    circle: Circle | None
    sessions: tuple[int, ...]
    payments: tuple[int, ...]
    known: int


def circle_of(document: Value) -> Circle | None:
    """Return the circle that an earlier import of the same book has made, or that it comes from; None if none is here.

    Its players are known by their ids. For the operator alone: a document must not tell of a foreign circle.
    """
    for ids in batched((player["id"] for player in document["players"]), BATCH):
        found = Circle.objects.filter(players__token__in=ids).order_by("pk").first()
        if found:
            return found
    return None


def planned(document: Value, circle: Circle | None) -> Plan:
    """Count every session of a document, and return the plan of its import into the circle. Raise DocumentRefused."""
    with snapshot():
        circles = circles_of_sessions(session["id"] for session in document["sessions"])
        booked = {str(token) for token in circle.repayments.values_list("token", flat=True)} if circle else set()
    for number, session in enumerate(document["sessions"], start=1):
        counted_session(session, number)
    sessions = tuple(at for at, session in enumerate(document["sessions"]) if session["id"] not in circles)
    payments = tuple(at for at, payment in enumerate(document["payments"]) if payment["id"] not in booked)
    elsewhere = {token for token, of in circles.items() if circle is None or of != circle.pk}
    payable = {session["id"] for session in document["sessions"]} - elsewhere
    for at in payments:
        if not payable.issuperset(document["payments"][at]["sessions"]):
            raise DocumentRefused(_("it is for a session that is not there"), ["payments", str(at + 1)])
    total = len(document["sessions"]) + len(document["payments"])
    return Plan(circle, sessions, payments, total - len(sessions) - len(payments))


def circles_of_sessions(ids: Iterable[str]) -> dict[str, int]:
    """Return the circles of the sessions that are here, by the ids of these."""
    found: dict[str, int] = {}
    for batch in batched(ids, BATCH):
        rows = Evening.objects.filter(token__in=batch).values_list("token", "circle")
        found |= {str(token): circle for token, circle in rows}
    return found


def matched(circle: Circle, values: Sequence[Value], chosen: Chosen) -> dict[str, Player]:
    """Return the document's players that the circle has, by their ids: known by the id, as chosen, or by the name."""
    here = list(circle.players.select_related("merged_into").order_by("-pk"))
    by_key, by_id = {player.pk: player for player in here}, {str(player.token): player for player in here}
    by_name = players_by_name(here)
    found: dict[str, Player] = {}
    for value in values:
        row = by_id.get(value["id"])
        if row is None and value["id"] in chosen:
            row = by_key.get(chosen[value["id"]])
        elif row is None:
            row = by_name.get(value["name"]) or by_name.get(name_key(value["name"]))
        if row is not None:
            found[value["id"]] = row
    return found


def twice(rows: Mapping[str, Player], values: Sequence[Value], chosen: Chosen) -> int | None:
    """Return the number of a player whom an earlier one of the document is here, too; None if there is none."""
    keys: set[int] = set()
    for number, value in enumerate(values, start=1):
        row = rows.get(value["id"])
        if row is not None and row.pk in keys and value["id"] not in chosen:
            return number
        keys.update({row.pk} if row else ())
    return None


def part(row: Import, number: int) -> bytes:
    """Return a part of a file as it was brought. Raise ImportPart.DoesNotExist if it was dropped meanwhile."""
    return zlib.decompress(ImportPart.objects.only("data").get(of=row.pk, number=number).data)
