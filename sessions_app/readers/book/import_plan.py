"""Plan of a book's import, counted whole before anything is written, and its review: what comes in, what does not."""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from scorekeeper.text.names import name_key
from sessions_app.errors import DocumentRefused
from sessions_app.models import Circle, Evening, Import, ImportPart, Player, Repayment
from sessions_app.readers.book.document import Value, authors_of_head
from sessions_app.readers.book.document_parts import parsed
from sessions_app.readers.book.document_reading import into_of
from sessions_app.readers.book.document_session import counted_session
from sessions_app.readers.people.players import named, players_by_name
from sessions_app.readers.verify.circles import played_for
from sessions_app.transactions import snapshot
from sessions_app.words.imports import told

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
    return {str(token): circle for token, circle in _with_ids(Evening.objects.values_list("token", "circle"), ids)}


def _with_ids(rows: QuerySet[Any, Any], ids: Iterable[str]) -> Iterator[Any]:
    """Yield those of the rows that have one of these ids: a query for every BATCH of them."""
    for batch in batched(ids, BATCH):
        yield from rows.filter(token__in=batch)


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


def part(row: Import, number: int) -> Any:
    """Return the value of a part of a file. Raise DocumentRefused, or ImportPart.DoesNotExist for a dropped file."""
    return parsed(zlib.decompress(ImportPart.objects.only("data").get(of=row.pk, number=number).data))


# --- The review of a book in JSON ---


#: Sessions and players on one page of the review, and the choices of all its players together.
AT_ONCE: Final = 100
MOST_CHOICES: Final = 5_000
#: Players of a file who are matched by hand, each by a field of a form: with AT_ONCE sessions Django takes 1,000.
MOST_MATCHED: Final = 800


@dataclass(frozen=True, slots=True)
class ReviewedSession:
    """A session of the file: its number in it, its players, and why it cannot be read, '' if it can.

    `is_known` if it is here already, `is_out` if the user leaves it out.
    """

    number: int
    facts: Mapping[str, Any]
    at: Any
    names: tuple[str, ...]
    fault: str
    is_known: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class ReviewedPlayer:
    """A player of the file: his number in it, the player here whom he is taken for, None for a new one.

    `is_fixed` if he is known by his id, and cannot be another one.
    """

    number: int
    name: str
    key: int | None
    here: str
    is_fixed: bool


class BookFacts:
    """The facts of an import's parts, by their numbers. `out` are the sessions that the user leaves out."""

    def __init__(self, row: Import) -> None:
        self.row, count = row, row.found["sessions"]
        rows = ImportPart.objects.filter(of=row.pk, number__gt=0).order_by("number").values_list("number", "facts")
        found = {number: facts for number, facts in rows if facts is not None}
        self.read = len(found)
        self.sessions = {number: facts for number, facts in found.items() if number <= count}
        self.out = frozenset(row.answers.get("out", ()))
        self.taken = {number: facts for number, facts in self.sessions.items() if number not in self.out}
        self.payments = {number: facts for number, facts in found.items() if number > count}
        self.total: int = count + -(-row.found["payments"] // PAYMENTS_AT_ONCE)

    @property
    def is_whole(self) -> bool:
        return self.read == self.total

    def ids(self) -> list[str]:
        return [facts["id"] for facts in self.sessions.values() if "id" in facts]

    def unreadable(self) -> set[int]:
        """Return the numbers of the sessions that come into no circle: they cannot be read, or were there before."""
        seen, found = set[str](), set[int]()
        for number, facts in self.taken.items():
            if "fault" in facts or facts["id"] in seen:
                found.add(number)
            seen.add(facts.get("id", ""))
        return found

    def authors(self, value: Value) -> set[str]:
        of_parts = (*self.taken.values(), *self.payments.values())
        return authors_of_head(value).union(*(facts.get("authors", ()) for facts in of_parts))

    def payment_rows(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield the payments with their numbers in the file."""
        for facts in self.payments.values():
            yield from enumerate(facts.get("rows", ()), start=facts.get("first", 1))


class BookReview:
    """Preview of an import by the answers that were given so far: what comes in, and what is wrong with it."""

    def __init__(self, row: Import) -> None:
        self.row, self.facts, self.value = row, BookFacts(row), part(row, 0)
        self.players: list[Value] = self.value["players"]
        self.chosen: dict[str, int] = row.answers.get("players", {})
        # A circle without a row has no players either.
        self.rows = matched(row.circle, self.players, self.chosen) if row.circle else {}
        self.known = circles_of_sessions(self.facts.ids())
        self.into = into_of(self.players)

    def context(self, shown: int) -> dict[str, Any]:
        self.payments_out = 0
        faults = list(self._faults())
        sessions = list(self.facts.sessions.items())
        begin = AT_ONCE * (shown - 1)
        people = tuple(self._people())
        return {
            "book": self.value["circle"],
            "reading": None if self.facts.is_whole else {"done": self.facts.read, "total": self.facts.total},
            "faults": faults[:AT_ONCE],
            "more_faults": max(0, len(faults) - AT_ONCE),
            "unreadable": len(self.facts.unreadable()),
            "left_out": len(self.facts.out),
            "payments_out": self.payments_out,
            "sessions": [self._session(number, facts) for number, facts in sessions[begin : begin + AT_ONCE]],
            "session_count": self.row.found["sessions"] - len(self.facts.out),
            "payment_count": self.row.found["payments"] - self.payments_out,
            "player_count": len(people),
            "known_count": len(self.known),
            "earlier": shown - 1,
            "later": shown + 1 if begin + AT_ONCE < len(sessions) else 0,
            "people": people,
            "here": self._here(len(people)),
            "refused": self._refused(faults),
        }

    def _refused(self, faults: list[str]) -> str:
        if not self.facts.is_whole:
            return gettext("The file has not been read to its end.")
        if faults:
            return gettext("The file cannot be taken in: see below why.")
        if self.row.found["sessions"] + self.row.found["payments"] + self.row.found["players"] == 0:
            return gettext("There is nothing in the file.")
        return ""

    def _session(self, number: int, facts: Mapping[str, Any]) -> ReviewedSession:
        names = {player["id"]: player["name"] for player in self.players}
        people = tuple(names[sat_as or player] for player, sat_as in facts.get("seats", ()))
        at = parse_datetime(facts["at"]) if "at" in facts else None
        is_known, is_out = facts.get("id") in self.known, number in self.facts.out
        return ReviewedSession(number, facts, at, people, _fault(facts), is_known, is_out)

    def _people(self) -> Iterator[ReviewedPlayer]:
        for number, player in enumerate(self.players, start=1):
            row = self.rows.get(player["id"])
            if player["merged_into"] is None:
                is_fixed = row is not None and str(row.token) == player["id"]
                here = named(row).player if row else None
                yield ReviewedPlayer(
                    number, player["name"], here.pk if here else None, here.name if here else "", is_fixed
                )

    def _here(self, people: int) -> list[Player]:
        """Return the players to choose from; none where there would be too many fields or choices."""
        if self.row.circle is None:
            return []
        here = list(self.row.circle.players.filter(merged_into=None).order_by("sort_key", "pk"))
        return here if people <= MOST_MATCHED and people * len(here) <= MOST_CHOICES else []

    # --- Faults ---

    def _faults(self) -> Iterator[str]:
        """Yield the reasons why it cannot be taken in, each a sentence with its place in the file."""
        for facts in (*self.facts.taken.values(), *self.facts.payments.values()):
            if "fault" in facts:
                yield _fault(facts)
        yield from self._doubled()
        if self.row.circle and self.value["circle"]["is_demo"]:
            yield gettext("A demo comes into a circle of its own: choose a new one.")
        same = twice(self.rows, self.players, self.chosen)
        if same is not None:
            yield told(DocumentRefused(_("it is a player who is there twice"), ["players", str(same)]))
        yield from self._met()
        yield from self._of_payments()

    def _doubled(self) -> Iterator[str]:
        seen = set[str]()
        for number, facts in self.facts.taken.items():
            if "id" in facts and facts["id"] in seen:
                yield told(DocumentRefused(_("it is there twice"), ["sessions", str(number)]))
            seen.add(facts.get("id", ""))
        for number, (key, *_rest) in self.facts.payment_rows():
            if key in seen:
                yield told(DocumentRefused(_("it is there twice"), ["payments", str(number)]))
            seen.add(key)

    def _person(self, token: str) -> int | str:
        """Return the key of the player here that one of the file is matched with, or his id if he is new."""
        row = self.rows.get(token)
        if row is not None:
            return named(row).player.pk
        into = self.into[token]
        return token if into is None else self._person(into)

    def _met(self) -> Iterator[str]:
        """Yield the sessions in which two players sat together who are matched with one."""
        for number, facts in self.facts.taken.items():
            people = [self._person(sat_as or player) for player, sat_as in facts.get("seats", ())]
            if facts.get("id") not in self.known and len(set(people)) < len(people):
                wrong = _("two of its players are one here: “%s”")
                yield told(DocumentRefused(wrong, ["sessions", str(number)], facts["title"]))

    def _of_payments(self) -> Iterator[str]:
        """Yield the payments that are for no session that was played for this, or not between its players.

        Those for a session that is left out are left out, too: they are counted in `payments_out`.
        """
        circle, rows = self.row.circle, list(self.facts.payment_rows())
        there = _booked(circle, [row[0] for _number, row in rows])
        played = set(played_for(circle.pk)) if circle else set()
        seated = dict[str, set[int | str]]()
        taken = {facts["id"] for facts in self.facts.taken.values() if "id" in facts}
        for facts in self.facts.taken.values():
            played.update(facts.get("played", ()))
            if facts.get("hands") and self.known.get(facts["id"]) in (None, circle and circle.pk):
                seated[facts["id"]] = {self._person(sat_as or player) for player, sat_as in facts["seats"]}
        seated |= _seated_here(circle, {token for _number, row in rows for token in row[4] if token not in seated})
        for number, (key, payer, payee, currency, sessions, is_undone) in rows:
            if key in there:
                continue
            if self.facts.out and any(session not in seated and session not in taken for session in sessions):
                self.payments_out += 1
                continue
            pair = {self._person(payer), self._person(payee)}
            if not all(session in seated for session in sessions) or (sessions and currency not in played):
                yield _of_payment(number, _("it is for no session that was played for this"))
            elif (len(pair) == 1 and not is_undone) or (
                sessions and not pair <= set().union(*(seated[session] for session in sessions))
            ):
                yield _of_payment(number, _("it is between players, or for sessions, that are not there: %s"), key)


def _fault(facts: Mapping[str, Any]) -> str:
    """Return why a part cannot be read, in the language of the reader; '' if it can."""
    fault = facts.get("fault", "")
    # A sentence was noted in the language of its import before a fault could be translated later.
    return fault if isinstance(fault, str) else told(DocumentRefused(*fault))


def _of_payment(number: int, wrong: str, said: str | None = None) -> str:
    return told(DocumentRefused(wrong, ["payments", str(number)], said))


def _booked(circle: Circle | None, ids: list[str]) -> set[str]:
    rows = Repayment.objects.filter(circle=circle).values_list("token", flat=True)
    return set(map(str, _with_ids(rows, ids if circle else ())))


def _seated_here(circle: Circle | None, ids: set[str]) -> dict[str, set[int | str]]:
    """Return the players of the circle's sessions of these ids that have a hand."""
    found = defaultdict[str, set[int | str]](set)
    rows = Evening.objects.filter(circle=circle, last_number__gte=1).values_list("token", "seats__player")
    for token, player in _with_ids(rows, sorted(ids) if circle else ()):
        found[str(token)].add(player)
    return dict(found)
