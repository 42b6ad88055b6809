"""The import of a book in JSON, from a page: its parts are counted one by one, reviewed, and taken in.

Part 0 has the circle, its house rules and players; then comes a part for each session, and one for every
PAYMENTS_AT_ONCE payments. The facts of a part are what the review needs of it, so that only one part is parsed at a
time. A file is taken in whole or not at all: while one of its parts cannot be read, nothing of it is.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import batched
from mmap import ACCESS_READ, mmap
from typing import IO, Any, Final

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from sessions_app.errors import DocumentRefused
from sessions_app.models import POINTS, Circle, Evening, Import, ImportMade, ImportPart, Player, Repayment, Role
from sessions_app.readers.book.document import Value, authors_in, packed
from sessions_app.readers.book.document_parts import cut, parsed
from sessions_app.readers.book.document_reading import Members, check_payment, check_session, head, into_of
from sessions_app.readers.book.document_session import counted_session
from sessions_app.readers.people.new_circles import require_new_circle
from sessions_app.readers.verify.repayments import played_for
from sessions_app.words.documents import told
from sessions_app.words.parsing import KEY_DIGITS, whole_number
from sessions_app.writers.import_rows import GoOn, Stored, made, made_evening, part, require_writer
from sessions_app.writers.imported_players import ImportedPlayers, authors_of_head, matched, twice, write_players
from sessions_app.writers.imports import PAYMENTS_AT_ONCE, new_circle, write_payments, write_profiles, write_session
from sessions_app.writers.players import named
from sessions_app.writers.transactions import hold_circle, hold_user, writing

#: Sessions and players on one page of the review, and the choices of all its players together.
AT_ONCE: Final = 100
MOST_CHOICES: Final = 5_000
#: Ids in one statement.
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class ReviewedSession:
    """A session of the file: its number in it, its players, and why it cannot be read; `is_known` if it is here."""

    number: int
    facts: Mapping[str, Any]
    at: Any
    names: tuple[str, ...]
    is_known: bool


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


class BookImport:
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
        value = parsed(part(row, 0))
        chosen = {}
        for number, player in enumerate(value["players"], start=1):
            key = whole_number(posted.get(f"player-{number}", ""), KEY_DIGITS)
            if key is not None:
                chosen[player["id"]] = key
        return {"players": (row.answers.get("players", {}) | chosen) if has_same_circle(row, posted) else {}}

    def review(self, row: Import, shown: int) -> dict[str, Any]:
        return _Review(row).context(shown)

    def take(self, row: Import, go_on: GoOn) -> bool:
        value, review = parsed(part(row, 0)), _Facts(row)
        circle, players = begin(row, value, review.authors(value), row.answers.get("players", {}))
        row.circle = circle
        known = known_evenings(review.ids())
        for number, facts in review.sessions.items():
            if facts["id"] in known:
                continue
            session = parsed(part(row, number))
            take_session(row, session, number, players)
            if not go_on():
                return False
        for number in review.payments:
            _take_payments(row, parsed(part(row, number)), players)
            if not go_on() and number != max(review.payments):
                return False
        return True


def has_same_circle(row: Import, posted: Mapping[str, str]) -> bool:
    """Return whether the players were chosen among those of the circle that the file is to go into."""
    return {posted.get("circle", ""), posted.get("of_circle", "")} == {str(row.circle_id or "")}


@writing
def _propose_circle(row: Import) -> None:
    """Let a book that is here already, or a part of it, go into the circle that has it, if its user may write there."""
    mine = Circle.objects.filter(members__user=row.user_id, members__role__in=(Role.OWNER, Role.KEEPER), is_demo=False)
    circle = mine.filter(pk__in=set(known_evenings(_Facts(row).ids()).values())).order_by("pk").first()
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
        refused.path = refused.path or ["sessions" if is_session else "payments", str(first)]
        return {"fault": told(refused)}


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


class _Facts:
    """The facts of an import's parts, by their numbers."""

    def __init__(self, row: Import) -> None:
        self.row, count = row, row.found["sessions"]
        rows = ImportPart.objects.filter(of=row.pk, number__gt=0).order_by("number").values_list("number", "facts")
        found = {number: facts for number, facts in rows if facts is not None}
        self.read = len(found)
        self.sessions = {number: facts for number, facts in found.items() if number <= count}
        self.payments = {number: facts for number, facts in found.items() if number > count}
        self.total: int = count + -(-row.found["payments"] // PAYMENTS_AT_ONCE)

    @property
    def is_whole(self) -> bool:
        return self.read == self.total

    def ids(self) -> list[str]:
        return [facts["id"] for facts in self.sessions.values() if "id" in facts]

    def authors(self, value: Value) -> set[str]:
        of_parts = (*self.sessions.values(), *self.payments.values())
        return authors_of_head(value).union(*(facts.get("authors", ()) for facts in of_parts))

    def payment_rows(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield the payments with their numbers in the file."""
        for facts in self.payments.values():
            yield from enumerate(facts.get("rows", ()), start=facts.get("first", 1))


def known_evenings(ids: list[str]) -> dict[str, int]:
    """Return the circles of the sessions that are here, by their ids."""
    found: dict[str, int] = {}
    for batch in batched(ids, BATCH):
        rows = Evening.objects.filter(token__in=batch).values_list("token", "circle")
        found |= {str(token): circle for token, circle in rows}
    return found


# --- The review ---


class _Review:
    """What would come in by an import as it is answered now, and what is wrong with it."""

    def __init__(self, row: Import) -> None:
        self.row, self.facts, self.value = row, _Facts(row), parsed(part(row, 0))
        self.players: list[Value] = self.value["players"]
        self.chosen: dict[str, int] = row.answers.get("players", {})
        # A circle without a row has no players either.
        self.rows = matched(row.circle, self.players, self.chosen) if row.circle else {}
        self.known = known_evenings(self.facts.ids())
        self.into = into_of(self.players)

    def context(self, shown: int) -> dict[str, Any]:
        faults = list(self._faults())
        sessions = list(self.facts.sessions.items())
        begin = AT_ONCE * (shown - 1)
        people = tuple(self._people())
        return {
            "book": self.value["circle"],
            "reading": None if self.facts.is_whole else {"done": self.facts.read, "total": self.facts.total},
            "faults": faults[:AT_ONCE],
            "more_faults": max(0, len(faults) - AT_ONCE),
            "sessions": [self._session(number, facts) for number, facts in sessions[begin : begin + AT_ONCE]],
            "session_count": self.row.found["sessions"],
            "payment_count": self.row.found["payments"],
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
            return _("The file has not been read to its end.")
        if faults:
            return _("The file cannot be taken in: see below why.")
        if self.row.found["sessions"] + self.row.found["payments"] + self.row.found["players"] == 0:
            return _("There is nothing in the file.")
        return ""

    def _session(self, number: int, facts: Mapping[str, Any]) -> ReviewedSession:
        names = {player["id"]: player["name"] for player in self.players}
        people = tuple(names[sat_as or player] for player, sat_as in facts.get("seats", ()))
        at = parse_datetime(facts["at"]) if "at" in facts else None
        return ReviewedSession(number, facts, at, people, facts.get("id") in self.known)

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
        """Return the players to choose from; none where the choices would make the page too long."""
        if self.row.circle is None:
            return []
        here = list(self.row.circle.players.filter(merged_into=None).order_by("sort_key", "pk"))
        return here if people * len(here) <= MOST_CHOICES else []

    # What is wrong with it.

    def _faults(self) -> Iterator[str]:
        """Yield why it cannot be taken in, as it is answered now: a sentence each, with its place in the file."""
        for facts in (*self.facts.sessions.values(), *self.facts.payments.values()):
            if "fault" in facts:
                yield facts["fault"]
        yield from self._doubled()
        if self.row.circle and self.value["circle"]["is_demo"]:
            yield _("A demo comes into a circle of its own: choose a new one.")
        same = twice(self.rows, self.players, self.chosen)
        if same is not None:
            yield told(DocumentRefused(_("it is a player who is there twice"), ["players", str(same)]))
        yield from self._met()
        yield from self._of_payments()

    def _doubled(self) -> Iterator[str]:
        seen = set[str]()
        for number, facts in self.facts.sessions.items():
            if "id" in facts and facts["id"] in seen:
                yield told(DocumentRefused(_("it is there twice"), ["sessions", str(number)]))
            seen.add(facts.get("id", ""))
        for number, (key, *_rest) in self.facts.payment_rows():
            if key in seen:
                yield told(DocumentRefused(_("it is there twice"), ["payments", str(number)]))
            seen.add(key)

    def _person(self, token: str) -> int | str:
        """Return the key of the player whom one of the file is here, or the id of one who is new."""
        row = self.rows.get(token)
        if row is not None:
            return named(row).player.pk
        into = self.into[token]
        return token if into is None else self._person(into)

    def _met(self) -> Iterator[str]:
        """Yield the sessions in which two who are taken for one have played together."""
        for number, facts in self.facts.sessions.items():
            people = [self._person(sat_as or player) for player, sat_as in facts.get("seats", ())]
            if facts.get("id") not in self.known and len(set(people)) < len(people):
                wrong = _("two of its players are one here: “%s”") % facts["title"]
                yield told(DocumentRefused(wrong, ["sessions", str(number)]))

    def _of_payments(self) -> Iterator[str]:
        """Yield the payments that are for no session that was played for this, or not between its players."""
        circle, rows = self.row.circle, list(self.facts.payment_rows())
        there = _booked(circle, [row[0] for _number, row in rows])
        played = set(played_for(circle.pk)) if circle else set()
        seated = dict[str, set[int | str]]()
        for facts in self.facts.sessions.values():
            played.update(facts.get("played", ()))
            if facts.get("hands") and self.known.get(facts["id"]) in (None, circle and circle.pk):
                seated[facts["id"]] = {self._person(sat_as or player) for player, sat_as in facts["seats"]}
        seated |= _seated_here(circle, {token for _number, row in rows for token in row[4] if token not in seated})
        for number, (key, payer, payee, currency, sessions, is_undone) in rows:
            if key in there:
                continue
            pair = {self._person(payer), self._person(payee)}
            if not all(session in seated for session in sessions) or (sessions and currency not in played):
                wrong = _("it is for no session that was played for this")
            elif (len(pair) == 1 and not is_undone) or (
                sessions and not pair <= set().union(*(seated[session] for session in sessions))
            ):
                wrong = _("it is between players, or for sessions, that are not there: %s") % key
            else:
                continue
            yield told(DocumentRefused(wrong, ["payments", str(number)]))


def _booked(circle: Circle | None, ids: list[str]) -> set[str]:
    found = set[str]()
    for batch in batched(ids if circle else (), BATCH):
        rows = Repayment.objects.filter(circle=circle, token__in=batch).values_list("token", flat=True)
        found.update(map(str, rows))
    return found


def _seated_here(circle: Circle | None, ids: set[str]) -> dict[str, set[int | str]]:
    """Return the players of the circle's sessions of these ids that have a hand."""
    found = defaultdict[str, set[int | str]](set)
    for batch in batched(sorted(ids) if circle else (), BATCH):
        rows = Evening.objects.filter(circle=circle, last_number__gte=1, token__in=batch)
        for token, player in rows.values_list("token", "seats__player"):
            found[str(token)].add(player)
    return dict(found)


# --- Taking it in ---


@writing
def begin(row: Import, value: Value, authors: set[str], chosen: Mapping[str, int]) -> tuple[Circle, ImportedPlayers]:
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


def take_session(row: Import, session: Value, number: int, players: ImportedPlayers) -> None:
    counted = counted_session(session, number)
    _write_session(row, session, number, players, counted)


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
    written = write_payments(circle, payments, players)
    made(row, ImportMade.What.PAYMENT, [payment.pk for payment in written])
