"""Check of evenings (rules, seats, lineup, stake, end, result, hand in play, search text, edits, roll-up) and hands."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from django.db.models import QuerySet

from scorekeeper.currencies import CURRENCIES
from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from sessions_app.errors import DAMAGE
from sessions_app.hand_facts import Facts
from sessions_app.models import (
    CORRECTIONS,
    LARGEST_RESULT,
    Action,
    Evening,
    EveningRollup,
    FormerResult,
    Hand,
    HandEntry,
    HandInPlay,
    HandMark,
    Revision,
    lineup_from_text,
    lineup_to_text,
    search_text,
)
from sessions_app.readers.evening.edit import changes_of
from sessions_app.readers.evening.figures import EDITION, points_at, stored_figures_of, unpacked, unpacked_best
from sessions_app.readers.evening.recount import Counted, EveningSums, counted, deal_of, state_of
from sessions_app.readers.evening.seating import referee_of
from sessions_app.readers.money.balances import NO_RESULT, Result, counted_result, stored_result
from sessions_app.readers.money.repayments import is_currency
from sessions_app.readers.verify.rows import BATCH, UNREADABLE, Fault, as_far_as_read, batches, readable

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
        comes_to = counted_result(evening, seats)
        if stored != comes_to:
            yield f"its result is {_won(stored)}; the recount gives {_won(comes_to)}"
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
        hand = referee_of(evening).state.from_state(**noted)
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
        figures = stored_figures_of(evening)
    except DAMAGE:
        return
    try:
        stored, best = unpacked(row.figures, evening.game), unpacked_best(row.figures["best"])
    except DAMAGE as error:
        yield f"its roll-up cannot be read: {error!r}"
        return
    comes_to = unpacked(figures, evening.game)
    for seat, name, key in sorted(stored.keys() | comes_to.keys()):
        was, is_now = (each.get((seat, name, key), (0, 0)) for each in (stored, comes_to))
        if was != is_now:
            figure = f"{name} {key}".rstrip()
            yield f"its roll-up has {_over(was)} as {figure} of seat {seat}; the recount gives {_over(is_now)}"
    if best != (best_again := unpacked_best(figures["best"])):
        yield f"its roll-up has {best} as its best hands; the recount gives {best_again}"
    yield from _of_points(evening, figures)


def _of_points(evening: Evening, figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault for each seat whose stored points are not those of the recounted figures."""
    for seat in evening.seats.all():
        points, took_part = points_at(figures, seat.position)
        is_stored = evening.is_written and abs(points.numerator) <= LARGEST_RESULT
        stored = None if seat.points is None else Fraction(seat.points, seat.points_parts)
        if (stored, seat.took_part) != (points if is_stored else None, took_part):
            yield f"seat {seat.position} has {stored} points; the recount gives {points}"


def _over(figure: tuple[Amount, int]) -> str:
    return f"{figure[0]} over {figure[1]}"


# --- Hands ---


def hand_faults(evening: Evening, seats: frozenset[int]) -> Iterator[Fault]:
    """Recount the hands in order, and yield their faults and those of the evening's own totals."""
    sums, number, is_countable = EveningSums(0, {}, ""), 0, _has_rules(evening)
    for hand, entries, revisions, marks in _hands(evening):
        number += 1
        whats, count = [*_of_number(hand, number)], Counted(tuple(entries), hand.standing, hand.kind)
        if is_countable:
            count, more = _recounted(evening, hand, entries, sums.standing)
            whats += [*lineup_faults(evening, hand.lineup, seats), *more]
        hand.kind = count.kind  # a wrong kind is reported once, and not again by the evening's totals
        sums = sums.with_hand(hand, count.entries, 1)
        sums = EveningSums(sums.hand_count, sums.sheet, count.standing)
        whats += [*_of_marks(hand, marks), *state_faults(revisions)]
        whats += as_far_as_read("its history", history_faults(hand, entries, revisions))
        yield from (Fault(evening.pk, hand.number, what) for what in whats)
        number = hand.number
    for what in as_far_as_read("its totals", _of_sums(evening, sums, number)):
        yield Fault(evening.pk, None, what)
    yield from _of_versions(evening)


def _has_rules(evening: Evening) -> bool:
    """Return whether the evening's game and house rules can be read, without which no hand can be counted."""
    try:
        return evening.house is not None
    except UNREADABLE:
        return False


def _hands(evening: Evening) -> Iterator[tuple[Hand, list[HandEntry], list[Revision], list[HandMark]]]:
    """Yield the hands by number, each with its entries, its history by number, and its marks."""
    for keys in batches(evening.hands.order_by("number")):
        entries = _by_hand(HandEntry.objects.filter(hand__in=keys).order_by("pk"))
        revisions = _by_hand(Revision.objects.filter(hand__in=keys).order_by("number"))
        marks = _by_hand(HandMark.objects.filter(hand__in=keys).order_by("pk"))
        for hand in readable(Hand.objects.filter(pk__in=keys).order_by("number")):
            yield hand, entries[hand.pk], revisions[hand.pk], marks[hand.pk]


def _by_hand(rows: QuerySet[Any, Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for row in readable(rows):
        found[row.hand_id].append(row)
    return found


def lineup_faults(evening: Evening, text: str, seats: frozenset[int]) -> Iterator[str]:
    """Yield a fault unless the text is a lineup of these seats, in its only spelling."""
    try:
        sitting = lineup_from_text(text)
    except ValueError:
        yield f"its lineup is {text!r}, which cannot be read"
        return
    is_one_spelling = lineup_to_text(sitting) == text
    is_a_table = len(set(sitting)) == len(sitting) and len(sitting) in evening.game.seat_counts
    if not (is_one_spelling and is_a_table and seats.issuperset(sitting)):
        yield f"its lineup is {text!r}; the seats are {sorted(seats)}"


def _of_number(hand: Hand, number: int) -> Iterator[str]:
    if hand.number != number:
        yield f"it follows hand {number - 1}: a number is missing or used twice"


def _recounted(evening: Evening, hand: Hand, entries: Sequence[HandEntry], before: str) -> tuple[Counted, list[str]]:
    """Return the recount of a hand after a standing, and its faults; the stored count if it cannot be counted."""
    kept = tuple(entries)
    try:
        count = counted(evening, hand, before)
        spelled = evening.game.deal_to_text(deal_of(evening, hand)) if hand.deal else ""
    except UNREADABLE as error:
        return Counted(kept, before if hand.is_void else hand.standing, hand.kind), [f"it cannot be counted: {error!r}"]
    if hand.is_void:
        # A void hand keeps its entries. The standing that they were counted with is in its history.
        count = count._replace(entries=kept, standing=before)
    whats = []
    if hand.kind != count.kind:
        whats.append(f"its kind is {str(hand.kind)!r}; by its deal it is {str(count.kind)!r}")
    if spelled != hand.deal:
        whats.append(f"its deal is {hand.deal!r}; its normal form is {spelled!r}")
    wrote, writes = (state_of(hand, entries)["entries"] for entries in (kept, count.entries))
    if wrote != writes:
        whats.append(f"its entries are {wrote}; the recount gives {writes}")
    if hand.standing != count.standing:
        whats.append(f"the standing after it is {hand.standing!r}; the recount gives {count.standing!r}")
    return count, whats


def history_faults(hand: Hand, entries: Sequence[HandEntry], history: Sequence[Revision]) -> Iterator[str]:
    numbers = [revision.number for revision in history]
    if numbers != list(range(1, hand.revision_count + 1)):
        yield f"its history has the entries {numbers}, but its revision count is {hand.revision_count}"
    if not history:
        return
    if history[0].before is not None:
        yield "the first entry of its history has a state before it"
    if [revision.action == Action.RECORD for revision in history] != [True] + [False] * (len(history) - 1):
        yield f"its history does not begin with its only recording: {[revision.action for revision in history]}"
    for earlier, later in pairwise(history):
        if later.before != earlier.after:
            yield f"entry {later.number} of its history does not begin where entry {earlier.number} ended"
    if history[-1].after != state_of(hand, entries):
        yield f"it differs from entry {history[-1].number} of its history, the last one"


def state_faults(history: Sequence[Revision]) -> Iterator[str]:
    for revision in history:
        for when, state in (("before", revision.before), ("after", revision.after)):
            if not (_is_state(state) or (when == "before" and state is None)):
                yield f"entry {revision.number} of its history has {state!r} as the state {when} it"


def _is_state(state: Any) -> bool:
    """Return whether a page could show the state of a hand that its history has."""
    try:
        Facts(**state["facts"])
        rows = [[account, seat, against, int(amount)] for account, seat, against, amount, _reason in state["entries"]]
    except UNREADABLE:
        return False
    return isinstance(state["is_void"], bool) and len(rows) == len(state["entries"])


def _of_marks(hand: Hand, marks: Sequence[HandMark]) -> Iterator[str]:
    for mark in marks:
        if not 1 <= mark.revision <= hand.revision_count:
            yield f"user {mark.user_id} marked entry {mark.revision} of its history, which has {hand.revision_count}"


def _of_sums(evening: Evening, sums: EveningSums, last_number: int) -> Iterator[str]:
    if evening.last_number != last_number:
        yield f"its last hand should have number {evening.last_number}, but has number {last_number}"
    if evening.hand_count != sums.hand_count:
        yield f"its hand count is {evening.hand_count}; the recount gives {sums.hand_count}"
    if evening.standing != sums.standing:
        yield f"its standing is {evening.standing!r}; the recount gives {sums.standing!r}"
    for account in sorted(evening.sheet.keys() | sums.sheet.keys(), key=str):
        kept, comes_to = (tuple(sheet.get(account, (0, 0))) for sheet in (evening.sheet, sums.sheet))
        if kept != comes_to:
            yield f"its total of {account} is {kept}; the recount gives {comes_to}"


def _of_versions(evening: Evening) -> Iterator[Fault]:
    """Yield a fault for each version out of order. Every write made a new one; the oldest revisions have none."""
    latest = 1
    history = Revision.objects.filter(hand__evening=evening.pk).select_related("hand", "cause__hand")
    # Without states and times, which may be such that they cannot be read.
    history = history.only(
        *("number", "action", "version", "hand__number", "cause__number", "cause__action"),
        *("cause__version", "cause__hand__number", "cause__hand__evening"),
    )
    for revision in history.order_by("pk").iterator(BATCH):
        for what in _of_cause(evening, revision):
            yield Fault(evening.pk, revision.hand.number, what)
        where = f"entry {revision.number} of its history"
        if revision.version is None:
            if latest > 1:
                yield Fault(evening.pk, revision.hand.number, f"{where} has no version, but an earlier entry has one")
            continue
        is_newer = revision.version >= latest if revision.cause else revision.version > latest
        if not is_newer or revision.version > evening.version:
            bounds = f"after version {latest}, in a session of version {evening.version}"
            what = f"{where} has version {revision.version}, {bounds}"
            yield Fault(evening.pk, revision.hand.number, what)
        latest = max(latest, min(revision.version, evening.version))


def _of_cause(evening: Evening, revision: Revision) -> Iterator[str]:
    """Yield a fault unless a recount, and nothing else, names an earlier hand's correction as its cause."""
    cause, is_recount = revision.cause, revision.action == Action.RECOUNT
    if cause is None:
        if is_recount:
            yield f"entry {revision.number} of its history is a recount without a cause"
        return
    is_earlier = (cause.hand.evening_id, cause.version) == (evening.pk, revision.version)
    is_earlier = is_earlier and cause.hand.number < revision.hand.number
    is_correction = cause.action in CORRECTIONS
    if not (is_recount and is_correction and is_earlier):
        named = f"entry {cause.number} of hand {cause.hand.number}"
        yield f"entry {revision.number} of its history names {named} as its cause, which is no earlier correction"
