"""Templates, styles and scripts are read by people: no line is too wide, and their layout leaves no trace."""

import re

import pytest
from django.conf import settings
from django.template import Context, Engine
from django.test import Client

from scorekeeper.games.asszorti import Contract, Deal, Trump
from scorekeeper.games.asszorti.deal import Tricks

SOURCES = ("templates/**/*", "static/css/**/*", "static/js/**/*")


def test_no_line_is_wider_than_120_characters() -> None:
    root = settings.BASE_DIR
    paths = [path for pattern in SOURCES for path in root.glob(pattern) if path.is_file()]
    lines = [(path, number, line) for path in paths for number, line in enumerate(path.read_text().splitlines(), 1)]
    assert [f"{path.relative_to(root)}:{number}" for path, number, line in lines if len(line) > 120] == []


def rendered(source: str, **context: object) -> str:
    return Engine.get_default().from_string(source).render(Context(context))


def test_joined_lines_have_no_space_between_them_but_what_is_meant() -> None:
    source = """{% joined %}
      <b>
        {% if name %}
          {{ name }}
        {% endif %}
      </b>{{ " " }}
      <i> so </i>
    {% endjoined %}"""
    assert rendered(source, name="Anna  Maria") == "<b>Anna  Maria</b> <i> so </i>"


@pytest.mark.parametrize(("trump", "tricks"), [(Trump.HEARTS, (7, None, None)), (Trump.NONE, (6, 3, 2))])
def test_a_deal_stands_in_a_sentence_and_brings_no_space_along(trump: Trump, tricks: Tricks) -> None:
    """Neither do the pieces it is made of: a file of them that ends with a line's end would show here."""
    deal = Deal(Contract.TWO, trump, tricks)
    html = rendered('({% include "games/asszorti/face.html#deal" with deal=deal only %})', deal=deal)
    assert html == f"({html[1:-1].strip()})"
    assert "\n" not in html


def test_a_page_is_sent_without_the_indentation_of_its_templates(strangers: Client) -> None:
    page = strangers.get("/").text
    assert not re.search(r"\n[ \t]", page)
    assert "<html" in page


def test_no_template_has_lines_where_their_beginning_counts() -> None:
    """In elements that keep their spaces, and in messages of the catalogue."""
    kept = re.compile(r"<(pre|textarea)\b[^>]*>[^<]*\n|\{% blocktranslate(?![^%]*trimmed)[^%]*%\}[^{]*\n")
    for path in (settings.BASE_DIR / "templates").rglob("*.html"):
        assert not kept.search(path.read_text()), path
