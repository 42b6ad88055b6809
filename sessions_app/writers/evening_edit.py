"""The writer of what is mended of an evening: its players' names, its stake, its seats before the first hand.

One short transaction that holds the table, then the evening, and writes all that was asked for, its history, and the
new versions that the phones follow, or nothing. History is only ever added to, so its latest entry says which state a
form was opened from.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import F

from sessions_app.errors import PlayerNameTaken, SeatsFixed, StaleEvening
from sessions_app.models import Evening, EveningChange, OpenHand, Player, Seat, User, lineup_to_text
from sessions_app.readers.evening_edit import Shape, changes_of, seats_are_free, shape_of, stake_as_stored
from sessions_app.writers.evening_version import raise_versions
from sessions_app.writers.transactions import hold_circle_and_evening, writing


@writing
def edit(evening_id: int, wanted: Shape, *, seen: int, by: User) -> None:
    """Make the evening what is wanted; what it is already leaves no trace.

    `seen` is the latest entry of its history that the writer has looked at, 0 for none. Raises StaleEvening,
    PlayerNameTaken, SeatsFixed, Evening.DoesNotExist.
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
        *_stake(evening, current, wanted, by),
        *_seat(evening, current, wanted, by),
    ]
    EveningChange.objects.bulk_create(written)


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
        yield EveningChange(player_id=player, kind=EveningChange.Kind.NAME, made_by=by, before=before, after=after)
    theirs = Seat.objects.filter(player__in=changed).values("evening")
    raise_versions(Evening.objects.filter(pk__in=theirs))


def _stake(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    before, after = stake_as_stored(current), stake_as_stored(wanted)
    if before == after:
        return
    raise_versions(Evening.objects.filter(pk=evening.pk), stake=wanted.stake, currency=after["currency"])
    yield EveningChange(evening=evening, kind=EveningChange.Kind.STAKE, made_by=by, before=before, after=after)


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
    raise_versions(
        Evening.objects.filter(pk=evening.pk),
        lineup=lineup_to_text(range(len(wanted.players))),
        first_dealer=wanted.first_dealer,
        seating=F("seating") + 1,
    )
    _outdate_referees(evening, wanted.first_dealer, by)
    before, after = _places(current), _places(wanted)
    yield EveningChange(evening=evening, kind=EveningChange.Kind.SEATS, made_by=by, before=before, after=after)


def _outdate_referees(evening: Evening, dealer: int, by: User) -> None:
    """Lay an open hand in which nothing is said: whoever looked before it speaks of the old seats, and is refused."""
    evening.refresh_from_db(fields=["version"])
    laid = {"number": 1, "dealer": dealer, "version": evening.version, "changed_by": by}
    OpenHand.objects.update_or_create(evening=evening, defaults=laid)


def _places(shape: Shape) -> dict[str, Any]:
    """The seats as the history keeps them, in the names of the time."""
    return {
        "players": list(shape.players),
        "names": list(shape.names),
        "first_dealer": shape.first_dealer,
        "dealer": shape.names[shape.first_dealer],
    }
