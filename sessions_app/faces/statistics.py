"""The words of all measures of a game: those that every game has, and its own."""

from collections.abc import Iterator
from functools import cache

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
