"""The words of a hand that only this phone knows, for the scripts that build its line from its choices."""

from collections.abc import Callable

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.games.asszorti import Arrivazs, Contract, Kontra, Trump
from sessions_app.faces.asszorti.words import CONTRACTS, TRUMPS
from sessions_app.faces.kontra_words import KONTRAS
from sessions_app.words.wording import Words

#: Followed by a variation selector, so that no phone draws an emoji.
SUITS = {Trump.HEARTS: "♥︎", Trump.DIAMONDS: "♦︎", Trump.CLUBS: "♣︎", Trump.SPADES: "♠︎"}


def _words_of(field: str, value: str) -> str:
    say = _WORDS.get(field)
    return say(value) if say else ""


#: Words of a choice in the line of a hand, by field and value; '' if the line leaves it out.
line_words: Callable[[str, str], Words] = lazy(_words_of, str)


def _contract(value: str) -> str:
    return str(CONTRACTS[Contract(value)])


def _trump(value: str) -> str:
    trump = Trump(value)
    return SUITS.get(trump) or str(TRUMPS[trump])


def _kontra(value: str) -> str:
    kontra = Kontra(int(value))
    return f"{KONTRAS[kontra]} ×{kontra.factor}" if kontra else ""


def _arrivazs(value: str) -> str:
    return {
        Arrivazs.NONE: "",
        Arrivazs.LOST: _("arrivázs lost"),
        Arrivazs.WON: _("arrivázs won"),
        Arrivazs.IDEGEN: _("idegen arrivázs"),
    }[Arrivazs(value)]


def _tricks(value: str) -> str:
    count = int(value)
    return ngettext("%(tricks)s trick", "%(tricks)s tricks", count) % {"tricks": count}


def _split(value: str) -> str:
    """Return the split of the other five tricks in words, '' if there are not five: it counts only then."""
    first = int(value)
    return f"{first} : {5 - first}" if first <= 5 else ""


_WORDS: dict[str, Callable[[str], str]] = {
    "contract": _contract,
    "trump": _trump,
    "game_kontra": _kontra,
    "arrivazs": _arrivazs,
    "arrivazs_kontra": _kontra,
    "tricks": _tricks,
    "opponent_tricks": _split,
}
