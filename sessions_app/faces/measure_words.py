"""Words for the figures of the statistics: those of all games, and the classes for a game's own.

A section unfolds to its measures, each with one sentence that explains it, and to its tables, which split measures by
the keys of the game's notation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from sessions_app.words.wording import Words


class FigureFormat(Enum):
    """The notation of a figure: `of` is the number of hands or evenings that it is counted over."""

    #: A number of hands or evenings by itself.
    NUMBER = auto()
    #: So many of so many, and the share.
    SHARE = auto()
    #: Points, with their sign, and the mean.
    POINTS = auto()
    #: A sum, and the mean.
    SUM = auto()
    #: Points or money, with their sign, no mean.
    BALANCE = auto()
    #: A number of evenings out of all, no share.
    STREAK = auto()


@dataclass(frozen=True, slots=True)
class MeasureWords:
    """The words of one measure; `in_evenings` if it is counted over evenings, else over hands."""

    name: str
    label: Words
    sentence: Words
    format: FigureFormat = FigureFormat.SHARE
    in_evenings: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """The columns of a table that are drawn as bars: a number of hands, and those that are a part of them."""

    title: Words
    whole: MeasureWords
    part: MeasureWords | None = None


@dataclass(frozen=True, slots=True)
class KeyTable:
    """Measures split by the keys of the game's notation, in their order, and what of them is drawn."""

    heading: Words
    keys: Mapping[str, Words]
    columns: tuple[MeasureWords, ...]
    bars: Bars | None = None


@dataclass(frozen=True, slots=True)
class MeasureSection:
    """A part of a page that unfolds; `with_money`: it also has the money by currency."""

    title: Words
    measures: tuple[MeasureWords, ...] = ()
    tables: tuple[KeyTable, ...] = ()
    with_money: bool = False


@dataclass(frozen=True, slots=True)
class MeasureFace:
    """A game's figures: the sentence that says which hands are made, and the sections that not every game has."""

    made: Words
    sections: tuple[MeasureSection, ...]


EVENINGS: Final = MeasureWords(
    "evenings",
    _("Sessions"),
    _("Sessions in which the player played a hand or has an agreed entry, also those from a table or a paper book."),
    FigureFormat.NUMBER,
    in_evenings=True,
)
HANDS: Final = MeasureWords(
    "hands",
    _("Hands played"),
    _("Hands that were played out and in which the player did not sit out. Of a paper book none are known."),
    FigureFormat.NUMBER,
)
POINTS: Final = MeasureWords(
    "points",
    pgettext_lazy("statistics", "Points"),
    _("The sum of the player's balances, agreed entries included."),
    FigureFormat.POINTS,
    in_evenings=True,
)
MONEY: Final = MeasureWords(
    "money",
    pgettext_lazy("statistics", "Money"),
    _("The sum of the player's balances times the stake, exact; sessions without a stake do not count."),
    FigureFormat.BALANCE,
    in_evenings=True,
)
WON: Final = MeasureWords("won", _("Hands won"), _("Hands that brought the player points."))
MERIT: Final = MeasureWords(
    "merit",
    _("Merit"),
    _("The points of the merit ranking, by the formula printed below it."),
    FigureFormat.POINTS,
    in_evenings=True,
)
MERIT_BEST: Final = MeasureWords(
    "merit_best",
    _("Merit, best sessions"),
    _("The points of the merit ranking in the sessions with the most of them, by which the players are ranked."),
    FigureFormat.POINTS,
    in_evenings=True,
)
AGAINST: Final = MeasureWords(
    "against",
    _("Against each other"),
    _("What the player has won from the other, by the debts between the two in each session."),
    FigureFormat.POINTS,
    in_evenings=True,
)
DECLARED: Final = MeasureWords("declared", _("Declared"), _("Hands in which the player was the declarer."))
DECLARED_WON: Final = MeasureWords(
    "declared_won",
    pgettext_lazy("statistics", "Made"),
    _("Hands declared that the declarer made."),
)


def by_contract(keys: Mapping[str, Words]) -> KeyTable:
    """Return the table of the hands declared and made, by the contracts of a game."""
    bars = Bars(_("Declared and made, by contract"), DECLARED, DECLARED_WON)
    return KeyTable(_("Contract"), keys, (DECLARED, DECLARED_WON), bars)


#: The sections of every game.
SHARED: Final = (
    MeasureSection(
        _("Hands"),
        (
            HANDS,
            WON,
            DECLARED,
            DECLARED_WON,
            MeasureWords("as_declarer", _("As declarer"), _("The points of the hands declared."), FigureFormat.POINTS),
            MeasureWords(
                "as_opponent",
                _("As opponent"),
                _("The points of all other hands, also of those played as a partner."),
                FigureFormat.POINTS,
            ),
        ),
    ),
    MeasureSection(
        _("Sessions"),
        (
            EVENINGS,
            POINTS,
            MeasureWords(
                "best_evening",
                _("Best session"),
                _("The highest balance of one session."),
                FigureFormat.BALANCE,
                in_evenings=True,
            ),
            MeasureWords(
                "worst_evening",
                _("Worst session"),
                _("The lowest balance of one session."),
                FigureFormat.BALANCE,
                in_evenings=True,
            ),
            MeasureWords(
                "streak_won",
                _("Winning streak"),
                _("The most sessions in a row that ended above 0."),
                FigureFormat.STREAK,
                in_evenings=True,
            ),
            MeasureWords(
                "streak_lost",
                _("Losing streak"),
                _("The most sessions in a row that ended below 0."),
                FigureFormat.STREAK,
                in_evenings=True,
            ),
        ),
        with_money=True,
    ),
)


class FeatLabel(NamedTuple):
    """A feat by its code, with the words above it."""

    code: str
    label: Words
