"""Names: their invisible characters and joiners, their folding for a search, and their Hungarian order."""

import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.text.hungarian_order import LETTERS, sort_key
from scorekeeper.text.names import fold, name_key, visible, words_of

FAMILY = "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
#: Of each kind: zero width, filler, variation selector, soft hyphen, direction mark, tag, blank, byte order mark.
INVISIBLE = "\u200b\u2060\u3164\u115f\u034f\u180b\ufe00\ufe0f\U000e0101\u00ad\u200e\u061c\U000e0061\u2800\ufeff"


def test_invisible_character_anywhere_in_a_name_is_dropped() -> None:
    for char in INVISIBLE:
        assert visible(f"{char}An{char}na{char}") == "Anna"
        assert name_key(f"An{char}NA") == name_key("Anna")
    for name in ("Anna Kiss", "می\u200cخواهم", FAMILY, "\N{HEAVY BLACK HEART}\ufe0f", "नेहा", "\u06dd12"):
        assert visible(name) == name


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_joiner_stays_inside_a_word_only_and_makes_no_second_name(joiner: str) -> None:
    for name in (f"An{joiner}na", f"An{joiner}{joiner}na", f"An\u200b{joiner}\u200bna"):
        assert visible(name) == f"An{joiner}na"
    for name in (f"{joiner}Anna", f"Anna{joiner}", f"Anna{joiner} Kiss", f"Anna {joiner}Kiss", f"Anna{joiner}\u200b"):
        assert joiner not in visible(name)
    assert name_key(f"An{joiner}na") == "anna"


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
def test_folded_text_has_no_marks_capitals_or_control_characters_and_folds_to_itself(text: str) -> None:
    folded = fold(text)
    assert not any(unicodedata.category(char)[0] in "MC" for char in folded)
    assert fold(folded) == folded == folded.casefold() == " ".join(folded.split())
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(ANY_TEXT, ANY_TEXT)
def test_each_word_of_a_text_is_found_in_it_beside_any_other(text: str, other: str) -> None:
    held = " ".join([fold(text), fold(other)])
    assert all(word in held for word in (*words_of(text), *words_of(other)))


def test_a_word_within_another_one_is_not_searched_twice() -> None:
    assert words_of("Béla bel BÉLA anna") == ("bela", "anna")
    assert words_of(" \0 ") == ()


# --- Hungarian order ---


LINES = (Path(__file__).parent / "hungarian_order.txt").read_text(encoding="utf-8").splitlines()
NAMES = [name for line in LINES if not line.startswith("#") for name in line.split(" < ")]
ANY_NAME = st.text(min_size=1, max_size=40)
HUNGARIAN = st.lists(
    st.sampled_from([*LETTERS, *"áéíóőúű", "ssz", "ccs", "ddzs", "Sz", "SZ", "Á", "ő", " ", "-", "2"]), max_size=8
).map("".join)


def test_names_sort_as_icu_sorts_them() -> None:
    assert len(NAMES) == 210
    assert sorted(sorted(NAMES), key=sort_key) == NAMES


def test_cyrillic_names_sort_by_their_alphabets_after_latin_ones() -> None:
    names = ["Zsolt", "Александр", "Анна", "Ёлка", "Елена", "Игорь", "Іван", "Їжак", "Йосиф", "Кирилл", "Яна"]
    assert sorted(names, key=sort_key) == [*names[:3], "Елена", "Ёлка", *names[5:]]
    assert sort_key("Йод") > sort_key("Ия")


def test_long_and_short_vowels_differ_only_where_nothing_else_does() -> None:
    for short, long in pairwise("aáeéiíoóöőuúüű"):
        if short in "aeioöuü":
            assert sort_key(f"{short}b") < sort_key(f"{long}b") < sort_key(f"{short}c")


@given(ANY_NAME)
def test_a_key_is_digits_and_the_same_for_any_spelling_of_the_characters(name: str) -> None:
    key = sort_key(name)
    assert key.isascii()
    assert key.isdigit()
    assert sort_key(unicodedata.normalize("NFD", name)) == sort_key(unicodedata.normalize("NFC", name)) == key


@given(st.lists(HUNGARIAN, max_size=6))
def test_words_sort_by_their_first_letter_and_then_by_the_rest(names: list[str]) -> None:
    ordered = sorted(names, key=sort_key)
    assert all(sort_key(name) < sort_key(f"{name} {more}") for name, more in pairwise(names))
    for letter in LETTERS:
        with_letter = sorted((f"{letter} {name}" for name in names), key=sort_key)
        assert with_letter == [f"{letter} {name}" for name in ordered]
