"""The statistics of a circle agree with the recount of its facts, for several periods; the pages show the same."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.games import GAMES
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, EveningRollup, Hand, Revision, User
from sessions_app.readers.book.statistics import FigureSpec, Statistics, figure_evenings, merit_of, statistics
from sessions_app.readers.book.statistics_sums import longest_streak
from sessions_app.readers.evening.figures import EDITION
from sessions_app.words.periods import Period
from sessions_app.writers import evenings, ledger
from tests.ledger.books import assert_verified, edit
from tests.selection import first_rows
from tests.statistics.generate import generate
from tests.statistics.recount import ALL, Counted, Figure, Recount, facts, names_by_heading, recount
from tests.views.page import Node, Page

pytestmark = pytest.mark.django_db

#: All, two years, days that cut the archive, and a time in which nothing was played.
PERIODS = {
    "all": Period(),
    "2025": Period(date(2025, 1, 1), date(2025, 12, 31)),
    "2026": Period(date(2026, 1, 1), date(2026, 12, 31)),
    "some days": Period(date(2025, 6, 1), date(2026, 3, 15)),
    "until": Period(None, date(2025, 12, 31)),
    "nothing": Period(date(2001, 1, 1), date(2001, 12, 31)),
}


@pytest.fixture
def archive(owner: User) -> Circle:
    """All games, over two years: every other evening of the three is another game; the last runs still."""
    return generate(owner, sessions=40, hands=14, players=9, seed=7, apart=timedelta(days=17))


def each_figure(found: Statistics) -> Iterator[tuple[FigureSpec, Counted]]:
    for person in found.people.values():
        for game in (*found.games, ALL):
            for (name, key), figure in found.figures(game, person.pk).items():
                yield FigureSpec(game, person, name, key), Counted(*figure)
            for other, figure in found.against(game, person.pk).items():
                yield FigureSpec(game, person, "against", against=found.people[other]), Counted(*figure)


def shown(found: Statistics) -> dict[Figure, Counted]:
    """Every figure of the statistics that is not 0 of 0."""
    return {
        Figure(of.game, of.name, of.person.pk, of.key, of.against.pk if of.against else None): counted
        for of, counted in each_figure(found)
        if counted != (0, 0) and not of.name.startswith("merit_")
    }


def counted(circle: Circle, period: Period) -> Recount:
    return recount(facts(circle=circle), since=period.first, until=period.last)


def assert_agree(found: Statistics, expected: Recount) -> None:
    """Compare both ways: nothing is missing, nothing too many."""
    for figure, value in shown(found).items():
        assert expected[figure] == value, figure
    for figure, value in expected.figures.items():
        if figure.measure == "against":
            assert found.against(figure.game, figure.player).get(figure.against or 0, (0, 0)) == value, figure
        else:
            assert found.figure(figure.game, figure.player, figure.measure, figure.key) == value, figure


def test_every_figure_of_a_sound_archive_agrees_with_the_recount_in_every_period(archive: Circle) -> None:
    assert_verified()
    assert set(Hand.objects.values_list("kind", flat=True)) == set(Hand.Kind)
    assert set(Revision.objects.values_list("action", flat=True)) == {"record", "amend", "void", "restore"}
    assert set(archive.evenings.values_list("game_key", flat=True)) == set(GAMES)
    assert Evening.objects.exclude(seating=0).exists(), "players came and went"
    assert list(Evening.objects.filter(ended_at=None)) == [archive.evenings.latest("started_at")]
    for name, period in PERIODS.items():
        expected = counted(archive, period)
        found = statistics(archive, period)
        assert_agree(found, expected)
        assert bool(found.games) is (name != "nothing")
        for game in found.games:
            for player in found.people:
                for best in (1, 3, 100):
                    merit = merit_of(found, game, player, best)
                    mean = Fraction(merit.value) / merit.of if merit.of else None
                    assert mean == expected.best_merit(game, player, best)
    whole = shown(statistics(archive, Period()))
    assert {figure.measure for figure in whole} >= names_by_heading()["every session"]
    some = EveningRollup.objects.values_list("pk", flat=True)
    EveningRollup.objects.filter(pk__in=list(some[:5])).delete()
    EveningRollup.objects.filter(pk__in=list(some[:5])).update(edition=EDITION + 1)
    assert shown(statistics(archive, Period())) == whole, "an evening without a current roll-up counts by its hands"


@pytest.mark.parametrize(
    ("won", "streak"), [("", (0, 0)), ("01", (1, 1)), ("1011", (2, 2)), ("11011", (0, 2)), ("000", (0, 0))]
)
def test_longest_streak_is_the_first_of_the_longest(won: str, streak: tuple[int, int]) -> None:
    assert longest_streak([each == "1" for each in won]) == streak


def test_midnight_is_that_of_the_tables(owner: User) -> None:
    """Half an hour past midnight in Budapest is the day before in UTC."""
    circle = generate(owner, sessions=3, hands=4, players=5, seed=1)
    evening = Evening.objects.filter(circle=circle).earliest("pk")
    Evening.objects.exclude(pk=evening.pk).delete()
    Evening.objects.filter(pk=evening.pk).update(started_at=datetime(2025, 12, 31, 23, 30, tzinfo=UTC))
    for period, has_it in ((Period(date(2026, 1, 1), None), True), (Period(None, date(2025, 12, 31)), False)):
        assert bool(statistics(circle, period).evenings) is has_it


#: The figure is one of the evenings behind it, or their number; of all others it is the sum.
NO_SUM = ("best_evening", "worst_evening", "streak_won", "streak_lost")


def test_the_evenings_behind_a_figure_add_up_to_it(archive: Circle) -> None:
    period = PERIODS["some days"]
    found = statistics(archive, period)
    # The merit ranking counts evenings, and its parts have no page.
    figures = [each for each in each_figure(found) if not each[0].name.startswith("merit")]
    asked = figures[::7]
    assert len(asked) > 100
    for figure, shown_figure in asked:
        behind = figure_evenings(archive, period, found, figure, 0, 1000)
        assert behind.count == len(behind.evenings)
        if figure.name in NO_SUM:
            assert behind.count == shown_figure.value if "streak" in figure.name else behind.count >= 1
        else:
            assert behind.figure == shown_figure, figure
        hands = [hand for evening in behind.evenings for hand in evening.hands]
        if hands:
            assert sum(hand.value for hand in hands) == shown_figure.value


def marked(page: Page) -> dict[Figure, Counted]:
    """The figures that a page shows, by their marks; one that stands twice says the same."""
    found: dict[Figure, Counted] = {}
    for node in page.nodes():
        if "data-measure" not in node.attrs:
            continue
        figure, value = figure_of(node)
        assert found.setdefault(figure, value) == value, figure
    return found


def figure_of(node: Node) -> tuple[Figure, Counted]:
    of = node.attrs
    against = int(of["data-against"]) if "data-against" in of else None
    figure = Figure(of["data-game"], of["data-measure"], int(of["data-player"]), of.get("data-key", ""), against)
    return figure, Counted(Fraction(of["data-value"]), int(of["data-of"]))


QUERIES = {"all": "", "2026": "period=days&from=2026-01-01&to=2026-12-31", "some days": "from=2025-06-01&to=2026-03-15"}


@pytest.mark.parametrize(("game", "name"), first_rows(2, zip(GAMES, QUERIES, strict=True)))
def test_the_pages_show_what_the_recount_gives(owners: Client, archive: Circle, game: str, name: str) -> None:
    expected = counted(archive, PERIODS[name])
    query = f"?game={game}&{QUERIES[name]}"
    page = marked(Page.of(owners.get(f"/circles/{archive.pk}/statistics/{query}")))
    assert {figure.game for figure in page} == {game, ALL}
    played = {figure.player for figure in expected.figures if figure.game == game}
    for player in played:
        page |= marked(Page.of(owners.get(f"/circles/{archive.pk}/players/{player}/statistics/{query}")))
    for figure, value in page.items():
        if figure.measure == "merit":
            merit = sum(each.merit for each in expected.evenings[game, figure.player])
            assert value == (merit, len(expected.evenings[game, figure.player]))
        else:
            assert value == expected[figure], figure
    wanted = {figure for figure, value in expected.figures.items() if figure.game == game and value.value}
    assert wanted - page.keys() == set()


def test_figure_links_to_the_sessions_behind_it(owners: Client, archive: Circle) -> None:
    player = next(iter(statistics(archive, Period()).people))
    page = Page.of(owners.get(f"/circles/{archive.pk}/players/{player}/statistics/?game=tarokk"))
    links = [node for node in page.nodes() if "data-measure" in node.attrs and "href" in node.attrs]
    assert len(links) > 20
    for link in links[::4]:
        behind = Page.of(owners.get(link.attrs["href"]))
        (total,) = [node for node in behind.nodes() if "data-measure" in node.attrs]
        figure, value = figure_of(link)
        assert figure_of(total)[0] == figure
        if figure.measure not in NO_SUM:
            assert figure_of(total)[1] == value
        (found,) = [int(node.attrs["data-found"]) for node in behind.nodes() if "data-found" in node.attrs]
        assert len(behind.all("li", **{})) >= min(found, 10)
        assert sum("data-session" in node.attrs for node in behind.all("li")) == min(found, 10)


@pytest.mark.parametrize("sessions", [3, 40])
def test_the_pages_ask_as_many_queries_whatever_was_played(
    owners: Client, owner: User, django_assert_num_queries: Callable[..., Any], sessions: int
) -> None:
    circle = generate(owner, sessions=sessions, hands=6, players=9, seed=3)
    found = statistics(circle, Period())
    player = found.players(found.games[0])[0].pk
    statistics_page = f"/circles/{circle.pk}/statistics/"
    player_page = f"/circles/{circle.pk}/players/{player}/statistics/"
    for path, queries in ((statistics_page, 9), (player_page, 9), (f"{player_page}won/", 18)):
        owners.get(path)
        with django_assert_num_queries(queries):
            assert owners.get(path).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_cached_statistics_are_never_older_than_the_hands(
    owner: User, owners: Client, django_assert_num_queries: Callable[..., Any]
) -> None:
    circle = generate(owner, sessions=6, hands=6, players=6, seed=3)
    path = f"/circles/{circle.pk}/statistics/"
    running = Evening.objects.get(circle=circle, ended_at=None)
    player = running.seats.all()[0].player_id

    def agree() -> None:
        expected = counted(circle, Period())
        assert_agree(statistics(circle, Period()), expected)
        for figure, value in marked(Page.of(owners.get(path))).items():
            assert figure.measure == "merit" or expected[figure] == value, figure
        behind = marked(Page.of(owners.get(f"/circles/{circle.pk}/players/{player}/statistics/won/")))
        assert behind == {figure: expected[figure] for figure in behind}

    agree()
    with django_assert_num_queries(7):
        owners.get(path)
    evenings.end(running.pk)
    agree()
    other = EveningRollup.objects.exclude(evening=running).earliest("pk").evening
    evenings.reopen(other.pk)
    agree()
    hand = other.hands.filter(kind="played", is_void=False, lineup=other.lineup).first()
    again = Facts(hand.dealer, hand.declarer, hand.deal)
    ledger.record(other.pk, token=uuid4(), number=other.last_number + 1, facts=again, by=owner)
    agree()
    ledger.void(other.pk, 1, by=owner)
    agree()
    edit(running, owner, stake=Decimal(3), currency="EUR")
    agree()
