"""The drawn pul'ka as a page: its drawing, its table, its links and its header."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from django.template import Context, Engine
from django.utils import translation

from sessions_app.faces.preference.pulka import Pulka
from tests.faces.drawn_pulka import EVENING, FOUR, THREE, drawn, hands, voided
from tests.views.page import Page

LANGUAGES = pytest.mark.parametrize("language", ["en", "hu"])
RESULTS = (Fraction(788, 3), Fraction(-970, 3), Fraction(182, 3))


def page(found: Pulka, language: str = "en") -> Page:
    template = Engine.get_default().get_template("games/preference/drawn.html")
    with translation.override(language):
        return Page(template.render(Context({"drawn": found})))


def over() -> Pulka:
    found = drawn(hands(*EVENING), standing="P8,8,8")
    fields = (field._replace(balance=result) for field, result in zip(found.fields, RESULTS, strict=True))
    return replace(found, fields=tuple(fields))


def cell(of: Page, name: str, account: str) -> tuple[str, str]:
    """The text in a player's part of the table beside an account: as it was written, and now."""
    part = next(each for each in of.all("tbody") if each.one("th", scope="rowgroup").text == name)
    line = next(each for each in part.all("th", scope="row") if each.text == account).parent
    assert line
    written, now = line.all("td")
    return written.text, now.text


def test_the_drawing_and_the_table_say_the_same() -> None:
    html = page(drawn(hands(*EVENING)))
    assert html.of_class("field")[1].text == (
        "Béla 0 Cili whists on Cili 8 12 32 Anna whists on Anna 4 pool 8 ready dump … 20 26 46"
    )
    assert cell(html, "Béla", "pool") == ("8", "8")
    assert cell(html, "Béla", "dump") == ("18 20 26 46", "46")
    assert cell(html, "Béla", "whists on Cili") == ("8 12 32", "32")
    assert cell(html, "Anna", "dump") == ("4 −2", "−2")
    assert cell(html, "Cili", "whists on Anna") == ("", "0")


def test_what_is_cut_in_the_drawing_stands_in_the_table() -> None:
    html = page(drawn(hands(*["D0+10"] * 10), rules="target=20"))
    assert html.of_class("field")[0].text.endswith("dump … 90 100")
    assert cell(html, "Anna", "dump") == ("10 20 30 40 50 60 70 80 90 100", "100")


def test_each_figure_is_a_link_to_its_hand() -> None:
    html = page(drawn(hands(*EVENING)))
    for part in (html.of_class("drawing")[0], html.one("table")):
        assert [link.attrs["href"] for link in part.all("a") if link.text == "46"] == ["hands/7/"]
    assert {link.attrs.get("tabindex") for link in html.of_class("drawing")[0].all("a")} == {"-1"}
    assert {link.attrs.get("tabindex") for link in html.one("table").all("a")} == {None}


def test_what_is_struck_out_is_said_to_whom_the_page_is_read() -> None:
    *earlier, last = hands(*EVENING)
    html = page(drawn((*earlier, voided(last))))
    said = ["8, struck out", "−2, struck out"]
    assert [link.attrs["aria-label"] for link in html.of_class("struck")] == said * 2


def test_while_it_goes_on_it_says_what_is_played_to_and_what_the_next_raspasovka_costs() -> None:
    html = page(drawn((), rules="leningrad target=10", standing="R1"))
    assert html.one("header").text == "Pul'ka to 30 in all Next raspasovka: 4 a trick · lowest contract 7"
    assert page(drawn(())).one("header").text == "Pul'ka to 8 Next raspasovka: 1 a trick"
    assert page(drawn((), rules="pool_end=never")).one("h2").text == "Pul'ka"
    assert [hub.text for hub in page(drawn(())).of_class("hub")] == ["8"]
    assert page(drawn((), rules="pool_end=never")).of_class("hub") == []


def test_at_the_end_it_says_so_and_who_has_won_what() -> None:
    html = page(over())
    assert html.one("header").text == "The game is over Anna +262⅔ Cili +60⅔ Béla −323⅓"
    assert "raspasovka" not in html.text


@LANGUAGES
@pytest.mark.parametrize("players", [THREE, FOUR])
def test_the_table_has_a_caption_and_headers(players: Sequence[str], language: str) -> None:
    table = page(drawn(hands(*EVENING), players), language).one("table")
    assert table.one("caption").text
    assert [each.text != "" for each in table.all("th", scope="col")] == [True] * 3
    assert [each.text for each in table.all("th", scope="rowgroup")] == list(players)
    assert [len(part.all("th", scope="row")) for part in table.all("tbody")] == [len(players) + 1] * len(players)


def test_a_name_stands_there_as_it_was_typed() -> None:
    html = page(drawn((), ('<b>"A"</b>', "שרה", "Cili")))
    assert html.of_class("field")[0].attrs["aria-label"] == '<b>"A"</b>'
    assert [each.text for each in html.of_class("field")[2].all("bdi")] == ["Cili", '<b>"A"</b>', "שרה"]


def test_the_value_is_one_that_a_page_can_be_known_by() -> None:
    assert hash(over()) == hash(over())
    assert over() == over()
