"""Statistics of whole years come from the stored sums of years, and are those that the roll-ups give."""

from datetime import date, timedelta

import pytest
from django.test import Client

from sessions_app.models import Circle, Evening, EveningRollup, User, YearSums
from sessions_app.periods import Period
from sessions_app.readers import statistics as reader
from sessions_app.readers.statistics import Statistics, people_of, statistics, stored_evenings
from sessions_app.writers import evenings, players
from tests.statistics.generate import generate
from tests.statistics.test_statistics import assert_agree, counted, record_again, shown, two_who_never_met

pytestmark = pytest.mark.django_db

WHOLE = {
    "all": Period(),
    "2025": Period(date(2025, 1, 1), date(2025, 12, 31)),
    "from 2026 on": Period(date(2026, 1, 1)),
    "until 2025": Period(None, date(2025, 12, 31)),
    "nothing": Period(date(2001, 1, 1), date(2002, 12, 31)),
}


@pytest.fixture
def circle(owner: User) -> Circle:
    (circle,) = generate(owner, sessions=30, hands=6, players=12, seed=8, apart=timedelta(days=23))
    return circle


def everything_of(circle: Circle, sums: reader.Sums) -> object:
    found = Statistics(people_of(circle), sums, None)
    results = {key: [(each[:6], result) for each, result in found.results(*key)] for key in sums.by_player}
    merits = {key: [(each[:6], result) for each, result in found.merits(*key)] for key in sums.by_player}
    best = {evening.pk: dict(evening.best) for evening in found.evenings}
    return shown(found), found.games, [each[:6] for each in found.evenings], results, merits, best


@pytest.mark.parametrize("name", WHOLE)
def test_they_are_what_the_roll_ups_give(circle: Circle, owner: User, name: str) -> None:
    period = WHOLE[name]

    def agree() -> None:
        people, stamp = people_of(circle), reader._stamp(circle, period)
        stored = reader._of_years(circle, period, stamp, people)
        assert stored is not None
        added = reader._summed(stored_evenings(circle, period))
        assert everything_of(circle, stored) == everything_of(circle, added)

    agree()
    one, other = two_who_never_met(circle)
    players.merge(circle.pk, one.pk, other.pk, by=owner)
    agree()
    evenings.reopen(EveningRollup.objects.earliest("pk").evening_id)
    agree()
    players.unmerge(circle.pk, other.pk, by=owner)
    agree()


def test_no_roll_up_is_read_for_whole_years(circle: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "stored_evenings", None)
    for period in WHOLE.values():
        assert_agree(statistics(circle, period), counted(circle, period))
    with pytest.raises(TypeError):
        statistics(circle, Period(date(2025, 1, 2), date(2025, 12, 31)))


def test_sums_that_are_not_those_of_the_roll_ups_are_passed_over(circle: Circle) -> None:
    period = Period()

    def agree() -> None:
        assert reader._of_years(circle, period, reader._stamp(circle, period), people_of(circle)) is None
        assert_agree(statistics(circle, period), counted(circle, period))

    row = YearSums.objects.earliest("pk")
    row.delete()
    agree()
    row.save(force_insert=True)
    YearSums.objects.filter(pk=row.pk).update(edition=row.edition - 1)
    agree()
    YearSums.objects.filter(pk=row.pk).update(edition=row.edition, keys=row.keys + 1)
    agree()
    YearSums.objects.filter(pk=row.pk).update(keys=row.keys)
    EveningRollup.objects.earliest("pk").evening.delete()
    agree()


@pytest.mark.django_db(transaction=True)
def test_a_page_that_nothing_is_cached_for_shows_what_the_recount_gives(
    owner: User, owners: Client, circle: Circle
) -> None:
    running = Evening.objects.get(circle=circle, ended_at=None)
    for change in (evenings.end, evenings.reopen):
        change(running.pk)
        if change is evenings.reopen:
            record_again(running, owner)
        for cache in (reader._sums_cache, reader._statistics_cache, reader._running_cache):
            cache.clear()
        assert_agree(statistics(circle, Period()), counted(circle, Period()))
        assert owners.get(f"/circles/{circle.pk}/years/2026/").status_code == 200
