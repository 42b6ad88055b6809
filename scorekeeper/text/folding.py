"""Folding of text for a search without accents and case, the same on every database."""

import unicodedata
from typing import Final

#: Letters that Unicode does not decompose into a base letter and a mark.
_LETTERS: Final = str.maketrans(
    {"đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th"}
)


def fold(text: str) -> str:
    """Return the text in lower case, without accents or invisible characters, its words one space apart.

    The caller bounds the length first: normalising is quadratic in the number of combining marks.
    """
    if text.isascii() and text.isprintable():  # most of it, at a tenth of the cost
        return " ".join(text.lower().split())
    folded = _folded(text)
    # Two characters may compose once a mark between them is dropped: fold again, a round or two, until nothing changes.
    while (again := _folded(folded)) != folded:
        folded = again
    return folded


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of a search, without those that are part of another one."""
    words = list(dict.fromkeys(fold(text).split()))
    return tuple(word for word in words if not any(word in other for other in words if other != word))


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold()).casefold().translate(_LETTERS)
    return " ".join("".join(map(_plain, decomposed)).split())


def _plain(char: str) -> str:
    """Return a character of decomposed text; '' for a mark or format character, a space for a control character."""
    if char.isascii():
        return char if char.isprintable() else " "
    category = unicodedata.category(char)
    return "" if category[0] == "M" or category == "Cf" else " " if category[0] == "C" else char
