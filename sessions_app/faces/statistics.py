"""The words of all measures of a game, those that every game has, and its own; and the choice of a page of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from urllib.parse import quote, urlencode

from django.forms import BoundField
from django.urls import reverse

from scorekeeper.currencies import CURRENCIES
from sessions_app.faces import FACES
from sessions_app.faces.measure_words import (
    AGAINST,
    DECLARED_WON,
    MERIT,
    MERIT_BEST,
    MONEY,
    SHARED,
    MeasureSection,
    MeasureWords,
)
from sessions_app.readers.book.statistics import Statistics
from sessions_app.words.periods import ChosenPeriod
from sessions_app.words.wording import Words


def sections_of(game_key: str) -> tuple[MeasureSection, ...]:
    """Return the sections of a game's measures; for '' those that every game has."""
    return SHARED + (FACES[game_key].measures.sections if game_key else ())


def words_of(game_key: str, name: str, key: str = "") -> tuple[MeasureWords, Words]:
    """Return the words of a game's measure, and those of the key; for '' of one that every game has.

    Raise KeyError if there is no such measure or key.

    The key of money is its currency, which has no words of its own.
    """
    for words, keys in _known(game_key):
        if words.name == name and key in keys:
            return words, keys[key]
    raise KeyError(name)


@cache
def _known(game_key: str) -> tuple[tuple[MeasureWords, dict[str, Words]], ...]:
    return tuple(_each(game_key))


def _each(game_key: str) -> Iterator[tuple[MeasureWords, dict[str, Words]]]:
    yield MONEY, dict.fromkeys(CURRENCIES, "")
    for words in (MERIT, MERIT_BEST, AGAINST):
        yield words, {"": ""}
    for section in sections_of(game_key):
        for words in section.measures:
            yield words, {"": ""}
        for table in section.tables:
            for words in table.columns:
                yield words, dict(table.keys)


def sentences(game_key: str, words: MeasureWords) -> tuple[Words, ...]:
    """Return the sentences that explain a measure, in this game."""
    has_game = words == DECLARED_WON and game_key
    return (words.sentence, FACES[game_key].measures.made) if has_game else (words.sentence,)


# --- The choice of a page ---


@dataclass(frozen=True)
class StatisticsChoice:
    """The choice of a page of statistics: the circle, the period, the game ('' if none was played), the best N.

    `days` are the fields of the period's days with what was typed; if that is refused, the period is all time.
    """

    circle_id: int
    period: ChosenPeriod
    statistics: Statistics
    game: str
    best: int | None = None
    days: tuple[tuple[BoundField, str], ...] = ()
    is_refused: bool = False

    @property
    def query(self) -> dict[str, str]:
        """The part of an address that keeps the choice."""
        best = {"best": str(self.best)} if self.best else {}
        return {**({"game": self.game} if self.game else {}), **self.period.query, **best}

    @cached_property
    def text(self) -> str:
        return urlencode(self.query)

    def to_player(self, player: int) -> str:
        """Return the address of a player's statistics."""
        return f"{self._players}{player}/statistics/?{self.text}"

    def to_evenings(self, game: str, player: int, name: str, key: str = "", against: int | None = None) -> str:
        """Return the address of the evenings behind a figure."""
        more = f"&key={quote(key)}" if key else ""
        more += f"&against={against}" if against else ""
        return f"{self._players}{player}/statistics/{name}/?{self._texts(game)}{more}"

    @cached_property
    def _players(self) -> str:
        return f"{reverse('circle', args=[self.circle_id])}players/"

    @cached_property
    def _texts(self) -> Callable[[str], str]:
        return cache(lambda game: urlencode(self.query | {"game": game}))
