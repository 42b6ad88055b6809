"""JSON document of a circle's book, or of one session: complete, in one form, with ids that stay.

`docs/book.schema.json` says what it holds. Players, sessions, hands and payments are named by tokens, which stay the
same on every server, and the authors of changes by their names. What identifies phones is left out: users, members,
invites. A document is written in pieces, so that memory does not grow with the number of sessions; the caller reads it
in one snapshot.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet

from sessions_app.models import (
    Circle,
    Evening,
    EveningChange,
    FormerResult,
    HouseProfile,
    Player,
    Repayment,
    RepaymentEvening,
    Revision,
    lineup_from_text,
)
from sessions_app.readers.evening.seating import evening_of
from sessions_app.readers.people.members import names_by_user

FORMAT: Final = "strigula book"
VERSION: Final = 1
SCHEMA: Final = Path(settings.BASE_DIR) / "docs" / "book.schema.json"

type Value = dict[str, Any]


def of_circle(circle: Circle) -> Iterator[bytes]:
    """Yield the document of a circle: nine queries, and six for each session."""
    names = _Names(circle.pk)
    sessions = circle.evenings.order_by("started_at", "pk").values_list("pk", flat=True)
    yield from _document(
        {"name": circle.name, "cash_coins": circle.cash_coins, "is_demo": circle.is_demo},
        (_profile(row, names) for row in circle.house_profiles.order_by("pk")),
        _payments(Repayment.objects.filter(circle=circle.pk), names),
        _players(Player.objects.filter(circle=circle.pk), names),
        (_session(evening_of(pk), names) for pk in list(sessions)),
    )


def of_evening(evening: Evening) -> Iterator[bytes]:
    """Yield the document of one session: with the players it names, and the payments for it alone."""
    names = _Names(evening.circle_id)
    others = RepaymentEvening.objects.exclude(evening=evening.pk).values("repayment")
    payments = Repayment.objects.filter(circle=evening.circle_id, evenings=evening.pk).exclude(pk__in=others)
    session, paid = _session(evening, names), list(_payments(payments, names))
    players = Player.objects.filter(circle=evening.circle_id)
    named = players.filter(Q(token__in=_tokens_in(session, paid)) | Q(name__in=authors_in([session], paid)))
    # A history of his own names another player, whom a document that stands alone must have as well.
    named = players.filter(Q(pk__in=named.values("pk")) | Q(pk__in=named.values("merged_into")))
    of = {"name": evening.circle.name, "cash_coins": {}, "is_demo": evening.circle.is_demo}
    yield from _document(of, (), paid, _players(named, names), [session])


def _document(
    circle: Value,
    profiles: Iterable[Value],
    payments: Iterable[Value],
    players: Iterable[Value],
    sessions: Iterable[Value],
) -> Iterator[bytes]:
    """Yield a document, its keys sorted, one member of a list a line."""
    yield b'{"circle":' + packed(circle) + b',\n"format":' + packed(FORMAT)
    lists = {"house_profiles": profiles, "payments": payments, "players": players, "sessions": sessions}
    for name, members in lists.items():
        yield b",\n" + packed(name) + b":["
        for number, member in enumerate(members):
            yield (b",\n" if number else b"\n") + packed(member)
        yield b"\n]"
    yield b',\n"version":' + packed(VERSION) + b"}\n"


def packed(value: object) -> bytes:
    """Return a value as JSON, in its only form."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def in_utc(at: datetime) -> str:
    """Return a time as a document has it."""
    return at.astimezone(UTC).isoformat()


def stake_text(stake: Decimal) -> str:
    """Return a stake as a document has it."""
    return f"{stake.normalize():f}"


class _Names:
    """The names of a circle's authors by user, and the tokens of its players by key."""

    def __init__(self, circle_id: int) -> None:
        self._circle = circle_id

    @cached_property
    def by_user(self) -> dict[int, str]:
        return names_by_user(self._circle)

    @cached_property
    def _tokens(self) -> dict[int, str]:
        rows = Player.objects.filter(circle=self._circle).values_list("pk", "token")
        return {pk: str(token) for pk, token in rows}

    def author(self, user: int | None) -> str:
        return self.by_user.get(user or 0, "")

    def token(self, player: object) -> str | None:
        """Return the token of a player's key; None for no player, and for one that was deleted."""
        return self._tokens.get(player) if isinstance(player, int) else None


# --- Parts ---


def _profile(row: HouseProfile, names: _Names) -> Value:
    made = {"at": in_utc(row.made_at), "by": names.author(row.made_by_id)}
    return made | {"game": row.game_key, "name": row.name, "rules": row.rules}


def _players(players: QuerySet[Player], names: _Names) -> Iterator[Value]:
    changes = Prefetch("changes", EveningChange.objects.order_by("pk"))
    for row in players.order_by("pk").prefetch_related(changes):
        yield {
            "id": str(row.token),
            "name": row.name,
            "mark": {"shape": row.mark_shape, "colour": row.mark_colour} if row.mark_shape else None,
            "plays_no_more": row.plays_no_more,
            "merged_into": names.token(row.merged_into_id),
            "changes": [_change(change, names) for change in row.changes.all()],
        }


def _change(change: EveningChange, names: _Names) -> Value:
    """Return an entry of a history, its players' keys replaced by tokens."""
    values = {"before": dict(change.before), "after": dict(change.after)}
    for value in values.values():
        if "player" in value:
            value["player"] = names.token(value["player"])
        if "players" in value:
            value["players"] = [names.token(player) for player in value["players"]]
    return values | {"kind": change.kind, "at": in_utc(change.made_at), "by": names.author(change.made_by_id)}


def _payments(rows: QuerySet[Repayment], names: _Names) -> Iterator[Value]:
    links: dict[int, list[str]] = {}
    of_these = RepaymentEvening.objects.filter(repayment__in=rows.values("pk")).order_by("pk")
    for payment, token in of_these.values_list("repayment", "evening__token"):
        links.setdefault(payment, []).append(str(token))
    for row in rows.order_by("pk"):
        undone = {"at": in_utc(row.undone_at), "by": names.author(row.undone_by_id)} if row.undone_at else None
        yield {
            "id": str(row.token),
            "kind": row.kind,
            "payer": names.token(row.payer_id),
            "payer_as": names.token(row.payer_as_id),
            "payee": names.token(row.payee_id),
            "payee_as": names.token(row.payee_as_id),
            "units": row.units,
            "currency": row.currency,
            "sessions": links.get(row.pk, []),
            "note": row.note,
            "at": in_utc(row.made_at),
            "by": names.author(row.made_by_id),
            "undone": undone,
        }


def _session(evening: Evening, names: _Names) -> Value:
    seats = evening.seats.order_by("position").values_list("player", "sat_as", "result", "result_parts")
    return {
        "id": str(evening.token),
        "game": evening.game_key,
        "house_rules": evening.rules,
        "stake": None if evening.stake is None else stake_text(evening.stake),
        "currency": evening.currency,
        "in_chips": evening.in_chips,
        "seats": [{"player": names.token(player), "sat_as": names.token(sat_as)} for player, sat_as, *_won in seats],
        "first_dealer": evening.first_dealer,
        "lineup": evening.sitting,
        "started_at": in_utc(evening.started_at),
        "ended_at": in_utc(evening.ended_at) if evening.ended_at else None,
        "title": evening.title,
        "note": evening.note,
        "result": _result(evening, seats),
        "former_results": list(_former_results(evening)),
        "changes": [_change(change, names) for change in evening.changes.order_by("pk")],
        "hands": list(_hands(evening, names)),
    }


def _result(evening: Evening, seats: Iterable[tuple[Any, ...]]) -> Value | None:
    """Return the result that is stored: that of the latest end, also of a session that was reopened."""
    if not evening.result_currency:
        return None
    amounts = [str(Fraction(result, parts)) for _player, _sat_as, result, parts in seats if result is not None]
    return {"currency": evening.result_currency, "amounts": amounts}


def _former_results(evening: Evening) -> Iterator[Value]:
    rows = FormerResult.objects.filter(seat__evening=evening.pk).order_by("pk")
    columns = ("seat__position", "result", "result_parts", "currency", "replaced_at")
    for seat, result, parts, currency, at in rows.values_list(*columns):
        yield {"seat": seat, "amount": str(Fraction(result, parts)), "currency": currency, "at": in_utc(at)}


def _hands(evening: Evening, names: _Names) -> Iterator[Value]:
    revisions: dict[int, list[Value]] = {}
    rows = Revision.objects.filter(hand__evening=evening.pk).order_by("hand", "number")
    of_cause = ("cause__hand__number", "cause__number")
    columns = ("hand", "action", "made_at", "made_by", "before", "after", "version", *of_cause)
    for hand, action, at, by, before, after, version, cause_hand, cause in rows.values_list(*columns):
        revisions.setdefault(hand, []).append({
            "action": action,
            "at": in_utc(at),
            "by": names.author(by),
            "before": before,
            "after": after,
            "cause": {"hand": cause_hand, "revision": cause} if cause else None,
            "version": version,
        })  # fmt: skip
    hands = evening.hands.order_by("number").values_list("pk", "token", "number", "kind", "lineup", "recorded_at")
    for pk, token, number, kind, lineup, recorded_at in hands:
        yield {
            "id": str(token),
            "number": number,
            "kind": kind,
            "lineup": lineup_from_text(lineup),
            "at": in_utc(recorded_at),
            "revisions": revisions.get(pk, []),
        }


# --- Players and authors that a document names ---


def _tokens_in(session: Value, payments: Iterable[Value]) -> set[UUID]:
    seats = [token for seat in session["seats"] for token in seat.values()]
    sides = [row[side] for row in payments for side in ("payer", "payer_as", "payee", "payee_as")]
    places = [
        value.get("players", []) for change in session["changes"] for value in (change["before"], change["after"])
    ]
    return {UUID(token) for token in (*seats, *sides, *(each for place in places for each in place)) if token}


def authors_in(sessions: Iterable[Value], payments: Iterable[Value], others: Iterable[Value] = ()) -> set[str]:
    """Return the names of the authors of these sessions' changes and revisions, of payments, and of `others`."""
    found = {each["by"] for each in others}
    for session in sessions:
        found.update(change["by"] for change in session["changes"])
        found.update(revision["by"] for hand in session["hands"] for revision in hand["revisions"])
    for payment in payments:
        found.update(each["by"] for each in (payment, payment["undone"]) if each)
    return found


def authors_of_head(document: Value) -> set[str]:
    """Return the authors of a document's house rules, and of its players' names."""
    changes = (change for value in document["players"] for change in value["changes"])
    return authors_in((), (), (*document["house_profiles"], *changes))
