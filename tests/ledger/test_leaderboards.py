"""Leaderboards of a circle over all its evenings, against a recount hand by hand."""

import pytest

from scorekeeper.games.amounts import Amount
from sessions_app.hand_facts import Facts
from sessions_app.models import Circle, Evening, Player, User
from sessions_app.readers.book.leaderboards import leaderboards
from sessions_app.readers.book.statistics import ALL, statistics
from sessions_app.words.periods import Period
from sessions_app.writers import evenings, ledger
from tests.factories import begun, evening_of, record, record_all

pytestmark = pytest.mark.django_db


def points(circle: Circle) -> dict[str, dict[str, tuple[Amount, int]]]:
    """Points and evenings by game and name."""
    names = dict(Player.objects.values_list("pk", "name"))
    return {
        each.key: {names[row.player]: (row.value, row.evenings) for row in each.rows}
        for each in leaderboards(circle).games
    }


@pytest.mark.parametrize(
    ("names", "hands", "took_part"),
    [
        ("Anna Béla Cili", [(0, None, "= B0>1+5")], "Anna Béla Cili"),
        ("Anna Béla Cili", [(0, None, "R 4-3-3")], "Anna Béla Cili"),
        ("Anna Béla Cili Dóra", [(0, None, "R 4-3-3-0")], "Anna Béla Cili Dóra"),
        # He writes consolation each time, and has played nothing.
        ("Anna Béla Cili Dóra", [(0, 1, "6S ww 4-3-3"), (0, 1, "6S ww 4-3-3")], "Béla Cili Dóra"),
        ("Anna Béla Cili Dóra", [(0, 1, "6S ww 4-3-3"), (1, 2, "6S ww 4-3-3")], "Anna Béla Cili Dóra"),
    ],
    ids=["agreed entries alone", "all pass", "dealer plays the talon", "one dealer twice", "two dealers"],
)
def test_session_of_preference_counts_for_all_who_took_part_and_nobody_else(
    owner: User, names: str, hands: list[tuple[int, int | None, str]], took_part: str
):
    evening = begun(owner, "preference", names=names.split())
    record_all(evening, owner, *(Facts(*hand, deal_stays=hand[-1].startswith("=")) for hand in hands))
    for end in (evenings.reopen, evenings.end):
        end(evening.pk)
        counted = {name for name, (_points, times) in points(evening.circle)["preference"].items() if times}
        assert counted == set(took_part.split())
        require_figures_of_statistics(evening.circle)


def test_ended_evening_is_added_up_by_its_points_and_one_without_them_by_its_sheet(owner: User, evening: Evening):
    ended = evening_of(owner)
    record(ended, owner, "2H 7", declarer=0)
    evenings.end(ended.pk)
    record(evening, owner, "2H 7", declarer=0)
    assert points(evening.circle)["asszorti"]["Anna"] == (24, 2)
    evenings.reopen(ended.pk)
    ledger.void(ended.pk, 1, by=owner)
    assert points(evening.circle)["asszorti"]["Anna"] == (12, 1), "the points it ended with count no more"
    ledger.restore(ended.pk, 1, by=owner)
    evenings.end(ended.pk)
    ended.seats.update(points=None)
    assert points(evening.circle)["asszorti"]["Anna"] == (24, 2)


def require_figures_of_statistics(circle: Circle) -> None:
    found, figures = leaderboards(circle), statistics(circle, Period())
    for board in (*found.games, *found.money):
        assert [row.value for row in board.rows] == sorted((row.value for row in board.rows), reverse=True)
    assert {each.key: each.evenings for each in found.games} == figures.sums.played
    assert {(each.key, row.player, row.value, row.evenings) for each in found.games for row in each.rows} == {
        (game, person, *figures.figure(game, person, "points"))
        for game in figures.games
        for person in figures.people
        if any(figures.figure(game, person, "points"))
    }
    assert {(each.key, row.player, row.value, row.evenings) for each in found.money for row in each.rows} == {
        (key, person, *figure)
        for person in figures.people
        for (name, key), figure in figures.figures(ALL, person).items()
        if name == "money" and any(figure)
    }
