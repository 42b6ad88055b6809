"""The game of Asszorti, as the registry lists it."""

from typing import Final

from scorekeeper.games.asszorti import deal as deals
from scorekeeper.games.asszorti import measures, notation, samples, scoring, seating
from scorekeeper.games.asszorti.deal import Deal
from scorekeeper.games.asszorti.house_rules import HOUSE_RULES, Rules
from scorekeeper.games.asszorti.referee import REFEREE
from scorekeeper.games.base import Payment, Place, ScoreLine, Sheet
from scorekeeper.games.errors import Message
from scorekeeper.games.payment_game import PaymentGame


class Asszorti(PaymentGame[Deal, Rules, None]):
    """Asszorti, a Hungarian game for three, by docs/rules/asszorti.md. No hand depends on another."""

    key = "asszorti"
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
    likely = staticmethod(samples.likely)

    counted_over = measures.COUNTED_OVER
    is_made = staticmethod(measures.is_made)
    own_measures = staticmethod(measures.own_measures)
    feats = staticmethod(measures.feats)

    def start(self, rules: Rules) -> None:
        """Return None: there is no standing."""

    def standing_from_text(self, text: str) -> None:
        """Raise ValueError for anything but ''."""
        if text:
            raise ValueError(f"not a standing of this game: {text!r}")

    def standing_to_text(self, standing: None) -> str:
        return ""

    def standing_after(self, deal: Deal | None, place: Place, standing: None, rules: Rules) -> None:
        """Return None: there is no standing."""

    def payments_of(
        self, deal: Deal, place: Place, declarer: int, standing: None, rules: Rules
    ) -> tuple[tuple[Payment, ...], tuple[ScoreLine, ...]]:
        deal.check(rules)
        against = seating.opponents(place.seats, place.dealer, declarer)
        payments = scoring.payments(deal, declarer=declarer, opponents=against, rules=rules)
        return payments, scoring.score(deal, rules).lines

    def reminder(self, sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
        """Return `hands_played` (hands, played) or `points_reached` (seat, points) at the end of the evening."""
        if rules.hands and hands >= rules.hands:
            return Message("hands_played", {"hands": rules.hands, "played": hands})
        if not rules.points:
            return None
        won = self.balances(sheet, seats)
        best = max(seats, key=lambda seat: won[seat])  # of equals the first
        return Message("points_reached", {"seat": best, "points": rules.points}) if won[best] >= rules.points else None


GAME: Final = Asszorti()
