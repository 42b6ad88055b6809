"""What a hand writes on the sheet, and what the sheet comes to.

Where a house plays that a round of deals counts twice after a hand that was thrown in, the standing is how many deals
each such round has left, the fewest first; of overlapping rounds two count, four times together.
"""

from dataclasses import replace
from typing import Final

from scorekeeper.games.base import Count, Message, NotPlaying, Place, Sheet
from scorekeeper.games.payment_game import PAID, entries
from scorekeeper.games.tarokk.deal import Deal
from scorekeeper.games.tarokk.house_rules import Rules
from scorekeeper.games.tarokk.scoring import payments, score
from scorekeeper.games.tarokk.seating import places, playing_seats

type Rounds = tuple[int, ...]

accounts: Final = (PAID,)
#: So many rounds may overlap.
MOST_ROUNDS: Final = 2


def start(rules: Rules) -> Rounds:
    """No round is doubled."""
    return ()


def standing_from_text(text: str) -> Rounds:
    """`4 4`: the deals left of each doubled round. Raises ValueError."""
    rounds = tuple(map(int, text.split()))
    if standing_to_text(rounds) != text or any(left < 1 for left in rounds) or rounds != _longest(rounds):
        raise ValueError(f"not a standing of this game: {text!r}")
    return rounds


def standing_to_text(standing: Rounds) -> str:
    return " ".join(map(str, standing))


def times(standing: Rounds) -> int:
    """How many times the next hand counts."""
    return 1 << len(standing)


def count(deal: Deal | None, place: Place, standing: Rounds, rules: Rules) -> Count[Rounds]:
    """What the hand writes, and why; nothing for one that was thrown in, which may double a round.

    A hand that says itself how many times it counts is taken at its word. Raises NotPlaying for a declarer who is
    missing, sits out, or stands where it was thrown in, InvalidDeal for a deal that cannot be by these rules.
    """
    if deal is None:
        playing_seats(place.seats, place.dealer)
        if place.declarer is not None:
            raise NotPlaying("a hand thrown in has no declarer")
        return Count((), (), _longest((*standing, len(place.seats))) if rules.after_throw_in else standing)
    if place.declarer is None:
        raise NotPlaying("every hand needs a declarer")
    deal.check(rules)
    seats = places(place.seats, place.dealer, place.declarer)
    if deal.times == 1 and standing:
        deal = replace(deal, times=times(standing), rules=rules)
    paid = payments(deal, seats=seats, rules=rules)
    after = tuple(left - 1 for left in standing if left > 1)
    return Count(entries(paid, "points"), score(deal, rules).lines, after)


def next_hand_note(standing: Rounds, rules: Rules) -> Message | None:
    """Return `doubled`: how many `times` the next hand counts, for how many deals, and ×2 for how many `after` them."""
    if not standing:
        return None
    return Message("doubled", {"times": times(standing), "left": standing[0], "after": standing[-1] - standing[0]})


def _longest(rounds: Rounds) -> Rounds:
    """Those that count: as all run out together, the ones with the most deals left."""
    return tuple(sorted(rounds)[-MOST_ROUNDS:])


def reminder(sheet: Sheet, hands: int, seats: tuple[int, ...], rules: Rules) -> Message | None:
    """No end of an evening is agreed on."""
    return None
