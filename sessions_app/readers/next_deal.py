"""The next deal: its dealer, the first to speak, and the leaders."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from scorekeeper.games.base import Game
from sessions_app.models import Evening, Hand, lineup_from_text


@dataclass(frozen=True, slots=True)
class Turn:
    """The next deal: its number, the dealer, the first to speak, and the leader for each declarer, as seats."""

    number: int
    dealer: int
    speaks_first: int
    leaders: tuple[tuple[int, int], ...]

    @property
    def leader(self) -> int | None:
        """Return the seat that leads with every declarer; None where that depends on the declarer."""
        always = {leader for _declarer, leader in self.leaders}
        return always.pop() if len(always) == 1 else None


@compiled
def _last_standing(evening: Slot) -> QuerySet[Hand, Any]:
    """Return the last deal that is not void: agreed entries never move the deal."""
    hands = Hand.objects.filter(evening=evening, is_void=False).exclude(kind=Hand.Kind.AGREED)
    return hands.order_by("-number").values_list(*columns(Hand))[:1]


def turn(evening: Evening) -> Turn:
    """Return the next deal, from the last one that is not void: one query."""
    rows = _last_standing.ask(evening=evening.pk)
    last = loaded(Hand, columns(Hand), rows[0]) if rows else None
    return turn_of(evening.game, evening.sitting, _next_dealer(evening, last), evening.last_number + 1)


def _next_dealer(evening: Evening, last: Hand | None) -> int:
    """Return the next dealer's seat; for one gone home since, that of the next who would have dealt."""
    if last is None:
        return evening.first_dealer
    sat = lineup_from_text(last.lineup)
    dealer = last.dealer if last.deal_stays else evening.game.next_dealer(sat, last.dealer)
    for _seat in sat:
        if dealer in evening.sitting:
            return dealer
        dealer = evening.game.next_dealer(sat, dealer)
    return evening.sitting[0]  # none of them is still there


def turn_of(game: Game[Any, Any, Any], sitting: tuple[int, ...], dealer: int, number: int) -> Turn:
    """Return the turn of this dealer."""
    playing = game.playing_seats(sitting, dealer)
    return Turn(number, dealer, playing[0], tuple(game.leaders(sitting, dealer).items()))


def in_order_of_play(
    game: Game[Any, Any, Any], sitting: tuple[int, ...], dealer: int | None, declarer: int | None
) -> tuple[int, ...]:
    """Return the seats that play a hand: its declarer first, then the others; () without a declarer who plays."""
    playing = game.playing_seats(sitting, dealer) if dealer in sitting else ()
    if declarer not in playing:
        return ()
    at = playing.index(declarer)
    return (*playing[at:], *playing[:at])
