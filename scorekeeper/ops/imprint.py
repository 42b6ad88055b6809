"""The server's name and its operator, as settings that stand on the home page."""

from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

MOST: Final = 200


class Imprint(NamedTuple):
    """The words that name the operator of the server, and the address that they link to; either may be empty."""

    words: str = ""
    link: str = ""


def one_line(setting: str, text: str) -> str:
    """Return the text without spaces around it. Raise ImproperlyConfigured unless it fits on a line."""
    text = text.strip()
    if len(text) > MOST or not text.isprintable():
        raise ImproperlyConfigured(f"{setting}: give one line of at most {MOST} characters.")
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
