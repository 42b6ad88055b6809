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


#: Rooms whose pages are of one game: all of them look otherwise.
OF_GAMES = ("tarokk", "preference")
#: Pages that the room "pages" has, and many others have too.
EVERYWHERE = {
    "/",
    "/demo/",
    "/sessions/new/",
    *(f"/sessions/#/{rest}" for rest in ("", "settle/", "hands/new/", "hands/#/")),
}


def screens_of(room: str, all_states: bool) -> list[Screen]:
    """Hang a room, and return its screens: every state of its pages, or those that only it has, each once."""
    hung = ROOMS[room]()
    if all_states:
        return hung
    once = one_of_each_page(hung)
    return [screen for page, screen in once.items() if room in ("pages", *OF_GAMES) or page not in EVERYWHERE]


def one_of_each_page(screens: Iterable[Screen]) -> dict[str, Screen]:
    """Return each page in the last of its states, in which names are long and forms are filled in.

    Addresses that differ in a number or a token are of one page; an answer of another status is a page of its own.
    """
    return {page_of(screen): screen for screen in screens}


def page_of(screen: Screen) -> str:
    """Return the address of a screen's page, with its status unless that is 200."""
    address = re.sub(r"[^/]*\d[^/]*", "#", screen.path.partition("?")[0])
    return address if screen.status == 200 else f"{address} {screen.status}"
