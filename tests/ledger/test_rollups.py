"""Roll-ups of ended evenings: when they are written and deleted, and the faults that `verify` finds in them."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import transaction

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, EveningRollup, User
from sessions_app.readers import verify
from sessions_app.readers.evening.figures import EDITION, Figures, packed, records_of, stored_figures_of, unpacked
from sessions_app.writers import demo, evenings, ledger, rollups
from tests.factories import record
from tests.ledger.books import assert_verified
from tests.ledger.reading import as_it_is

pytestmark = pytest.mark.django_db

type Stored = dict[tuple[int, str, str], tuple[Any, int]]


def stored(evening: Evening) -> Stored:
    return unpacked(EveningRollup.objects.get(evening=evening).figures, evening.game)


def faults() -> list[str]:
    found: list[str] = []
    verify.verify(lambda fault: found.append(str(fault)))
    return found


def test_evening_gets_a_rollup_when_it_ends_and_loses_it_when_reopened(three_hands: Evening) -> None:
    assert not EveningRollup.objects.exists()
    evenings.end(three_hands.pk)
    assert stored(three_hands) == unpacked(stored_figures_of(three_hands), three_hands.game)
    evenings.end(three_hands.pk)
    assert EveningRollup.objects.count() == 1
    evenings.reopen(three_hands.pk)
    evenings.reopen(three_hands.pk)
    assert not EveningRollup.objects.exists()
    assert_verified()


def test_rollup_holds_points_hands_and_debts_by_seat(three_hands: Evening) -> None:
    evenings.end(three_hands.pk)
    figures = stored(three_hands)
    assert [figures[seat, "points", ""] for seat in range(3)] == [(10, 1), (22, 1), (-32, 1)]
    assert [figures[seat, "hands", ""] for seat in range(3)] == [(3, 0)] * 3
    assert figures[0, "declared", "3S"] == (1, 3)
    assert (0, "declared", "2H") not in figures
    assert figures[1, "declared_won", "2H"] == (1, 1)
    assert (figures[0, "against", "2"], figures[2, "against", "0"]) == ((14, 1), (-14, 1))


def test_agreed_entries_make_an_evening_and_no_hand(owner: User) -> None:
    opening = evenings.Opening(("Anna", "Béla", "Cili"), 0, game_key="preference")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    agreed = Facts(0, None, "= D1+5", deal_stays=True)
    ledger.record(evening.pk, token=uuid4(), number=1, facts=agreed, by=owner)
    evenings.end(evening.pk)
    figures = stored(evening)
    assert {seat for seat, name, _key in figures if name == "evenings"} == {0, 1, 2}  # all at the table
    assert [name for _seat, name, _key in figures if name == "hands"] == []
    points = [figures[seat, "points", ""] for seat in range(3)]
    assert [of for _amount, of in points] == [1, 1, 1]
    assert sum(amount for amount, _of in points) == 0
    assert all(isinstance(amount, Fraction) for amount, _of in points)


def test_rollup_counts_a_hand_recorded_while_the_evening_was_ending(
    three_hands: Evening, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted_too_early(evening: Evening) -> dict[str, Any]:
        found = stored_figures_of(evening)
        if not as_it_is(evening).last_number > 3:
            record(evening, owner, "2H 7")
        return found

    monkeypatch.setattr(evenings, "stored_figures_of", counted_too_early)
    evenings.end(three_hands.pk)
    assert stored(three_hands)[0, "hands", ""] == (4, 0)
    assert_verified()


def test_removed_evening_takes_its_rollup_along(evening: Evening, owner: User) -> None:
    evenings.end(evening.pk)
    evenings.remove(evening.pk, by=owner)
    assert not EveningRollup.objects.exists()


def test_demo_has_a_rollup_for_each_of_its_ended_evenings(owner: User) -> None:
    demo.lay(owner)
    assert EveningRollup.objects.count() == Evening.objects.exclude(ended_at=None).count() > 0
    assert_verified()


def plant(change: Callable[[dict[str, Any], dict[str, Any], list[int]], object]) -> Callable[[EveningRollup], object]:
    """Change the amounts, numbers and debts of seat 0 in the database."""

    def planted(row: EveningRollup) -> None:
        change(*row.figures["seats"][0])
        EveningRollup.objects.filter(pk=row.pk).update(figures=row.figures)

    return planted


def plant_best(change: Callable[[dict[str, Any]], object]) -> Callable[[EveningRollup], object]:
    """Return what changes the stored best hands."""

    def planted(row: EveningRollup) -> None:
        change(row.figures["best"])
        EveningRollup.objects.filter(pk=row.pk).update(figures=row.figures)

    return planted


PLANTED: dict[str, tuple[Callable[[EveningRollup], object], str]] = {
    "a wrong amount": (
        plant(lambda amounts, over, against: amounts.update(points=11)),
        "its roll-up has 11 over 1 as points of seat 0; the recount gives 10 over 1",
    ),
    "a wrong number": (
        plant(lambda amounts, over, against: over.update(won=2)),
        "its roll-up has 2 over 2 as won of seat 0; the recount gives 2 over 3",
    ),
    "a figure of a breakdown": (
        plant(lambda amounts, over, against: amounts.update({"declared 2H": 1})),
        "its roll-up has 1 over 3 as declared 2H of seat 0; the recount gives 0 over 0",
    ),
    "a lost figure": (
        plant(lambda amounts, over, against: (amounts.pop("won"), over.pop("won"))),
        "its roll-up has 0 over 0 as won of seat 0; the recount gives 2 over 3",
    ),
    "a figure too many": (
        plant(lambda amounts, over, against: (amounts.update(luck=1), over.update(luck=3))),
        "its roll-up has 1 over 3 as luck of seat 0; the recount gives 0 over 0",
    ),
    "a wrong debt": (
        plant(lambda amounts, over, against: against.__setitem__(2, 15)),
        "its roll-up has 15 over 1 as against 2 of seat 0; the recount gives 14 over 1",
    ),
    "another dearest hand": (
        plant_best(lambda best: best.update(dearest=[1, 0, "99"])),
        "its roll-up has BestHands(played=3, dearest=Dearest(number=1, seat=0, amount=99)",
    ),
    "a feat too many": (
        plant_best(lambda best: best["feats"].append(["luck", 9, [0], 0, 1, 1])),
        "its roll-up has BestHands(played=3, ",
    ),
    "best hands of no shape": (
        plant_best(lambda best: best.update(dearest=[1])),
        "its roll-up cannot be read: ",
    ),
    "figures of no shape": (
        lambda row: EveningRollup.objects.update(figures=json.loads('[[["points"]]]')),
        "its roll-up cannot be read: ",
    ),
    "none": (lambda row: row.delete(), "it has ended, but has no roll-up"),
    "one of another edition": (
        lambda row: EveningRollup.objects.update(edition=EDITION + 1),
        f"its roll-up is of edition {EDITION + 1}, not {EDITION}",
    ),
    "one of an evening that runs": (
        lambda row: Evening.objects.update(ended_at=None),
        "it has a roll-up, but has not ended",
    ),
}


def test_verify_names_each_fault_planted_in_a_rollup(three_hands: Evening) -> None:
    evenings.end(three_hands.pk)
    assert faults() == []
    for name, (planted, said) in PLANTED.items():
        with transaction.atomic():
            planted(EveningRollup.objects.get())
            (fault,) = faults()
            transaction.set_rollback(True)
        assert fault.startswith(f"session {three_hands.pk}: {said}"), name


def test_evenings_that_ended_before_there_were_any_are_filled_in_by_migrate(
    three_hands: Evening, evening_of_four: Evening, owner: User
) -> None:
    for evening in (three_hands, evening_of_four):
        evenings.end(evening.pk)
    kept = EveningRollup.objects.get(evening=three_hands)
    EveningRollup.objects.filter(evening=evening_of_four).delete()
    call_command("migrate", verbosity=0)
    assert EveningRollup.objects.count() == 2
    assert EveningRollup.objects.get(evening=three_hands).pk == kept.pk, "what is there stays"
    EveningRollup.objects.update(edition=EDITION - 1)
    assert rollups.fill() == 2
    assert rollups.fill() == 0
    assert_verified()


def test_a_damaged_evening_does_not_keep_the_others_from_being_filled_in(
    three_hands: Evening, owner: User, caplog: pytest.LogCaptureFixture
) -> None:
    whole = record(evenings.start(evenings.Opening(("D", "E", "F"), 0), token=uuid4(), by=owner), owner).evening
    for evening in (three_hands, whole):
        evenings.end(evening.pk)
    EveningRollup.objects.all().delete()
    three_hands.hands.filter(number=1).update(deal="nonsense")
    assert rollups.fill() == 1
    assert [row.evening_id for row in EveningRollup.objects.all()] == [whole.pk]
    assert f"session {three_hands.pk}" in caplog.text


def test_fractions_are_stored_as_whole_numbers_and_read_as_they_were(owner: User) -> None:
    evening = evenings.start(evenings.Opening(("Anna", "Béla", "Cili"), 0), token=uuid4(), by=owner)
    (found,) = records_of([evening])
    figures: Figures = {
        (0, "points", ""): (Fraction(-7, 3), 1),
        (0, "hands", ""): (5, 0),
        (0, "declared", ""): (2, 5),
        (0, "declared", "hN"): (2, 5),
        (1, "as_opponent", ""): (Fraction(5, 4), 2),
        (1, "declared_won", "hN"): (0, 2),
        (2, "against", "0"): (Fraction(1, 2), 1),
    }
    stored = json.loads(json.dumps(packed(found, figures)))
    assert stored["scale"] == 12
    read = unpacked(stored, evening.game)
    assert {key: value for key, value in read.items() if key in figures} == figures
    assert {value for key, value in read.items() if key not in figures} == {(0, 1)}, "debts of nothing"
    assert (0, "declared", "2H") not in unpacked(packed(found, {(0, "declared", "2H"): (0, 5)}), evening.game)
