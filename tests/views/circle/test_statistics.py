"""The pages of statistics and of a year: thresholds, choices, money, rankings, languages, and what an outsider is told.

Their figures are compared with a recount in tests/statistics/test_statistics.py.
"""

from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.games import GAMES
from sessions_app.models import Evening, User
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record
from tests.statistics.generate import generate
from tests.statistics.recount import ALL, BUDAPEST, Figure, Recount, facts, recount
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


def test_a_mean_of_evenings_needs_five_and_the_best_of_them_can_be_chosen(
    owners: Client, owner: User, evening: Evening
):
    """Anna's best five of six are those that she won."""
    player = str(evening.seats.get(position=0).player_id)
    for count, shown in ((1, ""), (2, ""), (3, ""), (4, "/ 4"), (5, "⌀ +12.0 · 5")):
        record(evening if count == 1 else evening_of(owner), owner, "2H 7", declarer=0)
        text = figure(Page.of(owners.get(url(evening))), measure="points", player=player).text
        assert not shown or text == f"+{12 * count} {shown}"
    record(evening_of(owner), owner, "2H 5", declarer=0)
    best = figure(Page.of(owners.get(url(evening, "?best=5"))), measure="merit_best", player=player)
    assert (best.attrs["data-value"], best.attrs["data-of"], best.attrs["data-key"]) == (str(5 * 62), "5", "5")
    assert best.text == "best 5: ⌀ +62.0"
    assert "merit_best" not in Page.of(owners.get(url(evening, "?best=4"))).html


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
        assert text in Page.of(owners.get(url(played, query))).text, query


def test_only_years_with_play_are_offered_and_the_chosen_one(owners: Client, owner: User, evening: Evening):
    """A year that holds all there is shows nothing else than all time does."""

    def begin(each: Evening, years: int) -> None:
        began = timezone.localtime().replace(year=timezone.localdate().year - years, day=5)
        Evening.objects.filter(pk=each.pk).update(started_at=began)

    def offered(asked: str) -> set[str]:
        addresses = (url(evening, f"?{asked}"), player_url(evening, 0, f"?{asked}"))
        switches = [Page.of(owners.get(address)).all("nav", aria_label="Period") for address in addresses]
        return {" ".join(link.text for nav in navs for link in nav.all("a")) for navs in switches}

    this = timezone.localdate().year
    last = this - 1
    record(evening, owner)
    begin(evening_of(owner), 1)
    for years, asked, shown in (
        (0, "", ""),
        (0, "period=year", f"All {this}"),
        (0, "period=last", f"All {last}"),
        (0, "from=2001-01-01", "All"),
        (2, "", ""),
        (2, "period=year", f"All {this}"),
    ):
        begin(evening, years)
        assert offered(asked) == {shown}
    record(other := evening_of(owner), owner)
    begin(other, 1)
    assert offered("") == {f"All {last}"}
    begin(evening, 0)
    assert offered("") == {f"All {this} {last}"}


def test_days_that_cannot_be_are_refused_beside_their_field_and_what_was_typed_stays(owners: Client, played: Evening):
    no_day = ("Enter a date, like", "Adj meg egy dátumot")
    for asked, field, (sentence, magyar) in (
        ({"from": "nonsense", "to": "2026-01-31"}, "from", no_day),
        ({"to": "2026-99-99"}, "to", no_day),
        ({"to": "9999-12-31"}, "to", no_day),
        ({"to": "x" * 300}, "to", ("This is too long", "Ez túl hosszú")),
        ({"from": "2026-12-31", "to": "2026-01-01"}, "to", ("This is before the first day.", "Ez korábbi")),
    ):
        for address in (url(played), player_url(played, 0), player_url(played, 0, "won/")):
            page = Page.of(owners.get(address, asked), 422)
            assert page.error(field).startswith(sentence)
            assert "open" in page.of_class("days")[0].attrs
            for name, typed in asked.items():
                assert page.one("input", name=name).attrs["value"] == typed
            assert "data-measure" not in page.html
            assert magyar in Page.of(owners.get(address, asked, headers=HUNGARIAN)).error(field)


def test_no_link_of_a_period_without_play_leads_nowhere(owners: Client, played: Evening):
    period = "from=2001-01-01&to=2001-12-31"
    addresses = [url(played, f"?{period}"), player_url(played, 0, f"?{period}")]
    for address in addresses:
        page = Page.of(owners.get(address))
        links = {node.attrs["href"] for node in page.all("a") if node.attrs["href"].startswith("/circles/")}
        for link in links - set(addresses):
            assert owners.get(link).status_code == 200, link
        assert not page.of_class("stat")
    for old in ("evenings/?game=all", "hands/?game=all", "money/?game=all&key=HUF", "points/?"):
        assert "0 sessions." in Page.of(owners.get(player_url(played, 0, f"{old}&{period}"))).text


def test_the_hands_behind_a_figure_are_linked(owners: Client, owner: User, played: Evening):
    ledger.void(played.pk, 2, by=owner)
    page = Page.of(owners.get(player_url(played, 0, "declared/?game=asszorti&key=2H")))
    assert figure(page, measure="declared", key="2H").text == "1 / 3"
    assert page.links["#1"] == f"/sessions/{played.pk}/hands/1/"
    assert "#2" not in page.links
    assert "#1 +12" in Page.of(owners.get(player_url(played, 0, "as_declarer/?game=asszorti"))).links


def test_unknown_figure_and_player_of_another_circle_are_not_found(owners: Client, played: Evening, outsiders: Client):
    for rest in (
        *("luck/", "declared/?key=9Z", "against/?against=987654", "merit_made/", "won/?key=2H", "won/?game=all"),
        *("money/", "money/?key=XXX", "merit/?key=x"),
    ):
        assert owners.get(player_url(played, 0, rest)).status_code == 404
    stranger = Evening.objects.exclude(circle=played.circle_id).get().seats.all()[0].player_id
    for rest in ("statistics/", "statistics/won/", "statement/", ""):
        assert owners.get(f"/circles/{played.circle_id}/players/{stranger}/{rest}").status_code == 404
    assert owners.get(player_url(played, 0, f"against/?against={stranger}")).status_code == 404


def test_a_circle_that_has_played_nothing_says_so(owners: Client, evening: Evening):
    for address in (url, player_url):
        assert Page.of(owners.get(address(evening))).of_class("empty")[0].text == "Nothing yet."
        asked = Page.of(owners.get(f"{address(evening)}?period=last"))
        assert asked.of_class("empty")[0].text == "Nothing was played in this period."
    statement = Page.of(owners.get(player_url(evening).replace("statistics", "statement")))
    assert "No sessions or payments yet." in statement.text
    assert not statement.all("table")


def year_url(circle: int, year: int) -> str:
    return f"/circles/{circle}/years/{year}/"


def balances(recounted: Recount, evenings: list[dict[str, Any]], game: str) -> list[tuple[int, dict[int, Any]]]:
    """Each evening of the game with the balances of those who took part, summed up so far."""
    by_evening: dict[int, dict[int, Any]] = defaultdict(dict)
    for (played, player), results in recounted.evenings.items():
        for each in results if played == game else ():
            by_evening[each.evening][player] = each.balance
    sums: Counter[int] = Counter()
    found = []
    for evening in evenings:
        if evening["game"] == game:
            sums.update(by_evening[evening["id"]])
            found.append((evening["id"], dict(sums)))
    return found


def check_figures(page: Page, expected: Recount, evenings: list[dict[str, Any]]) -> None:
    seen = set()
    for node in page.nodes():
        measure = node.attrs.get("data-measure", "dearest_hand")
        if measure in ("dearest_hand", "boldest_feat", "rarest_feat"):
            continue  # of a single hand, which the recount of many does not have
        game, player, key = node.attrs["data-game"], int(node.attrs["data-player"]), node.attrs.get("data-key", "")
        value, of = Fraction(node.attrs["data-value"]), int(node.attrs["data-of"])
        seen.add((game, measure))
        if measure == "merit":
            results = expected.evenings[game, player]
            assert (value, of) == (sum(each.merit for each in results), len(results))
        else:
            against = int(node.attrs["data-against"]) if "data-against" in node.attrs else None
            assert (value, of) == expected[Figure(game, measure, player, key, against)]
    assert seen == {(game, each) for game in GAMES for each in ("points", "merit", "streak_won", "against")}
    marks = [node.attrs for node in page.nodes() if "data-month" in node.attrs]
    months = Counter(f"{each['started_at'].astimezone(BUDAPEST):%Y-%m}" for each in evenings)
    assert {each["data-month"]: int(each["data-evenings"]) for each in marks} == months
    assert page.of_class("year-sum")[0].one("b").attrs["data-evenings"] == str(len(evenings))


def check_course(page: Page, expected: Recount, evenings: list[dict[str, Any]]) -> None:
    """The curves add the evenings up, and the turning point is where the lead changed last."""

    def ends(of: str) -> list[Fraction]:
        section = page.one("section", aria_labelledby=of)
        lines = [node.attrs["data-curve"] for node in section.all("g") if "data-curve" in node.attrs]
        assert lines == [node.attrs["data-curve"] for node in section.all("th") if "data-curve" in node.attrs]
        return sorted((Fraction(line.split()[-1]) for line in lines), reverse=True)

    for game in GAMES:
        after = balances(expected, evenings, game)
        leaders = [{player for player, value in sums.items() if value == max(sums.values())} for _pk, sums in after]
        turn = len(after) - 1
        while turn and leaders[turn - 1] == leaders[-1]:
            turn -= 1
        section = page.one("section", aria_labelledby=f"{game}-title")
        (marked,) = [each for each in section.nodes() if "data-session" in each.attrs]
        assert marked.attrs["data-session"] == str(after[turn][0])
        assert marked.attrs["href"] == f"/sessions/{after[turn][0]}/"
        assert ends(f"{game}-title") == sorted(after[-1][1].values(), reverse=True)[:8]
        curves = [node.attrs["data-curve"] for node in section.all("g") if "data-curve" in node.attrs]
        assert all(len(curve.split()) == len(after) for curve in curves)
    money = {each: value for each, value in expected.figures.items() if (each.game, each.measure) == (ALL, "money")}
    assert {figure.key for figure in money} == {"HUF", "EUR"}
    for currency in ("HUF", "EUR"):
        won = [value.value for figure, value in money.items() if figure.key == currency]
        found = ends(f"money-{currency}-title")
        assert found == sorted(won, reverse=True)[: len(found)]


def check_dearest_hand(page: Page, evenings: list[dict[str, Any]]) -> None:
    """It is the first in which somebody won or lost the most."""
    for game in GAMES:
        found: list[tuple[Any, str]] = []
        for evening in (each for each in evenings if each["game"] == game):
            # The number of a hand is its place: nothing is deleted.
            for number, hand in enumerate(evening["hands"], 1):
                if hand["kind"] == "played" and not hand["is_void"]:
                    alone = recount([{**evening, "hands": [hand]}])
                    measures = product(("as_declarer", "as_opponent"), evening["seats"].values())
                    amounts = [alone[Figure(game, *each)].value for each in measures]
                    found.append((max(map(abs, amounts)), f"/sessions/{evening['id']}/hands/{number}/"))
        link = page.one("a", data_measure="dearest_hand", data_game=game)
        most = max(value for value, _address in found)
        assert abs(Fraction(link.attrs["data-value"])) == most
        assert link.attrs["data-of"] == str(len(found))
        assert link.attrs["href"] == next(address for value, address in found if value == most)


def test_year_is_that_of_the_recount(owners: Client, owner: User) -> None:
    """The book has all games over two years; its last evening runs still."""
    circle = generate(owner, sessions=40, hands=10, players=9, seed=7, apart=timedelta(days=17))
    page, played = Page.of(owners.get(year_url(circle.pk, 2026))), facts(circle=circle)
    expected = recount(played, since=date(2026, 1, 1), until=date(2026, 12, 31))
    evenings = [each for each in played if each["started_at"].astimezone(BUDAPEST).year == 2026]
    evenings.sort(key=lambda each: (each["started_at"], each["id"]))
    check_figures(page, expected, evenings)
    check_course(page, expected, evenings)
    check_dearest_hand(page, evenings)


def test_years_lead_to_those_beside_them_over_empty_ones_and_to_paper(
    owners: Client, owner: User, evening: Evening
) -> None:
    record(evening, owner)
    this_year = timezone.localdate(evening.started_at).year
    empty = Page.of(owners.get(year_url(evening.circle_id, this_year - 5)))
    assert f"Nothing was played in {this_year - 5}." in empty.text
    assert empty.one("a", rel="next").attrs["href"] == year_url(evening.circle_id, this_year)
    later = Page.of(owners.get(year_url(evening.circle_id, this_year + 3)))
    assert later.one("a", rel="prev").attrs["href"] == year_url(evening.circle_id, this_year)
    year = Page.of(owners.get(year_url(evening.circle_id, this_year)))
    assert not year.of_class("years")
    paper = Page.of(owners.get(year.links["On two sheets of paper"]))
    assert [part.text for part in paper.of_class("year-game")] == [part.text for part in year.of_class("year-game")]
    assert paper.links[f"The year {this_year}"] == year_url(evening.circle_id, this_year)
    assert paper.of_class("years") == []
    for none in (0, 1899, 2200, 10**30):
        assert owners.get(year_url(evening.circle_id, none)).status_code == 404


def test_boldest_and_rarest_hand_are_the_first_of_their_kind(owners: Client, owner: User, evening: Evening) -> None:
    for deal in ("2H 7 K", "2H 7 R", "2H 6-5-0", "2H 7 R", "2H 6-5-0"):
        record(evening, owner, deal)
    page = Page.of(owners.get(year_url(evening.circle_id, timezone.localdate(evening.started_at).year)))
    for measure, number in (("boldest_feat", 2), ("rarest_feat", 3)):
        link = page.one("a", data_measure=measure, data_game="asszorti")
        assert link.attrs["href"] == f"/sessions/{evening.pk}/hands/{number}/"
        assert (link.attrs["data-value"], link.attrs["data-of"]) == ("2", "5")
