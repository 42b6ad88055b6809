"""Folding of text for a search."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.text.folding import fold, words_of

ANY_TEXT = st.text(max_size=60)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Béla", "bela"),
        ("ÁRVÍZTŰRŐ tükörfúrógép", "arvizturo tukorfurogep"),
        ("Łukasz Øre Đoko", "lukasz ore doko"),
        ("STRASSE Straße", "strasse strasse"),
        ("ﬁnom", "finom"),
        ("  két \t szó\n", "ket szo"),
        ("nul\0l", "nul l"),
        ("e\u0301va", "eva"),
        ("Жанна", "жанна"),
        ("100%_\\", "100%_\\"),
        ("İstanbul", "istanbul"),
    ],
)
def test_case_and_accents_do_not_count(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT)
def test_the_spelling_of_a_character_does_not_count(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(ANY_TEXT)
def test_folded_text_has_no_marks_capitals_or_control_characters(text: str) -> None:
    folded = fold(text)
    assert not any(unicodedata.category(char)[0] in "MC" for char in folded)
    assert folded == folded.casefold() == " ".join(folded.split())


@given(ANY_TEXT, ANY_TEXT)
def test_each_word_of_a_text_is_found_in_it_beside_any_other(text: str, other: str) -> None:
    held = " ".join([fold(text), fold(other)])
    assert all(word in held for word in (*words_of(text), *words_of(other)))


def test_a_word_within_another_one_is_not_searched_twice() -> None:
    assert words_of("Béla bel BÉLA anna") == ("bela", "anna")
    assert words_of(" \0 ") == ()
