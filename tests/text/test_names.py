"""Names: invisible characters are dropped; joiners inside a word are kept, but not compared."""

import unicodedata

import pytest

from scorekeeper.text.names import name_key, visible

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
