"""The fonts of pictures, and the widths of texts in them. Their licence and how they were made: fonts/README.md.

Widths are sums of advances: kerning makes a text a little narrower, joined Arabic letters much. The advances are read
from the fonts themselves, so there is no second list of them.
"""

import struct
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from sessions_app.drawing import charts

FONTS: Final = Path(__file__).parent / "fonts"
FAMILY: Final = "Vollkorn"
MEDIUM: Final = "Vollkorn-Medium.ttf"
BOLD: Final = "Vollkorn-Bold.ttf"
#: Selectors of an emoji's colour and skin: the font has each emoji in one form.
VARIANTS: Final = frozenset("\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
#: The fonts of other alphabets, suits and emoji, which Vollkorn lacks.
OTHERS: Final = ("NotoSansHebrew-Bold.ttf", "NotoSansArabic-Bold.ttf", "NotoSansSymbols2.ttf", "NotoEmoji.ttf")


@cache
def _advances(name: str) -> dict[int, float]:
    """Return the advances of a font by character, in parts of its size."""
    data = (FONTS / name).read_bytes()
    tables = {}
    for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16):
        tag, _sum, offset, _length = struct.unpack_from(">4sLLL", data, at)
        tables[tag] = offset
    (per_em,) = struct.unpack_from(">H", data, tables[b"head"] + 18)
    (metrics,) = struct.unpack_from(">H", data, tables[b"hhea"] + 34)
    widths = struct.unpack_from(f">{2 * metrics}H", data, tables[b"hmtx"])[::2]
    glyphs = dict(_characters(data, tables[b"cmap"]))
    return {char: widths[min(glyph, metrics - 1)] / per_em for char, glyph in glyphs.items() if glyph}


def _characters(data: bytes, cmap: int) -> Iterator[tuple[int, int]]:
    """Yield the characters with their glyphs, from the font's subtables of formats 4 and 12."""
    for nth in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        table = cmap + struct.unpack_from(">L", data, cmap + 8 + 8 * nth)[0]
        (kind,) = struct.unpack_from(">H", data, table)
        if kind == 12:
            for group in range(struct.unpack_from(">L", data, table + 12)[0]):
                first, last, glyph = struct.unpack_from(">LLL", data, table + 16 + 12 * group)
                yield from ((char, glyph + char - first) for char in range(first, last + 1))
        elif kind == 4:
            yield from _segments(data, table)


def _segments(data: bytes, table: int) -> Iterator[tuple[int, int]]:
    double = struct.unpack_from(">H", data, table + 6)[0]
    ends, starts, offsets = table + 14, table + 16 + double, table + 16 + 3 * double
    for at in range(0, double, 2):
        end, start = (struct.unpack_from(">H", data, base + at)[0] for base in (ends, starts))
        delta, offset = (struct.unpack_from(">H", data, base + at)[0] for base in (offsets - double, offsets))
        for char in range(start, min(end, 0xFFFE) + 1):
            if offset:
                (glyph,) = struct.unpack_from(">H", data, offsets + at + offset + 2 * (char - start))
                yield char, (glyph + delta) % 0x10000 if glyph else 0
            else:
                yield char, (char + delta) % 0x10000


def files() -> list[str]:
    """Return the files of all fonts."""
    return [str(FONTS / name) for name in (MEDIUM, BOLD, *OTHERS)]


def drawable(text: str) -> str:
    """Return the text without the characters that no font has: they would be drawn as empty boxes."""
    chars = (char for char in unicodedata.normalize("NFC", text) if char not in VARIANTS)
    return " ".join("".join(char for char in chars if _advance(char, BOLD) is not None).split())


def width(text: str, size: int, font: str = BOLD) -> float:
    """Return the width of a text, at most; in pixels, as `size` is."""
    return size * sum(_advance(char, font) or 0 for char in text)


def _advance(char: str, font: str) -> float | None:
    """Return the advance of a character in the first font that has it, None if none has."""
    if unicodedata.combining(char):
        return 0.0 if ord(char) in _advances(BOLD) or 0x590 <= ord(char) < 0x700 else None
    for name in (font, *OTHERS):
        advance = _advances(name).get(ord(char))
        if advance is not None:
            return advance
    return None


def shortened(text: str, widest: float, size: int, font: str = BOLD) -> str:
    """Return the text, or as much of it as there is room for, with an ellipsis."""
    return charts.shortened(text, widest, lambda part: width(part, size, font))


def fitted(text: str, widest: float, sizes: Sequence[int], font: str = BOLD) -> tuple[list[str], int]:
    """Return a headline in one line or two, and its size: the largest of `sizes` in which it fits, the largest first.

    One line is preferred unless two can be larger by half. What fits nowhere is shortened.
    """
    one = next((size for size in sizes if width(text, size, font) <= widest), 0)
    halves, two = _halves(text, font), 0
    if halves:
        two = next((size for size in sizes if all(width(half, size, font) <= widest for half in halves)), 0)
    if one and (2 * two < 3 * one):
        return [text], one
    if two:
        return halves, two
    return [shortened(half, widest, sizes[-1], font) for half in halves or [text]], sizes[-1]


def _halves(text: str, font: str) -> list[str]:
    """Return the text broken at the space or hyphen that makes the wider half the narrowest; [] without any."""
    ends = [at for at, char in enumerate(text, 1) if char in " -" and at < len(text)]
    broken = [[text[:at].rstrip(), text[at:]] for at in ends]
    return min(broken, key=lambda halves: max(width(half, 100, font) for half in halves), default=[])
