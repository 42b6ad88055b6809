"""The writer of an evening's edits: its players' names, stake, chips, title and note, its seats before the first hand,
and its lineup between two hands.

One short transaction that locks the circle, then the evening, and writes all the changes, their history, and the new
versions that phones poll for, or nothing. History is append-only, so its latest entry identifies the state that a form
was opened from.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import F, Q
from django.utils import timezone

from scorekeeper.text.names import name_key
from sessions_app.errors import LineupRefused, PlayerNameTaken, SeatsFixed, StaleEvening
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.models import Evening, EveningChange, HandInPlay, Player, Seat, User, lineup_to_text
from sessions_app.readers.evening.edit import (
    COLUMNS,
    Shape,
    as_stored,
    changes_of,
    lineup_obstacle,
    seats_are_free,
    shape_of,
)
from sessions_app.readers.evening.seating import turn
from sessions_app.transactions import hold_circle_and_evening, raise_versions, writing
from sessions_app.writers import circles, players, results
from sessions_app.writers.players import UNUSED, players_named

#: The edits that change the result of an evening.
OF_RESULT: Final = (EveningChange.Kind.STAKE, EveningChange.Kind.CHIPS)


@writing
def edit(evening_id: int, wanted: Shape, *, seen: int, by: User) -> None:
    """Change the evening to `wanted`; an equal value leaves no entry in its history.

    `seen` is the key of the latest entry of its history that the caller read, 0 for none. Raise StaleEvening,
    PlayerNameTaken, SeatsFixed, StakeTooHigh, Evening.DoesNotExist, and ValueError for chips in a game that does not
    pay per hand.
    """
    _circle, evening = hold_circle_and_evening(evening_id)
    since = list(changes_of(evening).filter(pk__gt=seen))
    if since:
        raise StaleEvening(since)
    current = shape_of(evening)
    if set(wanted.players) != set(current.players):
        raise StaleEvening(())
    written = [
        *_rename(evening, current, wanted, by),
        *_columns(evening, current, wanted, by),
        *_seat(evening, current, wanted, by),
    ]
    if not written:
        return
    EveningChange.objects.bulk_create(written)
    if any(change.kind in OF_RESULT for change in written):
        evening.refresh_from_db()
        if evening.has_ended:
            results.write_results(evening, must_fit=True)
            evening.save(update_fields=["result_currency"])
        else:
            results.check_results(evening)
    renamed = [change.player_id for change in written if change.kind == EveningChange.Kind.NAME]
    theirs = Seat.objects.filter(player__in=renamed).values("evening")
    circles.renew_search_texts(Evening.objects.filter(Q(pk=evening.pk) | Q(pk__in=theirs)))


def _rename(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    """Rename the players, in all their evenings, and yield the changes. Raise PlayerNameTaken."""
    was = dict(zip(current.players, current.names, strict=True))
    is_to_be = dict(zip(wanted.players, wanted.names, strict=True))
    changed = [player for player in current.players if is_to_be[player] != was[player]]
    if not changed:
        return
    others = dict(Player.objects.filter(circle=evening.circle_id).values_list("pk", "name"))
    for player in changed:
        # Another player's old name is not free either: exchanging two would swap them in all their evenings.
        named = (*is_to_be.items(), *others.items())
        taken = {name_key(name): other for other, name in named if other != player}
        if other := taken.get(name_key(is_to_be[player])):
            raise PlayerNameTaken(player, other)
    for player in changed:
        yield players.write_name(player, was[player], is_to_be[player], by=by)
    theirs = Seat.objects.filter(player__in=changed).values("evening")
    raise_versions(Evening.objects.filter(pk__in=theirs))


def _columns(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    """Write the stake, chips, title and note that differ, and yield the changes."""
    if wanted.in_chips and not current.in_chips and not evening.game.pays_per_hand:
        raise ValueError(f"the hands of {evening.game_key} are not paid one by one")
    for kind in COLUMNS:
        before, after = (as_stored(shape, kind) for shape in (current, wanted))
        if before != after:
            stake = {"stake": wanted.stake} if kind is EveningChange.Kind.STAKE else {}
            raise_versions(Evening.objects.filter(pk=evening.pk), **after | stake)
            yield EveningChange(evening=evening, kind=kind, made_by=by, before=before, after=after)


def _seat(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    """Reassign the seats and yield the change, with the names as they were before this edit. Raise SeatsFixed."""
    if (current.players, current.first_dealer) == (wanted.players, wanted.first_dealer):
        return
    if not seats_are_free(evening):
        raise SeatsFixed
    sat_as = dict(Seat.objects.filter(evening=evening).values_list("player", "sat_as"))
    Seat.objects.filter(evening=evening).delete()
    Seat.objects.bulk_create(
        Seat(evening=evening, position=position, player_id=player, sat_as_id=sat_as[player])
        for position, player in enumerate(wanted.players)
    )
    _write_lineup(evening, range(len(wanted.players)), wanted.first_dealer, by)
    before, after = _places(current), _places(wanted)
    yield EveningChange(evening=evening, kind=EveningChange.Kind.SEATS, made_by=by, before=before, after=after)


def _places(shape: Shape) -> dict[str, Any]:
    """Return the seats as the history stores them, with the names of that time."""
    return {
        "players": list(shape.players),
        "names": list(shape.names),
        "first_dealer": shape.first_dealer,
        "dealer": shape.names[shape.first_dealer],
    }


# --- The lineup ---
#
# A player comes late or goes home. The new seating is stored as well: a form opened before means the old lineup, and is
# refused. A seat is a column of the sheet and stays its player's all evening, whoever comes and goes. Before the first
# hand there is no sheet, and the seats are renumbered clockwise.


@writing
def join_lineup(evening_id: int, name: str, after_seat: int, *, seen: int, by: User) -> Seat:
    """Seat a player between `after_seat` and the next seat, clockwise, from the next deal on; return his seat.

    `name` is that of a player of the circle, or of a new one; a player who had gone home gets his seat again. `seen`
    is the evening's seating as the caller read it. Raise LineupRefused.
    """
    circle, evening = hold_circle_and_evening(evening_id)
    sitting = _sitting(evening, seen)
    if after_seat not in sitting:
        raise LineupRefused("not_sitting")
    require_room_for(evening, len(sitting) + 1)
    [(player, sat_as)] = players_named(circle, [name])
    seat = evening.seats.filter(player=player).first()
    if seat and seat.position in sitting:
        raise LineupRefused("sits_already")
    if seat is None:
        count = evening.seats.count()
        if count >= MOST_SEATS:
            raise LineupRefused("sheet_full")
        seat = Seat.objects.create(evening=evening, position=count, player=player, sat_as=sat_as)
    at = sitting.index(after_seat) + 1
    _seat_lineup(evening, (*sitting[:at], seat.position, *sitting[at:]), by)
    return evening.seats.get(player=player)


@writing
def leave_lineup(evening_id: int, seat: int, *, by: User, seen: int | None = None) -> None:
    """Let the player of a seat go home: he is out of the hands from the next deal on, and keeps his balance.

    If he was to deal first, the next player does. Raise as `join_lineup`.
    """
    _circle, evening = hold_circle_and_evening(evening_id)
    sitting = _sitting(evening, seen)
    if seat not in sitting:
        raise LineupRefused("not_sitting")
    require_room_for(evening, len(sitting) - 1)
    if evening.first_dealer == seat:
        evening.first_dealer = evening.game.next_dealer(sitting, seat)
    _seat_lineup(evening, tuple(other for other in sitting if other != seat), by)


def require_room_for(evening: Evening, count: int) -> None:
    """Raise LineupRefused unless the game can be played by `count` players."""
    if count not in evening.game.seat_counts:
        raise LineupRefused("too_many" if count > max(evening.game.seat_counts) else "too_few")


def _sitting(evening: Evening, seen: int | None) -> tuple[int, ...]:
    """Return the seats at the table, clockwise. Raise LineupRefused if they may not change."""
    if seen not in (None, evening.seating):
        raise LineupRefused("stale")
    speaks_against = lineup_obstacle(evening)
    if speaks_against:
        raise LineupRefused(speaks_against)
    return evening.sitting


def _seat_lineup(evening: Evening, order: tuple[int, ...], by: User) -> None:
    """Write these seats, clockwise, as the lineup from the next deal on."""
    names = dict(evening.seats.values_list("position", "player__name"))
    before, after = ([names[seat] for seat in seats] for seats in (evening.sitting, order))
    if not evening.last_number:
        order = _number_anew(evening, order)
    _write_lineup(evening, order, evening.first_dealer, by)
    circles.renew_search_texts(Evening.objects.filter(pk=evening.pk))
    states = {"before": {"names": before}, "after": {"names": after}}
    EveningChange.objects.create(evening=evening, kind=EveningChange.Kind.LINEUP, made_by=by, **states)


def _number_anew(evening: Evening, order: tuple[int, ...]) -> tuple[int, ...]:
    """Renumber the seats clockwise, delete those of players gone home, and return the lineup. Only before hand 1."""
    seats = {seat.position: seat for seat in evening.seats.all()}
    Seat.objects.filter(evening=evening.pk).delete()
    Seat.objects.bulk_create(
        Seat(evening=evening, position=position, player_id=seats[seat].player_id, sat_as_id=seats[seat].sat_as_id)
        for position, seat in enumerate(order)
    )
    evening.first_dealer = order.index(evening.first_dealer)
    gone = [seat.player_id for position, seat in seats.items() if position not in order]
    Player.objects.filter(pk__in=gone, changes=None, merged_into=None, **UNUSED).delete()
    return tuple(range(len(order)))


def _write_lineup(evening: Evening, order: Iterable[int], first_dealer: int, by: User) -> None:
    """Write the lineup from the next deal on, and outdate all that was begun by the former one."""
    evening.lineup, evening.first_dealer = lineup_to_text(order), first_dealer
    raise_versions(
        Evening.objects.filter(pk=evening.pk),
        lineup=evening.lineup,
        first_dealer=first_dealer,
        seating=F("seating") + 1,
    )
    evening.refresh_from_db(fields=["version", "seating"])
    _outdate_hand_in_play(evening, by)


def _outdate_hand_in_play(evening: Evening, by: User) -> None:
    """Reset the hand in play, or before hand 1 create one: moves made for the old lineup are then refused as stale.

    After hand 1 a seat stays the same player's, so none is created: all phones would show a hand in play.
    """
    is_there = HandInPlay.objects.filter(evening=evening.pk).exists()
    if is_there or not evening.last_number:
        following = turn(evening)
        laid = {"number": following.number, "dealer": following.dealer, "state": {}, "replaced": None}
        laid |= {"version": evening.version, "changed_at": timezone.now(), "changed_by": by}
        HandInPlay.objects.update_or_create(evening=evening, defaults=laid)
