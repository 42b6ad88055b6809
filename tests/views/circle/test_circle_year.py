"""A year of a circle on one page: its figures are those of the recount, and each leads to what is behind it."""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.games import GAMES
from sessions_app.models import Circle, Evening, Role, User
from tests.factories import MemberFactory, record
from tests.statistics.generate import generate
from tests.statistics.reading import facts
from tests.statistics.recount import ALL, BUDAPEST, Figure, Recount, recount
from tests.views.page import Page

pytestmark = pytest.mark.django_db

#: Figures of single hands, which the recount of many does not have.
OF_HANDS = ("dearest_hand", "boldest_feat", "rarest_feat")
FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)


def url(circle: int, year: int) -> str:
    return f"/circles/{circle}/years/{year}/"


@pytest.fixture
def archive(owner: User) -> Circle:
    """All games over two years; the last evening runs still."""
    (circle,) = generate(owner, sessions=40, hands=10, players=9, seed=7, apart=timedelta(days=17))
    return circle


def of_2026(circle: Circle) -> list[dict[str, Any]]:
    found = [each for each in facts(circle=circle) if each["started_at"].astimezone(BUDAPEST).year == 2026]
    return sorted(found, key=lambda each: (each["started_at"], each["id"]))


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


def test_figures_of_a_year_are_those_of_the_recount(owners: Client, archive: Circle) -> None:
    expected, evenings = recount(facts(circle=archive), since=FIRST, until=LAST), of_2026(archive)
    page = Page.of(owners.get(url(archive.pk, 2026)))
    seen = set()
    for node in page.nodes():
        measure = node.attrs.get("data-measure", "dearest_hand")
        if measure in OF_HANDS:
            continue
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
    months = Counter(f"{each['started_at'].astimezone(BUDAPEST):%Y-%m}" for each in evenings)
    shown = {
        node.attrs["data-month"]: int(node.attrs["data-evenings"])
        for node in page.nodes()
        if "data-month" in node.attrs
    }
    assert shown == months
    assert page.of_class("year-sum")[0].one("b").attrs["data-evenings"] == str(len(evenings))


def test_the_course_adds_the_evenings_up_and_turns_where_the_lead_changed_last(owners: Client, archive: Circle) -> None:
    expected, evenings = recount(facts(circle=archive), since=FIRST, until=LAST), of_2026(archive)
    page = Page.of(owners.get(url(archive.pk, 2026)))
    for game in GAMES:
        after = balances(expected, evenings, game)
        leaders = [{player for player, value in sums.items() if value == max(sums.values())} for _pk, sums in after]
        turn = len(after) - 1
        while turn and leaders[turn - 1] == leaders[-1]:
            turn -= 1
        (section,) = [each for each in page.all("section") if each.attrs.get("aria-labelledby") == f"{game}-title"]
        (marked,) = [each for each in section.nodes() if "data-session" in each.attrs]
        assert marked.attrs["data-session"] == str(after[turn][0])
        assert marked.attrs["href"] == f"/sessions/{after[turn][0]}/"
        lines = [node.attrs["data-curve"] for node in section.all("g") if "data-curve" in node.attrs]
        assert lines == [node.attrs["data-curve"] for node in section.all("th") if "data-curve" in node.attrs]
        ends = sorted((Fraction(line.split()[-1]) for line in lines), reverse=True)
        every = sorted(after[-1][1].values(), reverse=True)
        assert ends == every[: len(ends)]
        assert len(ends) == min(len(every), 8)
        assert all(len(line.split()) == len(after) for line in lines)


def test_the_dearest_hand_is_the_one_in_which_somebody_won_or_lost_the_most(owners: Client, archive: Circle) -> None:
    page = Page.of(owners.get(url(archive.pk, 2026)))
    for game in GAMES:
        dearest: list[tuple[Any, str]] = []
        played = 0
        for evening in of_2026(archive):
            if evening["game"] != game:
                continue
            # The number of a hand is its place: nothing is deleted.
            for number, hand in enumerate(evening["hands"], 1):
                if hand["kind"] == "played" and not hand["is_void"]:
                    played += 1
                    alone = recount([{**evening, "hands": [hand]}])
                    amounts = [
                        alone[Figure(game, measure, player)].value
                        for player in evening["seats"].values()
                        for measure in ("as_declarer", "as_opponent")
                    ]
                    most = max(map(abs, amounts))
                    dearest.append((most, f"/sessions/{evening['id']}/hands/{number}/"))
        link = page.one("a", data_measure="dearest_hand", data_game=game)
        most = max(value for value, _address in dearest)
        assert abs(Fraction(link.attrs["data-value"])) == most
        assert link.attrs["data-of"] == str(played)
        assert link.attrs["href"] == next(address for value, address in dearest if value == most)
        assert owners.get(link.attrs["href"]).status_code == 200


def test_money_is_drawn_by_currency_and_ends_with_the_statistics(owners: Client, archive: Circle) -> None:
    expected = recount(facts(circle=archive), since=FIRST, until=LAST)
    page = Page.of(owners.get(url(archive.pk, 2026)))
    currencies = {figure.key for figure in expected.figures if (figure.game, figure.measure) == (ALL, "money")}
    assert currencies == {"HUF", "EUR"}
    for currency in currencies:
        (section,) = [
            each for each in page.all("section") if each.attrs.get("aria-labelledby") == f"money-{currency}-title"
        ]
        ends = [
            Fraction(node.attrs["data-curve"].split()[-1]) for node in section.all("g") if "data-curve" in node.attrs
        ]
        money = [
            value.value
            for figure, value in expected.figures.items()
            if (figure.game, figure.measure, figure.key) == (ALL, "money", currency)
        ]
        assert sorted(ends, reverse=True) == sorted(money, reverse=True)[: len(ends)]


def test_a_foreign_circle_and_a_year_out_of_range_are_not_found(owners: Client, evening: Evening) -> None:
    foreign = MemberFactory(role=Role.OWNER).circle
    assert owners.get(url(foreign.pk, 2026)).status_code == 404
    for year in (0, 1899, 2200, 10**30):
        assert owners.get(url(evening.circle_id, year)).status_code == 404


def test_years_lead_to_those_beside_them_over_empty_ones(owners: Client, owner: User, evening: Evening) -> None:
    record(evening, owner)
    this_year = timezone.localdate(evening.started_at).year
    empty = Page.of(owners.get(url(evening.circle_id, this_year - 5)))
    assert f"Nothing was played in {this_year - 5}." in empty.text
    assert empty.one("a", rel="next").attrs["href"] == url(evening.circle_id, this_year)
    later = Page.of(owners.get(url(evening.circle_id, this_year + 3)))
    assert later.one("a", rel="prev").attrs["href"] == url(evening.circle_id, this_year)
    there = Page.of(owners.get(url(evening.circle_id, this_year)))
    assert not there.of_class("years")


@pytest.mark.django_db(transaction=True)
def test_cached_hands_of_a_year_are_read_again_after_a_new_hand(
    owners: Client, owner: User, evening: Evening, django_assert_num_queries: Callable[..., Any]
) -> None:
    year = timezone.localdate(evening.started_at).year

    def dearest() -> str:
        page = Page.of(owners.get(url(evening.circle_id, year)))
        return page.one("a", data_measure="dearest_hand").attrs["data-value"]

    record(evening, owner, "2H 7", declarer=1)
    assert dearest() == "12"
    with django_assert_num_queries(7):
        dearest()
    record(evening, owner, "2H 9", declarer=1)
    assert dearest() != "12"


def test_boldest_and_rarest_hand_are_the_first_of_their_kind(owners: Client, owner: User, evening: Evening) -> None:
    for deal in ("2H 7 K", "2H 7 R", "2H 6-5-0", "2H 7 R", "2H 6-5-0"):
        record(evening, owner, deal)
    page = Page.of(owners.get(url(evening.circle_id, timezone.localdate(evening.started_at).year)))
    for measure, number in (("boldest_feat", 2), ("rarest_feat", 3)):
        link = page.one("a", data_measure=measure, data_game="asszorti")
        assert link.attrs["href"] == f"/sessions/{evening.pk}/hands/{number}/"
        assert (link.attrs["data-value"], link.attrs["data-of"]) == ("2", "5")


def test_year_for_paper_has_the_figures_of_the_year_and_is_found_from_it(owners: Client, archive: Circle) -> None:
    year = Page.of(owners.get(url(archive.pk, 2026)))
    paper = Page.of(owners.get(year.links["On two sheets of paper"]))
    assert [part.text for part in paper.of_class("year-game")] == [part.text for part in year.of_class("year-game")]
    assert paper.links["The year 2026"] == url(archive.pk, 2026)
    assert paper.of_class("years") == []
