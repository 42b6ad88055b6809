"""Text as people see and search it: what draws nothing makes no other name, accents and case no other word."""

import re
import unicodedata
from typing import Final

#: Zero width non-joiner and joiner: inside a word they change how letters join, or make one emoji of several.
JOINERS: Final = "\u200c\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
#: Control characters but line ends, halves of characters, and marks that turn the direction of what follows.
UNSHOWABLE: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
#: Format characters (Cf) that are drawn: signs above the figures that follow them.
_DRAWN: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
#: Characters that draw nothing and are no format characters: fillers, variation selectors, a blank in Braille.
_BLANK: Final = frozenset(
    {
        *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)),
        *map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))),
    }
)


def visible(name: str) -> str:
    """Return the name without characters that draw nothing, but joiners between two characters of a word.

    The selector that makes an emoji of a symbol stays after one. The caller bounds the length first.
    """
    kept: list[str] = []
    for at, char in enumerate(name):
        if not _is_invisible(char) or (char == _EMOJI_STYLE and kept and unicodedata.category(kept[-1])[0] == "S"):
            kept.append(char)
        elif char in JOINERS and kept and not kept[-1].isspace() and kept[-1] not in JOINERS:
            following = next((each for each in name[at + 1 :] if not _is_invisible(each)), " ")
            kept.extend(() if following.isspace() else char)
    return "".join(kept)


def name_key(name: str) -> str:
    """Return the key that all spellings of one name share: small letters, and nothing invisible.

    The caller bounds the length first.
    """
    drawn = "".join(char for char in name if not _is_invisible(char))
    return unicodedata.normalize("NFC", drawn.casefold())


def _is_invisible(char: str) -> bool:
    if char.isascii():
        return False
    return char in _BLANK or (unicodedata.category(char) == "Cf" and char not in _DRAWN)


# --- Folding for the search: the same on every database ---


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
