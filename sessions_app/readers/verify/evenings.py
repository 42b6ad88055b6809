"""Check of the evenings: rules, seats, lineup, stake, hand in play, search text, and the history of their edits."""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from sessions_app.errors import DAMAGE
from sessions_app.models import LARGEST_RESULT, Evening, EveningRollup, FormerResult, HandInPlay, search_text
from sessions_app.readers.evening import hand_in_play
from sessions_app.readers.evening.edit import changes_of
from sessions_app.readers.evening.figures import EDITION, points_at, stored_figures_of, unpacked, unpacked_best
from sessions_app.readers.money.balances import NO_RESULT, Result, counted_result, stored_result
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.hands import hand_faults, lineup_faults
from sessions_app.readers.verify.rows import UNREADABLE, Fault, as_far_as_read, readable

#: The keys that an entry of an evening's history has before and after the edit, by its kind.
_NAME: Final = {"name"}
_PERSON: Final = {"name", "player"}
_SEATS: Final = {"players", "names", "first_dealer", "dealer"}
KEYS: Final = {
    "name": (_NAME, _NAME),
    "merge": (_NAME, _PERSON),
    "unmerge": (_PERSON, _NAME),
    "stake": ({"stake", "currency"}, {"stake", "currency"}),
    "chips": ({"in_chips"}, {"in_chips"}),
    "seats": (_SEATS, _SEATS),
    "lineup": ({"names"}, {"names"}),
    "title": ({"title"}, {"title"}),
    "note": ({"note"}, {"note"}),
}


def evening_faults(evening: Evening) -> Iterator[Fault]:
    """Yield the faults of an evening's own rows, and of its hands."""
    seats = frozenset(evening.seats.values_list("position", flat=True))
    checks = {
        "its house rules": _of_rules(evening),
        "its seats": _of_seats(evening, seats),
        "its lineup": lineup_faults(evening, evening.lineup, seats),
        "its stake": _of_stake(evening),
        "its end": _of_end(evening),
        "its result": _of_result(evening, sorted(seats)),
        "its hand in play": _of_hand_in_play(evening),
        "its search text": _of_search_text(evening),
        "the history of its edits": _of_changes(evening),
    }
    for name, faults in checks.items():
        for what in as_far_as_read(name, faults):
            yield Fault(evening.pk, None, what)
    yield from hand_faults(evening, seats)


def _of_rules(evening: Evening) -> Iterator[str]:
    if evening.game_key not in GAMES:
        yield f"its game is {evening.game_key!r}, which is unknown"
        return
    rules = evening.game.rules_to_text(evening.house)
    if rules != evening.rules:
        yield f"its house rules are {evening.rules!r}; their normal form is {rules!r}"


def _of_seats(evening: Evening, seats: frozenset[int]) -> Iterator[str]:
    if seats != frozenset(range(len(seats))):
        yield f"its seats are {sorted(seats)}, not 0 to {len(seats) - 1}"
    if str(evening.first_dealer) not in evening.lineup.split("-"):
        yield f"seat {evening.first_dealer} is the first dealer, but is not in the lineup"
    for seat in evening.seats.exclude(player__circle=evening.circle_id):
        yield f"seat {seat.position} is held by player {seat.player_id} of another circle"


def _of_stake(evening: Evening) -> Iterator[str]:
    if evening.currency and evening.currency not in CURRENCIES:
        yield f"its currency is {evening.currency!r}, which is unknown"
    if evening.in_chips and not evening.game.pays_per_hand:
        yield f"it is paid in chips, but no hand of {evening.game_key} is paid by itself"


def _of_end(evening: Evening) -> Iterator[str]:
    if evening.ended_at and evening.ended_at < evening.started_at:
        yield f"it ended at {evening.ended_at}, before it started at {evening.started_at}"


def _of_result(evening: Evening, seats: Sequence[int]) -> Iterator[str]:
    """Yield a fault unless the stored result is the recounted one, or one that a reopened evening ended with."""
    stored = stored_result(evening)
    if evening.has_ended:
        counted = counted_result(evening, seats)
        if stored != counted:
            yield f"its result is {_won(stored)}; the recount gives {_won(counted)}"
    elif stored != NO_RESULT and (not is_currency(stored.currency) or sum(stored.amounts.values()) != 0):
        yield f"its result is {_won(stored)}, which it cannot have ended with"
    for former in FormerResult.objects.filter(seat__evening=evening.pk).select_related("seat"):
        if not is_currency(former.currency):
            yield f"a former result of seat {former.seat.position} is in {former.currency!r}, which cannot be read"


def _won(result: Result) -> str:
    return f"{' '.join(map(str, result.amounts.values())) or 'none'} in {result.currency!r}"


def _of_hand_in_play(evening: Evening) -> Iterator[str]:
    for row in readable(HandInPlay.objects.filter(evening=evening.pk)):
        if row.version > evening.version:
            yield f"its hand in play has version {row.version}, but the session has version {evening.version}"
        if not 1 <= row.number <= evening.last_number + 1:
            yield f"its hand in play has number {row.number}, but the last hand has number {evening.last_number}"
        if str(row.dealer) not in evening.lineup.split("-"):
            yield f"its hand in play is dealt by seat {row.dealer}, which is not in the lineup"
        noted = {"says": {"dealer": row.dealer, "state": row.state}, "replaced": row.replaced}
        for what, hand in noted.items():
            if hand is not None:
                yield from _of_noted(evening, f"its hand in play {what}", hand)


def _of_noted(evening: Evening, what: str, noted: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault unless the game reads the stored state of a hand and would write the same."""
    try:
        hand = hand_in_play.referee_of(evening).from_state(**noted)
        comes_to = json.loads(json.dumps(hand.to_state()))
    except UNREADABLE as error:
        yield f"{what} {noted}, which cannot be read: {error!r}"
        return
    if comes_to != noted["state"]:
        yield f"{what} {noted['state']}; its normal form is {comes_to}"


def _of_search_text(evening: Evening) -> Iterator[str]:
    names = evening.seats.values_list("player__name", flat=True)
    text = search_text(evening.circle.name, evening.title, evening.note, names)
    if evening.search_text != text:
        yield f"its search text is {evening.search_text!r}; by its names, title and note it is {text!r}"


def _of_changes(evening: Evening) -> Iterator[str]:
    """Yield a fault for each edit whose values a page of the evening could not show."""
    for change in readable(changes_of(evening)):
        for when, state, keys in zip(
            ("before", "after"), (change.before, change.after), KEYS[change.kind], strict=True
        ):
            if not isinstance(state, dict) or not keys.issubset(state):
                yield f"entry {change.pk} of the history of its edits has {state!r} as the {change.kind} {when} it"


def rollup_faults(evening: Evening) -> Iterator[str]:
    """Yield a fault for each stored figure that differs from a recount, for a missing roll-up, or for a premature one.

    An evening whose hands cannot be counted is left out: that is reported as a fault of the hands.
    """
    row = EveningRollup.objects.filter(evening=evening.pk).first()
    if row is None or not evening.has_ended:
        if row is not None:
            yield "it has a roll-up, but has not ended"
        elif evening.has_ended:
            yield "it has ended, but has no roll-up"
        return
    if row.edition != EDITION:
        yield f"its roll-up is of edition {row.edition}, not {EDITION}"
        return
    try:
        counted = stored_figures_of(evening)
    except DAMAGE:
        return
    try:
        stored, best = unpacked(row.figures, evening.game), unpacked_best(row.figures["best"])
    except DAMAGE as error:
        yield f"its roll-up cannot be read: {error!r}"
        return
    recount = unpacked(counted, evening.game)
    for seat, name, key in sorted(stored.keys() | recount.keys()):
        was, is_now = (figures.get((seat, name, key), (0, 0)) for figures in (stored, recount))
        if was != is_now:
            figure = f"{name} {key}".rstrip()
            yield f"its roll-up has {_over(was)} as {figure} of seat {seat}; the recount gives {_over(is_now)}"
    if best != (best_again := unpacked_best(counted["best"])):
        yield f"its roll-up has {best} as its best hands; the recount gives {best_again}"
    yield from _of_points(evening, counted)


def _of_points(evening: Evening, counted: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault for each seat whose stored points are not those of the recounted figures."""
    for seat in evening.seats.all():
        points, took_part = points_at(counted, seat.position)
        is_stored = evening.is_written and abs(points.numerator) <= LARGEST_RESULT
        stored = None if seat.points is None else Fraction(seat.points, seat.points_parts)
        if (stored, seat.took_part) != (points if is_stored else None, took_part):
            yield f"seat {seat.position} has {stored} points; the recount gives {points}"


def _over(figure: tuple[Amount, int]) -> str:
    return f"{figure[0]} over {figure[1]}"
