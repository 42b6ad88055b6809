"""Preview of a correction's effect on later hands, before the hand is amended, voided or restored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account
from scorekeeper.games.errors import GameError
from scorekeeper.games.payment_game import PAID
from sessions_app.base_forms import SeatedForm
from sessions_app.faces import house_rules
from sessions_app.hand_facts import Facts, Rewritten
from sessions_app.models import Action, Evening, Hand
from sessions_app.readers.evening.recount import Change, count_forward, playing, sheet_of, summed, won_by_seat
from sessions_app.readers.evening.seating import sums, sums_of

#: At most this many later hands are listed.
MOST_SHOWN: Final = 12


#: A seat's sum now and after the correction; None if it sits out.
type Figure = tuple[Amount | None, Amount | None]
#: A later hand whose points or other entries would change: its number, a figure for each seat, and those entries.
type LaterHand = tuple[int, tuple[Figure, ...], tuple[Rewritten, ...]]


@dataclass(frozen=True, slots=True)
class RecountPreview:
    """The later hands that would change, the balances, and the reminder of the agreed end.

    `action` is the correction: amend, void or restore. `hands` are the first of the changed hands, `count` is their
    number. `objections` say which agreed entries would become impossible; these stay all the same. `reminder` is '' if
    it does not change.
    """

    action: Action
    hands: tuple[LaterHand, ...]
    count: int
    balances: tuple[Figure, ...]
    objections: tuple[str, ...]
    reminder: str
    is_over_no_more: bool

    @property
    def more(self) -> int:
        """The number of changed hands that are not listed."""
        return self.count - len(self.hands)


def recount_preview(
    evening: Evening, number: int, names: Sequence[str], *, facts: Facts | None = None, is_void: bool | None = None
) -> RecountPreview | None:
    """Return the effect of correcting the hand to `facts`, or of making it void or restoring it (`is_void`).

    None if there is none, or if the evening was written since it was read, since the hands are of another version
    then. Two queries for the hand, one for its standing, two for later ones if there are any, and one for the version.
    Raise GameError as the correction itself would, and Hand.DoesNotExist.
    """
    hand = evening.hands.prefetch_related("entries").get(number=number)
    new_sums, changes = count_forward(evening, hand, facts=facts, is_void=is_void)
    later = changes[1:]
    if not Evening.objects.filter(pk=evening.pk, version=evening.version).exists():
        return None
    after = sums(new_sums.sheet)
    was, will_be = (
        house_rules.reminder(evening, names),
        house_rules.reminder_of(evening, after, new_sums.hand_count, names),
    )
    rewritten = [change for change in later if change.has_other_entries]
    # The form's own count has the objections to the corrected hand itself.
    objections = tuple(_objections(evening, later if is_void is None else changes, names))
    if not rewritten and not objections and was == will_be:
        return None
    return RecountPreview(
        Action.AMEND if is_void is None else Action.VOID if is_void else Action.RESTORE,
        tuple(_later(evening, change, len(names)) for change in rewritten[:MOST_SHOWN]),
        len(rewritten),
        tuple(_balances(evening, after, len(names))),
        objections[:MOST_SHOWN],
        will_be if will_be != was else "",
        bool(was and not will_be),
    )


def preview_of(evening: Evening, form: SeatedForm, editing: Hand, facts: Callable[[], Facts]) -> RecountPreview | None:
    """Return the effect of a form's correction, whose facts are read if it is valid; None for any other form."""
    if evening.has_ended or not form.is_bound or not form.is_valid():
        return None
    try:
        return recount_preview(evening, editing.number, form.names, facts=facts())
    except (GameError, Hand.DoesNotExist):
        return None  # the count says why, or the next page


def _objections(evening: Evening, changes: Sequence[Change], names: Sequence[str]) -> Iterator[str]:
    for change in changes:
        if change.objection and change.objection != change.objected:
            yield house_rules.objection(evening.game_key, change.hand.number, change.objection, names)


def _balances(evening: Evening, after: Mapping[Account, int], columns: int) -> Iterator[Figure]:
    seats = tuple(range(columns))
    was, will_be = (evening.game.balances(sheet, seats, evening.house) for sheet in (sums_of(evening), after))
    return ((was[seat], will_be[seat]) for seat in seats)


def _later(evening: Evening, change: Change, columns: int) -> LaterHand:
    hand: Hand = change.hand
    sheets = summed(row[:4] for row in change.before["entries"]), sheet_of(change.entries)
    won = (won_by_seat(evening, sheet, playing(evening, hand), columns) for sheet in sheets)
    return hand.number, tuple(zip(*won, strict=True)), tuple(_rewritten(*sheets))


def _rewritten(was: Mapping[Account, int], will_be: Mapping[Account, int]) -> Iterator[Rewritten]:
    """Yield the changed accounts but payments from seat to seat, which the points show already."""
    for account in dict.fromkeys((*was, *will_be)):
        pair = was.get(account, 0), will_be.get(account, 0)
        if account[0] != PAID and pair[0] != pair[1]:
            yield Rewritten(account, *pair)
