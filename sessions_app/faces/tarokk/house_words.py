"""The words of Tarokk's house rules. Each explanation names the book's value, and circles known to play otherwise."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scorekeeper.games.errors import Message
from scorekeeper.games.payment_game import Kontra
from sessions_app.faces.hand_words import KONTRAS
from sessions_app.faces.house_words import HouseWords, NextHand, ProfileWords, SwitchWords, always
from sessions_app.faces.tarokk.words import refusal
from sessions_app.words.wording import Words

_RUNGS: Final[dict[str, Words]] = {
    str(kontra.value): KONTRAS[kontra] for kontra in (Kontra.SZUBKONTRA, Kontra.HIRSKONTRA, Kontra.MORDKONTRA)
}


def _ladder(value: str) -> str:
    return _("kontra up to %(kontra)s") % {"kontra": _RUNGS[value]}


def _worth(bonus: Words) -> Callable[[str], str]:
    """Return the phrase for a bonus whose announced value differs from the book's."""
    return lambda value: f"{bonus} {value}"


def _tie(value: str) -> str:
    if value == "kontra_needs_48":
        return _("47–47 is the declarers' once kontra was said")
    return _("47–47 is lost by whoever said the last kontra")


def _proba(value: str) -> str:
    return _("lost próba is free") if value == "0" else _("lost próba %(points)s to each") % {"points": value}


SWITCHES: Final = {
    "lost_silent_ultimo": SwitchWords(
        gettext_lazy("Csendes pagátultimó beaten"),
        gettext_lazy("By the book it costs half of the announced one, 5. Some only pay for one that is made."),
        always(gettext_lazy("csendes pagátultimó beaten is free")),
        {
            "half": pgettext_lazy("silent ultimó", "costs half"),
            "nothing": pgettext_lazy("silent ultimó", "costs nothing"),
        },
    ),
    "tarokks_paid_by": SwitchWords(
        gettext_lazy("Nyolc and kilenc tarokk"),
        gettext_lazy("By the book each of the other three pays. By the competition rules the other side does."),
        always(gettext_lazy("nyolc and kilenc tarokk paid by the other side")),
        {
            "all": pgettext_lazy("nyolc tarokk", "all three pay"),
            "opponents": pgettext_lazy("nyolc tarokk", "the other side pays"),
        },
    ),
    "ladder": SwitchWords(
        gettext_lazy("Highest kontra"),
        gettext_lazy("By the book up to mordkontra. By the competition rules up to hirskontra."),
        _ladder,
        _RUNGS,
    ),
    "trull": SwitchWords(
        gettext_lazy("Tuletroá"),
        gettext_lazy("Announced 2, csendes 1: we know of no other way."),
        _worth(gettext_lazy("tuletroá")),
        {"2": "2"},
    ),
    "kings": SwitchWords(
        gettext_lazy("Négy király, announced"),
        gettext_lazy("By the book 2. In Kovács's books 4. Csendes is half."),
        _worth(gettext_lazy("négy király")),
        {"2": "2", "4": "4"},
    ),
    "ultimo": SwitchWords(
        gettext_lazy("Pagátultimó, announced"),
        gettext_lazy("By the book 10. In Kovács's books 12. Csendes is half."),
        _worth(gettext_lazy("pagátultimó")),
        {"10": "10", "12": "12"},
    ),
    "xxi": SwitchWords(
        gettext_lazy("XXI-fogás, announced"),
        gettext_lazy("By the book 42. In Kovács's books, and elsewhere too, 60. Csendes is half."),
        _worth(gettext_lazy("XXI-fogás")),
        {"42": "42", "60": "60"},
    ),
    "tie_47": SwitchWords(
        gettext_lazy("47–47 card points"),
        gettext_lazy(
            "By the book the opponents win, kontra or not. In old books and for some players kontra decides: then "
            "the exact points are needed."
        ),
        _tie,
        {
            "opponents": pgettext_lazy("47–47", "opponents win"),
            "kontra_needs_48": pgettext_lazy("47–47", "declarers, once kontra was said"),
            "last_kontra_loses": pgettext_lazy("47–47", "whoever said the last kontra loses"),
        },
    ),
    "proba": SwitchWords(
        gettext_lazy("Lost próba"),
        gettext_lazy("By the book the value of the bid to each. By the competition rules 3, by Kégl 2."),
        _proba,
        {
            "value": pgettext_lazy("próba", "value of the bid"),
            "3": "3",
            "2": "2",
            "0": pgettext_lazy("próba", "nothing"),
        },
    ),
    "kings_beside_silent_double": SwitchWords(
        gettext_lazy("Csendes dupla and csendes négy király"),
        gettext_lazy("By the book a side is paid for both. By Kégl only for the dupla."),
        always(gettext_lazy("no csendes négy király beside csendes dupla")),
        {
            "yes": pgettext_lazy("dupla and kings", "both"),
            "no": pgettext_lazy("dupla and kings", "only the dupla"),
        },
    ),
    "alone_counts": SwitchWords(
        gettext_lazy("Lone declarer"),
        gettext_lazy("By the book the game counts as bid. One program counts 4, as for a szóló."),
        always(gettext_lazy("alone counts as szóló")),
        {
            "bid": pgettext_lazy("alone", "counts as bid"),
            "szolo": pgettext_lazy("alone", "counts as szóló"),
        },
    ),
    "volat_swallows": SwitchWords(
        gettext_lazy("Csendes tuletroá and kings beside volát"),
        gettext_lazy("By the book not paid where volát was made. One program: nor where it was announced and missed."),
        always(gettext_lazy("no csendes tuletroá and kings beside an announced volát")),
        {
            "made": pgettext_lazy("volát", "not if made"),
            "made_or_announced": pgettext_lazy("volát", "nor if announced"),
        },
    ),
    "after_throw_in": SwitchWords(
        gettext_lazy("After a thrown-in hand"),
        gettext_lazy("By the book it is dealt again, and that is all. On pagat.com a round of deals counts double."),
        always(gettext_lazy("double round after a thrown-in hand")),
        {
            "redeal": pgettext_lazy("thrown in", "dealt again"),
            "double": pgettext_lazy("thrown in", "double round"),
        },
    ),
    "lone_discards": SwitchWords(
        gettext_lazy("Called card in a skart"),
        gettext_lazy(
            "By the book only the declarer's own skart counts for the declarer. By the competition rules all six "
            "cards do."
        ),
        always(gettext_lazy("all six cards of the skart for a lone declarer")),
        {
            "own": pgettext_lazy("skart", "own skart only"),
            "all": pgettext_lazy("skart", "all six"),
        },
    ),
}


def next_hand(message: Message) -> NextHand:
    """Return '×2, three deals left' or '×4, one deal left, then ×2 for three', with the mark."""
    left, after = int(message.params["left"]), int(message.params["after"])
    mark = f"×{message.params['times']}"
    said = {"times": mark, "left": NUMBERS.get(left, left), "after": NUMBERS.get(after, after)}
    if after:
        words = ngettext(
            "%(times)s, %(left)s deal left, then ×2 for %(after)s",
            "%(times)s, %(left)s deals left, then ×2 for %(after)s",
            left,
        )
    else:
        words = ngettext("%(times)s, %(left)s deal left", "%(times)s, %(left)s deals left", left)
    return NextHand(mark, words % said)


NUMBERS: Final = {
    1: pgettext_lazy("deals", "one"),
    2: pgettext_lazy("deals", "two"),
    3: pgettext_lazy("deals", "three"),
    4: pgettext_lazy("deals", "four"),
    5: pgettext_lazy("deals", "five"),
}

PROFILE_WORDS: Final = {
    "book": ProfileWords(
        gettext_lazy("By the book (pagat.com)"),
        gettext_lazy(
            "Each of the other three pays for declared tarokks. Kontras go up to mordkontra. A lost próba costs the "
            "value of the bid."
        ),
    ),
    "pvsz": ProfileWords(
        gettext_lazy("Competition rules (PVSZ)"),
        gettext_lazy(
            "The other side pays for declared tarokks. Kontras go up to hirskontra. A lost próba costs 3 to each. "
            "If the called card was in a skart, all six skart cards count for the lone declarer."
        ),
    ),
}

WORDS: Final = HouseWords(SWITCHES, refusal, profiles=PROFILE_WORDS, next_hand=next_hand)
