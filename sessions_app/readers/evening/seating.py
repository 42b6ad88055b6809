"""An evening as it stands: its row, its seats with names and balances, its next deal, and the hand in play.

The hand in play is a row, which the game reads as its own HandState.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.db.models import JSONField, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from scorekeeper.db.compiled_queries import Slot, columns, compiled, loaded
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Account, Game
from scorekeeper.games.referee import Referee
from scorekeeper.money.settlement import in_whole_units
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, Hand, HandInPlay, Seat, Total, lineup_from_text
from sessions_app.transactions import read_once
from sessions_app.words.wording import stake_of

#: A seat's position and its player's name.
type Seated = tuple[int, str]


def evening_of(pk: int) -> Evening:
    """Return an evening: one query. Raise Evening.DoesNotExist."""
    for row in _evening.ask(pk=pk):
        return loaded(Evening, columns(Evening), row)
    raise Evening.DoesNotExist


@compiled
def _evening(pk: Slot) -> QuerySet[Evening, Any]:
    return Evening.objects.filter(pk=pk).values_list(*columns(Evening))


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat with its player's name and balance in points (and in money, where there is a stake).

    `coins` is the exact worth of the balance in the stake's smallest coin, `money` the same in whole coins. `sits` is
    whether he is at the table for the next deal, or has gone home.
    """

    position: int
    name: str
    balance: Amount
    coins: Amount | None = None
    money: Decimal | None = None
    sits: bool = True


def seats_of(evening: Evening) -> tuple[SeatView, ...]:
    """Return the seats in their order, with balances: one query."""
    return seat_views(evening, tuple(enumerate(names_of(evening))))


def names_of(evening: Evening) -> list[str]:
    """Return the players' names by seat: one query, in a snapshot one for all who ask."""
    rows = read_once(("names", evening.pk), lambda: _names_by_seat.ask(evening=evening.pk))
    return [name for _position, name in rows]


def seats_by_evening(evenings: Sequence[int]) -> dict[int, list[Seated]]:
    """Return the positions with the players' names, in order, of each of these evenings: one query, none for none."""
    found: dict[int, list[Seated]] = {evening: [] for evening in evenings}
    seats = Seat.objects.filter(evening__in=evenings).order_by("evening", "position")
    for evening, position, name in seats.values_list("evening", "position", "player__name"):
        found[evening].append((position, name))
    return found


@compiled
def _names_by_seat(evening: Slot) -> QuerySet[Seat, Any]:
    """Return each seat's position with its player's name, in order."""
    return Seat.objects.filter(evening=evening).order_by("position").values_list("position", "player__name")


def seat_views(evening: Evening, seats: Sequence[Seated]) -> tuple[SeatView, ...]:
    balances = evening.game.balances(sums_of(evening), tuple(position for position, _name in seats), evening.house)
    stake = stake_of(evening.stake, evening.currency)
    coins = [stake.coins(balances[position]) for position, _name in seats] if stake else []
    units = in_whole_units(coins)
    return tuple(
        SeatView(
            position,
            name,
            balances[position],
            coins[at] if stake else None,
            stake.of_coins(units[at]) if stake else None,
            position in evening.sitting,
        )
        for at, (position, name) in enumerate(seats)
    )


def sums_of(evening: Evening) -> dict[Account, int]:
    return sums(evening.sheet)


def sums(sheet: Mapping[Account, Total]) -> dict[Account, int]:
    """Return the amounts of the accounts, without the number of their entries."""
    return {account: total.amount for account, total in sheet.items()}


# --- The next deal ---


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


# --- The hand in play ---


def row_in_play(evening: Evening) -> HandInPlay | None:
    """Return the evening's hand in play with its `evening` set, or None: one query."""
    for row in _in_play.ask(evening=evening.pk):
        in_play = loaded(HandInPlay, columns(HandInPlay), row)
        in_play.evening = evening
        return in_play
    return None


@compiled
def _in_play(evening: Slot) -> QuerySet[HandInPlay, Any]:
    return HandInPlay.objects.filter(evening=evening).values_list(*columns(HandInPlay))


def has_begun(evening: Evening) -> bool:
    """Return whether the hand in play says anything but its dealer: one query."""
    in_play = row_in_play(evening)
    return in_play is not None and bool(in_play.has_begun)


def in_play_or_next(evening: Evening) -> HandInPlay:
    """Return the evening's hand in play, or the next hand with nothing said (version 0): one query, or two."""
    row = row_in_play(evening)
    if row is None:
        following = turn(evening)
        row = HandInPlay(number=following.number, version=0, token=uuid4(), dealer=following.dealer)
    return row


def referee_of(evening: Evening) -> Referee[Any, Any, Any, Any]:
    """Return the referee of the evening's game. Raise ValueError for a game without one."""
    if evening.game.referee is None:
        raise ValueError(f"{evening.game_key} has no hands in play")
    return evening.game.referee


def read_in_play(evening: Evening, row: HandInPlay) -> Any:
    """Return the game's own HandState, read from a row."""
    return referee_of(evening).state.from_state(row.dealer, row.state)


def facts_at_end(evening: Evening, hand: Any, answers: Mapping[str, Any]) -> Facts:
    """Return the facts of a HandState that is over, by the players' answers about its end.

    Raise IllegalMove if it is not over, and InvalidDeal.
    """
    deal = referee_of(evening).finish(hand, evening.house, **answers)
    if deal is None:
        return Facts(hand.dealer, deal_stays=evening.game.redeals[0] == "stays")
    return Facts(hand.dealer, hand.declarer, evening.game.deal_to_text(deal))
