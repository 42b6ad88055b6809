"""The words of a spare key: 128 random bits as twelve words of a list, with a checksum (BIP 39).

The words have no accents, no two begin with the same four letters, and a miswritten line is told from a wrong one.
"""

import re
from functools import cache
from typing import Final

from mnemonic import Mnemonic

#: Letters by which a word of the list is known.
ENOUGH: Final = 4
WORDS: Final = 12
_WORD: Final = re.compile(r"[a-z]+")


def new_words() -> str:
    """Return the words of a new spare key."""
    return _list().generate(strength=128)


def words_in(text: str) -> str | None:
    """Return the words of the spare key in `text`, None if there is none. Its length is bounded by the caller.

    Case, spaces, numbers and punctuation do not matter, nor does all that stands before a '#', as in the address that
    the QR code holds. A word may be cut to its first four letters.
    """
    typed = _WORD.findall(text.rpartition("#")[2].lower())
    known = _by_beginning()
    found = [known.get(word[:ENOUGH], "") for word in typed]
    is_written = all(word and word.startswith(said) for word, said in zip(found, typed, strict=True))
    line = " ".join(found)
    return line if len(found) == WORDS and is_written and _list().check(line) else None


@cache
def _list() -> Mnemonic:
    return Mnemonic("english")


@cache
def _by_beginning() -> dict[str, str]:
    """Return the words of the list by their first four letters; of three letters the word itself."""
    return {word[:ENOUGH]: word for word in _list().wordlist}
