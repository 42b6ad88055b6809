"""Counts of hands: of one that is played, of one as the ledger writes it, and forward from one that was changed.

A later hand may depend on the standing that an earlier one left. So a change of a hand recounts the later hands too,
until the standing after one is the same as before; after that nothing can differ. Nothing is written here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, Self, cast

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account, Entry, EntryLike, Game, Place, ScoreLine
from scorekeeper.games.errors import InvalidDeal, Message
from scorekeeper.games.payment_game import PAID
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandEntry, Total, lineup_from_text


@dataclass(frozen=True, slots=True)
class CountView:
    """A counted hand: its entries, the steps that explain it, and each seat's points won or lost (None: not in it)."""

    entries: tuple[Entry, ...]
    lines: tuple[ScoreLine, ...]
    amounts: tuple[Amount | None, ...]

    @property
    def points(self) -> int:
        """Return the sum of the steps."""
        return sum(line.amount for line in self.lines)

    @property
    def payments(self) -> tuple[Entry, ...]:
        """Return the payments from seat to seat; () for a game without."""
        return tuple(entry for entry in self.entries if entry.account == PAID)

    @property
    def payments_text(self) -> str:
        """Return the payments by seats: `1>0 2, 3>2 2`."""
        return ", ".join(f"{entry.seat}>{entry.against} {entry.amount}" for entry in self.payments)


def sheet_of(entries: Iterable[EntryLike]) -> dict[Account, int]:
    """Return the sheet of these entries alone."""
    return summed((entry.account, entry.seat, entry.against, entry.amount) for entry in entries)


def summed(rows: Iterable[tuple[str, int, int | None, int]]) -> dict[Account, int]:
    """Return the sums of rows by account; an account may have several rows, for different reasons."""
    sums: dict[Account, int] = {}
    for *account, amount in rows:
        of = cast(Account, tuple(account))
        sums[of] = sums.get(of, 0) + amount
    return sums


def summed_by_hand(rows: Iterable[Any]) -> dict[int, dict[Account, int]]:
    """Return the sums of rows by the key of their hand, which comes first, and by account."""
    written: dict[int, list[Any]] = {}
    for hand, *entry in rows:
        written.setdefault(hand, []).append(entry)
    return {hand: summed(entries) for hand, entries in written.items()}


def deal_of(evening: Evening, hand: Hand) -> Any:
    """Read a hand's deal; None for one that was thrown in."""
    return evening.game.deal_from_text(hand.deal, evening.house) if hand.deal else None


def kind_of(game: Game[Any, Any, Any], deal: Any) -> Hand.Kind:
    """Return the kind of a hand with this deal; None is the deal of one that was thrown in."""
    if deal is None:
        return Hand.Kind.THROWN_IN
    return Hand.Kind.AGREED if game.is_agreed(deal) else Hand.Kind.PLAYED


def count(evening: Evening, deal: Any, place: Place, columns: int, instead_of: Hand | None = None) -> CountView:
    """Return the count of a deal as the next hand, or instead of a recorded one: one query at most.

    Raise InvalidDeal for a deal that may not be recorded there, and the errors of the game's own count.
    """
    before = standing_before(evening, instead_of) if instead_of else evening.standing
    if instead_of is None or may_follow(evening, instead_of, before):
        evening.game.check_place(deal, place, evening.house)
        evening.game.may_follow(deal, standing_from_text(evening, before), evening.house)
    return _counted(evening, deal, place, before, columns)


def count_of(evening: Evening, hand: Hand, columns: int) -> CountView | None:
    """Return the count of a played hand, None for one that was thrown in: one query at most, and its entries.

    A void hand keeps the entries that it had while it counted: if it would write others by now, no steps explain them.
    """
    if hand.is_thrown_in:
        return None
    deal = deal_of(evening, hand)
    place = Place(hand.sitting, hand.dealer, hand.declarer)
    counted = _counted(evening, deal, place, standing_before(evening, hand), columns)
    kept = sheet_of(hand.entries.all())
    if not hand.is_void or sheet_of(counted.entries) == kept:
        return counted
    entries = tuple(Entry(entry.account, entry.seat, entry.against, entry.amount) for entry in hand.entries.all())
    return CountView(entries, (), won_by_seat(evening, kept, playing(evening, hand), columns))


def standing_before(evening: Evening, hand: Hand) -> str:
    """Return the standing before a recorded hand, as the game writes it: one query at most."""
    # A standing that has run out with this hand still applied before it.
    if hand.number == 1 or not has_standing(evening):
        return ""
    return evening.hands.values_list("standing", flat=True).get(number=hand.number - 1)


def has_standing(evening: Evening) -> bool:
    """Return whether a hand of the evening's game may depend on those before it."""
    return evening.game.start(evening.house) is not None


def standing_from_text(evening: Evening, text: str) -> Any:
    """Return a standing as the game reads it; '' is the standing before the first hand."""
    return evening.game.standing_from_text(text) if text else evening.game.start(evening.house)


def is_finished(evening: Evening) -> bool:
    """Return whether the game is over as the evening stands, so that it takes no further hand: no query."""
    return evening.game.is_finished(standing_from_text(evening, evening.standing), evening.house)


def may_follow(evening: Evening, hand: Hand, before: str) -> bool:
    """Return whether a recorded hand, as it is, could be recorded anew after that standing."""
    if hand.is_thrown_in:
        return True
    deal = deal_of(evening, hand)
    try:
        evening.game.may_follow(deal, standing_from_text(evening, before), evening.house)
    except InvalidDeal:
        return False
    return True


def objection(evening: Evening, hand: Hand) -> Message | None:
    """Return why a recorded hand could not be recorded any more after a correction of an earlier one, None if it could.

    The hand stays recorded. Only agreed entries can have an objection; a void hand has none.
    """
    if not hand.is_agreed or hand.is_void:
        return None
    deal = deal_of(evening, hand)
    return evening.game.objection(deal, standing_from_text(evening, hand.standing), evening.house)


def _counted(evening: Evening, deal: Any, place: Place, standing: str, columns: int) -> CountView:
    counted = evening.game.count(deal, place, standing_from_text(evening, standing), evening.house)
    sums = sheet_of(counted.entries)
    is_agreed = kind_of(evening.game, deal) is Hand.Kind.AGREED
    dealt = () if is_agreed else evening.game.playing_seats(place.seats, place.dealer)
    return CountView(counted.entries, counted.lines, won_by_seat(evening, sums, dealt, columns))


def playing(evening: Evening, hand: Hand) -> tuple[int, ...]:
    """Return the seats that play a hand; none for agreed entries."""
    return () if hand.is_agreed else evening.game.playing_seats(hand.sitting, hand.dealer)


def won_by_seat(
    evening: Evening, written: Mapping[Account, int], playing: tuple[int, ...], columns: int
) -> tuple[Amount | None, ...]:
    """Return each seat's points won or lost by the entries; None for a seat neither playing nor named in them."""
    there = {*playing, *(seat for _account, seat, _against in written)}
    won = evening.game.balances(written, tuple(range(columns)), evening.house)
    return tuple(won[seat] if seat in there or won[seat] else None for seat in range(columns))


# --- As the ledger writes them ---


def facts_of(hand: Hand) -> Facts:
    """Return the hand's current facts."""
    return Facts(hand.dealer, hand.declarer, hand.deal, hand.deal_stays)


def state_of(hand: Hand, entries: Iterable[HandEntry]) -> dict[str, Any]:
    """Return the hand as its history stores it: a later change of the rules does not rewrite past payments."""
    return {"facts": asdict(facts_of(hand)), "is_void": hand.is_void, "entries": _rows(entries)}


class Counted(NamedTuple):
    """A hand's entries, the standing after it as the game writes it, and the hand's kind."""

    entries: tuple[HandEntry, ...]
    standing: str
    kind: str


def counted(evening: Evening, hand: Hand, before: str, *, is_new: bool = False) -> Counted:
    """Count a hand by its facts, from the standing before it; a new hand must be one that may be recorded there.

    Raise GameError, and ValueError for an unknown dealer, a declarer of a hand thrown in, and a wrong `deal_stays`.
    """
    game = evening.game
    place = Place(lineup_from_text(hand.lineup), hand.dealer, hand.declarer)
    deal = deal_of(evening, hand)
    kind = kind_of(game, deal)
    if kind is Hand.Kind.THROWN_IN and hand.declarer is not None:
        raise ValueError("a hand thrown in has no declarer")
    if kind is not Hand.Kind.THROWN_IN and hand.deal_stays != (kind is Hand.Kind.AGREED):
        raise ValueError("the same dealer deals again after a hand thrown in or agreed, and after no other")
    standing = standing_from_text(evening, before)
    if is_new and deal is not None:
        game.check_place(deal, place, evening.house)
        game.may_follow(deal, standing, evening.house)
    count = game.count(deal, place, standing, evening.house)
    entries = tuple(HandEntry(hand=hand, **asdict(entry)) for entry in count.entries)
    return Counted(entries, game.standing_to_text(count.standing), kind)


@dataclass(frozen=True, slots=True)
class EveningSums:
    """The totals of its hands that an evening's own row stores."""

    hand_count: int
    sheet: dict[Account, Total]
    standing: str

    @classmethod
    def of(cls, evening: Evening) -> Self:
        return cls(evening.hand_count, evening.sheet, evening.standing)

    @property
    def columns(self) -> dict[str, Any]:
        return {"hand_count": self.hand_count, "sheet": self.sheet, "standing": self.standing}

    def with_hand(self, hand: Hand, entries: Iterable[HandEntry], sign: int) -> Self:
        """Return the sums with the hand added (sign 1) or taken out (−1); a void hand counts for nothing."""
        if hand.is_void:
            return self
        sheet = dict(self.sheet)
        for entry in entries:
            account = (entry.account, entry.seat, entry.against)
            amount, count = sheet.get(account, (0, 0))
            sheet[account] = Total(amount + sign * entry.amount, count + sign)
        played = sign if hand.kind == Hand.Kind.PLAYED else 0
        return replace(self, hand_count=self.hand_count + played, sheet=sheet)


@dataclass(frozen=True, slots=True)
class Change:
    """A rewritten hand: `hand` has the new columns, `before` is the last state in its history.

    `objected` is why it could not have been recorded any more before the change, `objection` the same after it.
    """

    hand: Hand
    before: dict[str, Any]
    entries: tuple[HandEntry, ...]
    objected: Message | None = None
    objection: Message | None = None

    @property
    def has_other_entries(self) -> bool:
        """Return whether its entries change, and not only the state that it leaves behind."""
        return bool(self.before["entries"] != _rows(self.entries))

    @property
    def is_told(self) -> bool:
        """Return whether its history records it: its entries change, or it becomes impossible or possible again."""
        return self.has_other_entries or self.objected != self.objection


def count_forward(
    evening: Evening, hand: Hand, *, facts: Facts | None = None, is_void: bool | None = None
) -> tuple[EveningSums, tuple[Change, ...]]:
    """Return the new sums and the changed hands, this one first, for other facts of a hand, a strike-out or a restore.

    Raise GameError for facts that the game does not know, or that may not be recorded there after the hands before it.
    The latter is not raised if the hand as it is could not be recorded there either, since earlier hands have changed.
    """
    sums, changes, standing = EveningSums.of(evening), [], standing_before(evening, hand)
    is_new = facts is not None and may_follow(evening, hand, standing)
    # The later hands are read only if this one leaves another standing.
    later = evening.hands.filter(number__gt=hand.number).order_by("number").prefetch_related("entries")
    for each in chain((hand,), later):
        before, was, is_same = state_of(each, each.entries.all()), each.standing, each is not hand or facts is None
        objected = objection(evening, each)
        sums = sums.with_hand(each, each.entries.all(), -1)
        if each is hand:
            _say(hand, facts, is_void)
        entries, each.standing, each.kind = _count_again(evening, each, standing, is_same, is_new and not is_same)
        sums = sums.with_hand(each, entries, 1)
        changes.append(Change(each, before, entries, objected, objection(evening, each)))
        standing = each.standing
        if standing == was:
            break
    else:
        sums = replace(sums, standing=standing)
    return sums, tuple(changes)


def _say(hand: Hand, facts: Facts | None, is_void: bool | None) -> None:
    for name, value in asdict(facts).items() if facts else ():
        setattr(hand, name, value)
    if is_void is not None:
        hand.is_void = is_void


def _count_again(evening: Evening, hand: Hand, standing: str, is_same: bool, is_new: bool) -> Counted:
    """Count one hand after a standing. A void one leaves that as it is, and keeps its entries if its facts are the
    same.
    """
    if hand.is_void and is_same:
        return Counted(tuple(hand.entries.all()), standing, hand.kind)
    count = counted(evening, hand, standing, is_new=is_new)
    return count._replace(standing=standing) if hand.is_void else count


def _rows(entries: Iterable[HandEntry]) -> list[list[Any]]:
    """Return entries as the history stores them, in a fixed order: the game's order may change."""
    return in_fixed_order([each.account, each.seat, each.against, each.amount, each.reason] for each in entries)


def in_fixed_order[Row: Sequence[Any]](rows: Iterable[Row]) -> list[Row]:
    """Return rows of entries in the order in which the history stores them."""
    return sorted(rows, key=lambda row: [-1 if value is None else value for value in row])


def reads_as(evening: Evening, one: Facts, other: Facts) -> bool:
    """Return whether both describe the same play, with any dealer; or both were thrown in alike."""
    if not one.deal or not other.deal:
        return (one.deal, one.deal_stays) == (other.deal, other.deal_stays)
    game: Game[Any, Any, Any] = evening.game
    return one.declarer == other.declarer and game.reads_as(
        game.deal_from_text(one.deal, evening.house),
        game.deal_from_text(other.deal, evening.house),
        evening.house,
    )
