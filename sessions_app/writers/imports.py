"""The writer of an imported document: a circle moves from one server to another.

`readers.book.import_plan` has counted the whole document before, so that one that is wrong anywhere leaves nothing
behind. Then one transaction writes the circle and its players, one each session, and one a few payments. Rows that
are there already are known by their ids and left alone, so an import that was interrupted goes on where it stopped.

A player whom the circle has already is known by his id, then by his name. An author is a name: each becomes a former
member of the circle, without a phone.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import batched, count
from typing import Any, Final
from uuid import UUID, uuid4

from django.utils.translation import gettext_noop as _

from scorekeeper.text.names import name_key
from sessions_app.errors import DocumentRefused
from sessions_app.models import (
    NAME_LENGTH,
    Circle,
    Evening,
    EveningChange,
    FormerResult,
    Hand,
    HandEntry,
    HouseProfile,
    Player,
    Removal,
    Repayment,
    RepaymentEvening,
    Revision,
    Seat,
    User,
    search_text,
)
from sessions_app.readers.book.document import Value, authors_in, authors_of_head
from sessions_app.readers.book.document_reading import time_of
from sessions_app.readers.book.document_session import CountedHand, CountedSession, counted_session
from sessions_app.readers.book.import_plan import PAYMENTS_AT_ONCE, Chosen, Plan, matched, twice
from sessions_app.readers.evening.figures import stored_figures_of
from sessions_app.readers.people.players import NamedPlayer, named
from sessions_app.readers.verify.circles import played_for
from sessions_app.transactions import hold_circle, raise_ended_version, raise_repayment_version, writing
from sessions_app.writers import evenings, results

# --- Players and authors ---


#: Begins the name of a user who is but the author of imported changes.
AUTHOR: Final = "author-"


class ImportedPlayers:
    """Rows of the document's players by their ids in it, and the users who stand for its authors, by their names."""

    def __init__(self, circle: Circle, rows: Mapping[str, Player], values: Sequence[Value]) -> None:
        self._rows = rows
        self._ids = {value["name"]: value["id"] for value in values}
        authors = Removal.objects.filter(circle=circle.pk, user__username__startswith=AUTHOR, player__isnull=False)
        self._authors = dict(authors.values_list("player", "user"))

    def of(self, token: str) -> NamedPlayer:
        """Return the person of a player, and the row of the name if that is merged here."""
        return named(self._rows[token])

    def key(self, token: str | None) -> int | None:
        """Return the key of a player's own row, None if he is not there."""
        row = self._rows.get(token or "")
        return row.pk if row else None

    def author(self, name: str) -> int | None:
        """Return the key of the user who stands for the author of this name, None if he is no player."""
        token = self._ids.get(name)
        return self._authors.get(self.of(token).player.pk) if token else None

    def add_authors(self, circle: Circle, names: set[str]) -> None:
        """Write a former member for each author who is a player, unless there is one already."""
        for name in sorted(names & self._ids.keys()):
            player = self.of(self._ids[name]).player
            if player.pk not in self._authors:
                user = User(username=f"{AUTHOR}{uuid4().hex}", is_guest=True)
                user.set_unusable_password()
                user.save()
                Removal.objects.create(circle=circle, user=user, player=player, by_choice=True)
                self._authors[player.pk] = user.pk


def write_players(
    circle: Circle, document: Value, authors: set[str], chosen: Chosen | None = None
) -> tuple[ImportedPlayers, list[Player]]:
    """Write the players and authors that are new, for a caller that has locked the circle. Return the new ones, too.

    Raise DocumentRefused.
    """
    values = {value["id"]: value for value in document["players"]}
    rows = matched(circle, document["players"], chosen or {})
    number = twice(rows, document["players"], chosen or {})
    if number is not None:
        raise DocumentRefused(_("it is a player who is there twice"), ["players", str(number)])
    new = list(_new_players(circle, [value for value in document["players"] if value["id"] not in rows]))
    Player.objects.bulk_create(new)
    players = ImportedPlayers(circle, rows | {str(player.token): player for player in new}, document["players"])
    for player in new:
        into = values[str(player.token)]["merged_into"]
        player.merged_into = players.of(into).player if into else None
    Player.objects.bulk_update([player for player in new if player.merged_into], ["merged_into"])
    histories = [(player, change) for player in new for change in values[str(player.token)]["changes"]]
    players.add_authors(circle, authors)
    EveningChange.objects.bulk_create(change_of(change, players, player=player) for player, change in histories)
    return players, new


def _new_players(circle: Circle, values: Sequence[Value]) -> Iterator[Player]:
    """Yield new players, each with its mark and its name unless another one has that."""
    marks = set(circle.players.exclude(mark_shape="").values_list("mark_shape", "mark_colour"))
    names = set(circle.players.values_list("name", flat=True))
    for value in values:
        mark = (value["mark"]["shape"], value["mark"]["colour"]) if value["mark"] else ("", "")
        shape, colour = ("", "") if mark in marks else mark
        marks.add(mark)
        name = free_name(value["name"], names)
        names.add(name)
        yield Player(
            circle=circle,
            token=UUID(value["id"]),
            name=name,
            mark_shape=shape,
            mark_colour=colour,
            plays_no_more=value["plays_no_more"],
        )


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number behind it if it is taken."""
    numbered = (f"{name[: NAME_LENGTH - 6]} {number}" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def change_of(value: Value, players: ImportedPlayers, **of: Any) -> EveningChange:
    """Return an entry of a history, its players' ids replaced by keys."""
    states = {"before": dict(value["before"]), "after": dict(value["after"])}
    for state in states.values():
        if "player" in state:
            state["player"] = players.key(state["player"])
        if "players" in state:
            state["players"] = [players.key(token) for token in state["players"]]
    made = {"made_at": time_of(value["at"]), "made_by_id": players.author(value["by"])}
    return EveningChange(kind=value["kind"], **made, **states, **of)


# --- A document ---


#: Rows in one statement.
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Imported:
    """The circle that an import went into, and the numbers of sessions and payments that are new and known."""

    circle: Circle
    sessions: int
    payments: int
    known: int


def write(document: Value, plan: Plan, *, by: User | None = None) -> Imported:
    """Write a document by its plan; a new circle is owned by `by`. Raise DocumentRefused.

    Each session is counted a second time: the rows of all would fill the memory.
    """
    if plan.circle and not (plan.sessions or plan.payments):
        return Imported(plan.circle, 0, 0, plan.known)
    authors = authors_of_head(document) | authors_in(document["sessions"], document["payments"])
    circle, players = _write_circle(document, plan.circle.pk if plan.circle else None, by, authors)
    sessions = 0
    for at in plan.sessions:
        value = document["sessions"][at]
        sessions += write_session(circle.pk, value, counted_session(value, at + 1), players) is not None
    payments = 0
    for batch in batched(plan.payments, PAYMENTS_AT_ONCE):
        payments += len(write_payments(circle.pk, [document["payments"][at] for at in batch], players))
    return Imported(circle, sessions, payments, plan.known)


@writing
def _write_circle(
    document: Value, circle_id: int | None, by: User | None, authors: set[str]
) -> tuple[Circle, ImportedPlayers]:
    """Write the circle if it is new, and the players, authors and house rules that are new."""
    circle = new_circle(document["circle"], by) if circle_id is None else hold_circle(circle_id)
    players, _new = write_players(circle, document, authors)
    write_profiles(circle, document["house_profiles"], players)
    return circle, players


def new_circle(value: Value, by: User | None) -> Circle:
    """Create the circle of a document, owned by `by`, who is allowed to start one."""
    if by is None:
        raise ValueError("a new circle has an owner")
    circle = evenings.new_circle(by, value["is_demo"], is_allowed=True)
    circle.name, circle.cash_coins = value["name"], value["cash_coins"]
    circle.save(update_fields=["name", "cash_coins"])
    return circle


def write_profiles(circle: Circle, values: Sequence[Value], players: ImportedPlayers) -> list[HouseProfile]:
    """Write and return the saved house rules whose names are free."""
    taken = {(profile.game_key, name_key(profile.name)) for profile in circle.house_profiles.all()}
    written = []
    for value in values:
        key = value["game"], name_key(value["name"])
        if key not in taken:
            taken.add(key)
            profile = HouseProfile.objects.create(
                circle=circle,
                game_key=value["game"],
                name=value["name"],
                rules=value["rules"],
                made_by_id=players.author(value["by"]),
                made_at=time_of(value["at"]),
            )
            written.append(profile)
    return written


# --- A session ---


@writing
def write_session(circle_id: int, value: Value, counted: CountedSession, players: ImportedPlayers) -> Evening | None:
    """Write a session, and return it; None if it is here already. Raise DocumentRefused.

    A retried transaction gives its rows new keys.
    """
    circle = hold_circle(circle_id)
    if Evening.objects.filter(token=UUID(value["id"])).exists():
        return None
    evening, people = counted.evening, [players.of(seat["sat_as"] or seat["player"]) for seat in value["seats"]]
    if len({person.player.pk for person in people}) < len(people):
        raise DocumentRefused(_("two of its players are one here: “%s”"), ["sessions"], value["title"])
    evening.pk, evening.circle = None, circle
    versions = [revision.version or 1 for each in counted.hands for revision in each.revisions]
    evening.version = max(versions, default=1) + 1
    names = [person.player.name for person in people]
    evening.search_text = search_text(circle.name, evening.title, evening.note, names)
    evening.save(force_insert=True)
    Seat.objects.bulk_create(
        Seat(evening=evening, position=position, player=person.player, sat_as=person.sat_as)
        for position, person in enumerate(people)
    )
    EveningChange.objects.bulk_create([change_of(each, players, evening=evening) for each in value["changes"]])
    _write_hands(evening, counted.hands, players)
    _write_results(evening, value)
    return evening


def _write_hands(evening: Evening, hands: Sequence[CountedHand], players: ImportedPlayers) -> None:
    for each in hands:
        each.hand.pk, each.hand.evening = None, evening
    Hand.objects.bulk_create([each.hand for each in hands], BATCH)
    entries = [entry for each in hands for entry in each.entries]
    for entry in entries:
        entry.pk, entry.hand = None, entry.hand  # whose key is set by now
    HandEntry.objects.bulk_create(entries, BATCH)
    revisions = {(each.hand.number, made.number): made for each in hands for made in each.revisions}
    for each in hands:
        for made, cause, author in zip(each.revisions, each.causes, each.authors, strict=True):
            made.pk, made.hand, made.made_by_id = None, each.hand, players.author(author)
            made.cause = revisions[cause] if cause else None
    waiting: list[Revision] = []
    for made in sorted(revisions.values(), key=_in_order):
        # `verify` reads the writes in the order of their keys: a cause stands before what it caused.
        if made.cause and made.cause.pk is None:
            _save(waiting)
        waiting.append(made)
    _save(waiting)


def _in_order(made: Revision) -> tuple[Any, ...]:
    """Return the key that sorts revisions as they were written; those without a version come first, by their times."""
    at = made.made_at.timestamp() if made.version is None else 0
    return made.version or 0, at, made.cause is not None, made.hand.number, made.number


def _save(waiting: list[Revision]) -> None:
    for made in waiting:
        made.cause = made.cause  # whose key is set by now
    Revision.objects.bulk_create(waiting, BATCH)
    waiting.clear()


def _write_results(evening: Evening, value: Value) -> None:
    """Store the result, and what the statistics need, of a session that has ended; a reopened one keeps its own."""
    said = value["result"]
    if evening.has_ended:
        raise_ended_version(Evening.objects.filter(pk=evening.pk))
        results.write_results(evening)
        results.write_rollup(evening, stored_figures_of(evening))
    elif said is not None:
        for seat, amount in zip(evening.seats.all(), said["amounts"], strict=True):
            seat.result, seat.result_parts = Fraction(amount).as_integer_ratio()
            seat.save(update_fields=["result", "result_parts"])
        evening.result_currency = said["currency"]
    evening.save(update_fields=["result_currency"])
    seats = {seat.position: seat for seat in evening.seats.all()}
    for former in value["former_results"]:
        result, parts = Fraction(former["amount"]).as_integer_ratio()
        at, currency = time_of(former["at"]), former["currency"]
        FormerResult.objects.create(
            seat=seats[former["seat"]], result=result, result_parts=parts, currency=currency, replaced_at=at
        )


# --- Payments ---


@writing
def write_payments(circle_id: int, values: Collection[Value], players: ImportedPlayers) -> list[Repayment]:
    """Write the payments that are not there yet, and return them. Raise DocumentRefused, having written none."""
    circle = hold_circle(circle_id)
    there = set(circle.repayments.filter(token__in=[value["id"] for value in values]).values_list("token", flat=True))
    new = [value for value in values if UUID(value["id"]) not in there]
    named = {token for value in new for token in value["sessions"]}
    found = circle.evenings.filter(last_number__gte=1, token__in=named).values_list("token", "pk")
    sessions, played = {str(token): key for token, key in found}, played_for(circle.pk) if named else ()
    written = []
    for value in new:
        evenings_paid = [sessions[token] for token in value["sessions"] if token in sessions]
        if len(evenings_paid) < len(value["sessions"]) or (evenings_paid and value["currency"] not in played):
            raise DocumentRefused(_("it is for no session that was played for this"), ["payments", value["id"]])
        written.append(_write_payment(circle, value, evenings_paid, players))
    if new:
        raise_repayment_version(circle)
    return written


def _write_payment(circle: Circle, value: Value, sessions: Sequence[int], players: ImportedPlayers) -> Repayment:
    payer, payee = (players.of(value[f"{side}_as"] or value[side]) for side in ("payer", "payee"))
    undone = value["undone"]
    there = set(Seat.objects.filter(evening__in=sessions).values_list("player", flat=True))
    is_seated = not sessions or {payer.player.pk, payee.player.pk} <= there
    if not is_seated or (payer.player.pk == payee.player.pk and not undone):
        what = _("it is between players, or for sessions, that are not there: %s")
        raise DocumentRefused(what, ["payments"], value["id"])
    row = Repayment.objects.create(
        circle=circle,
        token=UUID(value["id"]),
        kind=value["kind"],
        payer=payer.player,
        payee=payee.player,
        payer_as=payer.sat_as,
        payee_as=payee.sat_as,
        units=value["units"],
        currency=value["currency"],
        note=value["note"],
        made_at=time_of(value["at"]),
        made_by_id=players.author(value["by"]),
        undone_at=time_of(undone["at"]) if undone else None,
        undone_by_id=players.author(undone["by"]) if undone else None,
    )
    RepaymentEvening.objects.bulk_create(RepaymentEvening(repayment=row, evening_id=session) for session in sessions)
    return row
