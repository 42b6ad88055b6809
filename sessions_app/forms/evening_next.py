"""The initial values of a new evening's form for the players of another evening."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import uuid4

from scorekeeper.games import GAMES
from sessions_app.forms.evening_new import IN_CHIPS, NewEveningForm
from sessions_app.models import Evening


def fields_after(evening: Evening, names: Sequence[str], dealer: int, game_key: str, rules: str) -> dict[str, object]:
    """Return the form's values: its circle, the players who sit at the table now, in their order, stake and chips.

    `dealer`, the seat that would deal next, deals first. `names` are the players by seat, `rules` the house rules of
    the new game.
    """
    return {
        **dict(zip(NewEveningForm.PLAYERS, (names[seat] for seat in evening.sitting), strict=False)),
        "first_dealer": evening.sitting.index(dealer) + 1,
        "stake": _written(evening.stake),
        "currency": evening.currency or "HUF",
        "in_chips": IN_CHIPS if evening.in_chips else "",
        "game": game_key,
        "rules": rules,
        "circle": evening.circle_id,
        "token": uuid4(),
    }


def another_game(evening: Evening) -> str:
    """Return the key of another game for as many players, or of the evening's own if there is none."""
    others = (key for key, game in GAMES.items() if len(evening.sitting) in game.seat_counts)
    return next((key for key in others if key != evening.game_key), evening.game_key)


def _written(stake: Decimal | None) -> str:
    return "" if stake is None else f"{stake.normalize():f}"
