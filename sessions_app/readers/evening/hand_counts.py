"""The count of a hand: one query at most."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account, Entry, EntryLike, Game, Place, ScoreLine
from scorekeeper.games.errors import InvalidDeal, Message
from scorekeeper.games.payment_game import PAID
from sessions_app.models import Evening, Hand


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
