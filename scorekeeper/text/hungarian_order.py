"""Names in Hungarian order (AkH. 12, rules 14–15), by a key that sorts alike on every database.

The key has digits only: every collation of a database orders digits of equal rank alike, while letters, capitals and
punctuation differ from one to the next.
"""

import re
import unicodedata
from typing import Final

#: The letters in their order. Short and long vowels (a á, e é, i í, o ó, ö ő, u ú, ü ű) are one.
LETTERS: Final = (
    *("a", "b", "c", "cs", "d", "dz", "dzs", "e", "f", "g", "gy", "h", "i", "j", "k", "l", "ly", "m", "n", "ny"),
    *("o", "ö", "p", "q", "r", "s", "sz", "t", "ty", "u", "ü", "v", "w", "x", "y", "z", "zs"),
)
_RANK: Final = {letter: f"{rank}" for rank, letter in enumerate(LETTERS, 20)}
#: A long consonant of several characters doubles the first only: ccs is cs + cs.
_DOUBLED: Final = {letter[0] + letter: letter for letter in LETTERS if len(letter) > 1}
_ACUTE, _DIAERESIS, _DOUBLE_ACUTE = "\u0301", "\u0308", "\u030b"
#: Letters that Unicode does not decompose.
_BASES: Final = str.maketrans("đðħıłøŧĐÐĦŁØŦ", "ddhilotDDHLOT")
_WRITTEN: Final = {*_DOUBLED, *LETTERS} - {"ö", "ü"}
#: One letter with its marks. In small letters, with a capital, or in capitals: the sz of 'KisZoli' is two letters.
_UNIT: Final = re.compile(
    "({})([\u0300-\u036f]*)".format(
        "|".join(
            sorted({form for each in _WRITTEN for form in (each, each.title(), each.upper())}, key=len, reverse=True)
        )
    )
)
#: The letters of Russian, Ukrainian, Belarusian and Serbian in one order, in which each has its own. A ё is an е.
#: Their ranks begin at U+0400, where their block does.
_CYRILLIC: Final = {letter: rank for rank, letter in enumerate("абвгґдђеєжзѕиіїйјклљмнњопрстћуўфхцчџшщъыьэюя", 0x400)}
_WHOLE: Final = {unicodedata.normalize("NFD", letter): letter for letter in "йїўЙЇЎ"}
_SPACE, _SIGN, _DIGIT, _FOREIGN = "10", "11", "12", "90"
_PLAIN, _LONG, _MARKED = "1", "2", "3"


def sort_key(name: str) -> str:
    """Return the key of a name: its letters, then their accents, then their case, each compared after the one before.

    A space sorts before signs, these before digits, letters and other scripts, which sort by their code points.
    """
    text = unicodedata.normalize("NFD", name).translate(_BASES)
    for parts, letter in _WHOLE.items():
        text = text.replace(parts, letter)
    letters, accents, cases = [], [], []
    at = 0
    while at < len(text):
        found = _UNIT.match(text, at)
        if found:
            ranks, accent = _letter(found[1].lower(), found[2])
            letters += ranks
            accents.append(accent * len(ranks))
            cases.append(_case(found[1]) * len(ranks))
        elif not unicodedata.combining(text[at]):
            letters.append(_other(text[at]))
        at = found.end() if found else at + 1
    return "00".join(["".join(letters), "".join(accents), "".join(cases)])


def _letter(written: str, marks: str) -> tuple[list[str], str]:
    """Return the ranks of a letter, two of a doubled one, and the rank of its accent."""
    accent = _PLAIN if not marks else _LONG if marks == _ACUTE else _MARKED
    if written in _DOUBLED:
        return [_RANK[_DOUBLED[written]]] * 2, accent
    if written in ("o", "u") and marks in (_DIAERESIS, _DOUBLE_ACUTE):
        return [_RANK["ö" if written == "o" else "ü"]], _PLAIN if marks == _DIAERESIS else _LONG
    return [_RANK[written]], accent


def _case(written: str) -> str:
    """Return the rank of the case: small letters before a capital with small ones, these before capitals."""
    return "1" if written.islower() else "3" if written.isupper() else "2"


def _other(char: str) -> str:
    if char.isspace():
        return _SPACE
    if char.isascii() and char.isdigit():
        return f"{_DIGIT}{char}"
    small = char.lower()[0]
    return f"{_FOREIGN if char.isalpha() else _SIGN}{_CYRILLIC.get(small, ord(small)):07}"
