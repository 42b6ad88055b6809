"""Names: invisible characters are dropped; joiners inside a word are kept, but not compared."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.text.names import fold, name_key, visible, words_of

FAMILY = "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
#: Of each kind: zero width, filler, variation selector, soft hyphen, direction mark, tag, blank, byte order mark.
INVISIBLE = "\u200b\u2060\u3164\u115f\u034f\u180b\ufe00\ufe0f\U000e0101\u00ad\u200e\u061c\U000e0061\u2800\ufeff"


@pytest.mark.parametrize("char", INVISIBLE)
def test_invisible_character_anywhere_in_a_name_is_dropped(char: str) -> None:
    assert visible(f"{char}An{char}na{char}") == "Anna"
    assert name_key(f"An{char}NA") == name_key("Anna")


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_joiner_stays_inside_a_word_only_and_makes_no_second_name(joiner: str) -> None:
    assert visible(f"An{joiner}na") == f"An{joiner}na"
    assert visible(f"An{joiner}{joiner}na") == f"An{joiner}na"
    assert visible(f"An\u200b{joiner}\u200bna") == f"An{joiner}na"
    for outside in (
        f"{joiner}Anna",
        f"Anna{joiner}",
        f"Anna{joiner} Kiss",
        f"Anna {joiner}Kiss",
        f"Anna{joiner}\u200b",
    ):
        assert joiner not in visible(outside)
    assert name_key(f"An{joiner}na") == "anna"


@pytest.mark.parametrize(
    "name", ["Anna Kiss", "می\u200cخواهم", FAMILY, "\N{HEAVY BLACK HEART}\ufe0f", "नेहा", "\u06dd12"]
)
def test_visible_name_is_left_as_it_is(name: str) -> None:
    assert visible(name) == name


def test_key_is_normalised_after_invisible_characters_are_dropped() -> None:
    assert name_key("E\u200d\u0301VA") == name_key("éva") == unicodedata.normalize("NFC", "éva")


# --- Folding of text for a search ---


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
