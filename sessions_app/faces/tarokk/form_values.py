"""A deal of Tarokk as values of the hand form's fields."""

from scorekeeper.games.tarokk import Bonus, Deal, Pagat, Side
from sessions_app.faces.tarokk.fields import made_in
from sessions_app.faces.tarokk.form_codes import ALONE, LETTERS, NOBODY, VOLATS
from sessions_app.faces.tarokk.rows import MADE, announced, doubled


def form_values(deal: Deal, playing: tuple[int, ...]) -> dict[str, str]:
    """Return the fields of a deal; the partner by seat, if the players are known."""
    values = {"contract": deal.contract.value, "times": str(deal.times)}
    if deal.is_proba:
        return values | {"proba": "on"}
    exact = isinstance(deal.points, int)
    values |= {
        "partner": str(playing[deal.partner]) if deal.partner and playing else "" if deal.partner else ALONE,
        "result": _result_of(deal),
        "points": str(deal.points) if exact else "",
        "counted_by": LETTERS[Side.DECLARERS],
        "game_kontra": str(deal.game_kontra.value),
        "pagat": "" if deal.pagat is Pagat.NONE else deal.pagat.value,
    }
    values |= {bonus.value: _letter(None if deal.volat else getattr(deal, bonus.value)) for bonus in MADE[:2]}
    values["xxi"] = _letter(deal.xxi)
    for each in deal.announced:
        values[announced(each.side, each.bonus)] = "on"
        values[doubled(each.side, each.bonus)] = str(each.kontra.value)
        if each.bonus not in (Bonus.DOUBLE, Bonus.VOLAT) and not (deal.volat and each.bonus in MADE[:2]):
            values[made_in(each.bonus)] = values[made_in(each.bonus)] or NOBODY
    for place, seat in enumerate(playing):
        if deal.tarokks[place]:
            values[f"tarokks_{seat}"] = str(deal.tarokks[place])
    return values


def _letter(side: Side | None) -> str:
    return "" if side is None else LETTERS[side]


def _result_of(deal: Deal) -> str:
    """Return the value of `result`, '' where the card points alone tell it."""
    if deal.volat:
        return next(key for key, side in VOLATS.items() if side is deal.volat)
    return "" if isinstance(deal.points, int) else str(deal.points)
