"""The statistics' pages: thresholds, choices, money, rankings, languages, and what an outsider is told.

Their figures are compared with a recount in tests/statistics/test_statistics.py.
"""

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record
from tests.views.page import HUNGARIAN, Node, Page


def url(evening: Evening, rest: str = "") -> str:
    return f"/circles/{evening.circle_id}/statistics/{rest}"


def player_url(evening: Evening, seat: int = 0, rest: str = "") -> str:
    player = evening.seats.get(position=seat).player_id
    return f"/circles/{evening.circle_id}/players/{player}/statistics/{rest}"


def figure(page: Page, **which: str) -> Node:
    """The first element with these marks: a figure may stand at two places of a page."""
    return next(
        node for node in page.nodes() if all(node.attrs.get(f"data-{name}") == value for name, value in which.items())
    )


def names(page: Page, ranking: str) -> list[str]:
    return [row.all("bdi")[0].text for row in page.one("section", aria_labelledby=ranking).all("li")]


@pytest.fixture
def played(evening: Evening, owner: User) -> Evening:
    """Anna declares three hands and makes two, Béla makes his one."""
    for declarer, deal in ((0, "2H 7"), (0, "2H 8"), (1, "1N 9"), (0, "3S 4")):
        record(evening, owner, deal, declarer=declarer)
    evening.refresh_from_db()
    return evening


def test_viewer_sees_two_rankings(viewers: Client, played: Evening):
    page = Page.of(viewers.get(url(played)))
    assert sorted(names(page, "by-points")) == sorted(names(page, "by-merit")) == ["Anna", "Béla", "Cili"]
    points = [node for node in page.one("section", aria_labelledby="by-points").all("a") if "data-value" in node.attrs]
    values = [int(node.attrs["data-value"]) for node in points]
    assert values == sorted(values, reverse=True)
    assert sum(values) == 0
    assert "+50 for each one made, −50 for each one failed" in page.text
    assert "each opponent gets 40, with four players 30" in page.text


def test_rate_and_its_legend_are_left_out_below_the_threshold(owners: Client, owner: User, evening: Evening):
    for _hand in range(9):
        record(evening, owner, "2H 7", declarer=0)
    player = str(evening.seats.get(position=0).player_id)

    def won(address: str) -> tuple[str, bool]:
        page = Page.of(owners.get(address))
        return figure(page, measure="won", player=player).text, "the share or the mean (⌀)" in page.text

    for address in (player_url(evening), url(evening)):
        assert won(address) == ("9 / 9", False)
    record(evening, owner, "2H 5", declarer=0)
    for address in (player_url(evening), url(evening)):
        assert won(address) == ("9 90% · 10", True)


@pytest.mark.parametrize(("count", "shown"), [(4, "/ 4"), (5, "⌀ +12.0 · 5")])
def test_a_mean_of_evenings_needs_five(owners: Client, owner: User, evening: Evening, count: int, shown: str):
    for number in range(count):
        each = evening if number == 0 else evening_of(owner)
        record(each, owner, "2H 7", declarer=0)
    player = str(evening.seats.get(position=0).player_id)
    page = Page.of(owners.get(url(evening)))
    assert figure(page, measure="points", player=player).text == f"+{12 * count} {shown}"


def test_money_is_never_added_over_currencies(owners: Client, owner: User, evening: Evening):
    record(evening, owner, "2H 7", declarer=0)
    other = evening_of(owner, currency="EUR")
    record(other, owner, "2H 7", declarer=0)
    player = str(evening.seats.get(position=0).player_id)
    page = Page.of(owners.get(player_url(evening)))
    found = {key: figure(page, measure="money", game="all", player=player, key=key).attrs for key in ("HUF", "EUR")}
    assert [attrs["data-value"] for attrs in found.values()] == ["120", "120"]
    assert [attrs["data-of"] for attrs in found.values()] == ["1", "1"]


def test_a_period_is_chosen_by_the_start_of_the_evening(owners: Client, owner: User, played: Evening):
    evenings.end(played.pk)
    year = timezone.localdate().year
    Evening.objects.filter(pk=played.pk).update(started_at=timezone.localtime().replace(year=year - 1, month=3, day=5))
    here, nothing = "By points", "Nothing was played in this period."
    for query, text in (
        ("", here),
        ("?period=last", here),
        ("?period=year", nothing),
        (f"?from={year - 1}-03-05&to={year - 1}-03-05", here),
        (f"?from={year - 1}-03-06", nothing),
        (f"?to={year - 1}-03-04", nothing),
    ):
        page = Page.of(owners.get(url(played, query)))
        assert text in page.text, query


@pytest.mark.parametrize(
    ("ago", "asked", "offered"),
    [
        ((0,), "", ()),
        ((0, 0), "period=year", (0,)),
        ((0,), "period=last", (1,)),
        ((0,), "from=2001-01-01", ()),
        ((0, 1), "", (0, 1)),
        ((0, 2), "", (0,)),
        ((1, 2), "", (1,)),
        ((2,), "", ()),
        ((2,), "period=year", (0,)),
    ],
)
def test_only_years_with_play_are_offered_and_the_chosen_one(
    owners: Client, owner: User, evening: Evening, ago: tuple[int, ...], asked: str, offered: tuple[int, ...]
):
    """A year that holds all there is shows nothing else than all time does."""
    year = timezone.localdate().year
    for number, years in enumerate(ago):
        each = evening if number == 0 else evening_of(owner)
        record(each, owner)
        Evening.objects.filter(pk=each.pk).update(started_at=timezone.localtime().replace(year=year - years, day=5))
    empty = evening_of(owner)
    Evening.objects.filter(pk=empty.pk).update(started_at=timezone.localtime().replace(year=year - 1, day=5))
    expected = ["All", *(str(year - years) for years in offered)] if asked or offered else []
    for address in (url(evening, f"?{asked}"), player_url(evening, 0, f"?{asked}")):
        switches = Page.of(owners.get(address)).all("nav", aria_label="Period")
        assert [link.text for nav in switches for link in nav.all("a")] == expected


@pytest.mark.parametrize("rest", ["", "won/"], ids=["player", "figure"])
@pytest.mark.parametrize(
    ("asked", "field", "sentence", "magyar"),
    [
        ({"from": "nonsense", "to": "2026-01-31"}, "from", "Enter a date, like", "Adj meg egy dátumot"),
        ({"to": "2026-99-99"}, "to", "Enter a date, like", "Adj meg egy dátumot"),
        ({"to": "9999-12-31"}, "to", "Enter a date, like", "Adj meg egy dátumot"),
        ({"to": "x" * 300}, "to", "This is too long", "Ez túl hosszú"),
        ({"from": "2026-12-31", "to": "2026-01-01"}, "to", "This is before the first day.", "Ez korábbi"),
    ],
)
def test_days_that_cannot_be_are_refused_beside_their_field_and_what_was_typed_stays(
    owners: Client, played: Evening, rest: str, asked: dict[str, str], field: str, sentence: str, magyar: str
):
    for address in (url(played), player_url(played, 0, rest)):
        response = owners.get(address, asked)
        assert response.status_code == 422
        page = Page.of(response)
        assert page.error(field).startswith(sentence)
        assert "open" in page.of_class("days")[0].attrs
        for name, typed in asked.items():
            assert page.one("input", name=name).attrs["value"] == typed
        assert "data-measure" not in page.html
        assert magyar in Page.of(owners.get(address, asked, headers=HUNGARIAN)).error(field)


@pytest.mark.parametrize("period", ["period=last", "from=2001-01-01&to=2001-12-31"])
def test_no_link_of_a_period_without_play_leads_nowhere(owners: Client, played: Evening, period: str):
    addresses = [url(played, f"?{period}"), player_url(played, 0, f"?{period}")]
    for address in addresses:
        page = Page.of(owners.get(address))
        links = {node.attrs["href"] for node in page.all("a") if node.attrs["href"].startswith("/circles/")}
        for link in links - set(addresses):
            assert owners.get(link).status_code == 200, link
        assert not page.of_class("stat")
    for old in ("evenings/?game=all", "hands/?game=all", "money/?game=all&key=HUF", "points/?"):
        page = Page.of(owners.get(player_url(played, 0, f"{old}&{period}")))
        assert "0 sessions." in page.text


def test_the_best_evenings_can_be_chosen(owners: Client, owner: User, evening: Evening):
    """Anna's best five of six are those that she won."""
    for number in range(6):
        each = evening if number == 0 else evening_of(owner)
        record(each, owner, "2H 5" if number == 0 else "2H 7", declarer=0)
    player = str(evening.seats.get(position=0).player_id)
    page = Page.of(owners.get(url(evening, "?best=5")))
    best = figure(page, measure="merit_best", player=player)
    assert (best.attrs["data-value"], best.attrs["data-of"], best.attrs["data-key"]) == (str(5 * 62), "5", "5")
    assert best.text == "best 5: ⌀ +62.0"
    assert "data-measure" in page.html
    assert "merit_best" not in Page.of(owners.get(url(evening, "?best=4"))).html


def test_the_hands_behind_a_figure_are_linked(owners: Client, owner: User, played: Evening):
    ledger.void(played.pk, 2, by=owner)
    page = Page.of(owners.get(player_url(played, 0, "declared/?game=asszorti&key=2H")))
    assert figure(page, measure="declared", key="2H").text == "1 / 3"
    assert page.links["#1"] == f"/sessions/{played.pk}/hands/1/"
    assert "#2" not in page.links
    points = Page.of(owners.get(player_url(played, 0, "as_declarer/?game=asszorti")))
    assert "#1 +12" in points.links


@pytest.mark.parametrize(
    "rest",
    [
        "luck/",
        "declared/?key=9Z",
        "against/?against=987654",
        "merit_made/",
        "won/?key=2H",
        "won/?game=all",
        "money/",
        "money/?key=XXX",
        "merit/?key=x",
    ],
)
def test_unknown_figure_is_not_found(owners: Client, played: Evening, rest: str):
    assert owners.get(player_url(played, 0, rest)).status_code == 404


def test_a_player_of_another_circle_is_not_found(owners: Client, played: Evening, outsiders: Client):
    stranger = Evening.objects.exclude(circle=played.circle_id).get().seats.all()[0].player_id
    for rest in ("", "won/"):
        address = f"/circles/{played.circle_id}/players/{stranger}/statistics/{rest}"
        assert owners.get(address).status_code == 404
    assert owners.get(player_url(played, 0, f"against/?against={stranger}")).status_code == 404


def test_a_circle_that_has_played_nothing_says_so(owners: Client, evening: Evening):
    for address in (url, player_url):
        assert Page.of(owners.get(address(evening))).of_class("empty")[0].text == "Nothing yet."
        asked = Page.of(owners.get(f"{address(evening)}?period=last"))
        assert asked.of_class("empty")[0].text == "Nothing was played in this period."
