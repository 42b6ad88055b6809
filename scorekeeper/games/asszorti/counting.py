"""What a hand writes on the sheet, and what the sheet comes to. No hand depends on another."""

from typing import Final

from scorekeeper.games.asszorti.house_rules import Rules
from scorekeeper.games.asszorti.rules import Deal, payments, score
from scorekeeper.games.asszorti.seating import opponents, playing_seats
from scorekeeper.games.base import Count, Message, NotPlaying, Place, Sheet
from scorekeeper.games.payment_game import PAID, balances, entries

accounts: Final = (PAID,)


def start(rules: Rules) -> None:
    """There is nothing to know of the hands before."""


def standing_from_text(text: str) -> None:
    """Raises ValueError for anything but ''."""
    if text:
        raise ValueError(f"not a standing of this game: {text!r}")


def standing_to_text(standing: None) -> str:
    return ""


def count(deal: Deal | None, place: Place, standing: None, rules: Rules) -> Count[None]:
    """What the hand writes, and why; nothing for one that was thrown in.

    Raises NotPlaying for a declarer who is missing, sits out, or stands where it was thrown in, InvalidDeal for a deal
    that cannot be by these rules.
    """
    if deal is None:
        playing_seats(place.seats, place.dealer)
        if place.declarer is not None:
            raise NotPlaying("a hand thrown in has no declarer")
        return Count((), (), None)
    if place.declarer is None:
        raise NotPlaying("every hand needs a declarer")
    deal.check(rules)
    against = opponents(place.seats, place.dealer, place.declarer)
    paid = payments(deal, declarer=place.declarer, opponents=against, rules=rules)
    return Count(entries(paid, "points"), score(deal, rules).lines, None)


def reminder(sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
    """That the evening was to end now: `hands_played` (hands, played), or `points_reached` (seat, points)."""
    if rules.hands and hands >= rules.hands:
        return Message("hands_played", {"hands": rules.hands, "played": hands})
    if not rules.points:
        return None
    won = balances(sheet, seats)
    best = max(seats, key=lambda seat: won[seat])  # of equals the first
    return Message("points_reached", {"seat": best, "points": rules.points}) if won[best] >= rules.points else None
