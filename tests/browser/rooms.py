"""The rooms of the gallery: all screens, in parts that are walked through one at a time."""

import re
from collections.abc import Iterable
from types import ModuleType

from django.db import transaction

from tests.browser import (
    gallery,
    gallery_chips,
    gallery_circle,
    gallery_entries,
    gallery_evening_edit,
    gallery_games,
    gallery_house,
    gallery_import,
    gallery_join,
    gallery_keys,
    gallery_lineup,
    gallery_phone,
    gallery_preference,
    gallery_preference_play,
    gallery_preference_rules,
    gallery_profiles,
    gallery_referee,
    gallery_repayments,
    gallery_rules,
    gallery_statement,
    gallery_statistics,
    gallery_tarokk,
    gallery_tarokk_play,
    gallery_too_many_requests,
    gallery_ways_out,
)
from tests.browser.gallery import Screen

#: Each gallery's `screens` lays data by the program's own writers, and names the screens that show it.
ROOMS: dict[str, tuple[ModuleType, ...]] = {
    "pages": (gallery,),
    "join, import, keys": (
        gallery_join,
        gallery_evening_edit,
        gallery_chips,
        gallery_too_many_requests,
        gallery_house,
        gallery_import,
        gallery_keys,
        gallery_ways_out,
    ),
    "phone, profiles, entries": (
        gallery_phone,
        gallery_lineup,
        gallery_games,
        gallery_rules,
        gallery_profiles,
        gallery_entries,
    ),
    "circle, payments, statistics": (gallery_circle, gallery_repayments, gallery_statement, gallery_statistics),
    "referee": (gallery_referee,),
    "tarokk": (
        gallery_tarokk,
        gallery_tarokk_play,
    ),
    "preference": (
        gallery_preference,
        gallery_preference_play,
        gallery_preference_rules,
    ),
}


def hung(room: str) -> list[Screen]:
    """Lay the data of a room, and return its screens."""
    with transaction.atomic():
        return [screen for gallery in ROOMS[room] for screen in gallery.screens()]


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
    """Return the screens of a room: every state of its pages, or those that only it has, each once."""
    screens = hung(room)
    if all_states:
        return screens
    once = one_of_each_page(screens)
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
