"""The rooms of the gallery: all screens, in parts that are walked through one at a time."""

from collections.abc import Callable

from tests.browser import (
    gallery,
    gallery_entries,
    gallery_games,
    gallery_house,
    gallery_join,
    gallery_later,
    gallery_lineup,
    gallery_mend,
    gallery_phone,
    gallery_preference,
    gallery_preference_play,
    gallery_preference_rules,
    gallery_profiles,
    gallery_referee,
    gallery_rules,
    gallery_tarokk,
    gallery_tarokk_play,
)
from tests.browser.gallery import Screen

ROOMS: dict[str, Callable[[], list[Screen]]] = {
    "pages": gallery.hang,
    "join": lambda: [*gallery_join.hang(), *gallery_mend.hang(), *gallery_later.hang(), *gallery_house.hang()],
    "phone": lambda: [
        *gallery_phone.hang(),
        *gallery_lineup.hang(),
        *gallery_games.hang(),
        *gallery_rules.hang(),
    ],
    "profiles": gallery_profiles.hang,
    "referee": gallery_referee.hang,
    "tarokk": gallery_tarokk.hang,
    "tarokk in play": gallery_tarokk_play.hang,
    "preference": gallery_preference.hang,
    "preference in play": gallery_preference_play.hang,
    "preference by its rules": gallery_preference_rules.hang,
    "entries": gallery_entries.hang,
}
