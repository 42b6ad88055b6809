"""The game of Tarokk, as the registry lists it."""

from dataclasses import replace
from typing import Final

from scorekeeper.games.base import Payment, Place, ScoreLine
from scorekeeper.games.payment_game import PaymentGame
from scorekeeper.games.tarokk import deal as deals
from scorekeeper.games.tarokk import measures, notation, samples, scoring, seating, standing, validation
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.house_rules import HOUSE_RULES, Rules
from scorekeeper.games.tarokk.referee import REFEREE
from scorekeeper.games.tarokk.standing import Rounds


class Tarokk(PaymentGame[Deal, Rules, Rounds]):
    """Hungarian Tarokk, the game of calling the XX (Paskievics tarokk), by docs/rules/tarokk.md."""

    key = "tarokk"
    house_rules = HOUSE_RULES
    referee = REFEREE

    seat_counts = seating.seat_counts
    seats_may_change = seating.seats_may_change
    redeals = seating.redeals
    playing_seats = staticmethod(seating.playing_seats)
    next_dealer = staticmethod(seating.next_dealer)
    leaders = staticmethod(seating.leaders)

    hand_from_text = staticmethod(notation.deal_from_text)
    hand_to_text = staticmethod(notation.deal_to_text)
    reads_alike = staticmethod(deals.reads_as)
    check_place = staticmethod(validation.check_place)
    likely = staticmethod(samples.likely)

    merit = measures.MERIT
    declaring_seats = staticmethod(measures.declaring_seats)
    counted_over = measures.COUNTED_OVER
    is_made = staticmethod(measures.is_made)
    own_measures = staticmethod(measures.own_measures)
    feats = staticmethod(measures.feats)

    start = staticmethod(standing.start)
    standing_from_text = staticmethod(standing.standing_from_text)
    standing_to_text = staticmethod(standing.standing_to_text)
    next_hand_note = staticmethod(standing.next_hand_note)

    def standing_after(self, deal: Deal | None, place: Place, rounds: Rounds, rules: Rules) -> Rounds:
        return standing.after_throw_in(rounds, len(place.seats), rules) if deal is None else standing.after_hand(rounds)

    def payments_of(
        self, deal: Deal, place: Place, declarer: int, rounds: Rounds, rules: Rules
    ) -> tuple[tuple[Payment, ...], tuple[ScoreLine, ...]]:
        """Return the payments and lines of a hand. Its own `times`, unless 1, replace those of the standing."""
        deal.check(rules)
        seats = seating.places(place.seats, place.dealer, declarer)
        if deal.times == 1 and rounds:
            deal = replace(deal, times=standing.times(rounds), rules=rules)
        return scoring.payments(deal, seats=seats, rules=rules), scoring.score(deal, rules).lines


GAME: Final = Tarokk()
