"""The history of a hand, chips that make up for its corrections, the latest change by another member, and reactions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from scorekeeper.games.base import Account
from scorekeeper.games.payment_game import PAID, netted
from sessions_app.models import Action, Evening, Hand, HandMark, Revision, User
from sessions_app.readers.evening import recount, sheets
from sessions_app.readers.evening.sheets import HandRow, Sheet

# --- Chips that players push to each other after each hand ---


#: A hand as its history stores it; None before it was recorded.
type State = dict[str, Any] | None
#: Payer, payee, chips.
type Paid = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Push:
    """Chips that one seat pushes to another; `is_back` if it was pushed at least as many for the same hands before."""

    payer: int
    payee: int
    chips: int
    is_back: bool = False


def pushes_of_hand(written: Iterable[tuple[Account, int]]) -> tuple[Push, ...]:
    """Return the pushes of a hand, by its entries."""
    paid = netted((seat, against, amount) for (_paid, seat, against), amount in written if against is not None)
    return tuple(Push(each.payer, each.payee, each.points) for each in paid)


def pushes_between(changes: Iterable[tuple[State, State]]) -> tuple[Push, ...]:
    """Return the pushes that make up for changed hands, by their states before and after."""
    was: list[Paid] = []
    is_now: list[Paid] = []
    for before, after in changes:
        was += _paid(before)
        is_now += _paid(after)
    pushed = {(each.payer, each.payee): each.points for each in netted(was)}
    missing = netted((*is_now, *((payer, payee, -chips) for payer, payee, chips in was)))
    return tuple(
        Push(each.payer, each.payee, each.points, pushed.get((each.payee, each.payer), 0) >= each.points)
        for each in missing
    )


def pushes_of_latest_change(evening: Evening, number: int) -> tuple[Push, ...]:
    """Return the pushes that make up for the latest correction of a hand, recounted hands included: one query."""
    of_itself = Q(hand__number=number, number=F("hand__revision_count"))
    of_later = Q(cause__hand__number=number, cause__number=F("cause__hand__revision_count"))
    rows = Revision.objects.filter(of_itself | of_later, hand__evening=evening, hand__number__gte=number)
    return pushes_between(rows.values_list("before", "after"))


def _paid(state: State) -> Iterator[Paid]:
    if state is None or state["is_void"]:
        return
    for account, seat, against, amount, *_reason in state["entries"]:
        if account == PAID:
            yield seat, against, amount


# --- The history of a hand ---


ENTRIES_PER_PAGE: Final = 20


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One entry of a hand's history; `before` and `after` are sheet lines, `before` None for the first.

    `by` is its author's name, '' for a member without a player. `cause` is the change of an earlier hand that caused a
    recount, None for a recount by a migration after a change of the rules. `effects` are the later hands that were
    recounted because of it. `pushes` make up for a correction and its effects, where the evening is paid in chips.
    """

    action: str
    made_at: datetime
    by_me: bool
    by: str
    before: HandRow | None
    after: HandRow
    cause: Revision | None = None
    effects: tuple[int, ...] = ()
    pushes: tuple[Push, ...] = ()

    @property
    def changes_dealer(self) -> bool:
        return self.before is not None and self.before.dealer != self.after.dealer


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some revisions of a hand, the latest first; `earlier` is the `before` of the next page, None at the first one."""

    entries: tuple[RevisionView, ...]
    earlier: int | None


def history_of(
    evening: Evening,
    hand: Hand,
    names: Sequence[str],
    by_user: Mapping[int, str],
    viewer: User,
    before: int | None = None,
) -> HistoryPage:
    """Return a page of the revisions before number `before` (None: the latest): one query, and one for their effects in
    a game with standings. `by_user`: the authors' names.
    """

    def then(state: dict[str, Any]) -> HandRow:
        return row_then(evening, hand, names, state)

    revisions = hand.revisions.select_related("cause__hand").order_by("-number")
    if before is not None:
        revisions = revisions.filter(number__lt=before)
    page = list(revisions[:ENTRIES_PER_PAGE])
    effects = _effects(page, evening.in_chips) if recount.has_standing(evening) else {}
    entries = tuple(
        RevisionView(
            Action.RECOUNT if _is_by_other_rules(revision) else revision.action,
            revision.made_at,
            revision.made_by_id == viewer.pk,
            by_user.get(revision.made_by_id or 0, ""),
            then(revision.before) if revision.before else None,
            then(revision.after),
            revision.cause,
            tuple(effect.hand.number for effect in effects.get(revision.pk, ())),
            _pushes(revision, effects.get(revision.pk, ())) if evening.in_chips else (),
        )
        for revision in page
    )
    return HistoryPage(entries, page[-1].number if page and page[-1].number > 1 else None)


def row_then(evening: Evening, hand: Hand, names: Sequence[str], state: Mapping[str, Any]) -> HandRow:
    """Return the hand as a row of the sheet, by a state of its history."""
    was = Hand(number=hand.number, lineup=hand.lineup, is_void=state["is_void"], **state["facts"])
    was.kind = recount.kind_of(evening.game, recount.deal_of(evening, was))
    return sheets.row(evening, was, entries_then(state), names)


def entries_then(state: Mapping[str, Any]) -> dict[Account, int]:
    """Return the sums by account of the entries in a state of a hand's history."""
    return recount.summed(tuple(entry[:4]) for entry in state["entries"])


def counted_again(evening: Evening, number: int) -> tuple[int, ...]:
    """Return the hands recounted because of this one's latest change: one query, none in a game without standings."""
    if not recount.has_standing(evening):
        return ()
    latest = Q(cause__hand__evening=evening, cause__hand__number=number)
    found = Revision.objects.filter(latest, cause__number=F("cause__hand__revision_count"))
    return tuple(found.order_by("hand__number").values_list("hand__number", flat=True))


def _effects(page: Sequence[Revision], with_states: bool) -> dict[int | None, list[Revision]]:
    """Return the recounts of later hands by their cause; their states are read if they are asked for."""
    found: dict[int | None, list[Revision]] = {}
    rows = Revision.objects.filter(cause__in=page).select_related("hand").order_by("hand__number")
    for effect in rows.only("cause", "hand__number", *(("before", "after") if with_states else ())):
        found.setdefault(effect.cause_id, []).append(effect)
    return found


def _pushes(revision: Revision, effects: Iterable[Revision]) -> tuple[Push, ...]:
    """Return the pushes that make up for a correction; () for a recording, and for a recount, whose cause has them."""
    if revision.action in (Action.RECORD, Action.RECOUNT) or _is_by_other_rules(revision):
        return ()
    return pushes_between(((revision.before, revision.after), *((each.before, each.after) for each in effects)))


def _is_by_other_rules(revision: Revision) -> bool:
    """Return whether a migration recounted the hand: a correction always changes the facts."""
    was = revision.before or {}
    is_same = (was.get("facts"), was.get("is_void")) == (revision.after["facts"], revision.after["is_void"])
    return revision.action == Action.AMEND and is_same


# --- News ---


#: Time during which a new hand is announced on the other phones.
SHOWN_FOR = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class News:
    """The latest write of another phone: the hand's number, the action, its author ('' for a member without a player).

    `recounted` is the number of later hands that were recounted because of it.
    """

    number: int
    action: str
    by: str
    row: HandRow
    recounted: int = 0


def latest_news(evening: Evening, names: list[str], by_user: dict[int, str], me: User) -> News | None:
    """Return the latest write of another phone, while it is new and `me` has not answered it: at most three queries."""
    rows = _latest.ask(evening=evening.pk, since=timezone.now() - SHOWN_FOR, me=me.pk)
    if not rows:
        return None
    revision, action, by, *row = rows[0]
    hand = loaded(Hand, columns(Hand), row)
    if revision != hand.revision_count or _answered.ask(hand=hand.pk, me=me.pk, revision=revision):
        return None
    return News(
        hand.number,
        action,
        by_user.get(by or 0, ""),
        sheets.row_of(evening, hand, names),
        Revision.objects.filter(cause__hand=hand, cause__number=revision).count()
        if recount.has_standing(evening) and action != Action.RECORD
        else 0,
    )


@compiled
def _latest(evening: Slot, since: Slot, me: Slot) -> QuerySet[Revision, Any]:
    revisions = (
        Revision.objects.filter(hand__evening=evening, made_at__gte=since)
        .exclude(made_by=me)
        .exclude(action=Action.RECOUNT)
    )
    of_hand = (f"hand__{name}" for name in columns(Hand))
    return revisions.order_by("-pk").values_list("number", "action", "made_by_id", *of_hand)[:1]


@compiled
def _answered(hand: Slot, me: Slot, revision: Slot) -> QuerySet[HandMark, Any]:
    return HandMark.objects.filter(hand=hand, user=me, revision=revision).values_list("pk")


# --- Reactions ---


@dataclass(frozen=True, slots=True)
class DoubtedHand:
    """A hand that a member doubts, until it is corrected or the doubt is settled."""

    number: int
    by: str
    is_agreed: bool


def doubted_hands(evening: Evening, by_user: dict[int, str]) -> list[DoubtedHand]:
    """Return the hands whose current revision is doubted: one query."""
    rows = _doubts.ask(evening=evening.pk)
    return [DoubtedHand(number, by_user.get(user, ""), kind == Hand.Kind.AGREED) for number, user, kind in rows]


@compiled
def _doubts(evening: Slot) -> QuerySet[HandMark, Any]:
    doubts = HandMark.objects.filter(
        hand__evening=evening, kind=HandMark.Kind.HM, settled_at=None, revision=F("hand__revision_count")
    )
    return doubts.order_by("hand__number", "pk").values_list("hand__number", "user", "hand__kind")


def with_agreed(evening: Evening, sheet: Sheet, by_user: dict[int, str]) -> Sheet:
    """Return the sheet with the names of the members who said OK to its hands as they stand: one query."""
    if not sheet.rows:
        return sheet
    said: dict[int, list[str]] = {}
    for number, user in _oks.ask(evening=evening.pk, first=sheet.rows[-1].number, last=sheet.rows[0].number):
        said.setdefault(number, []).append(by_user.get(user, ""))
    if not said:
        return sheet
    rows = (replace(row, agreed=tuple(said.get(row.number, ()))) for row in sheet.rows)
    return replace(sheet, rows=tuple(rows))


@compiled
def _oks(evening: Slot, first: Slot, last: Slot) -> QuerySet[HandMark, Any]:
    oks = HandMark.objects.filter(
        hand__evening=evening,
        hand__number__gte=first,
        hand__number__lte=last,
        kind=HandMark.Kind.OK,
        revision=F("hand__revision_count"),
    )
    return oks.order_by("pk").values_list("hand__number", "user")
