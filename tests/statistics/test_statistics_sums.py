"""Sums to which evenings are added, and from which they are taken away, are those of the evenings that are left."""

from collections.abc import Iterable
from datetime import timedelta
from random import Random

import pytest
from django.db.models import F
from django.test import Client

from sessions_app.models import Circle, Evening, EveningRollup, User
from sessions_app.periods import Period
from sessions_app.readers import statistics as reader
from sessions_app.readers.statistics import people_of, statistics, stored_evenings
from sessions_app.readers.statistics_sums import CountedEvening, Sums
from sessions_app.writers import evenings, players
from tests.statistics.generate import generate
from tests.statistics.test_statistics import assert_agree, counted, record_again, shown, two_who_never_met


def sums_of(every: Iterable[CountedEvening]) -> Sums:
    found = Sums()
    for each in every:
        found.add(each)
    return found


def all_of(circle: Circle, sums: Sums) -> object:
    """Everything that is asked of sums."""
    found = reader.Statistics(people_of(circle), sums, None)
    results = {key: found.results(*key) for key in sums.by_player}
    merits = {key: found.merits(*key) for key in sums.by_player}
    return shown(found), found.games, found.evenings, results, merits


@pytest.mark.django_db
def test_taking_evenings_away_leaves_the_sums_of_the_others(owner: User) -> None:
    (circle,) = generate(owner, sessions=40, hands=8, players=9, seed=4)
    every = list(stored_evenings(circle, Period()))
    whole, chance = sums_of(every), Random(6)  # noqa: S311
    before = all_of(circle, whole)
    for _turn in range(12):
        gone = chance.sample(every, chance.randint(1, len(every)))
        left = whole.copy()
        for each in gone:
            left.take(each)
        assert all_of(circle, left) == all_of(circle, sums_of(each for each in every if each not in gone))
        again = left.copy()
        for each in gone:
            again.add(each)
        assert all_of(circle, again) == before
        assert all_of(circle, whole) == before, "sums that were copied stay as they are"


@pytest.mark.django_db(transaction=True)
def test_only_evenings_that_have_changed_are_added_up_again(
    owner: User, owners: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    (circle,) = generate(owner, sessions=24, hands=4, players=16, seed=5, apart=timedelta(days=3))
    period = Period()

    def agree() -> None:
        assert_agree(statistics(circle, period), counted(circle, period))

    agree()
    monkeypatch.setattr(reader, "_summed", None)
    running = Evening.objects.get(circle=circle, ended_at=None)
    evenings.end(running.pk)
    agree()
    evenings.reopen(running.pk)
    agree()
    record_again(running, owner)
    agree()
    evenings.end(running.pk)
    agree()
    other = EveningRollup.objects.exclude(evening=running).earliest("pk").evening
    Evening.objects.filter(pk=other.pk).update(stake="3", currency="EUR", version=F("version") + 1)
    agree()
    one, name = two_who_never_met(circle)
    players.merge(circle.pk, one.pk, name.pk, by=owner)
    agree()
    players.unmerge(circle.pk, name.pk, by=owner)
    agree()


@pytest.mark.django_db(transaction=True)
def test_all_are_added_up_again_where_it_is_not_known_what_an_evening_had(owner: User) -> None:
    (circle,) = generate(owner, sessions=9, hands=4, players=6, seed=5, apart=timedelta(days=3))
    every = Evening.objects.filter(circle=circle).exclude(ended_at=None).order_by("started_at")
    first = every[0].started_at.date()
    periods = Period(), Period(first, first + timedelta(days=9))

    def agree() -> None:
        for period in periods:
            assert_agree(statistics(circle, period), counted(circle, period))

    agree()
    evenings.reopen(every[1].pk)
    agree()
    Evening.objects.filter(pk=every[0].pk).update(
        started_at=F("started_at") + timedelta(days=40), version=F("version") + 1
    )
    agree()
    Evening.objects.filter(pk=every[2].pk).delete()
    agree()
    Evening.objects.filter(circle=circle).update(version=F("version") + 1)
    agree()
