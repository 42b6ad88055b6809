"""The languages that the program is offered in: Hungarian first, English equal, then those that were compiled.

`sessions_app.management.translations` compiles a catalogue of another language only if it is whole. Settings read this.
"""

from pathlib import Path
from typing import Final

from django.conf.locale import LANG_INFO

OWN: Final = [("hu", "Magyar"), ("en", "English")]


def offered(folder: Path) -> list[tuple[str, str]]:
    """Return the codes and names of the languages, for Django's LANGUAGES."""
    compiled = {of_catalogue(path) for path in folder.glob("*/LC_MESSAGES/django.mo")} - dict(OWN).keys()
    return [*OWN, *((code, name) for code in sorted(compiled) if (name := name_of(code)))]


def of_catalogue(path: Path) -> str:
    """Return the language of a catalogue, by its folder: pt_BR is pt-br."""
    return path.parts[-3].replace("_", "-").lower()


def name_of(language: str) -> str | None:
    """Return a language's own name, None if Django does not know it."""
    name: str | None = LANG_INFO.get(language, {}).get("name_local")
    return name.capitalize() if name else None
