"""The writer of what is mended of an evening: its players' names, its stake, its seats before the first hand.

One short transaction that holds the table, then the evening, and writes all that was asked for, its history, and the
new versions that the phones follow, or nothing. History is only ever added to, so its latest entry says which state a
form was opened from.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import F, Q, QuerySet

from sessions_app.errors import PlayerNameTaken, SeatsFixed, StaleEvening
from sessions_app.models import Evening, EveningChange, OpenHand, Player, Seat, User, lineup_to_text
from sessions_app.writers.transactions import hold_circle_and_evening, writing

Kind = EveningChange.Kind


@dataclass(frozen=True, slots=True)
class Shape:
    """What can be mended: players and names clockwise, the first dealer's seat, money per point if any."""

    players: tuple[int, ...]
    names: tuple[str, ...]
    first_dealer: int
    stake: Decimal | None
    currency: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One entry of the history; `by` is who made it, '' where he did not say who he is."""

    kind: str
    made_at: datetime
    by_me: bool
    by: str
    before: dict[str, Any]
    after: dict[str, Any]


def shape_of(evening: Evening) -> Shape:
    """The evening as it is now: one query."""
    seats = list(evening.seats.select_related("player"))
    return Shape(
        tuple(seat.player_id for seat in seats),
        tuple(seat.player.name for seat in seats),
        evening.first_dealer,
        evening.stake,
        evening.currency,
    )


def seats_are_free(evening: Evening) -> bool:
    """Whether the players can still change places: one query at most."""
    return not (evening.has_ended or evening.last_number or _is_played(evening))


@writing
def mend(evening_id: int, wanted: Shape, *, seen: int, by: User) -> None:
    """Make the evening what is wanted; what it is already leaves no trace.

    `seen` is the latest entry of its history that the writer has looked at, 0 for none. Raises StaleEvening,
    PlayerNameTaken, SeatsFixed, Evening.DoesNotExist.
    """
    _circle, evening = hold_circle_and_evening(evening_id)
    since = list(changes(evening).filter(pk__gt=seen))
    if since:
        raise StaleEvening(since)
    current = shape_of(evening)
    if set(wanted.players) != set(current.players):
        raise StaleEvening(())
    written = [
        *_rename(evening, current, wanted, by),
        *_stake(evening, current, wanted, by),
        *_seat(evening, current, wanted, by),
    ]
    EveningChange.objects.bulk_create(written)


def merged(typed: Shape, since: Iterable[EveningChange], current: Shape) -> Shape:
    """What was typed where the writer had touched it, and the evening as it is now where he had not."""
    before: dict[object, dict[str, Any]] = {}
    for change in since:
        before.setdefault(change.player_id or change.kind, change.before)
    names = dict(zip(typed.players, typed.names, strict=True))
    for player, now in zip(current.players, current.names, strict=True):
        if before.get(player, {}).get("name") == names.get(player):
            names[player] = now
    if before.get(Kind.STAKE) == _money(typed):
        typed = replace(typed, stake=current.stake, currency=current.currency)
    seats = before.get(Kind.SEATS, {})
    if (seats.get("players"), seats.get("first_dealer")) == (list(typed.players), typed.first_dealer):
        typed = seated(typed, current)
    return replace(typed, names=tuple(names[player] for player in typed.players))


def seated(typed: Shape, current: Shape) -> Shape:
    """What was typed, with the players in the seats in which they sit."""
    names = dict(zip(typed.players, typed.names, strict=True))
    ordered = tuple(names[player] for player in current.players)
    return replace(typed, players=current.players, names=ordered, first_dealer=current.first_dealer)


def changes(evening: Evening) -> QuerySet[EveningChange]:
    """The entries of the evening's history, the oldest first; of its players' names those since it began."""
    players = Seat.objects.filter(evening=evening.pk).values("player")
    of_names = Q(player__in=players, made_at__gte=evening.started_at)
    return EveningChange.objects.filter(Q(evening=evening.pk) | of_names).order_by("pk")


def seen_of(evening: Evening) -> int:
    """The latest entry of the evening's history, 0 for none: one query."""
    latest = changes(evening).last()
    return latest.pk if latest else 0


def views(found: Iterable[EveningChange], by_user: dict[int, str], viewer: User) -> tuple[ChangeView, ...]:
    """Entries of a history as a page shows them, with who made them by `by_user`."""
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


def _is_played(evening: Evening) -> bool:
    """Whether something was said of the open hand, its dealer apart."""
    row = OpenHand.objects.filter(evening=evening.pk).first()
    return row is not None and bool(row.has_begun)


def _rename(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    """Give the players their names, in all their evenings."""
    was = dict(zip(current.players, current.names, strict=True))
    is_to_be = dict(zip(wanted.players, wanted.names, strict=True))
    changed = [player for player in current.players if is_to_be[player] != was[player]]
    if not changed:
        return
    others = dict(Player.objects.filter(circle=evening.circle_id).values_list("pk", "name"))
    for player in changed:
        taken = {name.casefold() for other, name in (others | is_to_be).items() if other != player}
        # What another is called until now is not free either: an exchange would turn round all their evenings.
        taken |= {name.casefold() for other, name in others.items() if other != player}
        if is_to_be[player].casefold() in taken:
            raise PlayerNameTaken(player)
    for player in changed:
        Player.objects.filter(pk=player).update(name=is_to_be[player])
        before, after = {"name": was[player]}, {"name": is_to_be[player]}
        yield EveningChange(player_id=player, kind=Kind.NAME, made_by=by, before=before, after=after)
    theirs = Seat.objects.filter(player__in=changed).values("evening")
    Evening.objects.filter(pk__in=theirs).update(version=F("version") + 1)


def _stake(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    before, after = _money(current), _money(wanted)
    if before == after:
        return
    Evening.objects.filter(pk=evening.pk).update(
        stake=wanted.stake, currency=after["currency"], version=F("version") + 1
    )
    yield EveningChange(evening=evening, kind=Kind.STAKE, made_by=by, before=before, after=after)


def _seat(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    """Let the players sit down anew; their names are as they were when the writer looked."""
    if (current.players, current.first_dealer) == (wanted.players, wanted.first_dealer):
        return
    if not seats_are_free(evening):
        raise SeatsFixed
    Seat.objects.filter(evening=evening).delete()
    Seat.objects.bulk_create(
        Seat(evening=evening, position=position, player_id=player) for position, player in enumerate(wanted.players)
    )
    Evening.objects.filter(pk=evening.pk).update(
        lineup=lineup_to_text(range(len(wanted.players))),
        first_dealer=wanted.first_dealer,
        seating=F("seating") + 1,
        version=F("version") + 1,
    )
    _outdate_referees(evening, wanted.first_dealer, by)
    before, after = _places(current), _places(wanted)
    yield EveningChange(evening=evening, kind=Kind.SEATS, made_by=by, before=before, after=after)


def _outdate_referees(evening: Evening, dealer: int, by: User) -> None:
    """Lay an open hand in which nothing is said: whoever looked before it speaks of the old seats, and is refused."""
    evening.refresh_from_db(fields=["version"])
    laid = {"number": 1, "dealer": dealer, "version": evening.version, "changed_by": by}
    OpenHand.objects.update_or_create(evening=evening, defaults=laid)


def _money(shape: Shape) -> dict[str, str]:
    """The stake as the history keeps it: a plain decimal, '' for points only."""
    if shape.stake is None:
        return {"stake": "", "currency": ""}
    return {"stake": f"{shape.stake.normalize():f}", "currency": shape.currency}


def _places(shape: Shape) -> dict[str, Any]:
    """The seats as the history keeps them, in the names of the time."""
    return {
        "players": list(shape.players),
        "names": list(shape.names),
        "first_dealer": shape.first_dealer,
        "dealer": shape.names[shape.first_dealer],
    }
