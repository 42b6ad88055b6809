"""Validation of the fields of a deal (docs/rules/tarokk.md §10), run when a deal is made.

The codes, with their parameters:
any field       `unknown`: not one of its values at all; `beside_proba`: a lost próba has nothing else
contract        `proba_solo`
points          `points_range`, `points_volat` and `points_limits` (low, high),
                `points_exact` (tie): at 47 the band leaves the winner open
game_kontra     `kontra_too_high` (highest) by house rule
announced       `kontra_too_high` (highest), `announced_twice`
trull, kings    `all_tricks` (side)
xxi             `all_tricks` (side), `trull_elsewhere` (side)
pagat           `all_tricks` (side), `trull_elsewhere` (side), `lone_pagat_elsewhere` (side)
tarokks         `tarokks_three`
times           `not_doubled` by house rule
is_proba        `proba_not_fourth`, by `check_place` only: a deal has no seats
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from scorekeeper.games.base import Place
from scorekeeper.games.errors import UNKNOWN, Message, is_of, refuse
from scorekeeper.games.payment_game import AgreedPayments, Kontra, too_high
from scorekeeper.games.tarokk.enums import (
    NO_TAROKKS,
    OTHERS,
    PLACES,
    TO_WIN,
    Announced,
    Band,
    Bonus,
    Contract,
    Pagat,
    Side,
    playing_seats,
)
from scorekeeper.games.tarokk.house_rules import Rules, Tie

if TYPE_CHECKING:
    from scorekeeper.games.tarokk.deal import Deal
    from scorekeeper.games.tarokk.exclusions import Facts


TIE: Final = TO_WIN - 1
#: The most players that can have eight of the 22 tarokks.
MOST_WITH_TAROKKS: Final = 2

#: The facts that limit card points, or say which side took honours and kings: of a deal, or of a half-filled one.
type Made = Deal | Facts


def refusals(deal: Deal, rules: Rules) -> dict[str, Message | None]:
    """Return by field why it is invalid, None if it is not; for a deal whose values are all known."""
    found = {"times": Message("not_doubled", {}) if deal.times != 1 and not rules.after_throw_in else None}
    if deal.is_proba:
        return _proba(deal) | found
    return {
        "points": _points(deal, rules),
        "game_kontra": too_high(deal.game_kontra, rules.ladder),
        "announced": _announced(deal, rules),
        **refusals_of_made(deal),
        "tarokks": _tarokks(deal),
        **found,
    }


def check_place(deal: Deal | AgreedPayments, place: Place, rules: Rules) -> None:
    """Raise InvalidDeal for a próba of any player but the fourth to speak, who alone needs no honour (§3).

    Hands that were recorded before this check still count.
    """
    if (
        not isinstance(deal, AgreedPayments)
        and deal.is_proba
        and place.declarer in playing_seats(place.seats, place.dealer)[:-1]
    ):
        refuse({"is_proba": Message("proba_not_fourth", {})})


# --- Values ---


def _is_announced(value: object) -> bool:
    return is_of(value, Announced) and all(
        is_of(getattr(value, name), kind) for name, kind in (("side", Side), ("bonus", Bonus), ("kontra", Kontra))
    )


def _are_tarokks(value: object) -> bool:
    if not isinstance(value, tuple) or len(value) != len(PLACES):
        return False
    return all(is_of(each, int) and each in (0, 8, 9) for each in value)


_NONE: Final = type(None)
KNOWN: Final[Mapping[str, Callable[[Any], bool]]] = {
    "contract": lambda value: is_of(value, Contract),
    "partner": lambda value: value is None or (is_of(value, int) and value in OTHERS),
    "points": lambda value: is_of(value, int, Band, _NONE),
    "game_kontra": lambda value: is_of(value, Kontra),
    "announced": lambda value: is_of(value, tuple) and all(map(_is_announced, value)),
    "volat": lambda value: is_of(value, Side, _NONE),
    "trull": lambda value: is_of(value, Side, _NONE),
    "kings": lambda value: is_of(value, Side, _NONE),
    "xxi": lambda value: is_of(value, Side, _NONE),
    "pagat": lambda value: is_of(value, Pagat),
    "tarokks": _are_tarokks,
    "is_proba": lambda value: is_of(value, bool),
    "times": lambda value: is_of(value, int) and value in (1, 2, 4),
}


# --- A lost próba ---


def _proba(deal: Deal) -> dict[str, Message | None]:
    noted = {
        "partner": deal.partner,
        "points": deal.points is not None,
        "game_kontra": deal.game_kontra,
        "announced": deal.announced,
        "volat": deal.volat,
        "trull": deal.trull,
        "kings": deal.kings,
        "xxi": deal.xxi,
        "pagat": deal.pagat is not Pagat.NONE,
        "tarokks": deal.tarokks != NO_TAROKKS,
    }
    found = {name: Message("beside_proba", {}) if value else None for name, value in noted.items()}
    found["contract"] = Message("proba_solo", {}) if deal.contract is Contract.SOLO else None
    return found


# --- Card points ---


def _points(deal: Deal, rules: Rules) -> Message | None:
    if deal.points is None:
        return UNKNOWN
    if isinstance(deal.points, int) and deal.points not in range(ALL_POINTS + 1):
        return Message("points_range", {})
    limits = possible_points(deal, rules)
    low, high = limits[0], limits[-1]
    if deal.card_points[-1] < low or deal.card_points[0] > high:
        return Message("points_volat" if deal.volat else "points_limits", {"low": low, "high": high})
    if deal.points is Band.FROM_24 and TIE in limits and declarers_win_tie(deal.game_kontra, rules):
        return Message("points_exact", {"tie": TIE})
    return None


def declarers_win_tie(kontra: Kontra, rules: Rules) -> bool:
    """Return whether 47 card points each are enough for the declarers."""
    match rules.tie_47:
        case Tie.OPPONENTS:
            return False
        case Tie.KONTRA_NEEDS_48:
            return kontra is not Kontra.NONE
        case Tie.LAST_KONTRA_LOSES:
            return kontra % 2 == 1


def possible_points(deal: Made, rules: Rules) -> range:
    """Return the declarers' possible card points, by all other facts."""
    all_discards = deal.is_alone and rules.lone_discards
    if deal.volat:
        by_declarers = deal.volat is Side.DECLARERS
        return with_volat(deal.contract.drawn, by_declarers=by_declarers, all_discards=all_discards)
    fives = _fives(deal, Side.DECLARERS), _fives(deal, Side.OPPONENTS)
    return without_volat(deal.contract.drawn, fives, all_discards=all_discards)


def _fives(deal: Made, side: Side) -> int:
    """Return the number of the seven honours and kings that are known to lie in the side's tricks."""
    known: set[str] = set()
    if deal.trull is side:
        known |= {"skiz", "xxi", "pagat"}
    if deal.xxi is side:
        known |= {"skiz", "xxi"}
    if (deal.pagat.won and deal.pagat.side is side) or (_lone_pagat(deal) and side is Side.OPPONENTS):
        known |= {"pagat"}
    return len(known) + (4 if deal.kings is side else 0)


def _lone_pagat(deal: Made) -> bool:
    """Return whether a lone declarer's pagát was beaten in the last trick: then the opponents have it."""
    return deal.is_alone and deal.pagat is Pagat.DECLARERS_LOST


# --- Announced and made bonuses ---


def _announced(deal: Deal, rules: Rules) -> Message | None:
    if len({each.order for each in deal.announced}) < len(deal.announced):
        return Message("announced_twice", {})
    return next(filter(None, (too_high(each.kontra, rules.ladder) for each in deal.announced)), None)


def refusals_of_made(deal: Made) -> dict[str, Message | None]:
    """Return, by bonus, why the side noted cannot have made it, or None; judged only by where the cards lie."""
    return {
        "trull": _not_the_volats(deal, deal.trull),
        "kings": _not_the_volats(deal, deal.kings),
        "xxi": _elsewhere(deal, deal.xxi),
        "pagat": _pagat(deal),
    }


def _not_the_volats(deal: Made, made: Side | None) -> Message | None:
    return Message("all_tricks", {"side": deal.volat.value}) if deal.volat and made is deal.volat.other else None


def _elsewhere(deal: Made, side: Side | None) -> Message | None:
    """Return the message for a fogás or a won ultimó whose card lies in the other side's tricks, else None."""
    if side and deal.volat is side.other:
        return Message("all_tricks", {"side": side.other.value})
    if side and deal.trull is side.other:
        return Message("trull_elsewhere", {"side": side.other.value})
    return None


def _pagat(deal: Made) -> Message | None:
    if deal.pagat.won:
        return _elsewhere(deal, deal.pagat.side)
    if _lone_pagat(deal) and Side.DECLARERS in (deal.volat, deal.trull):
        return Message("lone_pagat_elsewhere", {"side": Side.DECLARERS.value})
    return None


def _tarokks(deal: Deal) -> Message | None:
    return Message("tarokks_three", {}) if sum(map(bool, deal.tarokks)) > MOST_WITH_TAROKKS else None


# --- The limits of card points ---


ALL_POINTS: Final = 94
SKART: Final = 6
FIVE: Final = 5
LEAST_TRICK: Final = 4


def most_laid_away(cards: int) -> int:
    """Return the most points that so many cards of a skart can count: the queens first, then the riders."""
    return 4 * min(cards, 4) + 3 * max(cards - 4, 0)


def least_in_tricks(fives: int) -> int:
    """Return the fewest points in a side's tricks, at least one trick, with so many honours and kings in them.

    They lie in as few tricks of four cards as possible, and every other card of these tricks counts 1.
    """
    return FIVE * fives + 4 * -(-fives // 4) - fives if fives else LEAST_TRICK


def without_volat(drawn: int, fives: tuple[int, int], *, all_discards: bool) -> range:
    """Return the declarers' possible card points if both sides won tricks.

    The declarer's skart has `drawn` cards, the opponents' 6 - `drawn`; with `all_discards` these may count for him too.
    `fives` are the numbers of honours and kings known in the tricks of the declarers and of the opponents.
    """
    theirs = 0 if all_discards else SKART - drawn
    return range(drawn + least_in_tricks(fives[0]), ALL_POINTS - theirs - least_in_tricks(fives[1]) + 1)


def with_volat(drawn: int, *, by_declarers: bool, all_discards: bool) -> range:
    """Return the declarers' possible card points if one side won all tricks: the other has its skart only."""
    theirs = 0 if all_discards else SKART - drawn
    if by_declarers:
        return range(ALL_POINTS - most_laid_away(SKART - drawn), ALL_POINTS - theirs + 1)
    return range(drawn, most_laid_away(SKART if all_discards else drawn) + 1)
