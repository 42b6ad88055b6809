"""The game of Preference, as the registry lists it."""

from typing import Final

from scorekeeper.games.base import Game
from scorekeeper.games.preference import (
    counting,
    measures,
    notation,
    samples,
    seating,
    settlement,
    standing,
    validation,
)
from scorekeeper.games.preference import deal as deals
from scorekeeper.games.preference.deal import Deal
from scorekeeper.games.preference.house_rules import HOUSE_RULES, Rules
from scorekeeper.games.preference.referee import REFEREE
from scorekeeper.games.preference.standing import Standing


class Preference(Game[Deal, Rules, Standing]):
    """Russian Preference (преферанс), by docs/rules/preference.md."""

    key = "preference"
    accounts = deals.ACCOUNTS
    house_rules = HOUSE_RULES
    referee = REFEREE

    seat_counts = seating.seat_counts
    seats_may_change = seating.seats_may_change
    redeals = seating.redeals
    playing_seats = staticmethod(seating.playing_seats)
    next_dealer = staticmethod(seating.next_dealer)
    leaders = staticmethod(seating.leaders)

    deal_from_text = staticmethod(notation.deal_from_text)
    deal_to_text = staticmethod(notation.deal_to_text)
    reads_as = staticmethod(notation.reads_as)
    is_agreed = staticmethod(deals.is_agreed)
    agreed = staticmethod(deals.agreed)
    check_place = staticmethod(validation.check_place)
    may_follow = staticmethod(validation.may_follow)
    objection = staticmethod(validation.objection)
    likely = staticmethod(samples.likely)

    participants = staticmethod(measures.participants)
    is_made = staticmethod(measures.is_made)
    own_measures = staticmethod(measures.own_measures)
    feats = staticmethod(measures.feats)

    start = staticmethod(standing.start)
    standing_from_text = staticmethod(standing.standing_from_text)
    standing_to_text = staticmethod(standing.standing_to_text)
    is_finished = staticmethod(standing.is_finished)
    next_hand_note = staticmethod(standing.next_hand_note)

    count = staticmethod(counting.count)
    balances = staticmethod(settlement.balances)
    pairwise = staticmethod(settlement.pairwise)
    reminder = staticmethod(settlement.reminder)


GAME: Final = Preference()
