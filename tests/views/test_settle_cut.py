"""The cut cards that decide left-over units of equal fractions, in any game."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.translation import override

from sessions_app.models import Evening, User
from sessions_app.words.money import CURRENCIES, unit_words
from tests.toy.pages import at, opened, played_evening
from tests.views.page import Page

pytestmark = pytest.mark.usefixtures("toy")
SETTLE = "settle/"


@pytest.fixture
def played(owner: User) -> Evening:
    """106⅔, −163⅓ and 56⅔ forints: down to 106, −164 and 56, and two are left over for three."""
    return played_evening(owner)


def due(page: Page) -> list[str]:
    """The amount due to each seat, by its money."""
    seats = sorted(page.of_class("seat"), key=lambda seat: seat.attrs["data-seat"])
    return [money.text for seat in seats for money in seat.of_class("money")]


def asked(page: Page) -> list[str]:
    """The seats that may have cut the next highest card."""
    return [button.text for form in page.of_class("who-cut") for button in form.all("button")]


def text(page: Page) -> str:
    return page.one("textarea").text


def test_odd_units_go_by_seats_unless_somebody_has_cut(viewers: Client, played: Evening):
    page = opened(viewers, played, SETTLE)
    assert due(page) == ["HUF 107", "−HUF 163", "HUF 56"]
    said = "The odd 2 go to Anna and Béla. 3 have the same fraction: the order of seats decides."
    assert said in page.text
    assert "Who cut higher?" in page.text
    assert asked(page) == ["Anna", "Béla", "Cili"]
    payments = page.one("section", aria_labelledby="fewest")
    assert payments.text.index("Béla →pays Cili") < payments.text.index("Who cut higher?"), "the payments come first"


@pytest.mark.parametrize("currency", ["", *CURRENCIES])
@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_unit_that_is_rounded_to_is_named(currency: str, language: str):
    """A forint is the smallest that is written, a cent of the euro; both are said to be that."""
    with override(language):
        said = unit_words(currency)
    assert said.startswith("whole " if language == "en" else "egész ")


def test_tap_by_tap_the_highest_first(viewers: Client, played: Evening):
    page = opened(viewers, played, f"{SETTLE}?cut=2")
    assert due(page) == ["HUF 107", "−HUF 164", "HUF 57"]
    said = "The odd 2 go to Cili and Anna. 3 have the same fraction: the cards cut decide, and then the order of seats."
    assert said in page.text
    assert "Who was next highest?" in page.text
    assert asked(page) == ["Anna", "Béla"]
    (form,) = page.of_class("who-cut")
    said = [(field.attrs["name"], field.attrs["value"]) for field in form.all("input") + form.all("button")]
    assert said == [("cut", "2"), ("cut", "0"), ("cut", "1")]


@pytest.mark.parametrize("query", ["cut=2,1", "cut=2&cut=1"])
def test_the_payments_and_the_text_follow_it(viewers: Client, played: Evening, query: str):
    page = opened(viewers, played, f"{SETTLE}?{query}")
    assert due(page) == ["HUF 106", "−HUF 163", "HUF 57"]
    assert "The odd 2 go to Cili and Béla. 3 have the same fraction: the cards cut decide." in page.text
    assert asked(page) == []
    assert [line.text for line in page.one("section", aria_labelledby="fewest").all("summary")] == [
        "Béla →pays Anna HUF 106",
        "Béla →pays Cili HUF 57",
    ]
    assert "Cili: +5⅔ (HUF 57)" in text(page)
    assert text(page).endswith("Béla → Anna: HUF 106 Béla → Cili: HUF 57")
    assert page.links["Cut again"] == at(played, f"{SETTLE}#rounding")


@pytest.mark.parametrize(
    ("query", "heard"),
    [
        ("cut=", ""),
        ("cut=7,x,,-1,²,1.0,99999999999999999999", ""),
        ("cut=+2", ""),
        ("cut=2,2,5,1,0", "cut=2,1"),
        ("cut=2&cut=0,1&cut=hello", "cut=2,0"),
    ],
)
def test_malformed_cut_is_ignored(viewers: Client, played: Evening, query: str, heard: str):
    found, wanted = (opened(viewers, played, f"{SETTLE}?{each}") for each in (query, heard))
    assert found.text == wanted.text


@pytest.mark.django_db(transaction=True)
def test_a_cut_is_kept_apart_from_the_others(
    viewers: Client, played: Evening, django_assert_num_queries: Callable[..., object]
):
    """A viewer with another cut, or none, sees his own; a second look asks no more than any."""
    for _ in range(2):
        assert due(opened(viewers, played, f"{SETTLE}?cut=2")) == ["HUF 107", "−HUF 164", "HUF 57"]
        assert due(opened(viewers, played, f"{SETTLE}?cut=1")) == ["HUF 107", "−HUF 163", "HUF 56"]
        assert due(opened(viewers, played, f"{SETTLE}?cut=1,2")) == ["HUF 106", "−HUF 163", "HUF 57"]
        assert due(opened(viewers, played, SETTLE)) == ["HUF 107", "−HUF 163", "HUF 56"]
    for query, queries in (("", 6), ("?cut=1,2", 8)):
        opened(viewers, played, SETTLE + query)
        with django_assert_num_queries(queries):
            opened(viewers, played, SETTLE + query)
