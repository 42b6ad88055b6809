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
from sessions_app.writers import evenings, ledger, results
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


def test_evening_has_a_rollup_of_points_hands_and_debts_while_it_is_ended(three_hands: Evening) -> None:
    assert not EveningRollup.objects.exists()
    evenings.end(three_hands.pk)
    figures = stored(three_hands)
    assert figures == unpacked(stored_figures_of(three_hands), three_hands.game)
    assert [figures[seat, "points", ""] for seat in range(3)] == [(10, 1), (22, 1), (-32, 1)]
    assert [figures[seat, "hands", ""] for seat in range(3)] == [(3, 0)] * 3
    assert figures[0, "declared", "3S"] == (1, 3)
    assert (0, "declared", "2H") not in figures
    assert figures[1, "declared_won", "2H"] == (1, 1)
    assert (figures[0, "against", "2"], figures[2, "against", "0"]) == ((14, 1), (-14, 1))
    evenings.end(three_hands.pk)
    assert EveningRollup.objects.count() == 1
    for _twice in range(2):
        evenings.reopen(three_hands.pk)
    assert not EveningRollup.objects.exists()
    assert_verified()


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


#: Changes of the stored figures, and the fault that they are: seat 0 has amounts, numbers and debts.
WRONG_FIGURES: list[tuple[Callable[[Any], object], str]] = [
    (
        lambda figures: figures["seats"][0][0].update(points=11),
        "its roll-up has 11 over 1 as points of seat 0; the recount gives 10 over 1",
    ),
    (
        lambda figures: figures["seats"][0][1].update(won=2),
        "its roll-up has 2 over 2 as won of seat 0; the recount gives 2 over 3",
    ),
    (
        lambda figures: figures["seats"][0][0].update({"declared 2H": 1}),
        "its roll-up has 1 over 3 as declared 2H of seat 0; the recount gives 0 over 0",
    ),
    (
        lambda figures: [column.pop("won") for column in figures["seats"][0][:2]],
        "its roll-up has 0 over 0 as won of seat 0; the recount gives 2 over 3",
    ),
    (
        lambda figures: [column.update(luck=3) for column in figures["seats"][0][:2]],
        "its roll-up has 3 over 3 as luck of seat 0; the recount gives 0 over 0",
    ),
    (
        lambda figures: figures["seats"][0][2].__setitem__(2, 15),
        "its roll-up has 15 over 1 as against 2 of seat 0; the recount gives 14 over 1",
    ),
    (
        lambda figures: figures["best"].update(dearest=[1, 0, "99"]),
        "its roll-up has BestHands(played=3, dearest=Dearest(number=1, seat=0, amount=99)",
    ),
    (
        lambda figures: figures["best"]["feats"].append(["luck", 9, [0], 0, 1, 1]),
        "its roll-up has BestHands(played=3, ",
    ),
    (lambda figures: figures["best"].update(dearest=[1]), "its roll-up cannot be read: "),
    (lambda figures: figures.clear(), "its roll-up cannot be read: "),
]
WRONG_ROWS: list[tuple[Callable[[EveningRollup], object], str]] = [
    (lambda row: row.delete(), "it has ended, but has no roll-up"),
    (
        lambda row: EveningRollup.objects.update(edition=EDITION + 1),
        f"its roll-up is of edition {EDITION + 1}, not {EDITION}",
    ),
    (lambda row: Evening.objects.update(ended_at=None), "it has a roll-up, but has not ended"),
]


def with_figures(change: Callable[[Any], object]) -> Callable[[EveningRollup], object]:
    def plant(row: EveningRollup) -> None:
        change(row.figures)
        row.save()

    return plant


def test_verify_names_each_fault_planted_in_a_rollup(three_hands: Evening) -> None:
    evenings.end(three_hands.pk)
    assert faults() == []
    for plant, said in [*((with_figures(change), said) for change, said in WRONG_FIGURES), *WRONG_ROWS]:
        with transaction.atomic():
            plant(EveningRollup.objects.get())
            (fault,) = faults()
            transaction.set_rollback(True)
        assert fault.startswith(f"session {three_hands.pk}: {said}")


def test_migrate_fills_in_rollups_that_are_missing_or_of_another_edition_past_a_damaged_evening(
    three_hands: Evening, evening_of_four: Evening, owner: User, caplog: pytest.LogCaptureFixture
) -> None:
    for evening in (three_hands, evening_of_four):
        evenings.end(evening.pk)
    kept = EveningRollup.objects.get(evening=three_hands)
    EveningRollup.objects.filter(evening=evening_of_four).delete()
    call_command("migrate", verbosity=0)
    assert EveningRollup.objects.count() == 2
    assert EveningRollup.objects.get(evening=three_hands).pk == kept.pk, "what is there stays"
    EveningRollup.objects.update(edition=EDITION - 1)
    assert [results.fill_rollups(), results.fill_rollups()] == [2, 0]
    assert_verified()
    EveningRollup.objects.all().delete()
    three_hands.hands.filter(number=1).update(deal="nonsense")
    assert results.fill_rollups() == 1
    assert [row.evening_id for row in EveningRollup.objects.all()] == [evening_of_four.pk]
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
