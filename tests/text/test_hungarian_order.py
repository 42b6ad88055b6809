"""The sort key of a name, against ICU's order and by its properties.

PyICU has no wheels and would need a compiler on every machine, so ICU's answer for these names is stored.
"""

import unicodedata
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.text.hungarian_order import LETTERS, sort_key

NAMES = [
    line
    for line in (Path(__file__).parent / "hungarian_order.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
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


@given(HUNGARIAN, HUNGARIAN)
def test_a_name_sorts_before_all_that_begin_with_it_and_another_word(name: str, more: str) -> None:
    assert sort_key(name) < sort_key(f"{name} {more}")


@given(st.lists(HUNGARIAN, max_size=6))
def test_words_sort_by_their_first_letter_and_then_by_the_rest(names: list[str]) -> None:
    ordered = sorted(names, key=sort_key)
    for letter in LETTERS:
        with_letter = sorted((f"{letter} {name}" for name in names), key=sort_key)
        assert with_letter == [f"{letter} {name}" for name in ordered]
