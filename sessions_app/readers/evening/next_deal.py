"""The next deal: its dealer, the first to speak, and the leaders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import JSONField, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

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


def _standing(evening: Slot | OuterRef) -> QuerySet[Hand]:
    """Return the deals that are not void, the latest first: agreed entries never move the deal."""
    return Hand.objects.filter(evening=evening, is_void=False).exclude(kind=Hand.Kind.AGREED).order_by("-number")


@compiled
def _last_standing(evening: Slot) -> QuerySet[Hand, Any]:
    return _standing(evening).values_list(*columns(Hand))[:1]


def last_deal() -> Subquery:
    """Return the column for a list of evenings that `turn_after` reads: each evening's last deal that is not void."""
    facts = JSONObject(dealer="dealer", deal_stays="deal_stays", lineup="lineup")
    return Subquery(_standing(OuterRef("pk")).values(facts=facts)[:1], output_field=JSONField())


def turn(evening: Evening) -> Turn:
    """Return the next deal, from the last one that is not void: one query."""
    rows = _last_standing.ask(evening=evening.pk)
    return _turn(evening, loaded(Hand, columns(Hand), rows[0]) if rows else None)


def turn_after(evening: Evening, last: Mapping[str, Any] | None) -> Turn:
    """Return the next deal, from the evening's column `last_deal`: no query."""
    return _turn(evening, Hand(**last) if last else None)


def _turn(evening: Evening, last: Hand | None) -> Turn:
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
