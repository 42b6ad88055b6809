"""The writer of a book that was taken along: a circle moves from one server to another.

`planned` reads and counts the whole document first, so that one that is wrong anywhere leaves nothing behind. Then one
transaction writes the circle and its players, one each session, and one the payments. What is there already is known by
its token and left alone, so an import that was interrupted goes on where it stopped.

Authors of changes are names. Each becomes a former member of the circle, without a phone.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from scorekeeper.text.names import name_key
from sessions_app.errors import DocumentRefused
from sessions_app.models import (
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
from sessions_app.readers.book.document import Value
from sessions_app.readers.book.document_session import CountedHand, CountedSession, counted_session, time_of
from sessions_app.readers.evening.figures import stored_figures_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.readers.verify.repayments import played_for
from sessions_app.writers import evenings, results, rollups
from sessions_app.writers.players import NamedPlayer
from sessions_app.writers.transactions import hold_circle, writing
from sessions_app.writers.versions import raise_ended_version, raise_repayment_version

#: Begins the name of a user who is but the author of changes that came in.
AUTHOR: Final = "author-"
#: Rows in one statement.
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import will write: the places of its new sessions and payments in the document.

    `circle` is the one that it goes into, None for a new one. `known` are the sessions and payments that are there
    already.
    """

    circle: Circle | None
    sessions: tuple[int, ...]
    payments: tuple[int, ...]
    known: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What an import has written, and the circle it went into."""

    circle: Circle
    sessions: int
    payments: int
    known: int


def circle_of(document: Value) -> Circle | None:
    """Return the circle that an earlier import of the same book has made, or that it comes from; None if none is here.

    Its players are known by their tokens. For the operator alone: a document must not tell of a foreign circle.
    """
    tokens = [UUID(player["id"]) for player in document["players"]]
    for first in range(0, len(tokens), BATCH):
        found = Circle.objects.filter(players__token__in=tokens[first : first + BATCH]).order_by("pk").first()
        if found:
            return found
    return None


def planned(document: Value, circle: Circle | None) -> Plan:
    """Count all that the document holds, and return what is new. Raise DocumentRefused."""
    with snapshot():
        known = _known_evenings(document)
        there = set(circle.repayments.values_list("token", flat=True)) if circle else set()
    _check_times(document)
    for number, session in enumerate(document["sessions"], start=1):
        counted_session(session, number)
    sessions = tuple(at for at, each in enumerate(document["sessions"]) if UUID(each["id"]) not in known)
    payments = tuple(at for at, each in enumerate(document["payments"]) if UUID(each["id"]) not in there)
    ours = {token for token, of in known.items() if circle and of == circle.pk}
    new = {UUID(document["sessions"][at]["id"]) for at in sessions}
    for at in payments:
        if not {UUID(token) for token in document["payments"][at]["sessions"]} <= ours | new:
            where = ["payments", str(at + 1)]
            raise DocumentRefused(_("it is for a session that is not there"), where)
    total = len(document["sessions"]) + len(document["payments"])
    return Plan(circle, sessions, payments, total - len(sessions) - len(payments))


def take(document: Value, plan: Plan, *, by: User | None = None) -> Taken:
    """Write what is planned, and return it; a new circle is run by `by`. Raise DocumentRefused."""
    if plan.circle and not (plan.sessions or plan.payments):
        return Taken(plan.circle, 0, 0, plan.known)
    circle = _write_circle(document, plan.circle.pk if plan.circle else None, by)
    cast = _Cast(circle, document)
    sessions = 0
    for at in plan.sessions:
        value = document["sessions"][at]
        sessions += _write_session(circle.pk, value, counted_session(value, at + 1), cast)
    payments = _write_payments(circle.pk, [document["payments"][at] for at in plan.payments], cast)
    return Taken(circle, sessions, payments, plan.known)


def _known_evenings(document: Value) -> dict[UUID, int]:
    """Return the circles of the document's sessions that are here, by token."""
    tokens = [UUID(session["id"]) for session in document["sessions"]]
    found: dict[UUID, int] = {}
    for first in range(0, len(tokens), BATCH):
        rows = Evening.objects.filter(token__in=tokens[first : first + BATCH])
        found |= dict(rows.values_list("token", "circle_id"))
    return found


def _check_times(document: Value) -> None:
    for number, player in enumerate(document["players"], start=1):
        for change in player["changes"]:
            time_of(change["at"], "players", str(number), "changes")
    for number, session in enumerate(document["sessions"], start=1):
        for change in session["changes"]:
            time_of(change["at"], "sessions", str(number), "changes")
    for number, profile in enumerate(document["house_profiles"], start=1):
        time_of(profile["at"], "house_profiles", str(number))
    for number, payment in enumerate(document["payments"], start=1):
        where = ["payments", str(number)]
        made_at = time_of(payment["at"], *where)
        if payment["undone"] and time_of(payment["undone"]["at"], *where) < made_at:
            raise DocumentRefused(_("it was taken back before it was booked"), where)


# --- The circle, its players and authors ---


@writing
def _write_circle(document: Value, circle_id: int | None, by: User | None) -> Circle:
    """Write the players, authors and house rules that are new, and return the circle, locked meanwhile."""
    if circle_id is None:
        if by is None:
            raise ValueError("a new circle has an owner")
        circle = evenings.new_circle(by, document["circle"]["is_demo"])
        circle.name, circle.cash_coins = document["circle"]["name"], document["circle"]["cash_coins"]
        circle.save(update_fields=["name", "cash_coins"])
    else:
        circle = hold_circle(circle_id)
    new = list(_new_players(circle, document["players"]))
    Player.objects.bulk_create(new)
    cast = _Cast(circle, document)
    for player in new:
        value = cast.values[player.token]
        if value["merged_into"]:
            into = cast.of(value["merged_into"]).player
            player.merged_into = into if into.pk != player.pk else None
    Player.objects.bulk_update([player for player in new if player.merged_into], ["merged_into"])
    _write_authors(circle, document, cast)
    cast = _Cast(circle, document)
    for player in new:
        changes = cast.values[player.token]["changes"]
        EveningChange.objects.bulk_create(_change(each, cast, player=player) for each in changes)
    _write_profiles(circle, document["house_profiles"], cast)
    return circle


def _new_players(circle: Circle, values: Sequence[Value]) -> Iterator[Player]:
    """Yield the players that the circle has neither by their tokens nor by their names.

    Raise DocumentRefused if two of the document are one here.
    """
    here = list(circle.players.all())
    by_token, by_name = {player.token: player for player in here}, {name_key(player.name): player for player in here}
    marks = {(player.mark_shape, player.mark_colour) for player in here if player.mark_shape}
    found: set[int] = set()
    for number, value in enumerate(values, start=1):
        same = by_token.get(UUID(value["id"])) or by_name.get(name_key(value["name"]))
        if same is None:
            mark = (value["mark"]["shape"], value["mark"]["colour"]) if value["mark"] else ("", "")
            shape, colour = ("", "") if mark in marks else mark
            marks.add(mark)
            yield Player(
                circle=circle,
                token=UUID(value["id"]),
                name=value["name"],
                mark_shape=shape,
                mark_colour=colour,
                plays_no_more=value["plays_no_more"],
            )
        elif same.pk in found:
            raise DocumentRefused(_("it is a player who is there twice"), ["players", str(number)])
        else:
            found.add(same.pk)


class _Cast:
    """The rows of the document's players, by their tokens in the document, and the users of its authors by name."""

    def __init__(self, circle: Circle, document: Value) -> None:
        here = list(circle.players.select_related("merged_into"))
        by_token = {player.token: player for player in here}
        by_name = {name_key(player.name): player for player in here}
        self.values = {UUID(value["id"]): value for value in document["players"]}
        self._rows: dict[str, Player] = {}
        for value in document["players"]:
            row = by_token.get(UUID(value["id"])) or by_name.get(name_key(value["name"]))
            if row:
                self._rows[value["id"]] = row
        self.names = {value["name"]: value["id"] for value in document["players"]}
        authors = Removal.objects.filter(circle=circle.pk, user__username__startswith=AUTHOR, player__isnull=False)
        self._authors = dict(authors.values_list("player", "user"))

    def of(self, token: str) -> NamedPlayer:
        """Return the person of a player, and the row of the name if that is merged here."""
        row = self._rows[token]
        return NamedPlayer(row.merged_into, row) if row.merged_into else NamedPlayer(row, None)

    def key(self, token: str | None) -> int | None:
        """Return the key of a player's own row, None if he is not there."""
        row = self._rows.get(token or "")
        return row.pk if row else None

    def author(self, name: str) -> int | None:
        """Return the key of the user who stands for the author of this name."""
        token = self.names.get(name)
        return self._authors.get(self.of(token).player.pk) if token else None

    def has_author(self, player: Player) -> bool:
        return player.pk in self._authors


def _write_authors(circle: Circle, document: Value, cast: _Cast) -> None:
    """Write a former member for each author who is a player, unless there is one already."""
    names = sorted(set(_authors_in(document)) & cast.names.keys())
    people = {cast.of(cast.names[name]).player.pk: cast.of(cast.names[name]).player for name in names}
    for player in people.values():
        if not cast.has_author(player):
            user = User(username=f"{AUTHOR}{uuid4().hex}", is_guest=True)
            user.set_unusable_password()
            user.save()
            Removal.objects.create(circle=circle, user=user, player=player, by_choice=True)


def _authors_in(document: Value) -> Iterator[str]:
    for each in (*document["house_profiles"], *document["payments"]):
        yield each["by"]
        if each.get("undone"):
            yield each["undone"]["by"]
    for player in document["players"]:
        yield from (change["by"] for change in player["changes"])
    for session in document["sessions"]:
        yield from (change["by"] for change in session["changes"])
        yield from (revision["by"] for hand in session["hands"] for revision in hand["revisions"])


def _write_profiles(circle: Circle, values: Sequence[Value], cast: _Cast) -> None:
    """Write the saved house rules whose names are free."""
    taken = {(profile.game_key, name_key(profile.name)) for profile in circle.house_profiles.all()}
    for value in values:
        key = value["game"], name_key(value["name"])
        if key not in taken:
            taken.add(key)
            HouseProfile.objects.create(
                circle=circle,
                game_key=value["game"],
                name=value["name"],
                rules=value["rules"],
                made_by_id=cast.author(value["by"]),
                made_at=time_of(value["at"]),
            )


def _change(value: Value, cast: _Cast, **of: Any) -> EveningChange:
    """Return an entry of a history, its players' tokens replaced by keys."""
    states = {"before": dict(value["before"]), "after": dict(value["after"])}
    for state in states.values():
        if "player" in state:
            state["player"] = cast.key(state["player"])
        if "players" in state:
            state["players"] = [cast.key(token) for token in state["players"]]
    made = {"made_at": time_of(value["at"]), "made_by_id": cast.author(value["by"])}
    return EveningChange(kind=value["kind"], **made, **states, **of)


# --- A session ---


@writing
def _write_session(circle_id: int, value: Value, counted: CountedSession, cast: _Cast) -> bool:
    """Write a session, and return whether it was new."""
    circle = hold_circle(circle_id)
    if Evening.objects.filter(token=UUID(value["id"])).exists():
        return False
    evening, people = counted.evening, [cast.of(seat["sat_as"] or seat["player"]) for seat in value["seats"]]
    if len({person.player.pk for person in people}) < len(people):
        raise DocumentRefused(_("two of its players are one here: “%s”") % value["title"], ["sessions"])
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
    EveningChange.objects.bulk_create([_change(each, cast, evening=evening) for each in value["changes"]])
    _write_hands(evening, counted.hands, cast)
    _write_results(evening, value)
    return True


def _write_hands(evening: Evening, hands: Sequence[CountedHand], cast: _Cast) -> None:
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
            made.pk, made.hand, made.made_by_id = None, each.hand, cast.author(author)
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
        results.write(evening)
        rollups.write(evening, stored_figures_of(evening))
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
def _write_payments(circle_id: int, values: Collection[Value], cast: _Cast) -> int:
    """Write the payments that are not there yet, and return how many. Raise DocumentRefused, having written none."""
    circle = hold_circle(circle_id)
    there = set(circle.repayments.values_list("token", flat=True))
    sessions = dict(circle.evenings.filter(last_number__gte=1).values_list("token", "pk"))
    played = played_for(circle.pk)
    new = [value for value in values if UUID(value["id"]) not in there]
    for value in new:
        evenings_paid = [sessions[UUID(token)] for token in value["sessions"] if UUID(token) in sessions]
        if len(evenings_paid) < len(value["sessions"]) or (evenings_paid and value["currency"] not in played):
            raise DocumentRefused(_("it is for no session that was played for this") + f": {value['id']}", ["payments"])
        _write_payment(circle, value, evenings_paid, cast)
    if new:
        raise_repayment_version(circle)
    return len(new)


def _write_payment(circle: Circle, value: Value, sessions: Sequence[int], cast: _Cast) -> None:
    payer, payee = (cast.of(value[f"{side}_as"] or value[side]) for side in ("payer", "payee"))
    undone = value["undone"]
    there = set(Seat.objects.filter(evening__in=sessions).values_list("player", flat=True))
    is_seated = not sessions or {payer.player.pk, payee.player.pk} <= there
    if not is_seated or (payer.player.pk == payee.player.pk and not undone):
        what = _("it is between players, or for sessions, that are not there: %s") % value["id"]
        raise DocumentRefused(what, ["payments"])
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
        made_by_id=cast.author(value["by"]),
        undone_at=time_of(undone["at"]) if undone else None,
        undone_by_id=cast.author(undone["by"]) if undone else None,
    )
    RepaymentEvening.objects.bulk_create(RepaymentEvening(repayment=row, evening_id=session) for session in sessions)
