"""The review of an ended session: its pace, the turn, its remarkable hands, the sessions beside it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record
from tests.views.page import HUNGARIAN, Node, Page
from tests.views.test_page_compression import ZIPPED


def url(evening: Evening, path: str = "settle/") -> str:
    return f"/sessions/{evening.pk}/{path}"


def review(client: Client, evening: Evening, **headers: str) -> Node:
    return Page.of(client.get(url(evening), headers=headers)).one("section", id="looked-back")


@pytest.fixture
def played(evening: Evening, owner: User) -> Evening:
    """Anna leads after the first hand, Béla from the second on; 40 minutes."""
    for declarer, deal in ((0, "2H 7"), (1, "2H 9-2-0"), (0, "2H 6-5-0")):
        record(evening, owner, deal, declarer=declarer)
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(ended_at=evening.started_at + timedelta(minutes=40))
    evening.refresh_from_db()
    return evening


def test_remarkable_hand_is_a_link_with_its_reason(viewers: Client, played: Evening):
    links = review(viewers, played).all("a")
    assert [link.attrs["href"] for link in links] == [url(played, f"hands/{number}/") for number in (2, 2, 3)]
    assert [link.text for link in links] == [
        "Hand 2 turning point: in the lead from here to the end: Béla",
        "Hand 2 the biggest: Béla +20 · Béla: 3 overtricks",
        "Hand 3 Anna: 6 : 5 : 0",
    ]
    assert review(viewers, played).one("p").text == "40 min in all, 5 hands an hour"


def test_session_led_throughout_has_no_turning_point(owners: Client, owner: User, evening: Evening):
    for _ in range(2):
        record(evening, owner, "2H 7", declarer=0)
    evenings.end(evening.pk)
    section = review(owners, evening)
    assert "Anna: in the lead from the first hand to the last" in section.text
    assert [link for link in section.all("a") if "data-turn" in link.attrs] == []


@pytest.mark.parametrize(
    ("minutes", "said"), [(14, None), (15, "12"), (17, "11"), (20, "9"), (12 * 60, None), (13 * 60, None)]
)
def test_hands_an_hour_are_told_only_where_the_time_tells_something(
    owners: Client, played: Evening, minutes: int, said: str | None
):
    Evening.objects.filter(pk=played.pk).update(ended_at=played.started_at + timedelta(minutes=minutes))
    found = [node.attrs["data-pace"] for node in review(owners, played).all("p") if "data-pace" in node.attrs]
    assert found == ([said] if said else [])


def test_running_session_has_no_review(owners: Client, played: Evening):
    for path in ("settle/", ""):
        assert "Looking back" in Page.of(owners.get(url(played, path))).text
    evenings.reopen(played.pk)
    for path in ("settle/", ""):
        assert "Looking back" not in Page.of(owners.get(url(played, path))).text


def test_a_correction_shows_at_once(owners: Client, owner: User, played: Evening):
    review(owners, played)
    evenings.reopen(played.pk)
    ledger.void(played.pk, 2, by=owner)
    evenings.end(played.pk)
    found = review(owners, played)
    assert [link.attrs["data-remarkable"] for link in found.all("a") if "data-remarkable" in link.attrs] == ["1", "3"]


@pytest.mark.parametrize("path", ["", "settle/"])
def test_session_leads_to_those_before_and_after(owners: Client, owner: User, path: str):
    first, middle, last = (evening_of(owner) for _ in range(3))
    elsewhere = evening_of(owner, names=("Xénia", "Yvette", "Zita"))
    for evening, days in ((first, 30), (middle, 20), (elsewhere, 15), (last, 10)):
        start = timezone.now() - timedelta(days=days)
        Evening.objects.filter(pk=evening.pk).update(started_at=start, ended_at=start)
    beside = {
        evening.pk: [
            (link.attrs["rel"], link.attrs["href"])
            for link in Page.of(owners.get(url(evening, path))).all("a")
            if link.attrs.get("rel") in ("prev", "next")
        ]
        for evening in (first, middle, last, elsewhere)
    }
    assert beside == {
        first.pk: [("next", url(middle, ""))],
        middle.pk: [("prev", url(first, "")), ("next", url(last, ""))],
        last.pk: [("prev", url(middle, ""))],
        elsewhere.pk: [],
    }


# --- The course of the evening on the page that settles it: a drawing, one sentence, and the figures ---


NAMES = ["Anna", "Béla", "Cili"]


def course(page: Page) -> Node:
    return page.one("section", aria_labelledby="course-title")


def curves(nodes: list[Node]) -> list[str]:
    return [node.attrs["data-curve"] for node in nodes if "data-curve" in node.attrs]


@pytest.fixture
def three(evening: Evening, owner: User) -> Evening:
    for declarer, deal in ((0, "2H 7"), (1, "2H 7"), (2, "1S 5")):
        record(evening, owner, deal, declarer=declarer)
    return evening


def test_curve_and_table_have_the_same_balances(viewers: Client, three: Evening):
    drawn = course(Page.of(viewers.get(url(three))))
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
