"""The catalogues of translations: extract messages from code and templates, merge, check and compile them. Babel only.

The source language is English. Entries name the files they come from without line numbers, in the order in which they
stand there, so that a change of the code changes those entries only. The Hungarian catalogue is always whole; another
language is offered once its catalogue is (`scorekeeper.languages`).
"""

import gettext
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, read_po, write_po
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from scorekeeper import languages

#: The language whose catalogue has every message.
HOUSE: Final = "hu"
FOLDER: Final = Path("sessions_app/locale")
TEMPLATE: Final = FOLDER / "django.pot"
SOURCES: Final = ("scorekeeper/**/*.py", "sessions_app/**/*.py", "templates/**/*.html")
# Positions of the arguments; (1, "c") is a context.
KEYWORDS: Final[dict[str, tuple[int | tuple[int, str], ...] | None]] = {
    "_": None,
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
PLACEHOLDER: Final = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
#: Rules of plurals that differ from Babel's.
PLURALS: Final = {HOUSE: "nplurals=2; plural=(n != 1);"}

type Key = tuple[str | None, tuple[str, ...]]


class UnknownLanguageError(ValueError):
    """Neither Babel's nor Django's language; the message says so."""


class DamagedCatalogueError(Exception):
    """A catalogue that cannot be read: its format, its letters, or its rule of plurals."""


def catalogue_of(language: str) -> Path:
    """Return the path of a language's catalogue below the root."""
    return FOLDER / to_locale(language) / "LC_MESSAGES" / "django.po"


def languages_of(root: Path) -> list[str]:
    """Return the languages that have a catalogue, the house's first; a folder of no language is left out."""
    found = {languages.of_catalogue(path) for path in (root / FOLDER).glob("*/LC_MESSAGES/django.po")}
    return sorted(filter(_is_known, found), key=lambda language: (language != HOUSE, language))


def name_of(language: str) -> str:
    """Return the English name of a language. Raise UnknownLanguageError if Babel or Django does not know it."""
    try:
        name = Locale.parse(to_locale(language)).get_language_name("en")
    except (UnknownLocaleError, ValueError):
        name = None
    if name is None or languages.name_of(language) is None:
        raise UnknownLanguageError(f"{language!r} is not the code of a language, such as 'ru' or 'pt-br'.")
    return name


def _is_known(language: str) -> bool:
    with suppress(UnknownLanguageError):
        return bool(name_of(language))
    return False


def update(root: Path, language: str = HOUSE) -> None:
    """Update the catalogue under `root` from the sources: add new entries empty, drop unused ones, guess nothing."""
    known = {_key(message): message for message in _entries(read(root, language))}
    catalogue = extracted(root, language)
    for message in _entries(catalogue):
        if (old := known.get(_key(message))) is not None:
            message.string, message.user_comments = old.string, old.user_comments
            message.flags |= old.flags & {"fuzzy"}
    write(root, catalogue, language)


def write_template(root: Path) -> Path:
    """Write the template of catalogues, with files and lines; return its path."""
    path = root / TEMPLATE
    with path.open("wb") as file:
        write_po(file, extracted(root, None), width=120)
    return path


def compile_catalogue(root: Path) -> bool:
    """Compile each catalogue that is newer than its compiled file; return whether there was one.

    A language besides the house's whose catalogue is not whole is not compiled, so it is not offered.
    """
    compiled = [language for language in languages_of(root) if _compile_if_newer(root, language)]
    return bool(compiled)


def compile_one(root: Path, language: str) -> None:
    """Compile a catalogue, whole or not: what is missing stays English, instead of the house's language."""
    catalogue = read(root, language)
    if language != HOUSE:
        for message in _entries(catalogue):
            if any(_faults(message, catalogue)):
                message.flags.discard("fuzzy")
                message.string = _in_english(message, catalogue)
    compiled = (root / catalogue_of(language)).with_suffix(".mo")
    # Replaced at once: a server that starts meanwhile must not read half a file.
    draft = compiled.with_suffix(".mo.new")
    with draft.open("wb") as file:
        write_mo(file, catalogue)
    draft.replace(compiled)


def _compile_if_newer(root: Path, language: str) -> bool:
    source = root / catalogue_of(language)
    compiled = source.with_suffix(".mo")
    newest = max(path.stat().st_mtime_ns for path in {source, root / catalogue_of(HOUSE)} if path.exists())
    if compiled.exists() and compiled.stat().st_mtime_ns > newest:
        return False
    if language != HOUSE and not _is_whole(root, language):
        compiled.unlink(missing_ok=True)
        return False
    compile_one(root, language)
    return True


def _is_whole(root: Path, language: str) -> bool:
    """Return whether a catalogue lacks nothing that the house's has; one that cannot be read is not whole."""
    with suppress(DamagedCatalogueError):
        return not _differences(read(root, HOUSE), read(root, language))
    return False


def problems(root: Path, language: str = HOUSE) -> list[str]:
    """Return the missing, obsolete and wrong messages of a catalogue, one line each."""
    try:
        return _differences(extracted(root, language), read(root, language))
    except DamagedCatalogueError as damaged:
        return [f"cannot be read: {damaged}"]


def _differences(wanted: Catalog, catalogue: Catalog) -> list[str]:
    keys = {_key(message) for message in _entries(wanted)}
    there = {_key(message): message for message in _entries(catalogue)}
    found = [f"missing: {_shown(key)}" for key in keys - there.keys()]
    found += [f"obsolete: {_shown(key)}" for key in there.keys() - keys]
    found += [f"obsolete: {_shown(_key(message))}" for message in catalogue.obsolete.values()]
    for key in keys & there.keys():
        found += [f"{problem}: {_shown(key)}" for problem in _faults(there[key], catalogue)]
    return sorted(found)


def extracted(root: Path, language: str | None = HOUSE) -> Catalog:
    """Return all messages of the sources under `root`, untranslated; without a language as the template has them."""
    catalogue = _empty(language)
    for path in sorted(path for pattern in SOURCES for path in root.glob(pattern)):
        name = path.relative_to(root).as_posix()
        for line, text, comments, context in extract(
            "python", BytesIO(_python(path).encode()), KEYWORDS, ("Translators:",), strip_comment_tags=True
        ):
            catalogue.add(text, locations=[(name, line)], auto_comments=comments, context=context)
    return catalogue


def read(root: Path, language: str = HOUSE) -> Catalog:
    """Return the catalogue under `root`, empty if there is none. Raise DamagedCatalogueError."""
    path = root / catalogue_of(language)
    if not path.exists():
        return _empty(language)
    try:
        with path.open("rb") as file:
            catalogue = read_po(file, locale=to_locale(language), abort_invalid=True)
        _only_of_one(catalogue.plural_expr)  # Babel keeps any text as the rule
    except (PoFileError, ValueError, LookupError, ArithmeticError) as error:
        raise DamagedCatalogueError(str(error)) from error
    return catalogue


def write(root: Path, catalogue: Catalog, language: str = HOUSE) -> None:
    path = root / catalogue_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(_header(language).encode())
        write_po(file, catalogue, width=120, include_lineno=False, omit_header=True)


def _empty(language: str | None) -> Catalog:
    if language is None:
        return Catalog(project="Strigula", fuzzy=False)
    catalogue = Catalog(locale=to_locale(language), fuzzy=False)
    catalogue.mime_headers = [("Plural-Forms", _plurals(language))]
    return catalogue


def _plurals(language: str) -> str:
    return PLURALS.get(language) or get_plural(to_locale(language)).plural_forms


def _header(language: str) -> str:
    """Return only the fields that gettext needs: Babel's own header changes with every update."""
    by_hand = "" if language == HOUSE else f" --language {language}"
    return f"""# The {name_of(language)} of Strigula. After a change of the code: ./run manage messages update{by_hand}
msgid ""
msgstr ""
"Language: {to_locale(language)}\\n"
"Plural-Forms: {_plurals(language)}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def _python(path: Path) -> str:
    """Return the file as Python; a template as the gettext calls that Django makes of it."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return source
    # A template's indentation would be a syntax error.
    return "\n".join(line.strip() for line in templatize(source, origin=str(path)).splitlines())


def _entries(catalogue: Catalog) -> Iterator[Message]:
    """Return all messages but the header, which is the translation of the empty string."""
    return (message for message in catalogue if message.id)


def _key(message: Message) -> Key:
    return message.context, _forms(message.id)


def _forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def _shown(key: Key) -> str:
    context, forms = key
    return " | ".join(map(repr, forms)) + (f" ({context})" if context else "")


def _in_english(message: Message, catalogue: Catalog) -> str | tuple[str, ...]:
    originals = _forms(message.id)
    return originals[-1:] * catalogue.num_plurals if len(originals) > 1 else originals[0]


def _faults(message: Message, catalogue: Catalog) -> Iterator[str]:
    originals, translations = _forms(message.id), _forms(message.string)
    wanted = catalogue.num_plurals if len(originals) > 1 else 1
    if message.fuzzy:
        yield "fuzzy"
    if not any(translations):
        yield "not translated"
        return
    if len(translations) != wanted or not all(translations):
        yield f"{sum(map(bool, translations))} of {wanted} plural forms"
        return
    allowed = [_placeholders(original) for original in originals]
    for form, translation in enumerate(translations):
        # A form of the number one alone may spell it out ("one hand"), as the original may.
        may_be = allowed if wanted == 1 or form in _only_of_one(catalogue.plural_expr) else allowed[-1:]
        if _placeholders(translation) not in may_be:
            yield "other placeholders"
            return


def _only_of_one(plural: str) -> frozenset[int]:
    """Return the forms that a rule of plurals uses of the number one and no other."""
    form_of = gettext.c2py(plural)
    return frozenset({form_of(1)}) - {form_of(number) for number in (0, *range(2, 201))}


def _placeholders(text: str) -> frozenset[tuple[str, int]]:
    """Return the placeholders of a text with their counts; a named one may be repeated, so it counts as one."""
    found = Counter(PLACEHOLDER.findall(text))
    return frozenset((each, 1 if "(" in each else count) for each, count in found.items())
