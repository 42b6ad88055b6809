"""Random evenings as they are played: hands, corrections, thrown-in deals, players who come and go. No database."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from scorekeeper.games.base import Entry, Game, Place
from scorekeeper.games.errors import InvalidDeal

type AnyGame = Game[Any, Any, Any]

MOST_SEATS: Final = 8
#: Most draws of a hand until one may follow those before it: none does once a game is over.
DRAWS: Final = 20
#: One hand in so many is thrown in; corrected; struck through, for good or until it is restored.
THROWN_IN, AMENDED, VOIDED, RESTORED = 14, 25, 30, 50
#: Between two hands in so many a player comes or goes.
LINEUP: Final = 15


@dataclass(frozen=True)
class State:
    """A hand as its history has it at one time."""

    action: str
    declarer: int | None
    deal: str
    is_void: bool
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class PlayedHand:
    """A hand and its history; the last state is the one that stands. `standing` is the one after it, as text."""

    kind: str
    seats: tuple[int, ...]
    dealer: int
    deal_stays: bool
    standing: str
    history: tuple[State, ...]

    @property
    def now(self) -> State:
        return self.history[-1]


@dataclass
class Play:
    """An evening: `columns` seats were ever taken, `lineup` sits at the end."""

    game: AnyGame
    rules: str
    first_dealer: int
    lineup: tuple[int, ...]
    columns: int
    hands: list[PlayedHand] = field(default_factory=list)
    #: The lineups before and after each change.
    changes: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)


def play(game: AnyGame, rules_text: str, hands: int, chance: Random) -> Play:
    """Play an evening of so many hands, or until the game is over."""
    rules = game.rules_from_text(rules_text)
    seats = tuple(range(chance.choice(game.seat_counts)))
    dealer = chance.choice(seats)
    evening = Play(game, game.rules_to_text(rules), dealer, seats, len(seats))
    standing = game.start(rules)
    while len(evening.hands) < hands:
        if evening.hands and game.seats_may_change and chance.randrange(LINEUP) == 0:
            dealer = _change_lineup(evening, dealer, chance)
        drawn = _hand(evening, dealer, standing, rules, chance)
        if drawn is None:
            break
        hand, standing = drawn
        evening.hands.append(hand)
        dealer = dealer if hand.deal_stays else game.next_dealer(hand.seats, dealer)
    return evening


def _change_lineup(evening: Play, dealer: int, chance: Random) -> int:
    """Let a player come or go, and return who deals then."""
    was, counts = evening.lineup, evening.game.seat_counts
    if len(was) + 1 in counts:
        gone = [seat for seat in range(evening.columns) if seat not in was]
        comes = chance.choice(gone) if gone and chance.randrange(2) else evening.columns
        if comes == MOST_SEATS:
            return dealer
        evening.columns = max(evening.columns, comes + 1)
        at = chance.randrange(len(was)) + 1
        evening.lineup = (*was[:at], comes, *was[at:])
    elif len(was) - 1 in counts:
        goes = chance.choice(was)
        dealer = evening.game.next_dealer(was, goes) if goes == dealer else dealer
        evening.lineup = tuple(seat for seat in was if seat != goes)
    evening.changes.append((was, evening.lineup))
    return dealer


def _hand(evening: Play, dealer: int, before: Any, rules: Any, chance: Random) -> tuple[PlayedHand, Any] | None:
    """Return the next hand and the standing after it, None if no hand may follow."""
    game, seats = evening.game, evening.lineup
    if chance.randrange(THROWN_IN) == 0:
        counted = game.count(None, Place(seats, dealer), before, rules)
        recorded = State("record", None, "", False, ())
        stays = chance.choice(game.redeals) == "stays"
        history = tuple(_struck(recorded, chance))
        after = before if history[-1].is_void else counted.standing
        return PlayedHand("thrown_in", seats, dealer, stays, game.standing_to_text(after), history), after
    drawn = next(_possible(evening, dealer, before, rules, chance), None)
    if drawn is None:
        return None
    recorded, after, deal = drawn
    history: tuple[State, ...] = (recorded,)
    if not game.is_agreed(deal) and chance.randrange(AMENDED) == 0:
        amended = _amended(evening, dealer, before, rules, chance, recorded)
        if amended:
            corrected, after, deal = amended
            history += (corrected,)
    history = (*history[:-1], *_struck(history[-1], chance))
    after = before if history[-1].is_void else after
    is_agreed = game.is_agreed(deal)
    kind = "agreed" if is_agreed else "played"
    return PlayedHand(kind, seats, dealer, is_agreed, game.standing_to_text(after), history), after


def _possible(evening: Play, dealer: int, before: Any, rules: Any, chance: Random) -> Iterator[tuple[State, Any, Any]]:
    """Yield recorded states of hands that may follow, with the standing after each and its deal."""
    game, seats = evening.game, evening.lineup
    for _ in range(DRAWS):
        declarer, deal = game.likely(chance, seats, dealer, rules)
        place = Place(seats, dealer, declarer)
        with suppress(InvalidDeal):
            game.check_place(deal, place, rules)
            game.may_follow(deal, before, rules)
            counted = game.count(deal, place, before, rules)
            yield State("record", declarer, game.deal_to_text(deal), False, counted.entries), counted.standing, deal


def _amended(
    evening: Play, dealer: int, before: Any, rules: Any, chance: Random, recorded: State
) -> tuple[State, Any, Any] | None:
    """Return the correction of a hand to another of the same kind; None if none was drawn, or it is the same."""
    for state, after, deal in _possible(evening, dealer, before, rules, chance):
        if not evening.game.is_agreed(deal) and (state.declarer, state.deal) != (recorded.declarer, recorded.deal):
            return replace(state, action="amend"), after, deal
    return None


def _struck(state: State, chance: Random) -> Iterator[State]:
    """Yield the state, and it struck through or even restored, before the next hand is recorded."""
    yield state
    if chance.randrange(VOIDED) == 0:
        yield replace(state, action="void", is_void=True)
    elif chance.randrange(RESTORED) == 0:
        yield replace(state, action="void", is_void=True)
        yield replace(state, action="restore")
