"""The installed program: its own files, in a checkout or in the packages of a wheel; its name and operator."""

import tomllib
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

PACKAGE: Final = Path(__file__).resolve().parent.parent
#: In a wheel: templates, static files and documents, which a checkout has beside the packages (pyproject.toml).
BUNDLED: Final = PACKAGE / "bundled"
IS_INSTALLED: Final = BUNDLED.is_dir()
BASE_DIR: Final = BUNDLED if IS_INSTALLED else PACKAGE.parent


def version() -> str:
    if IS_INSTALLED:
        return metadata.version("strigula")
    found: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return found


def command(words: str) -> str:
    """Return a command line for the operator, such as `./run manage circles` for 'manage circles'."""
    if IS_INSTALLED:
        return f"strigula {words}"
    return f"./run {words.removeprefix('serve').strip()}".rstrip()


#: Characters of the name and of the imprint.
LONGEST: Final = 200


class Imprint(NamedTuple):
    """The words that name the operator of the server, and the address that they link to; either may be empty."""

    words: str = ""
    link: str = ""


def one_line(setting: str, text: str) -> str:
    """Return the text without spaces around it. Raise ImproperlyConfigured unless it fits on a line."""
    text = text.strip()
    if len(text) > LONGEST or not text.isprintable():
        raise ImproperlyConfigured(f"{setting}: give one line of at most {LONGEST} characters.")
    return text


def imprint(setting: str, text: str) -> Imprint:
    """Return the imprint of words, with a link at their end if any. Raise ImproperlyConfigured for another one."""
    words = one_line(setting, text).split()
    if not any("://" in word for word in words):
        return Imprint(" ".join(words))
    *before, link = words
    try:
        parts = urlsplit(link)
        is_link = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_link = False
    if not is_link or any("://" in word for word in before):
        raise ImproperlyConfigured(f"{setting}: one link, at the end of the words, that begins with https://.")
    return Imprint(" ".join(before), link)
