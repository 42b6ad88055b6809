"""The worked hands of a game's page of rules, each counted as the hand of an evening that there is not."""

from dataclasses import dataclass
from typing import Any

from scorekeeper.games import GAMES
from scorekeeper.games.base import Amount, InvalidDeal, Place
from scorekeeper.games.sheet_text import short_form
from sessions_app.faces import FACES
from sessions_app.faces.rules_page import WorkedHand
from sessions_app.models import Evening
from sessions_app.models.evenings import lineup_to_text
from sessions_app.readers import hand_counts
from sessions_app.readers.hand_counts import CountView
from sessions_app.wording import Words

#: Those who sit at the table that there is not, in the order of play.
LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class WorkedView:
    """A worked hand, counted; `names` are of all at the table, `players` of those who play it, each in order of play.

    `may_be_changed` says whether it would be the same where hands are only counted: the first of an evening, and as
    few at the table as can play.
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
    """Count it, with no query."""
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
    """The place of a made-up hand: dealt by the evening's first dealer, or else by the first by whom it can be."""
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
    """An evening that is in no database: its seats are numbered in the order of play, and who sits out comes last."""
    game = GAMES[game_key]
    places = range(seats or min(game.seat_counts))
    last = next(place for place in places if game.playing_seats(len(places), place)[0] == 0)
    playing = game.playing_seats(len(places), last)
    order = (*playing, *(place for place in places if place not in playing))
    lineup = lineup_to_text(order.index(place) for place in places)
    return Evening(game_key=game_key, rules=rules, lineup=lineup, first_dealer=order.index(last), standing=before)


def names_at(evening: Evening) -> tuple[str, ...]:
    return tuple(LETTERS[: len(evening.sitting)])
