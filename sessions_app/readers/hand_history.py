"""What was done to a hand: who, when, before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sessions_app.models import GameSession, Hand, Revision, User
from sessions_app.readers import counts, sheets
from sessions_app.readers.sheets import HandLine

ENTRIES_PER_PAGE: Final = 20


class Cause(NamedTuple):
    """The change of an earlier hand because of which this one was counted again."""

    number: int
    action: str
    is_hand: bool


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One entry of a hand's history; `before` and `after` are sheet lines, `before` None for the first.

    `by` is who made it, '' where he did not say who he is; `cause` is why, where it was counted again.
    """

    action: str
    made_at: datetime
    by_me: bool
    by: str
    before: HandLine | None
    after: HandLine
    cause: Cause | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some revisions of a hand, the latest first; `earlier` is where the next page begins, None at the first one."""

    entries: tuple[RevisionView, ...]
    earlier: int | None


def of(
    evening: GameSession,
    hand: Hand,
    names: Sequence[str],
    by_user: Mapping[int, str],
    viewer: User,
    before: int | None = None,
) -> HistoryPage:
    """The revisions before number `before` (None: the latest), a page of them: one query. `by_user`: who made them."""

    def then(revision: Revision, state: dict[str, Any]) -> HandLine:
        was = Hand(number=hand.number, lineup=hand.lineup, **state["facts"])
        written = counts.summed(tuple(entry[:4]) for entry in state["entries"])
        return sheets.line(evening, was, written, names, state["is_void"])

    revisions = hand.revisions.select_related("cause__hand").order_by("-number")
    if before is not None:
        revisions = revisions.filter(number__lt=before)
    page = list(revisions[:ENTRIES_PER_PAGE])
    entries = tuple(
        RevisionView(
            revision.action,
            revision.made_at,
            revision.made_by_id == viewer.pk,
            by_user.get(revision.made_by_id or 0, ""),
            then(revision, revision.before) if revision.before else None,
            then(revision, revision.after),
            _cause_of(revision),
        )
        for revision in page
    )
    return HistoryPage(entries, page[-1].number if page and page[-1].number > 1 else None)


def _cause_of(revision: Revision) -> Cause | None:
    if revision.cause is None:
        return None
    hand = revision.cause.hand
    return Cause(hand.number, revision.cause.action, hand.is_hand)
