"""The writer of an evening's edits: its players' names, stake, chips, title and note, and its seats before the first
hand.

One short transaction that locks the circle, then the evening, and writes all the changes, their history, and the new
versions that phones poll for, or nothing. History is append-only, so its latest entry identifies the state that a form
was opened from.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import F, Q

from scorekeeper.text.names import name_key
from sessions_app.errors import PlayerNameTaken, SeatsFixed, StaleEvening
from sessions_app.models import Evening, EveningChange, HandInPlay, Player, Seat, User, lineup_to_text
from sessions_app.readers.evening.edit import (
    Shape,
    changes_of,
    chips_as_stored,
    seats_are_free,
    shape_of,
    stake_as_stored,
)
from sessions_app.writers import circles, players, results
from sessions_app.writers.transactions import hold_circle_and_evening, writing
from sessions_app.writers.versions import raise_versions

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
        *_stake(evening, current, wanted, by),
        *_chips(evening, current, wanted, by),
        *_words(evening, current, wanted, by),
        *_seat(evening, current, wanted, by),
    ]
    if not written:
        return
    EveningChange.objects.bulk_create(written)
    if any(change.kind in OF_RESULT for change in written):
        evening.refresh_from_db()
        if evening.has_ended:
            results.write(evening, must_fit=True)
            evening.save(update_fields=["result_currency"])
        else:
            results.check(evening)
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


def _stake(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    before, after = stake_as_stored(current), stake_as_stored(wanted)
    if before == after:
        return
    raise_versions(Evening.objects.filter(pk=evening.pk), stake=wanted.stake, currency=after["currency"])
    yield EveningChange(evening=evening, kind=EveningChange.Kind.STAKE, made_by=by, before=before, after=after)


def _chips(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    before, after = chips_as_stored(current), chips_as_stored(wanted)
    if before == after:
        return
    if wanted.in_chips and not evening.game.pays_per_hand:
        raise ValueError(f"the hands of {evening.game_key} are not paid one by one")
    raise_versions(Evening.objects.filter(pk=evening.pk), **after)
    yield EveningChange(evening=evening, kind=EveningChange.Kind.CHIPS, made_by=by, before=before, after=after)


def _words(evening: Evening, current: Shape, wanted: Shape, by: User) -> Iterable[EveningChange]:
    for kind in (EveningChange.Kind.TITLE, EveningChange.Kind.NOTE):
        before, after = ({str(kind): getattr(shape, kind)} for shape in (current, wanted))
        if before != after:
            raise_versions(Evening.objects.filter(pk=evening.pk), **after)
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
    """Reset the hand in play to an empty one: moves made for the old seats are then refused as stale."""
    evening.refresh_from_db(fields=["version"])
    laid = {"number": 1, "dealer": dealer, "version": evening.version, "changed_by": by}
    HandInPlay.objects.update_or_create(evening=evening, defaults=laid)


def _places(shape: Shape) -> dict[str, Any]:
    """Return the seats as the history stores them, with the names of that time."""
    return {
        "players": list(shape.players),
        "names": list(shape.names),
        "first_dealer": shape.first_dealer,
        "dealer": shape.names[shape.first_dealer],
    }
