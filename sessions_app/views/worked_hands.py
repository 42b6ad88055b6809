"""The worked hands of a rules page, each counted as a hand of an evening that is not in the database."""

from dataclasses import dataclass
from typing import Any

from scorekeeper.games import GAMES
from scorekeeper.games.amounts import Amount
from scorekeeper.games.base import Place, short_form
from scorekeeper.games.errors import InvalidDeal
from sessions_app.faces import FACES
from sessions_app.faces.rules_page import WorkedHand
from sessions_app.models import Evening
from sessions_app.models.evenings import lineup_to_text
from sessions_app.readers.evening import hand_counts
from sessions_app.readers.evening.hand_counts import CountView
from sessions_app.words.wording import Words

#: The players of that evening, in the order of play.
LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class WorkedView:
    """A worked hand, counted. `names` are of all at the table, `players` of those who play it, in the order of play.

    `may_be_changed` says whether the worth page counts it the same: as the first hand of an evening, with the fewest
    players.
    """

    line: str
    why: Words
    rules: str
    has_declarer: bool
    may_be_changed: bool
    deal: Any
    counted: CountView
    names: tuple[str, ...]
    players: tuple[str, ...]
    entries_text: str

    @property
    def declarer(self) -> str:
        """The seat that declares, as the hand form has it."""
        return "0" if self.has_declarer else ""

    @property
    def amounts(self) -> tuple[tuple[str, Amount | None], ...]:
        return tuple(zip(self.names, self.counted.amounts, strict=True))

    @property
    def amounts_text(self) -> str:
        return " ".join(map(str, self.counted.amounts))


def worked(game_key: str, hand: WorkedHand) -> WorkedView:
    """Count the hand, without a query."""
    evening = made_up(game_key, hand.rules, hand.seats, hand.before)
    deal, names = evening.game.deal_from_text(hand.line, evening.house), names_at(evening)
    place = place_of(evening, deal, declarer=0 if hand.has_declarer else None)
    counted = hand_counts.count(evening, deal, place, len(names))
    playing = FACES[game_key].form.players_of(deal, place.seats, place.dealer, place.declarer)
    return WorkedView(
        line=hand.line,
        why=hand.why,
        rules=hand.rules,
        has_declarer=hand.has_declarer,
        may_be_changed=not (hand.before or hand.seats),
        deal=deal,
        counted=counted,
        names=names,
        players=tuple(names[seat] for seat in playing),
        entries_text=short_form(hand_counts.sheet_of(counted.entries), evening.game.accounts),
    )


def place_of(evening: Evening, deal: Any, declarer: int | None) -> Place:
    """Return the place of the hand: dealt by the first dealer, or else by the first seat that makes it valid."""
    dealers = (evening.first_dealer, *evening.sitting)
    places = [Place(evening.sitting, dealer, declarer) for dealer in dealers]
    return next((place for place in places if _can_be(evening, deal, place)), places[0])


def _can_be(evening: Evening, deal: Any, place: Place) -> bool:
    try:
        evening.game.check_place(deal, place, evening.house)
    except InvalidDeal:
        return False
    return True


def made_up(game_key: str, rules: str, seats: int = 0, before: str = "") -> Evening:
    """Return an unsaved evening, its seats numbered in the order of play, those who sit out last."""
    game = GAMES[game_key]
    places = range(seats or min(game.seat_counts))
    last = next(place for place in places if game.playing_seats(len(places), place)[0] == 0)
    playing = game.playing_seats(len(places), last)
    order = (*playing, *(place for place in places if place not in playing))
    lineup = lineup_to_text(order.index(place) for place in places)
    return Evening(game_key=game_key, rules=rules, lineup=lineup, first_dealer=order.index(last), standing=before)


def names_at(evening: Evening) -> tuple[str, ...]:
    return tuple(LETTERS[: len(evening.sitting)])
