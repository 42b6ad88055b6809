"""The standing of Tarokk: its doubled rounds, the only thing in which a hand depends on earlier ones.

Under the house rule that a round of deals counts twice after a hand that was thrown in, the standing is the number of
deals that each such round has left, the fewest first. Of overlapping rounds two count, four times together.
"""

from typing import Final

from scorekeeper.games.errors import Message
from scorekeeper.games.tarokk.house_rules import Rules

type Rounds = tuple[int, ...]

#: The highest number of rounds that overlap.
MOST_ROUNDS: Final = 2


def start(rules: Rules) -> Rounds:
    """Return the standing without a doubled round."""
    return ()


def standing_from_text(text: str) -> Rounds:
    """Read `4 4`, the deals left of each doubled round. Raise ValueError."""
    rounds = tuple(map(int, text.split()))
    if standing_to_text(rounds) != text or any(left < 1 for left in rounds) or rounds != _longest(rounds):
        raise ValueError(f"not a standing of this game: {text!r}")
    return rounds


def standing_to_text(standing: Rounds) -> str:
    return " ".join(map(str, standing))


def times(standing: Rounds) -> int:
    """Return the factor of the next hand."""
    return 1 << len(standing)


def next_hand_note(standing: Rounds, rules: Rules) -> Message | None:
    """Return `doubled`, or None: the next `left` hands count `times` times, and `after` more count twice."""
    if not standing:
        return None
    return Message("doubled", {"times": times(standing), "left": standing[0], "after": standing[-1] - standing[0]})


def after_throw_in(standing: Rounds, seats: int, rules: Rules) -> Rounds:
    """Return the standing after a hand that was thrown in: by house rule one round more counts twice."""
    return _longest((*standing, seats)) if rules.after_throw_in else standing


def after_hand(standing: Rounds) -> Rounds:
    """Return the standing after a hand that was played: one deal less in every round."""
    return tuple(left - 1 for left in standing if left > 1)


def _longest(rounds: Rounds) -> Rounds:
    """Return the rounds that count: as all run out together, those with the most deals left."""
    return tuple(sorted(rounds)[-MOST_ROUNDS:])
