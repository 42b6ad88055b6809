"""Every page in a language besides Hungarian and English: nothing that a translator could not reach shows through."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from openpyxl import load_workbook

from scorekeeper.languages import offered
from sessions_app.management import translations
from sessions_app.models import Evening, User
from sessions_app.words.amounts import amount_words
from sessions_app.writers import demo
from tests import pseudo_language
from tests.pseudo_language import CODE, broken, untranslated
from tests.views.every_url import address, paths, patterns, row_of
from tests.views.page import Node, Page
from tests.views.scene import Scene, taken_back

#: Attributes that are read out or shown.
READ = ("alt", "aria-label", "aria-description", "data-said", "data-sits-out", "label", "placeholder", "title")
HEADERS = {"Accept-Language": CODE}
SHOWN_META = ("description", "og:title", "og:description")


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pseudo_language.written_into(tmp_path_factory.mktemp("third"))


@pytest.fixture
def third(catalogues: Path, settings: Any) -> None:
    settings.LANGUAGES = offered(catalogues)
    settings.LOCALE_PATHS = [catalogues]


def faults(answer: Any) -> Iterator[str]:
    """Yield what a page, a picture, a spreadsheet or a script shows that is not in the third language."""
    kind = answer.get("Content-Type", "")
    if kind.startswith(("text/html", "image/svg+xml")):
        page = Page.of(answer)
        seen = "\n".join(text for node, text in page.texts() if is_to_be_translated(node))
        yield from () if "svg" in kind else broken(seen)  # a picture breaks lines, and shortens them
        yield from untranslated(seen)
        for text in attributes_of(page):
            yield from (*untranslated(text), *broken(text))
    elif "spreadsheet" in kind:
        for sheet in load_workbook(BytesIO(answer.getvalue())):
            yield from untranslated(" ".join((sheet.title, *(str(cell.value) for cell in sheet[1]))))
    elif kind.startswith("text/javascript") and "messages" in answer.request["PATH_INFO"]:
        messages = json.loads(answer.text.partition("=")[2].rstrip(";\n"))
        yield from (word for text in messages.values() for word in (*untranslated(text), *broken(text)))


def is_to_be_translated(node: Node) -> bool:
    return node.tag not in ("script", "style") and all(each.attrs.get("translate") != "no" for each in node.above)


def attributes_of(page: Page) -> Iterator[str]:
    for node in page.nodes():
        yield from (node.attrs[name] for name in READ if name in node.attrs)
    for meta in page.all("meta"):
        if meta.attrs.get("name", meta.attrs.get("property")) in SHOWN_META:
            yield meta.attrs["content"]


def report(found: Mapping[str, list[str]]) -> str:
    return "\n".join(f"{place}: {words}" for place, words in found.items() if words)


def test_catalogue_is_whole_and_its_language_is_offered(catalogues: Path) -> None:
    assert translations.problems(catalogues.parents[1], CODE) == []
    assert [code for code, _name in offered(catalogues)] == ["hu", "en", CODE]


def test_each_url_answers_in_the_third_language(third: None, cast: dict[str, Client], owner: User, evening: Evening):
    """Ask all pages but those of a session, which the next test asks of each game.

    A session's pages of members and saved rules are asked here. Posts have no fields: what refuses them is seen.
    """
    scene, phone = Scene("sessions/<int:evening_id>/", evening, owner), cast["owner"]
    found = {}
    for scene.path in [path for path, _pattern in patterns()]:
        is_asked_elsewhere = "evening_id" in scene.path and scene.name not in ("members", "house-profiles")
        for method in row_of(scene.path).keys() - ({"GET"} if is_asked_elsewhere else ()):
            with taken_back(phone):
                address = scene.address.replace("/hu-", f"/{CODE}-")
                answer = getattr(phone, method.lower())(address, headers=HEADERS)
                found[f"{method} {scene.path}"] = list(faults(answer))
    assert report(found) == ""
    assert found


def test_sessions_of_each_game_are_shown_in_the_third_language(third: None, owners: Client, owner: User):
    circle = demo.lay(owner)
    latest = {each.game_key: each.pk for each in circle.evenings.all()}
    found = {}
    for game, evening in latest.items():
        addresses = [address(path, evening) for path in paths("GET") if "evening_id" in path]
        addresses += [f"/games/{game}/{page}/" for page in ("rules", "worth", "blank-sheet")]
        addresses += [f"/circles/{circle.pk}/statistics/?game={game}"]
        for each in addresses:
            found[f"{game} {each}"] = list(faults(owners.get(each, headers=HEADERS)))
    assert report(found) == ""


def test_each_plural_form_is_taken(third: None):
    with translation.override(CODE):
        taken = {amount: amount_words(amount, "points:")[-2] for amount in (1, 2, 5, 11, 21, 22, Fraction(4, 3))}
    assert taken == {1: "1", 2: "2", 5: "3", 11: "3", 21: "1", 22: "2", Fraction(4, 3): "2"}
