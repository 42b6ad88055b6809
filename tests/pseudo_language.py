"""A language made of the English: each word half as long again, in other letters, in brackets, with three plural forms.

It stands for any third language. It has the code of Belarusian, whose three plural forms Babel knows, and which Django
writes in Cyrillic letters: so each Latin letter on a page is a name, a notation, or a string that is in no catalogue.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Final

from django.conf import settings

from scorekeeper.currencies import USUAL
from sessions_app.management import translations

CODE: Final = "be"
OPEN, CLOSE = "⟦", "⟧"
_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZáéíóöőúüűÁÉÍÓÖŐÚÜŰ"
#: None of these is a letter of English or Hungarian.
_OTHER: Final = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐȧḗīǿǿǿŭŭŭȦḖĪǾǾǾŬŬŬ"
_LETTERS: Final = str.maketrans(_PLAIN, _OTHER)
#: What stays as it is in a message: placeholders, tags, entities.
_KEPT: Final = re.compile(r"(%\(\w+\)[sd]|%%|%[sd]|\{\w*\}|<[^>]*>|&\w+;)")
#: In the context of messages that are formats, and no words.
_FORMATS: Final = "as Django's date formats"

#: Words on a page that nobody translates: the names of the tests, languages in themselves, what is read from a file.
NAMES: Final = {
    *("Anna", "anna", "Annuska", "Béla", "Cili", "Dani", "Dóra", "Friday"),
    *("Magyar", "English", "Strigula", "book", "json", "testserver"),
    *USUAL,
}
#: A check figure, an address, a line of notation such as '2H 7 K' or '1N 7-2-2 S'.
_CODES: Final = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}|https?://\S+|\bSzu?\b")
#: One letter or two are notation: signs of contracts and kontras.
_WORD: Final = re.compile(f"[{_PLAIN}]{{3,}}")
_GROUP: Final = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
_BITS: Final = re.compile(f"[{_OTHER}{OPEN}{CLOSE}]+")


def pseudo(text: str) -> str:
    """Return a message in the language, with the placeholders and tags of the English."""
    parts = _KEPT.split(text)
    return OPEN + "".join(part if number % 2 else _longer(part) for number, part in enumerate(parts)) + CLOSE


def _longer(text: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda word: word[0] + word[0][: (len(word[0]) + 1) // 2], text).translate(_LETTERS)


def untranslated(text: str) -> Iterator[str]:
    """Yield the words of a text that no translator could reach."""
    yield from (word for word in _WORD.findall(_CODES.sub(" ", text)) if word not in NAMES)


def broken(text: str) -> list[str]:
    """Return what is left of messages that were cut: letters and brackets outside of whole brackets."""
    while _GROUP.search(text):
        text = _GROUP.sub("", text)
    return _BITS.findall(text)


def written_into(folder: Path) -> Path:
    """Write the language into a copy of the sources and compile it; return the folder of catalogues."""
    for name in ("scorekeeper", "sessions_app", "templates"):
        left_out = ignore_patterns("__pycache__", "*.mo", "fonts", CODE)
        copytree(settings.BASE_DIR / name, folder / name, ignore=left_out)
    translations.update(folder, CODE)
    catalogue = translations.read(folder, CODE)
    for message in catalogue:
        if isinstance(message.id, str):
            is_format = _FORMATS in (message.context or "")
            message.string = message.string if not message.id else message.id if is_format else pseudo(message.id)
        else:
            # The form's number is said, so that a test sees which was taken.
            forms = range(1, catalogue.num_plurals + 1)
            message.string = tuple(f"{pseudo(message.id[-1])[:-1]}{form}{CLOSE}" for form in forms)
    translations.write(folder, catalogue, CODE)
    translations.compile_catalogue(folder)
    return folder / translations.FOLDER
