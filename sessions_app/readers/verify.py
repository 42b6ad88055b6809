"""Check of the stored data: every hand recounted from its facts, standing by standing, and compared.

It only reads, all in one snapshot, so it may run beside a server that writes. It reports each fault and repairs
nothing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from sessions_app.errors import DAMAGE
from sessions_app.models import (
    Action,
    Evening,
    Hand,
    HandMark,
    OpenHand,
    Revision,
    lineup_from_text,
    lineup_to_text,
    search_text,
)
from sessions_app.readers import open_hands
from sessions_app.readers.hand_counts import deal_of
from sessions_app.readers.replay import Books, Counted, counted, state_of
from sessions_app.readers.snapshot import snapshot
from sessions_app.readers.verify_circles import circle_faults, player_faults
from sessions_app.readers.verify_repayments import book_faults, repayment_faults
from sessions_app.readers.verify_rollups import rollup_faults
from sessions_app.readers.verify_years import year_faults

#: Rows in memory at once, however long an evening or a database is.
BATCH: Final = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and its place: an evening by its key, a hand by its number (None: the evening itself).

    A fault of a circle belongs to no evening, and has the circle's key.
    """

    evening: int | None
    hand: int | None
    what: str
    circle: int | None = None

    def __str__(self) -> str:
        where = {"circle": self.circle, "session": self.evening, "hand": self.hand}
        return f"{', '.join(f'{name} {key}' for name, key in where.items() if key is not None)}: {self.what}"


class Verified(NamedTuple):
    """The numbers of evenings and hands checked, and of faults reported."""

    evenings: int
    hands: int
    faults: int


def verify(tell: Callable[[Fault], object]) -> Verified:
    """Check the whole database, and call `tell` with every fault."""
    evenings = hands = faults = 0
    wrong_rollups: set[int] = set()
    with snapshot():
        for circle, what in (*circle_faults(), *player_faults(), *repayment_faults(), *book_faults()):
            faults += 1
            tell(Fault(None, None, what, circle=circle))
        for pk in Evening.objects.order_by("pk").values_list("pk", flat=True).iterator(BATCH):
            evenings += 1
            hands += Hand.objects.filter(evening=pk).count()
            for fault in faults_of(pk, wrong_rollups):
                faults += 1
                tell(fault)
        for circle, what in year_faults(wrong_rollups):
            faults += 1
            tell(Fault(None, None, what, circle=circle))
    return Verified(evenings, hands, faults)


def faults_of(pk: int, wrong_rollups: set[int] | None = None) -> Iterator[Fault]:
    """Yield the faults of one evening; add it to `wrong_rollups` if one of them is its roll-up's."""
    try:
        evening = Evening.objects.select_related("circle").get(pk=pk)
        names = dict(evening.seats.values_list("position", "player__name"))
        seats = frozenset(names)
        rules = evening.game.rules_to_text(evening.house)
    except DAMAGE as error:
        yield Fault(pk, None, f"it cannot be read: {error!r}")
        return
    for what in (*_of_evening(evening, seats, rules), *_of_search_text(evening, names.values())):
        yield Fault(pk, None, what)
    yield from _as_far_as_read(pk, "its hands", _of_hands(evening, seats))
    yield from _as_far_as_read(pk, "its history", _of_versions(evening))
    for what in rollup_faults(evening):
        if wrong_rollups is not None:
            wrong_rollups.add(pk)
        yield Fault(pk, None, what)


def _as_far_as_read(pk: int, what: str, faults: Iterator[Fault]) -> Iterator[Fault]:
    """Yield the faults up to a row that Django cannot read, such as one with a broken token, and one for that row."""
    try:
        yield from faults
    except DAMAGE as error:
        yield Fault(pk, None, f"{what} cannot be read: {error!r}")


def _of_evening(evening: Evening, seats: frozenset[int], rules: str) -> Iterator[str]:
    if rules != evening.rules:
        yield f"its house rules are {evening.rules!r}; their normal form is {rules!r}"
    if seats != frozenset(range(len(seats))):
        yield f"its seats are {sorted(seats)}, not 0 to {len(seats) - 1}"
    if str(evening.first_dealer) not in evening.lineup.split("-"):
        yield f"seat {evening.first_dealer} is the first dealer, but is not in the lineup"
    yield from _of_lineup(evening, evening.lineup, seats)
    if evening.ended_at and evening.ended_at < evening.started_at:
        yield f"it ended at {evening.ended_at}, before it started at {evening.started_at}"
    if evening.in_chips and not evening.game.pays_per_hand:
        yield f"it is paid in chips, but no hand of {evening.game_key} is paid by itself"
    for seat in evening.seats.exclude(player__circle=evening.circle_id):
        yield f"seat {seat.position} is held by player {seat.player_id} of another circle"
    try:
        row = OpenHand.objects.filter(evening=evening.pk).first()
    except DAMAGE as error:
        yield f"its open hand cannot be read: {error!r}"
    else:
        yield from _of_open_hand(evening, row) if row else ()


def _of_search_text(evening: Evening, names: Iterable[str]) -> Iterator[str]:
    text = search_text(evening.circle.name, evening.title, evening.note, names)
    if evening.search_text != text:
        yield f"its search text is {evening.search_text!r}; by its names, title and note it is {text!r}"


def _of_lineup(evening: Evening, text: str, seats: frozenset[int]) -> Iterator[str]:
    try:
        sitting = lineup_from_text(text)
    except ValueError:
        yield f"its lineup is {text!r}, which cannot be read"
        return
    is_one_spelling = lineup_to_text(sitting) == text
    is_a_table = len(set(sitting)) == len(sitting) and len(sitting) in evening.game.seat_counts
    if not (is_one_spelling and is_a_table and seats.issuperset(sitting)):
        yield f"its lineup is {text!r}; the seats are {sorted(seats)}"


def _of_open_hand(evening: Evening, row: OpenHand) -> Iterator[str]:
    if row.version > evening.version:
        yield f"its open hand has version {row.version}, but the session has version {evening.version}"
    if not 1 <= row.number <= evening.last_number + 1:
        yield f"its open hand has number {row.number}, but the last hand has number {evening.last_number}"
    if str(row.dealer) not in evening.lineup.split("-"):
        yield f"its open hand is dealt by seat {row.dealer}, which is not in the lineup"
    noted = {"says": {"dealer": row.dealer, "state": row.state}, "replaced": row.replaced}
    for what, hand in noted.items():
        if hand is not None:
            yield from _of_noted(evening, f"its open hand {what}", hand)


def _of_noted(evening: Evening, what: str, noted: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault unless the game reads the stored state of a hand and would write the same."""
    try:
        hand = open_hands.referee_of(evening).from_state(**noted)
        comes_to = json.loads(json.dumps(hand.to_state()))
    except DAMAGE as error:
        yield f"{what} {noted}, which cannot be read: {error!r}"
        return
    if comes_to != noted["state"]:
        yield f"{what} {noted['state']}; its normal form is {comes_to}"


# --- Hands ---


def _of_hands(evening: Evening, seats: frozenset[int]) -> Iterator[Fault]:
    """Recount the hands in order, and compare their totals with the evening's own row."""
    books, number = Books(0, {}, ""), 0
    found = evening.hands.order_by("number").prefetch_related("entries", "revisions", "marks")
    for hand in found.iterator(BATCH):
        number += 1
        whats = [*_of_number(hand, number), *_of_lineup(evening, hand.lineup, seats)]
        count, more = _recounted(evening, hand, books.standing)
        hand.kind = count.kind  # a wrong kind is reported once, and not again by the evening's totals
        books = books.with_hand(hand, count.entries, 1)
        books = Books(books.hand_count, books.sheet, count.standing)
        whats += [*more, *_of_history(hand), *_of_marks(hand)]
        yield from (Fault(evening.pk, hand.number, what) for what in whats)
        number = hand.number
    yield from (Fault(evening.pk, None, what) for what in _of_books(evening, books, number))


def _of_number(hand: Hand, number: int) -> Iterator[str]:
    if hand.number != number:
        yield f"it follows hand {number - 1}: a number is missing or used twice"


def _recounted(evening: Evening, hand: Hand, before: str) -> tuple[Counted, list[str]]:
    """Return the recount of a hand after a standing, and its faults; the stored count if it cannot be counted."""
    kept = tuple(hand.entries.all())
    try:
        count = counted(evening, hand, before)
        spelled = evening.game.deal_to_text(deal_of(evening, hand)) if hand.deal else ""
    except DAMAGE as error:
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


def _of_history(hand: Hand) -> Iterator[str]:
    history = sorted(hand.revisions.all(), key=lambda revision: revision.number)
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
    if history[-1].after != state_of(hand, hand.entries.all()):
        yield f"it differs from entry {history[-1].number} of its history, the last one"


def _of_marks(hand: Hand) -> Iterator[str]:
    marks: list[HandMark] = list(hand.marks.all())
    for mark in marks:
        if not 1 <= mark.revision <= hand.revision_count:
            yield f"user {mark.user_id} marked entry {mark.revision} of its history, which has {hand.revision_count}"


def _of_books(evening: Evening, books: Books, last_number: int) -> Iterator[str]:
    if evening.last_number != last_number:
        yield f"its last hand should have number {evening.last_number}, but has number {last_number}"
    if evening.hand_count != books.hand_count:
        yield f"its hand count is {evening.hand_count}; the recount gives {books.hand_count}"
    if evening.standing != books.standing:
        yield f"its standing is {evening.standing!r}; the recount gives {books.standing!r}"
    for account in sorted(evening.sheet.keys() | books.sheet.keys(), key=str):
        kept, comes_to = (tuple(sheet.get(account, (0, 0))) for sheet in (evening.sheet, books.sheet))
        if kept != comes_to:
            yield f"its total of {account} is {kept}; the recount gives {comes_to}"


# --- Versions ---


def _of_versions(evening: Evening) -> Iterator[Fault]:
    """Yield a fault for each version out of order. Every write made a new one; the oldest revisions have none."""
    latest = 1
    history = Revision.objects.filter(hand__evening=evening.pk).select_related("hand", "cause__hand")
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
    is_correction = cause.action in (Action.AMEND, Action.VOID, Action.RESTORE)
    if not (is_recount and is_correction and is_earlier):
        named = f"entry {cause.number} of hand {cause.hand.number}"
        yield f"entry {revision.number} of its history names {named} as its cause, which is no earlier correction"
