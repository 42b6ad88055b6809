"""The hands of an evening as rows of its sheet, and as entries, for a face that draws the sheet by itself.

A fixed number of queries for an evening of any length.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account
from sessions_app.models import Action, Evening, Hand, HandEntry, Revision
from sessions_app.readers.evening.recount import (
    deal_of,
    objection,
    playing,
    sheet_of,
    summed,
    summed_by_hand,
    won_by_seat,
)
from sessions_app.readers.evening.seating import in_order_of_play, sums_of

ROWS_PER_PAGE = 12
MOST_ROWS = 36
#: The most hands on one page for paper.
MOST_PRINTED = 400
LAST = 2**31 - 1
#: A hand that was made void so soon after it was saved is shown as undone.
UNDONE_WITHIN = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class HandRow:
    """One row of the sheet. `amounts` has one entry a seat: its points won or lost, None where it sat out; `written`
    has the hand's entries by account.

    `players` of a declared hand are the declarer and the others in the order of play; of a hand without a declarer all
    at the table, the playing seats first; of agreed entries all players, by seat. `totals` are each seat's points after
    it, set in a sheet.

    In a sheet `is_amended` is whether its facts were ever corrected, `is_recounted` whether only its result was changed
    since, because of another hand; `is_undone` whether it was made void so soon that the sheet only names it.

    In a sheet `before` is the standing before the hand, as its game writes it.

    `objection` is the code of why it could not be recorded any more, '' where it could; it stays recorded all the same.

    `agreed` are the names of the members who said OK to it, where that is asked for. `revision_count` is 1 until it is
    changed.
    """

    game_key: str
    number: int
    kind: str
    dealer: str
    declarer: str
    text: str
    deal: Any
    rules: Any
    amounts: tuple[Amount | None, ...]
    deal_stays: bool
    is_void: bool
    is_amended: bool = False
    is_recounted: bool = False
    is_undone: bool = False
    players: tuple[str, ...] = ()
    written: tuple[tuple[Account, int], ...] = ()
    totals: tuple[Amount, ...] = ()
    agreed: tuple[str, ...] = ()
    objection: str = ""
    before: str = ""
    revision_count: int = 1

    @property
    def is_thrown_in(self) -> bool:
        return self.kind == Hand.Kind.THROWN_IN

    @property
    def is_agreed(self) -> bool:
        return self.kind == Hand.Kind.AGREED

    @property
    def amounts_text(self) -> str:
        """Return the amounts in the order of seats, `·` for a seat that sat out."""
        return " ".join("·" if amount is None else str(amount) for amount in self.amounts)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some hands of an evening, the latest first; `earlier` is the next page's `before`, None at the first hand."""

    rows: tuple[HandRow, ...]
    earlier: int | None


def sheet(
    evening: Evening,
    names: Sequence[str],
    before: int | None = None,
    down_to: int | None = None,
    most: int | None = None,
) -> Sheet:
    """Return a page of the hands before number `before` (None: the latest). Two queries, one more if any of the hands
    was changed, and one more on an earlier page, for the entries after it.

    `most` is the number of hands on the page. By default as many as for a phone that shows those from `down_to` on.
    """
    most = rows_shown(evening, down_to) if most is None else most
    last = evening.last_number if before is None else before - 1
    above = max(0, min(last, evening.last_number) - most)
    # One more hand, for the standing before the first of the page.
    found = _hands.ask(evening=evening.pk, above=max(0, above - 1), to=last)
    hands = [loaded(Hand, columns(Hand), each) for each in found[:most]]
    if not hands:
        return Sheet((), None)
    standings = [*(hand.standing for hand in hands[1:]), *(each[_STANDING] for each in found[most : most + 1]), ""]
    written = _entries_of(evening, hands[-1].number - 1, hands[0].number)
    changed = _changes_of(evening, hands)
    rows = tuple(_changed(hand, row(evening, hand, written.get(hand.pk, {}), names), changed) for hand in hands)
    after = sums_of(evening)
    if before is not None:
        later = HandEntry.objects.filter(hand__evening=evening.pk, hand__number__gt=last, hand__is_void=False)
        by_account = later.order_by().values_list("account", "seat", "against")
        after = _less(after, summed(by_account.annotate(Sum("amount"))))
    rows = tuple(
        replace(each, totals=total, before=before)
        for each, total, before in zip(
            rows, _totals(evening, hands, written, after, len(names)), standings[: len(rows)], strict=True
        )
    )
    return Sheet(rows, rows[-1].number if rows[-1].number > 1 else None)


def _totals(
    evening: Evening,
    hands: Sequence[Hand],
    written: Mapping[int, Mapping[Account, int]],
    after: Mapping[Account, int],
    columns: int,
) -> Iterator[tuple[Amount, ...]]:
    """Yield each seat's points after each hand, the latest first, from the sums of the sheet after the first of them.

    A void hand counts for nothing, though it shows the entries it had.
    """
    for hand in hands:
        balances = evening.game.balances(after, tuple(range(columns)), evening.house)
        yield tuple(balances[seat] for seat in range(columns))
        after = after if hand.is_void else _less(after, written.get(hand.pk, {}))


def _less(sums: Mapping[Account, int], taken: Mapping[Account, int]) -> dict[Account, int]:
    return {account: amount - taken.get(account, 0) for account, amount in sums.items()}


def rows_shown(evening: Evening, down_to: int | None) -> int:
    """Return the number of hands on a page for a phone that shows those from `down_to` on: at most MOST_ROWS."""
    shown = 0 if down_to is None else evening.last_number + 1 - down_to
    return max(ROWS_PER_PAGE, min(shown, MOST_ROWS))


def place_of(evening: Evening, number: int, *, is_saved: bool = False) -> str:
    """Return the query and fragment of a hand's row, to append to the evening page's address: '?before=9#hand-4'.

    With `is_saved` the page also says that the hand is saved: '?before=9&saved=4#hand-4'.
    """
    pages = (evening.last_number - number) // ROWS_PER_PAGE
    asked = {"before": evening.last_number + 1 - pages * ROWS_PER_PAGE} if pages > 0 else {}
    query = urlencode(asked | ({"saved": number} if is_saved else {}))
    return f"{'?' * bool(query)}{query}#hand-{number}"


def place_after(evening: Evening, amended: Hand, seen: int | None) -> str:
    """Return the place of a corrected hand's row, which says that it is saved unless nothing has changed.

    `seen` is the revision that its form showed: sent again, a correction has been saved.
    """
    return place_of(evening, amended.number, is_saved=amended.revision_count != seen)


def _entries_of(evening: Evening, above: int, to: int) -> dict[int, dict[Account, int]]:
    return summed_by_hand(_entries.ask(evening=evening.pk, above=above, to=to))


class _Made(NamedTuple):
    """Number of times that a hand was changed in one way, and the time of the latest."""

    times: int = 0
    latest: datetime = datetime.max.replace(tzinfo=UTC)


#: Changes of a hand by (action, cause).
type _Changes = defaultdict[tuple[str, str | None], _Made]


def _changes_of(evening: Evening, hands: Iterable[Hand]) -> Mapping[int, _Changes]:
    """Return the changes of each hand that was changed: one query, none if none was."""
    numbers = [hand.number for hand in hands if hand.revision_count > 1]
    found: dict[int, _Changes] = {}
    changes = _changes.ask(evening=evening.pk, first=min(numbers), last=max(numbers)) if numbers else ()
    for number, action, because_of, *made in changes:
        found.setdefault(number, defaultdict(_Made))[action, because_of] = _Made(*made)
    return found


def was_undone(recorded_at: datetime, voided_at: datetime) -> bool:
    """Return whether a void hand was undone rather than struck out later; the clock may have been set back between."""
    return abs(voided_at - recorded_at) <= UNDONE_WITHIN


def _changed(hand: Hand, row: HandRow, changes: Mapping[int, _Changes]) -> HandRow:
    """Return the row marked as amended, recounted or undone; a hand, or a cause, only struck out and restored is no
    change.
    """
    made = changes.get(hand.number)
    if not made:
        return row
    amended, struck_out, restored = (
        made[Action.RECOUNT, of].times for of in (Action.AMEND, Action.VOID, Action.RESTORE)
    )
    is_amended = made[Action.AMEND, None].times > 0
    return replace(
        row,
        is_amended=is_amended,
        is_recounted=not is_amended and (amended > 0 or struck_out != restored),
        is_undone=hand.is_void and was_undone(hand.recorded_at, made[Action.VOID, None].latest),
    )


@compiled
def _changes(evening: Slot, first: Slot, last: Slot) -> QuerySet[Revision, Any]:
    made = Revision.objects.filter(hand__evening=evening, hand__number__gte=first, hand__number__lte=last)
    made = made.filter(action__in=(Action.AMEND, Action.VOID, Action.RECOUNT)).order_by()
    return made.values_list("hand__number", "action", "cause__action").annotate(Count("pk"), Max("made_at"))


_STANDING = columns(Hand).index("standing")


@compiled
def _hands(evening: Slot, above: Slot, to: Slot) -> QuerySet[Hand, Any]:
    hands = Hand.objects.filter(evening=evening, number__gt=above, number__lte=to)
    return hands.order_by("-number").values_list(*columns(Hand))


@compiled
def _entries(evening: Slot, above: Slot, to: Slot) -> QuerySet[HandEntry, Any]:
    entries = HandEntry.objects.filter(hand__evening=evening, hand__number__gt=above, hand__number__lte=to)
    return entries.order_by("pk").values_list("hand", "account", "seat", "against", "amount")


def row_of(evening: Evening, hand: Hand, names: Sequence[str]) -> HandRow:
    """Return one hand as a row of the sheet, by its stored entries: one query unless they were read."""
    return row(evening, hand, sheet_of(hand.entries.all()), names)


def row(evening: Evening, hand: Hand, written: Mapping[Account, int], names: Sequence[str]) -> HandRow:
    """Return a hand as a row of the sheet, by the entries `written` now or earlier."""
    objected = objection(evening, hand)
    return HandRow(
        game_key=evening.game_key,
        number=hand.number,
        kind=hand.kind,
        dealer=names[hand.dealer],
        declarer="" if hand.declarer is None else names[hand.declarer],
        text=hand.deal,
        deal=deal_of(evening, hand),
        rules=evening.house,
        amounts=won_by_seat(evening, written, playing(evening, hand), len(names)),
        deal_stays=hand.deal_stays,
        is_void=hand.is_void,
        written=tuple(written.items()),
        players=tuple(_players(evening, hand, names)),
        objection=objected.code if objected else "",
        revision_count=hand.revision_count,
    )


def _players(evening: Evening, hand: Hand, names: Sequence[str]) -> Sequence[str]:
    if hand.is_agreed:
        return names
    if hand.declarer is not None:
        return [names[seat] for seat in in_order_of_play(evening.game, hand.sitting, hand.dealer, hand.declarer)]
    playing = evening.game.playing_seats(hand.sitting, hand.dealer)
    return [names[seat] for seat in (*playing, *(seat for seat in hand.sitting if seat not in playing))]


# --- As entries ---


#: The most hands read, the newest ones: an evening is seldom longer.
MOST_WRITTEN: Final = 60


@dataclass(frozen=True, slots=True)
class HandWritten:
    """The entries of a hand, summed by account; those of a void one are stored, and do not count.

    `was` are the sums that counted before its latest change, None where they are the same or nothing was changed, and
    for a hand restored after a slip. `recorded` and `changed` are the evening's versions of these.
    """

    number: int
    is_void: bool
    amounts: Mapping[Account, int]
    was: Mapping[Account, int] | None = None
    recorded: int = 0
    changed: int = 0

    @property
    def counted(self) -> Mapping[Account, int]:
        return {} if self.is_void else self.amounts


@dataclass(frozen=True, slots=True)
class Written:
    """The newest hands, the oldest of them first, without those that never wrote anything or were undone.

    `before` is the sheet before the first of them; `standing` the game's after the last of them, as the game writes it.
    """

    hands: tuple[HandWritten, ...]
    before: Mapping[Account, int]
    standing: str = ""


def written(evening: Evening) -> Written:
    """Return the entries of the newest hands: two queries."""
    above = evening.last_number - MOST_WRITTEN
    hands = tuple(_written_hands(_entries_of(evening, above, evening.last_number), _revisions(evening.pk, above)))
    return Written(hands, _sheet_before(sums_of(evening), hands), evening.standing)


def _written_hands(
    entries: Mapping[int, Mapping[Account, int]], revisions: Iterable[Sequence[Any]]
) -> Iterator[HandWritten]:
    history: dict[tuple[int, int], list[Sequence[Any]]] = {}
    for number, key, *revision in revisions:
        history.setdefault((number, key), []).append(revision)
    for (number, key), (first, *later) in sorted(history.items()):
        if later and _is_undone(first, later[0]):
            continue
        hand = HandWritten(number, first[1], entries.get(key, {}), recorded=first[2] or 0)
        changed = replace(hand, was=_was(later[0], hand.counted), changed=later[0][2] or 0) if later else hand
        if changed.amounts or changed.was:
            yield changed


def _is_undone(first: Sequence[Any], latest: Sequence[Any]) -> bool:
    """Return whether the hand was undone soon after it was saved, and changed no more."""
    return latest[3] == Action.VOID and was_undone(first[-1], latest[-1])


def _was(latest: Sequence[Any], counted: Mapping[Account, int]) -> Mapping[Account, int] | None:
    """Return the sums of a hand that counted before this revision, None where they are the same."""
    _number, _is_void, _version, action, because_of, before, _made_at = latest
    if Action.RESTORE in (action, because_of):
        return None
    was = {} if before["is_void"] else summed(entry[:4] for entry in before["entries"])
    return None if was == counted else was


def _sheet_before(sums: Mapping[Account, int], hands: Iterable[HandWritten]) -> Mapping[Account, int]:
    """Return the sheet without the entries of these hands; sums of 0 are left out."""
    for hand in hands:
        sums = _less(sums, hand.counted)
    return {account: amount for account, amount in sums.items() if amount}


def _revisions(evening: int, above: int) -> QuerySet[Revision, Any]:
    """Return each hand's first revision, and its latest if it was changed."""
    found = Revision.objects.filter(Q(number=1) | Q(number=F("hand__revision_count")))
    found = found.filter(hand__evening=evening, hand__number__gt=above).order_by("number")
    of_hand = ("hand__number", "hand", "number", "hand__is_void")
    return found.values_list(*of_hand, "version", "action", "cause__action", "before", "made_at")
