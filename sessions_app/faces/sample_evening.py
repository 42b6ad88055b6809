"""The short evening that home draws for a first visit, counted by its game's rules once in a process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Entry, Place
from sessions_app.readers.evening.recount import sheet_of

#: Other names than the demo's, so that nobody takes the drawing for an evening of their own.
NAMES: Final = ("Kata", "Miki", "Zoli")


class SampleHands(NamedTuple):
    """The hands of a short evening of three: each hand's declarer, as a seat, and its deal in the game's notation.

    `in_words` returns a deal in a few words, for screen readers.
    """

    first_dealer: int
    hands: Sequence[tuple[int, str]]
    in_words: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class SampleEvening:
    """The evening after its last hand: each player's balance, that hand with its `amounts`, and the next `dealer`."""

    game_key: str
    names: tuple[str, ...]
    balances: tuple[Amount, ...]
    number: int
    declarer: int
    deal: Any
    amounts: tuple[Amount, ...]
    dealer: int
    in_words: Callable[[Any], str]

    @property
    def seats(self) -> tuple[tuple[str, Amount], ...]:
        """Return each player's name and balance, by seat."""
        return tuple(zip(self.names, self.balances, strict=True))

    @property
    def deal_words(self) -> str:
        return self.in_words(self.deal)


@cache
def played(game_key: str, sample: SampleHands) -> SampleEvening:
    """Return the evening of these hands under the book's rules. It needs no database."""
    game, seats = GAMES[game_key], tuple(range(len(NAMES)))
    rules = game.rules_from_text("")
    standing, dealer = game.start(rules), sample.first_dealer
    entries: list[Entry] = []
    for declarer, text in sample.hands:
        deal = game.deal_from_text(text, rules)
        counted = game.count(deal, Place(seats, dealer, declarer), standing, rules)
        entries += counted.entries
        standing, dealer = counted.standing, game.next_dealer(seats, dealer)

    def won(written: Sequence[Entry]) -> tuple[Amount, ...]:
        balances = game.balances(sheet_of(written), seats, rules)
        return tuple(balances[seat] for seat in seats)

    return SampleEvening(
        game_key,
        NAMES,
        won(entries),
        len(sample.hands),
        declarer,
        deal,
        won(counted.entries),
        dealer,
        sample.in_words,
    )
