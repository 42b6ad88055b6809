"""The editable part of an evening (names, stake, chips, seats, title, note), and the history of its edits."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet

from sessions_app.models import Evening, EveningChange, Seat, User
from sessions_app.readers.evening.hand_in_play import has_begun


@dataclass(frozen=True, slots=True)
class Shape:
    """The editable part of an evening: players and names clockwise, the first dealer's seat, money per point if any,
    title and note, and whether it is paid in chips.
    """

    players: tuple[int, ...]
    names: tuple[str, ...]
    first_dealer: int
    stake: Decimal | None
    currency: str
    title: str = ""
    note: str = ""
    in_chips: bool = False


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One entry of the history; `by` is its author's name, '' for a member without a player."""

    kind: str
    made_at: datetime
    by_me: bool
    by: str
    before: dict[str, Any]
    after: dict[str, Any]


def shape_of(evening: Evening) -> Shape:
    """Return the evening as it is now: one query."""
    seats = list(evening.seats.select_related("player"))
    return Shape(
        tuple(seat.player_id for seat in seats),
        tuple(seat.player.name for seat in seats),
        evening.first_dealer,
        evening.stake,
        evening.currency,
        evening.title,
        evening.note,
        evening.in_chips,
    )


def seats_are_free(evening: Evening) -> bool:
    """Return whether the players can still change places: one query at most."""
    return not (evening.has_ended or evening.last_number or has_begun(evening))


def merged(typed: Shape, since: Iterable[EveningChange], current: Shape) -> Shape:
    """Return the typed values that the member had changed, and the current ones for those he had left as they were."""
    before: dict[object, dict[str, Any]] = {}
    for change in since:
        before.setdefault(change.player_id or change.kind, change.before)
    names = dict(zip(typed.players, typed.names, strict=True))
    for player, now in zip(current.players, current.names, strict=True):
        if before.get(player, {}).get("name") == names.get(player):
            names[player] = now
    if before.get(EveningChange.Kind.STAKE) == stake_as_stored(typed):
        typed = replace(typed, stake=current.stake, currency=current.currency)
    if before.get(EveningChange.Kind.TITLE, {}).get("title") == typed.title:
        typed = replace(typed, title=current.title)
    if before.get(EveningChange.Kind.NOTE, {}).get("note") == typed.note:
        typed = replace(typed, note=current.note)
    if before.get(EveningChange.Kind.CHIPS) == chips_as_stored(typed):
        typed = replace(typed, in_chips=current.in_chips)
    seats = before.get(EveningChange.Kind.SEATS, {})
    if (seats.get("players"), seats.get("first_dealer")) == (list(typed.players), typed.first_dealer):
        typed = with_seats_of(typed, current)
    return replace(typed, names=tuple(names[player] for player in typed.players))


def with_seats_of(typed: Shape, current: Shape) -> Shape:
    """Return the typed values, with the players in their current seats."""
    names = dict(zip(typed.players, typed.names, strict=True))
    ordered = tuple(names[player] for player in current.players)
    return replace(typed, players=current.players, names=ordered, first_dealer=current.first_dealer)


def changes_of(evening: Evening) -> QuerySet[EveningChange]:
    """Return the entries of the evening's history, the oldest first; of its players' names those since it began."""
    players = Seat.objects.filter(evening=evening.pk).values("player")
    names = Q(player__in=players) | Q(player__merged_into__in=players)
    of_names = Q(names, made_at__gte=evening.started_at)
    return EveningChange.objects.filter(Q(evening=evening.pk) | of_names).order_by("pk")


def latest_change(evening: Evening) -> int:
    """Return the key of the latest entry of the evening's history, 0 for none: one query."""
    latest = changes_of(evening).last()
    return latest.pk if latest else 0


def change_views(found: Iterable[EveningChange], by_user: dict[int, str], viewer: User) -> tuple[ChangeView, ...]:
    """Return entries of a history as a page shows them, with their authors' names from `by_user`."""
    return tuple(
        ChangeView(
            change.kind,
            change.made_at,
            change.made_by_id == viewer.pk,
            by_user.get(change.made_by_id or 0, ""),
            change.before,
            change.after,
        )
        for change in found
    )


def stake_as_stored(shape: Shape | Evening) -> dict[str, str]:
    """Return the stake as the history stores it: a plain decimal, '' for points only."""
    if shape.stake is None:
        return {"stake": "", "currency": ""}
    return {"stake": f"{shape.stake.normalize():f}", "currency": shape.currency}


def chips_as_stored(shape: Shape) -> dict[str, bool]:
    """Return the way of paying as the history stores it."""
    return {"in_chips": shape.in_chips}
