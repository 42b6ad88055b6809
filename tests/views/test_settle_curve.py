"""The course of the evening on the page that settles it: a drawing, one sentence, and the figures."""

from collections.abc import Callable

import pytest
from django.test import Client

from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import record
from tests.views.page import HUNGARIAN, Node, Page
from tests.views.test_page_compression import ZIPPED

NAMES = ["Anna", "Béla", "Cili"]


def url(evening: Evening) -> str:
    return f"/sessions/{evening.pk}/settle/"


def course(page: Page) -> Node:
    return page.one("section", aria_labelledby="course-title")


def curves(nodes: list[Node]) -> list[str]:
    return [node.attrs["data-curve"] for node in nodes if "data-curve" in node.attrs]


@pytest.fixture
def three(evening: Evening, owner: User) -> Evening:
    for declarer, deal in ((0, "2H 7"), (1, "2H 7"), (2, "1S 5")):
        record(evening, owner, deal, declarer=declarer)
    return evening


@pytest.mark.parametrize("who", ["owner", "viewer"])
def test_each_player_has_a_line_and_a_column_with_the_same_balances(cast: dict[str, Client], three: Evening, who: str):
    drawn = course(Page.of(cast[who].get(url(three))))
    balances = ["12 6 12", "-6 6 12", "-6 -12 -24"]
    picture, table = drawn.one("svg"), drawn.one("table")
    assert [text.text for line in picture.of_class("line") for text in line.all("text")] == NAMES
    assert curves(picture.of_class("line")) == balances
    assert [head.text for head in table.all("th", scope="col")] == ["Hand", *NAMES]
    assert curves(table.all("th")) == balances
    rows = [[cell.text for cell in row.nodes()] for row in table.one("tbody").all("tr")]
    assert rows == [["1", "+12", "−6", "−6"], ["2", "+6", "+6", "−12"], ["3", "+12", "+12", "−24"]]
    (fold,) = drawn.all("details")
    assert "open" not in fold.attrs


@pytest.mark.parametrize(
    ("headers", "title", "sentence"),
    [
        (
            {},
            "Course of the session",
            "In the lead since hand 2: Anna and Béla; highest: Anna +12 (hand 1), lowest: Cili −24 (hand 3).",
        ),
        (
            HUNGARIAN,
            "A játszma menete",
            "2. leosztás óta az élen: Anna és Béla; csúcs: Anna +12 (1. leosztás), mélypont: Cili −24 (3. leosztás).",
        ),
    ],
    ids=["English", "Hungarian"],
)
def test_the_picture_has_a_title_and_a_sentence(
    owners: Client, three: Evening, headers: dict[str, str], title: str, sentence: str
):
    page = Page.of(owners.get(url(three), headers=headers))
    picture = course(page).one("svg")
    assert picture.attrs["role"] == "img"
    assert [page.one(id=name).text for name in picture.attrs["aria-labelledby"].split()] == [title, sentence]
    assert [node for node in course(page).nodes() if "style" in node.attrs] == [], "by classes: the CSP has no others"


def test_before_the_second_hand_there_is_nothing_to_draw(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    assert Page.of(owners.get(url(evening))).all("svg", role="img") == []
    record(evening, owner, "2H 7", declarer=0)
    assert len(Page.of(owners.get(url(evening))).all("svg", role="img")) == 1
    ledger.void(evening.pk, 1, by=owner)
    assert Page.of(owners.get(url(evening))).all("svg", role="img") == []


@pytest.mark.parametrize(("hands", "most"), [(20, 6_500), (40, 6_500), (200, 10_000)])
def test_the_page_of_an_evening_is_small(
    owners: Client, evening: Evening, play: Callable[..., Evening], hands: int, most: int
):
    play(evening, hands)
    evenings.end(evening.pk)
    assert len(owners.get(url(evening), headers=ZIPPED).content) <= most
