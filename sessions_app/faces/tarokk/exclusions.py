"""Exclusions among the values of the hand form's fields, as 'field=value', from the game's own exclusions."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple

from scorekeeper.games.tarokk import Band, Rules, Side, exclusions, playing_seats
from scorekeeper.games.tarokk.exclusions import Condition, Exclusion
from scorekeeper.games.tarokk.validation import MOST_WITH_TAROKKS
from sessions_app.faces.tarokk.form_codes import ALONE, LETTERS, VOLATS
from sessions_app.hand_facts import MOST_SEATS

#: The facts that have one field of the form each.
_PLAIN: Final = ("contract", "trull", "kings", "xxi", "pagat", "is_proba")
#: The rows that a volát hides.
_WITHOUT_VOLAT: Final = {"trull", "kings"}


class Keys(NamedTuple):
    """Some values of one field; typed card points are ranges."""

    row: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.row}={'|'.join(self.values)}"


def excluded_together(rules: Rules) -> str:
    """Return the choices that exclude each other: 'trull=o&xxi=d contract=2&points=0..13&xxi=d', separated by spaces.

    All parts of one hold in no hand. Seats are not included, and neither are values of rows that another value hides.
    """
    return _excluded_together(Rules(lone_discards=rules.lone_discards))


@cache
def _excluded_together(rules: Rules) -> str:
    found = (keys for exclusion in exclusions(rules) for keys in _in_rows(exclusion))
    # Neighbours that are alike compress better.
    return " ".join(sorted("&".join(map(str, keys)) for keys in found if len(keys) > 1))


def _in_rows(exclusion: Exclusion) -> Iterator[tuple[Keys, ...]]:
    """Yield the exclusion in fields of the form, for typed points and for bands; nothing if a field is missing."""
    for bands in (False, True):
        keys = tuple(found for each in exclusion if (found := _keys(each, bands=bands)))
        rows = {each.row for each in keys}
        hidden = any(each.row == "result" and each.values[0] in VOLATS for each in keys) and rows & _WITHOUT_VOLAT
        if len(rows) == len(exclusion) and not hidden:
            yield keys
        if not any(each.field == "points" for each in exclusion):
            return


def _keys(condition: Condition, *, bands: bool) -> Keys | None:
    """Return the values that express a condition, None if there are none."""
    name, values = condition.field, tuple(condition.values)  # type: ignore[var-annotated, arg-type]
    if name == "points":
        if bands:
            said = tuple(band.value for band in Band if band in values)
            return Keys("result", said) if said else None
        ranges = tuple(_ranges(sorted(points for points in values if isinstance(points, int))))
        return Keys("points", ranges) if ranges else None
    if name == "volat":
        said = tuple(key for key, side in VOLATS.items() if side in values)
        return Keys("result", said) if said else None
    if name == "partner":
        return Keys(name, (ALONE,) if None in values else tuple(map(str, range(MOST_SEATS))))
    if name not in _PLAIN:
        return None
    return Keys(name, tuple(_key(value) for value in values)) if name != "is_proba" else Keys("proba", ("on",))


def _key(value: Any) -> str:
    return LETTERS[value] if isinstance(value, Side) else str(value)


def _ranges(points: list[int]) -> Iterator[str]:
    """Yield runs of consecutive numbers as '0..3', '88..91'."""
    starts = [one for one in points if one - 1 not in points]
    ends = [one for one in points if one + 1 not in points]
    return (f"{low}..{high}" for low, high in zip(starts, ends, strict=True))


def proba_excluded(sitting: tuple[int, ...]) -> tuple[str, ...]:
    """Return the choices that exclude a lost próba by the seats: a declarer who is not the fourth to speak."""
    return tuple(
        f"dealer={dealer}&declarer={'|'.join(str(seat) for seat in sorted(sitting) if seat != fourth)}"
        for dealer in sorted(sitting)
        for fourth in playing_seats(sitting, dealer)[-1:]
    )


def tarokks_excluded(seat: int, sitting: tuple[int, ...]) -> tuple[str, ...]:
    """Return the choices that exclude a seat's eight or nine tarokks: those of so many others."""
    others = (other for other in sorted(sitting) if other != seat)
    return tuple("&".join(f"tarokks_{other}=8|9" for other in both) for both in combinations(others, MOST_WITH_TAROKKS))
