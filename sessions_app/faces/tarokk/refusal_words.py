"""The sentences of Tarokk's refusals, by code."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _

from scorekeeper.games.errors import Message
from scorekeeper.games.tarokk import Kontra, Side
from sessions_app.faces.kontra_words import KONTRAS


def refusal(message: Message) -> str:
    """Return the sentence for a refusal by the rules."""
    if message.code == "kontra_too_high":
        highest = KONTRAS[Kontra(int(message.params["highest"]))]
        return _("The highest by the house rules is %(kontra)s.") % {"kontra": highest}
    if "side" in message.params:
        return REFUSED_OF[Side(str(message.params["side"]))][message.code]()
    return REFUSED[message.code]() % message.params


REFUSED: Final[dict[str, Callable[[], str]]] = {
    "unknown": lambda: _("Choose one of the options."),
    "beside_proba": lambda: _("A lost próba has nothing else: it ends before a card is called."),
    "proba_solo": lambda: _("There is no próba at szóló."),
    "points_range": lambda: _("There are 94 card points: a number from 0 to 94."),
    "points_limits": lambda: _("With these entries the declarers have %(low)s to %(high)s card points."),
    "points_volat": lambda: _("With this volát the declarers have %(low)s to %(high)s card points."),
    "points_exact": lambda: _("At 47 card points the kontras decide by the house rules: enter the points."),
    "announced_twice": lambda: _("A side announces a bonus once."),
    "tarokks_three": lambda: _("Of 22 tarokks at most two players can have eight."),
    "proba_not_fourth": lambda: _("Only the fourth can bid a próba, after three passes."),
    "not_doubled": lambda: _("By the house rules no round counts more."),
}
REFUSED_OF: Final[dict[Side, dict[str, Callable[[], str]]]] = {
    Side.DECLARERS: {
        "all_tricks": lambda: _("The declarers won all the tricks: the opponents have no honour and no king."),
        "trull_elsewhere": lambda: _("The declarers have the tuletroá: the opponents have no honour."),
        "lone_pagat_elsewhere": lambda: _("A lone declarer's beaten pagát went to the opponents."),
    },
    Side.OPPONENTS: {
        "all_tricks": lambda: _("The opponents won all the tricks: the declarers have no honour and no king."),
        "trull_elsewhere": lambda: _("The opponents have the tuletroá: the declarers have no honour."),
    },
}
