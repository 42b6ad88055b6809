"""Every house rule of every game has its words, in both languages."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from scorekeeper.games import GAMES
from scorekeeper.games.errors import InvalidRules, Message
from sessions_app.faces import FACES, house_rules
from sessions_app.faces.asszorti.house_words import reminder

WORDS = {key: face.house_words for key, face in FACES.items()}
NAMES = ("Anna", "مريم", "Cili")


def test_every_game_has_the_words_of_its_switches_and_of_no_others() -> None:
    assert {key: list(words.switches) for key, words in WORDS.items()} == {
        key: [switch.name for switch in game.SWITCHES] for key, game in GAMES.items()
    }


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize("key", GAMES)
def test_every_value_of_every_switch_has_words_of_its_own(key: str, language: str) -> None:
    labels, phrases = [], []
    for switch in GAMES[key].SWITCHES:
        words = WORDS[key].switches[switch.name]
        values = switch.values or [str(value) for value in range(switch.low, switch.high + 1)]
        assert switch.book in values
        with translation.override(language):
            assert str(words.explanation)
            if words.values:
                assert list(words.values) == list(values)
                assert len({str(said) for said in words.values.values()}) == len(values)
            said = [words.differing(value) for value in values if value != switch.book]
            as_in_book = words.as_in_book(switch.book)
            labels.append(str(words.label))
        assert all((as_in_book, *said))
        assert as_in_book not in said
        assert not any(phrase.endswith(".") for phrase in said), "they are parts of a list"
        phrases += said
    assert all(labels)
    assert len(set(labels)) == len(labels)
    assert len(set(phrases)) == len(phrases), "of no two the same is said"


def differing_by_one(key: str) -> Iterator[tuple[str, str, Any]]:
    """The rules that differ from the book in one switch, as far as the others let them."""
    for switch in GAMES[key].SWITCHES:
        for value in switch.values or [str(switch.low), str(switch.high)]:
            try:
                yield switch.name, value, GAMES[key].rules_from_text(f"{switch.name}={value}")
            except InvalidRules:
                continue


@pytest.mark.parametrize("key", GAMES)
def test_the_book_alone_says_nothing_and_what_differs_is_one_phrase(key: str) -> None:
    book = {switch.name: switch.book for switch in GAMES[key].SWITCHES}
    with translation.override("en"):
        for name, value, rules in differing_by_one(key):
            wanted = () if value == book[name] else (WORDS[key].switches[name].differing(value),)
            assert house_rules.differing(key, rules) == wanted


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize("key", [key for key, words in WORDS.items() if words.profiles])
def test_every_profile_has_a_name_and_a_sentence_of_its_own(key: str, language: str) -> None:
    game, words = GAMES[key], WORDS[key].profiles
    assert list(words) == list(game.PROFILES)
    with translation.override(language):
        assert len({str(each.name) for each in words.values()}) == len(words)
        assert len({str(each.explanation) for each in words.values()}) == len(words)
        assert all(str(each.explanation).endswith(".") for each in words.values())


@pytest.mark.parametrize(
    ("code", "params", "english"),
    [
        ("hands_played", {"hands": 1, "played": 1}, "1 hand was agreed on: this was the last."),
        ("hands_played", {"hands": 20, "played": 21}, "20 hands were agreed on, 21 have been played."),
        ("points_reached", {"seat": 0, "points": 100}, "Anna has reached 100 points: the end you agreed on."),
        ("points_reached", {"seat": 1, "points": 5}, "\u2068مريم\u2069 has reached 5 points: the end you agreed on."),
    ],
)
def test_the_end_agreed_on_is_said(code: str, params: dict[str, int], english: str) -> None:
    with translation.override("en"):
        assert reminder(Message(code, params), NAMES) == english
