"""Sums of years: changed with each roll-up, filled in by migrate, and the faults that `verify` finds in them."""

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, EveningRollup, Player, User, YearSums
from sessions_app.readers import verify
from sessions_app.readers.evening_edit import shape_of
from sessions_app.readers.evening_figures import EDITION
from sessions_app.readers.year_sums import GameSums, YearKey, summed, year_key_of
from sessions_app.writers import evening_edit, evenings, ledger, players, rollups, year_sums
from tests.factories import record
from tests.ledger.books import assert_verified, everything
from tests.ledger.reading import as_it_is

pytestmark = pytest.mark.django_db


def sums_of(evening: Evening) -> GameSums:
    circle, game_key, year = year_key_of(evening)
    row = YearSums.objects.get(circle=circle, game_key=game_key, year=year)
    return GameSums.unpacked(row.sums, row.results, row.best, row.rollups, row.keys)


def faults() -> list[str]:
    found: list[str] = []
    verify.verify(lambda fault: found.append(str(fault)))
    return found


@pytest.fixture
def another(three_hands: Evening, owner: User) -> Evening:
    """A second evening of the circle, in which Dóra sits for Anna: Béla +12, Dóra and Cili −6."""
    opening = evenings.Opening(("Dóra", "Béla", "Cili"), 0)
    evening = evenings.start(opening, token=uuid4(), by=owner, circle=three_hands.circle)
    record(evening, owner, "2H 7", declarer=1)
    return as_it_is(evening)


def amounts_of(sums: GameSums) -> dict[str, dict[int, int]]:
    """Return each figure's amounts by the player's name: the names stand in the order in which evenings were added."""
    return {each: dict(zip(sums.names, column, strict=True)) for each, column in sums.amounts.items()}


def points_of(evening: Evening) -> dict[str, int]:
    sums, names = sums_of(evening), dict(Player.objects.values_list("pk", "name"))
    return {names[name]: points for name, points in zip(sums.names, sums.amounts["points"], strict=True)}


def test_an_evening_is_added_when_it_ends_and_taken_away_when_it_is_reopened(
    three_hands: Evening, another: Evening
) -> None:
    assert not YearSums.objects.exists()
    evenings.end(three_hands.pk)
    assert points_of(three_hands) == {"Anna": 10, "Béla": 22, "Cili": -32}
    alone = everything()["YearSums"]
    evenings.end(another.pk)
    assert points_of(three_hands) == {"Anna": 10, "Béla": 34, "Cili": -38, "Dóra": -6}
    assert sums_of(three_hands).rollups == 2
    assert_verified()
    evenings.reopen(another.pk)
    assert [{**row, "id": 0} for row in everything()["YearSums"]] == [{**row, "id": 0} for row in alone]
    evenings.reopen(three_hands.pk)
    assert not YearSums.objects.exists()


def test_whatever_is_taken_away_the_sums_are_those_of_the_rest(three_hands: Evening, another: Evening) -> None:
    for evening in (three_hands, another):
        evenings.end(evening.pk)
    evenings.reopen(three_hands.pk)
    assert points_of(another) == {"Dóra": -6, "Béla": 12, "Cili": -6}
    assert_verified()


def test_merging_renaming_and_a_new_stake_do_not_touch_them(
    three_hands: Evening, another: Evening, owner: User
) -> None:
    for evening in (three_hands, another):
        evenings.end(evening.pk)
    before, circle = everything()["YearSums"], three_hands.circle_id
    anna, dora = (Player.objects.get(circle=circle, name=name) for name in ("Anna", "Dóra"))
    evening_edit.edit(three_hands.pk, replace(shape_of(as_it_is(three_hands)), stake=Decimal(20)), seen=0, by=owner)
    players.rename(circle, anna.pk, "Annamária", by=owner)
    players.merge(circle, anna.pk, dora.pk, by=owner)
    assert_verified()
    assert everything()["YearSums"] == before
    evenings.reopen(another.pk)
    evenings.end(another.pk)
    assert points_of(another) == {"Annamária": 10, "Béla": 34, "Cili": -38, "Dóra": -6}
    assert_verified()
    merged = everything()["YearSums"]
    players.unmerge(circle, dora.pk, by=owner)
    assert_verified()
    assert everything()["YearSums"] == merged


def test_a_removed_evening_is_taken_away(three_hands: Evening, owner: User) -> None:
    unused = evenings.start(
        evenings.Opening(("Dóra", "Béla", "Cili"), 0), token=uuid4(), by=owner, circle=three_hands.circle
    )
    for evening in (three_hands, unused):
        evenings.end(evening.pk)
    evenings.remove(unused.pk, by=owner)
    assert sums_of(three_hands).rollups == 1
    assert_verified()


def test_each_game_and_each_year_has_its_own(three_hands: Evening, owner: User) -> None:
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, game_key="preference")
    other = evenings.start(opening, token=uuid4(), by=owner, circle=three_hands.circle)
    ledger.record(other.pk, token=uuid4(), number=1, facts=Facts(0, None, "= D1+5", deal_stays=True), by=owner)
    evenings.end(other.pk)
    Evening.objects.filter(pk=three_hands.pk).update(started_at=other.started_at.replace(year=2020))
    evenings.end(three_hands.pk)
    keys = YearSums.objects.order_by("year").values_list("game_key", "year")
    assert list(keys) == [("asszorti", 2020), ("preference", other.started_at.year)]
    assert_verified()


def test_amounts_of_different_scales_are_one(three_hands: Evening) -> None:
    sums = GameSums()
    for evening, scale in enumerate((1, 2, 3)):
        row = [{"points": 1, "won": scale}, {"points": 1}, [0, 5]]
        other = [{"points": -1}, {}, [-5, 0]]
        sums.add(evening, evening, [7, 8 + evening], {"scale": scale, "seats": [row, other], "best": {}})
    assert sums.scale == 6
    assert Fraction(sums.amounts["points"][0], sums.scale) == Fraction(11, 6)
    assert Fraction(sums.amounts["won"][0], sums.scale) == 3
    for evening, scale in enumerate((1, 2, 3)):
        row = [{"points": 1, "won": scale}, {"points": 1}, [0, 5]]
        sums.take(evening, evening, {"scale": scale, "seats": [row, [{"points": -1}, {}, [-5, 0]]], "best": {}})
    assert sums == GameSums(scale=6)


def test_a_year_that_cannot_be_read_does_not_keep_an_evening_from_ending(
    three_hands: Evening, another: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    evenings.end(three_hands.pk)
    YearSums.objects.update(sums="[1]")
    evenings.end(another.pk)
    assert "Could not change the sums" in caplog.text
    assert faults() == [
        f"circle {another.circle_id}: its sums of asszorti in {another.started_at.year} are missing",
    ]
    assert year_sums.fill() == 1
    assert_verified()


def test_years_are_filled_in_by_migrate(three_hands: Evening, another: Evening) -> None:
    for evening in (three_hands, another):
        evenings.end(evening.pk)
    was = amounts_of(sums_of(another))
    changes: tuple[Callable[[], object], ...] = (
        lambda: YearSums.objects.all().delete(),
        lambda: YearSums.objects.update(edition=EDITION - 1),
        lambda: YearSums.objects.update(rollups=1),
        lambda: YearSums.objects.update(year=1999),
        lambda: EveningRollup.objects.all().delete(),
    )
    for change in changes:
        change()
        call_command("migrate", verbosity=0)
        assert YearSums.objects.count() == 1
        assert amounts_of(sums_of(another)) == was
        assert_verified()
    assert year_sums.fill() == 0


def test_a_damaged_roll_up_does_not_keep_other_years_from_being_filled_in(
    three_hands: Evening, another: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    Evening.objects.filter(pk=three_hands.pk).update(started_at=three_hands.started_at.replace(year=2020))
    for evening in (three_hands, another):
        evenings.end(evening.pk)
    YearSums.objects.all().delete()
    EveningRollup.objects.filter(evening=three_hands).update(figures=[])
    rollups.fill()
    assert [row.year for row in YearSums.objects.all()] == [another.started_at.year]
    assert "Could not add up" in caplog.text


def plant(column: str, change: Callable[[Any], object]) -> Callable[[], object]:
    """Change what a text of the only row says."""

    def planted() -> None:
        row = YearSums.objects.get()
        value = json.loads(getattr(row, column))
        change(value)
        YearSums.objects.update(**{column: json.dumps(value)})

    return planted


PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "a wrong amount": (
        plant("sums", lambda sums: sums[2]["points"].__setitem__(0, 11)),
        "have 11 as points of player {anna}; the roll-ups give 10",
    ),
    "a lost amount": (
        plant("sums", lambda sums: sums[2]["won"].__setitem__(0, 0)),
        "have None as won of player {anna}; the roll-ups give 2",
    ),
    "a figure too many": (
        plant("sums", lambda sums: sums[2].update(luck=[1, 0, 0])),
        "have 1 as luck of player {anna}; the roll-ups give None",
    ),
    "a wrong number": (
        plant("sums", lambda sums: sums[3]["won"].__setitem__(0, 9)),
        "have 9 as number of hands or sessions of won of player {anna}; the roll-ups give 3",
    ),
    "a wrong debt": (
        plant("sums", lambda sums: sums[4][0].__setitem__(2, 15)),
        "have 15 as debts of player {anna} and player {cili}; the roll-ups give 14",
    ),
    "a session too many of two": (
        plant("sums", lambda sums: sums[5][0].__setitem__(2, 2)),
        "have 2 as sessions of player {anna} and player {cili}; the roll-ups give 1",
    ),
    "a wrong result": (
        plant("results", lambda results: results[0][3].__setitem__(0, 7)),
        "have ('7', '",
    ),
    "another dearest hand": (
        plant("best", lambda best: next(iter(best.values())).update(played=2)),
        "have {{'",
    ),
    "a scale of nothing": (plant("sums", lambda sums: sums.__setitem__(0, 0)), "cannot be read: "),
    "a column too short": (plant("sums", lambda sums: sums[2]["points"].pop()), "cannot be read: "),
    "texts of no shape": (lambda: YearSums.objects.update(sums="{}"), "cannot be read: "),
    "no text": (lambda: YearSums.objects.update(results=""), "cannot be read: "),
    "a wrong count": (
        lambda: YearSums.objects.update(rollups=2),
        "have 2 as number of roll-ups; the roll-ups give 1",
    ),
    "wrong keys": (lambda: YearSums.objects.update(keys=0), "have None as sum of the roll-ups' keys; "),
    "none": (lambda: YearSums.objects.all().delete(), "are missing"),
    "one of another edition": (
        lambda: YearSums.objects.update(edition=EDITION + 1),
        f"are of edition {EDITION + 1}, not {EDITION}",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_verify_names_what_is_planted(three_hands: Evening, name: str) -> None:
    evenings.end(three_hands.pk)
    assert faults() == []
    planted, said = PLANTED[name]
    planted()
    (fault,) = faults()
    anna, cili = (Player.objects.get(name=who).pk for who in ("Anna", "Cili"))
    where = f"circle {three_hands.circle_id}: its sums of asszorti in {three_hands.started_at.year} "
    assert fault.startswith(where + said.format(anna=anna, cili=cili))


def test_verify_names_sums_of_a_year_without_evenings(three_hands: Evening) -> None:
    evenings.end(three_hands.pk)
    row = YearSums.objects.get()
    YearSums.objects.create(
        circle=three_hands.circle, game_key="tarokk", year=2001, **summed(YearKey(*[0, "", 2001])).packed()
    )
    assert faults() == [f"circle {row.circle_id}: its sums of tarokk in 2001 are there, but no roll-ups"]
    assert year_sums.fill() == 1
    assert_verified()
