"""The rooms of the gallery: all screens, in parts that are walked through one at a time."""

import re
from collections.abc import Callable, Iterable

from tests.browser import (
    gallery,
    gallery_chips,
    gallery_circle,
    gallery_entries,
    gallery_evening_edit,
    gallery_games,
    gallery_house,
    gallery_join,
    gallery_lineup,
    gallery_phone,
    gallery_preference,
    gallery_preference_play,
    gallery_preference_rules,
    gallery_profiles,
    gallery_referee,
    gallery_repayments,
    gallery_rules,
    gallery_statistics,
    gallery_tarokk,
    gallery_tarokk_play,
    gallery_too_many_requests,
)
from tests.browser.gallery import Screen

ROOMS: dict[str, Callable[[], list[Screen]]] = {
    "pages": gallery.hang,
    "join": lambda: [
        *gallery_join.hang(),
        *gallery_evening_edit.hang(),
        *gallery_chips.hang(),
        *gallery_too_many_requests.hang(),
        *gallery_house.hang(),
    ],
    "phone": lambda: [
        *gallery_phone.hang(),
        *gallery_lineup.hang(),
        *gallery_games.hang(),
        *gallery_rules.hang(),
    ],
    "profiles, entries": lambda: [*gallery_profiles.hang(), *gallery_entries.hang()],
    "circle": gallery_circle.hang,
    "repayments": gallery_repayments.hang,
    "statistics": gallery_statistics.hang,
    "referee": gallery_referee.hang,
    "tarokk": lambda: [*gallery_tarokk.hang(), *gallery_tarokk_play.hang()],
    "preference": lambda: [
        *gallery_preference.hang(),
        *gallery_preference_play.hang(),
        *gallery_preference_rules.hang(),
    ],
}


def screens_of(room: str, all_states: bool) -> list[Screen]:
    """Hang a room, and return its screens: every state of its pages, or each page once."""
    hung = ROOMS[room]()
    return hung if all_states else one_of_each_page(hung)


def one_of_each_page(screens: Iterable[Screen]) -> list[Screen]:
    """Return each page in the last of its states, in which names are long and forms are filled in.

    Addresses that differ in a number or a token are of one page; an answer of another status is a page of its own.
    """
    return list({(re.sub(r"[^/]*\d[^/]*", "#", screen.path), screen.status): screen for screen in screens}.values())
