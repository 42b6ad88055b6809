"""The editable part of an evening (names, stake, chips, seats, title, note), its history of edits, and its lineup."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from scorekeeper.games.base import Game
from sessions_app.models import Evening, EveningChange, Hand, HandInPlay, Player, RepaymentEvening, Seat, User
from sessions_app.readers.evening.seating import has_begun


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
    for kind, columns in COLUMNS.items():
        if before.get(kind) == as_stored(typed, kind):
            typed = replace(typed, **{name: getattr(current, name) for name in columns})
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


#: The edits of columns of the evening's own row, in the order in which they are written, and these columns.
COLUMNS: Final = {
    EveningChange.Kind.STAKE: ("stake", "currency"),
    EveningChange.Kind.CHIPS: ("in_chips",),
    EveningChange.Kind.TITLE: ("title",),
    EveningChange.Kind.NOTE: ("note",),
}


def as_stored(shape: Shape, kind: EveningChange.Kind) -> dict[str, Any]:
    """Return the values of the columns of such an edit as the history stores them."""
    if kind is EveningChange.Kind.STAKE:
        return stake_as_stored(shape)
    return {name: getattr(shape, name) for name in COLUMNS[kind]}


# --- Lineup ---


#: The most names offered.
OFFERED: Final = 12


class Sitter(NamedTuple):
    """A player who sits at the table, and the next one clockwise."""

    seat: int
    name: str
    next_name: str


@dataclass(frozen=True, slots=True)
class Lineup:
    """The lineup. `room` is how many more players the game could take, `spare` how many fewer, 0 for not even one."""

    sitting: tuple[Sitter, ...]
    gone: tuple[str, ...]
    known: tuple[str, ...]
    room: int
    spare: int

    @property
    def has_changed(self) -> bool:
        """Return whether the columns differ from the seats at the table, clockwise."""
        return bool(self.gone) or [sitter.seat for sitter in self.sitting] != list(range(len(self.sitting)))


def deals_right(game: Game[Any, Any, Any]) -> bool:
    """Return whether the deal goes round against the numbers of the seats."""
    most = max(game.seat_counts)
    return game.next_dealer(most, 0) == most - 1


def lineup_of(evening: Evening) -> Lineup:
    """Return the evening's lineup: two queries."""
    names = dict(evening.seats.values_list("position", "player__name"))
    sitting = evening.sitting
    known = (
        Player.objects.filter(circle=evening.circle_id, merged_into=None, plays_no_more=False)
        .annotate(latest=Max("seats__evening"))
        .order_by(F("latest").desc(nulls_last=True), "pk")
        .values_list("name", flat=True)
    )
    here = {names[seat] for seat in sitting}
    gone = tuple(name for seat, name in names.items() if seat not in sitting)
    others = [name for name in known[: OFFERED + len(names)] if name not in here and name not in gone]
    counts = evening.game.seat_counts
    return Lineup(
        tuple(
            Sitter(seat, names[seat], names[following])
            for seat, following in zip(sitting, (*sitting[1:], sitting[0]), strict=True)
        ),
        gone,
        (*gone, *others)[:OFFERED],
        sum(count > len(sitting) for count in counts),
        sum(count < len(sitting) for count in counts),
    )


def lineup_obstacle(evening: Evening) -> str:
    """Return the code of LineupRefused why nobody can come or go now, '' if they can: one query at most."""
    if evening.has_ended:
        return "ended"
    if not evening.game.seats_may_change:
        return "seats_fixed"
    return "being_played" if has_begun(evening) else ""


# --- Removing it ---


def kept_by(evening: Evening) -> str:
    """Return what keeps the evening from being removed: "hand" (one that is not void), "payment" (also one taken back)
    or "play" (a hand in play); "" if nothing does. One query, none if a played hand stands.
    """
    if evening.hand_count:
        return "hand"
    reasons = {
        "hand": Hand.objects.filter(evening=OuterRef("pk"), is_void=False),
        "payment": RepaymentEvening.objects.filter(evening=OuterRef("pk")),
        "play": HandInPlay.objects.filter(evening=OuterRef("pk")).exclude(state={}),
    }
    asked = Evening.objects.filter(pk=evening.pk).values_list(*(Exists(rows) for rows in reasons.values()))
    return next((reason for reason, holds in zip(reasons, asked.get(), strict=True) if holds), "")
