"""The review of an ended session, its course as a drawing, its pairs, and its result as text for a chat."""

import html
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import begun, evening_of, record, record_all
from tests.views.page import Node, Page
from tests.views.test_response_headers import ZIPPED


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


def test_hands_an_hour_are_told_only_where_the_time_tells_something(owners: Client, played: Evening):
    for minutes, said in ((14, []), (15, ["12"]), (17, ["11"]), (20, ["9"]), (12 * 60, []), (13 * 60, [])):
        Evening.objects.filter(pk=played.pk).update(ended_at=played.started_at + timedelta(minutes=minutes))
        paces = [node.attrs["data-pace"] for node in review(owners, played).all("p") if "data-pace" in node.attrs]
        assert paces == said, minutes


def test_running_session_has_no_review_and_a_correction_shows_in_it_at_once(
    owners: Client, owner: User, played: Evening
):
    for is_over in (True, False):
        for path in ("settle/", ""):
            assert ("Looking back" in Page.of(owners.get(url(played, path))).text) is is_over
        evenings.reopen(played.pk)
    ledger.void(played.pk, 2, by=owner)
    evenings.end(played.pk)
    found = review(owners, played)
    assert [link.attrs["data-remarkable"] for link in found.all("a") if "data-remarkable" in link.attrs] == ["1", "3"]


def test_session_leads_to_those_before_and_after(owners: Client, owner: User):
    first, middle, last = (evening_of(owner) for _ in range(3))
    elsewhere = evening_of(owner, names=("Xénia", "Yvette", "Zita"))
    for evening, days in ((first, 30), (middle, 20), (elsewhere, 15), (last, 10)):
        start = timezone.now() - timedelta(days=days)
        Evening.objects.filter(pk=evening.pk).update(started_at=start, ended_at=start)
    for evening, beside in (
        (first, [("next", middle)]),
        (middle, [("prev", first), ("next", last)]),
        (last, [("prev", middle)]),
        (elsewhere, []),
    ):
        for path in ("", "settle/"):
            page = Page.of(owners.get(url(evening, path)))
            found = [(link.attrs["rel"], link.attrs["href"]) for link in page.all("a") if "rel" in link.attrs]
            assert found == [(rel, url(other, "")) for rel, other in beside]
            named = [name.startswith("Next session: Asszorti, ") for name in page.links if "Next session" in name]
            assert named == [True] * ("next" in dict(beside))


# --- The course of the evening on the page that settles it: a drawing, one sentence, and the figures ---


def curves(nodes: list[Node]) -> list[str]:
    return [node.attrs["data-curve"] for node in nodes if "data-curve" in node.attrs]


def test_course_is_a_picture_with_a_title_and_a_sentence_and_a_table_of_the_same_balances(
    viewers: Client, owner: User, evening: Evening
):
    for declarer, deal in ((0, "2H 7"), (1, "2H 7"), (2, "1S 5")):
        record(evening, owner, deal, declarer=declarer)
    page = Page.of(viewers.get(url(evening)))
    drawn = page.one("section", aria_labelledby="course-title")
    names = ["Anna", "Béla", "Cili"]
    balances = ["12 6 12", "-6 6 12", "-6 -12 -24"]
    picture, table = drawn.one("svg"), drawn.one("table")
    assert [text.text for line in picture.of_class("line") for text in line.all("text")] == names
    assert curves(picture.of_class("line")) == balances
    assert picture.attrs["role"] == "img"
    assert [page.one(id=name).text for name in picture.attrs["aria-labelledby"].split()] == [
        "Course of the session",
        "In the lead since hand 2: Anna and Béla; highest: Anna +12 (hand 1), lowest: Cili −24 (hand 3).",
    ]
    assert [head.text for head in table.all("th", scope="col")] == ["Hand", *names]
    assert curves(table.all("th")) == balances
    rows = [[cell.text for cell in row.nodes()] for row in table.one("tbody").all("tr")]
    assert rows == [["1", "+12", "−6", "−6"], ["2", "+6", "+6", "−12"], ["3", "+12", "+12", "−24"]]
    assert "open" not in drawn.one("details").attrs


def test_page_of_an_ended_session_is_small(owners: Client, evening: Evening, play: Callable[..., Evening]):
    for hands, most in ((40, 6_500), (200, 10_000)):
        play(evening, hands)
        evenings.end(evening.pk)
        assert len(owners.get(url(evening), headers=ZIPPED).content) <= most
        evenings.reopen(evening.pk)


def pairs(page: Page) -> list[Node]:
    """The rows of who won from whom."""
    return page.one("section", aria_labelledby="pairwise").all("details")


def test_pairs_of_a_sheet_are_listed_below_the_payments_and_unfold_to_their_reasons(
    owners: Client, owner: User, evening: Evening
):
    record(evening, owner, "2H 7", declarer=0)  # Anna +12, Béla −6, Cili −6
    record(evening, owner, "1S 5", declarer=1)  # Béla −12, Anna +6, Cili +6
    page = Page.of(owners.get(url(evening)))
    assert page.balances == {0: 18, 1: -18, 2: 0}
    assert "If the session ended now: Béla →pays Anna HUF 180" in page.text
    assert [pair.one("summary").text for pair in pairs(page)] == [
        "Béla →pays Anna HUF 120",
        "Béla →pays Cili HUF 60",
        "Cili →pays Anna HUF 60",
    ]
    fold = next(each for each in page.one("section", aria_labelledby="pairwise").above if each.tag == "details")
    assert "open" not in fold.attrs
    record(evening, owner, "2H 5", declarer=0)  # Anna pays both 4
    why = pairs(Page.of(owners.get(url(evening))))[0].of_class("why")[0].text
    assert "Béla lost to Anna in 2 hands: 12" in why
    assert "Béla won from Anna in 1 hand: 4" in why
    assert "12 − 4 = 8" in why
    assert "8 × HUF 10 = HUF 80" in why


def test_session_without_hands_or_with_all_even_says_so(owners: Client, owner: User, evening: Evening):
    page = Page.of(owners.get(url(evening)))
    assert "No hands count in this session" in page.text
    assert page.balances == {0: 0, 1: 0, 2: 0}
    assert page.all("details") == []
    record(evening, owner, "2H 6-5-0")
    assert "Everybody is even" in Page.of(owners.get(url(evening))).text


def test_a_ring_of_debts_is_told_from_nothing_to_pay(owners: Client, owner: User, evening_of_four: Evening):
    """At a table of four all balances can be zero while each owes his neighbour."""
    for dealer in range(4):
        record(evening_of_four, owner, "2H 7", dealer=dealer)
    page = Page.of(owners.get(url(evening_of_four)))
    assert page.balances == dict.fromkeys(range(4), 0)
    assert "All balances are zero: nothing needs to be paid." in page.text
    assert len(pairs(page)) == 4


def test_the_result_stands_there_as_text_for_a_chat(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)  # Anna +12, Béla −6, Cili −6
    record(evening, owner, "1S 5", declarer=1)  # Béla −12, Anna +6, Cili +6
    evenings.end(evening.pk)
    Evening.objects.filter(pk=evening.pk).update(started_at=datetime(2026, 11, 20, 23, 30, tzinfo=UTC))
    for language, head, won, even, lost in (
        ("en", "21 November 2026|2 hands", "HUF 180", "HUF 0", "−HUF 180"),
        ("hu", "2026. november 21.|2 leosztás", "180 Ft", "0 Ft", "−180 Ft"),
    ):
        response = owners.get(url(evening), headers={"Accept-Language": language})
        lines = html.unescape(response.content.decode().partition("<textarea")[2].partition(">")[2].partition("<")[0])
        assert lines.replace("\xa0", " ").replace("\n", "|") == (
            f"Asszorti, {head}||Anna: +18 ({won})|Cili: 0 ({even})|Béla: −18 ({lost})||Béla → Anna: {won}"
        )


BROKEN_OFF = (
    "Broken off before the end, settled at the current score: a pool point is worth 10, a dump point costs 10, "
    "compared with the table's average."
)
OVER = "The game is over: the pool to 2 is full."


@pytest.mark.parametrize(
    ("deals", "sentence", "is_over"), [((), None, False), (("6 pp",), BROKEN_OFF, False), (("8 pp",), OVER, True)]
)
def test_settling_says_whether_the_game_is_over(
    owners: Client, owner: User, deals: tuple[str, ...], sentence: str | None, is_over: bool
):
    evening = begun(owner, "preference", "target=2")
    record_all(evening, owner, *(Facts(2, 0, deal) for deal in deals))
    page = Page.of(owners.get(url(evening)))
    said = [(each.text, "over" in each.attrs["class"].split()) for each in page.of_class("settled-as")]
    assert said == ([] if sentence is None else [(sentence, is_over)])
    if sentence:
        assert sentence in html.unescape(page.one("textarea").text)
