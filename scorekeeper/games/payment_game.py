"""Games in which one seat pays another: the account `paid`, and the sums of a sheet of payments."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Final

from scorekeeper.games.base import Count, Entry, Game, Payment, Place, ScoreLine, Sheet
from scorekeeper.games.errors import Message, NotPlaying

PAID: Final = "paid"


class PaymentGame[Deal, Rules, Standing](Game[Deal, Rules, Standing]):
    """A game whose hands write nothing but payments.

    Every deal is a hand with a declarer, and may follow any other. No standing ends the game.
    """

    accounts = (PAID,)
    pays_per_hand = True

    @abstractmethod
    def payments_of(
        self, deal: Deal, place: Place, declarer: int, standing: Standing, rules: Rules
    ) -> tuple[tuple[Payment, ...], tuple[ScoreLine, ...]]:
        """Return the payments of a hand, and the lines that explain them.

        Raise NotPlaying for a declarer who sits out, InvalidDeal for a deal that is impossible under these rules.
        """

    @abstractmethod
    def standing_after(self, deal: Deal | None, place: Place, standing: Standing, rules: Rules) -> Standing:
        """Return the standing after a hand; `deal` is None if it was thrown in."""

    def count(self, deal: Deal | None, place: Place, standing: Standing, rules: Rules) -> Count[Standing]:
        if deal is None:
            self.playing_seats(place.seats, place.dealer)  # ValueError for a place that the game does not have
            if place.declarer is not None:
                raise NotPlaying("a hand thrown in has no declarer")
            return Count((), (), self.standing_after(None, place, standing, rules))
        if place.declarer is None:
            raise NotPlaying("every hand needs a declarer")
        payments, lines = self.payments_of(deal, place, place.declarer, standing, rules)
        return Count(entries(payments, "points"), lines, self.standing_after(deal, place, standing, rules))

    def is_agreed(self, deal: Deal) -> bool:
        return False

    def check_place(self, deal: Deal, place: Place, rules: Rules) -> None:
        """Allow any hand to any declarer."""

    def may_follow(self, deal: Deal, standing: Standing, rules: Rules) -> None:
        """Allow any hand after any other."""

    def objection(self, deal: Deal, after: Standing, rules: Rules) -> Message | None:
        return None

    def is_finished(self, standing: Standing, rules: Rules) -> bool:
        return False

    def next_hand_note(self, standing: Standing, rules: Rules) -> Message | None:
        return None

    def reminder(self, sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
        return None

    def balances(self, sheet: Sheet, seats: tuple[int, ...], rules: Rules | None = None) -> Mapping[int, int]:
        """Return the points that each seat was paid, less those that it paid."""
        totals = dict.fromkeys(seats, 0)
        for (_account, payer, payee), points in sheet.items():
            totals[payer] -= points
            if payee is not None:
                totals[payee] += points
        return totals

    def pairwise(
        self, sheet: Sheet, seats: tuple[int, ...], rules: Rules | None = None
    ) -> Mapping[tuple[int, int], int]:
        """Return the net debts between two seats; pairs that owe each other nothing are left out."""
        owed = ((payer, payee, points) for (_account, payer, payee), points in sheet.items() if payee is not None)
        return {(paid.payer, paid.payee): paid.points for paid in netted(owed)}


def entries(payments: Iterable[Payment], reason: str) -> tuple[Entry, ...]:
    """Return payments as the entries of a hand."""
    return tuple(Entry(PAID, payment.payer, payment.payee, payment.points, reason) for payment in payments)


def netted(owed: Iterable[tuple[int, int, int]]) -> tuple[Payment, ...]:
    """Net (payer, payee, points of either sign) to at most one payment between two seats; leave even pairs out."""
    sums: dict[tuple[int, int], int] = {}
    for payer, payee, points in owed:
        sums[payer, payee] = sums.get((payer, payee), 0) + points
        sums[payee, payer] = sums.get((payee, payer), 0) - points
    return tuple(Payment(*pair, points) for pair, points in sorted(sums.items()) if points > 0)
