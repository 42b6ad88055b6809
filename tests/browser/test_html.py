"""Every page, as it is served, is HTML without an error; and so is every part of one that htmx asks for."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, Route

from tests.browser import nu
from tests.browser.conftest import LOCALES
from tests.browser.gallery import Screen

pytestmark = pytest.mark.django_db(transaction=True)

#: More than so many answers of a room are parts of pages, in both languages together.
PARTS = {"pages": 10, "referee": 0}
AROUND_A_PART = (
    '<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>A part</title></head>'
    "<body>{part}</body></html>"
)


def test_the_nu_checker_finds_nothing_in_any_page_or_part(
    walk: Callable[..., Iterator[tuple[str, Page]]], screens: list[Screen], room: str, tmp_path: Path
) -> None:
    documents: dict[str, str] = {}
    for language, locale in LOCALES.items():
        served: list[str] = []
        for name, _page in walk(before=listening(served), locale=locale):
            for nth, text in enumerate(served, 1):
                documents[f"{language}, {name}, {nth}"] = document(text, language)
            served.clear()
    parts = [text for text in documents.values() if "<title>A part</title>" in text]
    assert len(documents) - len(parts) >= 2 * len(screens)
    if room in PARTS:
        assert len(parts) > PARTS[room]
    findings = nu.findings(documents, tmp_path)
    assert not findings, "\n".join(findings)


def listening(served: list[str]) -> Callable[[Page], object]:
    """Make a phone hand over every HTML answer it gets, as it was served."""

    def keep(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        if answer.status != 204 and "text/html" in answer.headers.get("content-type", ""):
            served.append(answer.text())
        # A poll whose page has gone on meanwhile has nobody to be answered to.
        with suppress(Error):
            route.fulfill(response=answer)

    return lambda page: page.route(not_static, keep)


def not_static(url: str) -> bool:
    return "/static/" not in url


def document(text: str, language: str) -> str:
    """A page as it is, a part with the least round it."""
    return text if text.lstrip().startswith("<!doctype") else AROUND_A_PART.format(language=language, part=text)
