"""Names as people see them: characters that draw nothing do not make another name."""

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
