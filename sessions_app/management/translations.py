"""The Hungarian catalogue: extract it from code and templates, merge, check and compile it. Babel only.

The source language is English. Entries name the files they come from without line numbers, in the order in which they
stand there, so that a change of the code changes those entries only.
"""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

LOCALE: Final = "hu"
CATALOGUE: Final = Path(f"sessions_app/locale/{LOCALE}/LC_MESSAGES/django.po")
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
PLURALS: Final = "nplurals=2; plural=(n != 1);"
# Only the fields that gettext needs: Babel's own header changes with every update.
HEADER: Final = f"""# The Hungarian of Strigula. After a change of the code: ./run manage messages update
msgid ""
msgstr ""
"Language: {LOCALE}\\n"
"Plural-Forms: {PLURALS}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""

type Key = tuple[str | None, tuple[str, ...]]


def update(root: Path) -> None:
    """Update the catalogue under `root` from the sources: add new entries empty, drop unused ones, guess nothing."""
    known = {_key(message): message for message in _entries(read(root))}
    catalogue = extracted(root)
    for message in _entries(catalogue):
        if (old := known.get(_key(message))) is not None:
            message.string, message.user_comments = old.string, old.user_comments
            message.flags |= old.flags & {"fuzzy"}
    write(root, catalogue)


def compile_catalogue(root: Path) -> bool:
    """Compile the catalogue if it is newer than its compiled file; return whether it was."""
    source, compiled = root / CATALOGUE, (root / CATALOGUE).with_suffix(".mo")
    if not source.exists() or (compiled.exists() and compiled.stat().st_mtime_ns > source.stat().st_mtime_ns):
        return False
    # Replaced at once: a server that starts meanwhile must not read half a file.
    draft = compiled.with_suffix(".mo.new")
    with draft.open("wb") as file:
        write_mo(file, read(root))
    draft.replace(compiled)
    return True


def problems(root: Path) -> list[str]:
    """Return the missing, obsolete and wrong messages of the catalogue, one line each."""
    wanted = {_key(message): message for message in _entries(extracted(root))}
    catalogue = read(root)
    there = {_key(message): message for message in _entries(catalogue)}
    found = [f"missing: {_shown(key)}" for key in wanted.keys() - there.keys()]
    found += [f"obsolete: {_shown(key)}" for key in there.keys() - wanted.keys()]
    found += [f"obsolete: {_shown(_key(message))}" for message in catalogue.obsolete.values()]
    for key in wanted.keys() & there.keys():
        found += [f"{problem}: {_shown(key)}" for problem in _faults(there[key])]
    return sorted(found)


def extracted(root: Path) -> Catalog:
    """Return all messages of the sources under `root`, untranslated."""
    catalogue = Catalog(locale=LOCALE, fuzzy=False)
    catalogue.mime_headers = [("Plural-Forms", PLURALS)]
    for path in sorted(path for pattern in SOURCES for path in root.glob(pattern)):
        name = path.relative_to(root).as_posix()
        for _line, text, comments, context in extract(
            "python", BytesIO(_python(path).encode()), KEYWORDS, ("Translators:",), strip_comment_tags=True
        ):
            catalogue.add(text, locations=[(name, 0)], auto_comments=comments, context=context)
    return catalogue


def read(root: Path) -> Catalog:
    """Return the catalogue under `root`, empty if there is none. Raise Babel's PoFileError if it is damaged."""
    path = root / CATALOGUE
    if not path.exists():
        return Catalog(locale=LOCALE)
    with path.open("rb") as file:
        return read_po(file, locale=LOCALE, abort_invalid=True)


def write(root: Path, catalogue: Catalog) -> None:
    path = root / CATALOGUE
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(HEADER.encode())
        write_po(file, catalogue, width=120, include_lineno=False, omit_header=True)


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


def _faults(message: Message) -> Iterator[str]:
    originals, translations = _forms(message.id), _forms(message.string)
    if message.fuzzy:
        yield "fuzzy"
    if len(translations) != len(originals) or not all(translations):
        yield "not translated"
        return
    # The singular may spell out the number ("one hand"), so in each language it may go with either.
    *singular, plural = map(_placeholders, translations)
    allowed = [_placeholders(original) for original in originals]
    if plural != allowed[-1] or any(form not in allowed for form in singular):
        yield "other placeholders"


def _placeholders(text: str) -> frozenset[tuple[str, int]]:
    """Return the placeholders of a text with their counts; a named one may be repeated, so it counts as one."""
    found = Counter(PLACEHOLDER.findall(text))
    return frozenset((each, 1 if "(" in each else count) for each, count in found.items())
