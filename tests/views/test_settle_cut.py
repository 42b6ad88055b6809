"""The cut cards that decide left-over units of equal fractions, in any game."""

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import evenings
from tests.toy.pages import at, opened, played_evening
from tests.views.page import Page

pytestmark = pytest.mark.usefixtures("toy")
SETTLE = "settle/"


@pytest.fixture
def played(owner: User) -> Evening:
    """10⅔, −16⅓ and 5⅔ points: down to 10, −17 and 5, and two are left over for three."""
    evening = played_evening(owner)
    Evening.objects.update(stake=None, currency="")
    evenings.end(evening.pk)
    return evening


def lines(page: Page) -> list[str]:
    return [item.of_class("what")[0].text for item in page.of_class("payable")[0].all("li")]


def asked(page: Page) -> list[str]:
    """The seats that may have cut the next highest card."""
    return [button.text for form in page.of_class("who-cut") for button in form.all("button")]


def test_odd_points_go_by_seats_until_somebody_has_cut(viewers: Client, played: Evening):
    page = opened(viewers, played, SETTLE)
    assert lines(page) == ["Béla →pays Anna 11 points", "Béla →pays Cili 5 points"]
    assert "The odd 2 go to Anna and Béla. 3 have the same fraction: the higher card decides." in page.text
    assert "Who cut higher?" in page.text
    assert asked(page) == ["Anna", "Béla", "Cili"]
    assert page.text.index("Béla →pays Cili") < page.text.index("Who cut higher?"), "the payments come first"


def test_odd_coins_of_money_are_not_cut_for(viewers: Client, owner: User):
    evening = played_evening(owner)
    evenings.end(evening.pk)
    page = opened(viewers, evening, f"{SETTLE}?cut=2")
    assert lines(page) == ["Béla →pays Anna HUF 107", "Béla →pays Cili HUF 56"]
    assert asked(page) == []


def test_payments_and_text_follow_the_cut_tap_by_tap_the_highest_first(viewers: Client, played: Evening):
    page = opened(viewers, played, f"{SETTLE}?cut=2")
    assert lines(page) == ["Béla →pays Anna 11 points", "Béla →pays Cili 6 points"]
    assert "The odd 2 go to Cili and Anna. 3 have the same fraction: the higher card decides." in page.text
    assert "Who was next highest?" in page.text
    assert asked(page) == ["Anna", "Béla"]
    (form,) = page.of_class("who-cut")
    said = [(field.attrs["name"], field.attrs["value"]) for field in form.all("input") + form.all("button")]
    assert said == [("cut", "2"), ("cut", "0"), ("cut", "1")]
    for query in ("cut=2,1", "cut=2&cut=1"):
        page = opened(viewers, played, f"{SETTLE}?{query}")
        assert "The odd 2 go to Cili and Béla. 3 have the same fraction: the cards cut decide." in page.text
        assert asked(page) == []
        assert lines(page) == ["Béla →pays Anna 10 points", "Béla →pays Cili 6 points"]
        text = page.one("textarea").text
        assert "Cili: +5⅔" in text
        assert text.endswith("Béla → Anna: 10 points Béla → Cili: 6 points")
        assert page.links["Cut again"] == at(played, f"{SETTLE}#rounding")
        assert page.one("div", id="money").attrs["data-live"].endswith("?cut=2,1")


def test_malformed_cut_is_ignored(viewers: Client, played: Evening):
    for query, heard in (
        ("cut=", ""),
        ("cut=7,x,,-1,²,1.0,99999999999999999999", ""),
        ("cut=+2", ""),
        ("cut=2,2,5,1,0", "cut=2,1"),
        ("cut=2&cut=0,1&cut=hello", "cut=2,0"),
    ):
        found, wanted = (opened(viewers, played, f"{SETTLE}?{each}") for each in (query, heard))
        assert found.text == wanted.text, query
