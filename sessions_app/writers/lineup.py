"""The writer of the lineup: a player comes late or goes home, always between two hands.

One short transaction that locks the circle, then the evening, and writes the lineup of the next hands, the history, and
the new version and seating: a form opened before means the old lineup, and is refused. A seat is a column of the sheet
and stays its player's all evening, whoever comes and goes. Before the first hand there is no sheet, and the
seats are renumbered clockwise.
"""

from collections.abc import Sequence

from django.db.models import F
from django.utils import timezone

from sessions_app.errors import LineupRefused
from sessions_app.hand_facts import MOST_SEATS
from sessions_app.models import Evening, EveningChange, HandInPlay, Player, Seat, User, lineup_to_text
from sessions_app.readers.evening import seating
from sessions_app.readers.evening.edit import lineup_obstacle
from sessions_app.writers import circles
from sessions_app.writers.players import players_named
from sessions_app.writers.transactions import hold_circle_and_evening, writing
from sessions_app.writers.versions import raise_versions


@writing
def join(evening_id: int, name: str, after_seat: int, *, seen: int, by: User) -> Seat:
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
    _seat(evening, (*sitting[:at], seat.position, *sitting[at:]), by)
    return evening.seats.get(player=player)


@writing
def leave(evening_id: int, seat: int, *, by: User, seen: int | None = None) -> None:
    """Let the player of a seat go home: he is out of the hands from the next deal on, and keeps his balance.

    If he was to deal first, the next player does. Raise as `join`.
    """
    _circle, evening = hold_circle_and_evening(evening_id)
    sitting = _sitting(evening, seen)
    if seat not in sitting:
        raise LineupRefused("not_sitting")
    require_room_for(evening, len(sitting) - 1)
    if evening.first_dealer == seat:
        evening.first_dealer = evening.game.next_dealer(sitting, seat)
    _seat(evening, tuple(other for other in sitting if other != seat), by)


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


def _seat(evening: Evening, order: tuple[int, ...], by: User) -> None:
    """Write these seats, clockwise, as the lineup from the next deal on."""
    before = _names(evening, evening.sitting)
    after = _names(evening, order)
    if not evening.last_number:
        order = _number_anew(evening, order)
    evening.lineup = lineup_to_text(order)
    raise_versions(
        Evening.objects.filter(pk=evening.pk),
        lineup=evening.lineup,
        first_dealer=evening.first_dealer,
        seating=F("seating") + 1,
    )
    circles.renew_search_texts(Evening.objects.filter(pk=evening.pk))
    evening.refresh_from_db(fields=["version", "seating"])
    _outdate_hand_in_play(evening, by)
    kind = EveningChange.Kind.LINEUP
    EveningChange.objects.create(
        evening=evening, kind=kind, made_by=by, before={"names": before}, after={"names": after}
    )


def _names(evening: Evening, seats: Sequence[int]) -> list[str]:
    names = dict(evening.seats.values_list("position", "player__name"))
    return [names[seat] for seat in seats]


def _number_anew(evening: Evening, order: tuple[int, ...]) -> tuple[int, ...]:
    """Renumber the seats clockwise, delete those of players gone home, and return the lineup. Only before hand 1."""
    seats = {seat.position: seat for seat in evening.seats.all()}
    players = {position: seat.player_id for position, seat in seats.items()}
    Seat.objects.filter(evening=evening.pk).delete()
    Seat.objects.bulk_create(
        Seat(evening=evening, position=position, player_id=seats[seat].player_id, sat_as_id=seats[seat].sat_as_id)
        for position, seat in enumerate(order)
    )
    evening.first_dealer = order.index(evening.first_dealer)
    gone = [player for seat, player in players.items() if seat not in order]
    unused = {"seats": None, "members": None, "changes": None, "merged": None, "merged_into": None}
    unused |= {"repaid": None, "received": None}
    Player.objects.filter(pk__in=gone, **unused).delete()
    return tuple(range(len(order)))


def _outdate_hand_in_play(evening: Evening, by: User) -> None:
    """Reset the hand in play, or before hand 1 create one: moves made for the old lineup are then refused as stale.

    After hand 1 a seat stays the same player's, so none is created: all phones would show a hand in play.
    """
    is_there = HandInPlay.objects.filter(evening=evening.pk).exists()
    if is_there or not evening.last_number:
        turn = seating.turn(evening)
        laid = {"number": turn.number, "dealer": turn.dealer, "state": {}, "replaced": None}
        laid |= {"version": evening.version, "changed_at": timezone.now(), "changed_by": by}
        HandInPlay.objects.update_or_create(evening=evening, defaults=laid)
