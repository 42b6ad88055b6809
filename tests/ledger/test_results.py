"""Stored results and roll-ups of sessions: written by the end, kept or deleted while reopened, named by verify."""

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from sessions_app.errors import StakeTooHigh
from sessions_app.hand_facts import Facts
from sessions_app.models import LARGEST_RESULT, Circle, Evening, EveningRollup, Seat, User
from sessions_app.readers.evening.figures import EDITION, Figures, packed, records_of, stored_figures_of, unpacked
from sessions_app.readers.money.balances import NO_RESULT, Result, balances, balances_by_circle, stored_result
from sessions_app.readers.verify.evenings import evening_faults
from sessions_app.writers import evenings, ledger, repayments, results
from tests.factories import UserFactory, begun, evening_of, record, record_all
from tests.full_circle import pay
from tests.ledger.books import as_it_is, assert_verified, edit, faults, nothing_written

pytestmark = pytest.mark.django_db


def result(evening: Evening) -> Result:
    return stored_result(Evening.objects.get(pk=evening.pk))


def test_result_is_written_by_the_end_and_kept_while_reopened_until_the_next(three_hands: Evening, owner: User) -> None:
    assert result(three_hands) == NO_RESULT
    evenings.end(three_hands.pk)
    ended = Result("HUF", {0: Fraction(100), 1: Fraction(220), 2: Fraction(-320)})
    assert result(three_hands) == ended
    evenings.reopen(three_hands.pk)
    ledger.void(three_hands.pk, 2, by=owner)
    edit(three_hands, owner, stake=Decimal("0.05"), currency="EUR")
    assert result(three_hands) == ended
    assert_verified()
    evenings.end(three_hands.pk)
    assert result(three_hands) == Result("EUR", {0: Fraction(-10), 1: Fraction(50), 2: Fraction(-40)})
    assert_verified()


def test_result_that_cannot_be_stored_refuses_a_stake_but_ends_a_session_which_verify_names(
    three_hands: Evening, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_app.readers.money.balances.LARGEST_RESULT", 320)
    with pytest.raises(StakeTooHigh):
        edit(three_hands, owner, stake=Decimal(11))
    evenings.end(three_hands.pk)
    with nothing_written(), pytest.raises(StakeTooHigh):
        edit(three_hands, owner, stake=Decimal(11), note="dear")
    assert result(three_hands).amounts == {0: 100, 1: 220, 2: -320}
    assert_verified()
    monkeypatch.setattr("sessions_app.readers.money.balances.LARGEST_RESULT", 319)
    evenings.reopen(three_hands.pk)
    evenings.end(three_hands.pk)
    assert result(three_hands) == NO_RESULT
    named = [fault.what for fault in evening_faults(Evening.objects.get(pk=three_hands.pk))]
    assert named == ["its result is none in ''; the recount gives 100 220 -320 in 'HUF'"]


def test_session_without_a_hand_that_counts_or_in_a_demo_has_no_result(owner: User, evening: Evening) -> None:
    evenings.end(evening.pk)
    assert result(evening) == NO_RESULT
    evenings.reopen(evening.pk)
    record(evening, owner)
    ledger.void(evening.pk, 1, by=owner)
    evenings.end(evening.pk)
    assert result(evening) == NO_RESULT
    Circle.objects.update(is_demo=True)
    evenings.reopen(evening.pk)
    ledger.restore(evening.pk, 1, by=owner)
    evenings.end(evening.pk)
    assert result(evening) == NO_RESULT
    assert_verified()


def test_thirds_of_a_cent_are_stored_exactly(owner: User) -> None:
    evening = begun(owner, "preference", stake=Decimal("0.01"), currency="EUR")
    record_all(evening, owner, Facts(0, None, "= D2+1", deal_stays=True))
    evenings.end(evening.pk)
    stored = result(evening)
    assert stored.currency == "EUR"
    assert {abs(amount) for amount in stored.amounts.values()} == {Fraction(10, 3), Fraction(20, 3)}
    assert balances(evening.circle_id).of("EUR") == {
        player: stored.amounts[position] for position, player in evening.seats.values_list("position", "player")
    }


def test_balances_of_a_circle_take_two_queries_and_add_up_what_sqlite_cannot(
    owner: User, django_assert_num_queries: Callable[..., Any]
) -> None:
    played = [evening_of(owner) for _ in range(12)]
    for evening in played:
        record(evening, owner, declarer=0)
        evenings.end(evening.pk)
    Seat.objects.filter(position=0).update(result=LARGEST_RESULT)
    Seat.objects.filter(position=1).update(result=-LARGEST_RESULT)
    Seat.objects.filter(position=2).update(result=0)
    anna, bela, cili = played[0].seats.values_list("player", flat=True)
    pay(played[0], owner, 5)
    repayments.undo(played[0].circle_id, pay(played[0], owner, 5).pk, by=owner)
    other = evening_of(UserFactory(), ("Xénia", "Ypszilon", "Zoé"))
    with django_assert_num_queries(2):
        found = balances_by_circle((played[0].circle_id, other.circle_id))
    most = 12 * LARGEST_RESULT
    assert found[played[0].circle_id].by_currency == {"HUF": {anna: most - 5, bela: 5 - most, cili: 0}}
    assert found[played[0].circle_id].rows == {"HUF": 2}, "a payment that was taken back is one of them"
    assert found[other.circle_id].by_currency == {}


type Stored = dict[tuple[int, str, str], tuple[Any, int]]


def stored(evening: Evening) -> Stored:
    return unpacked(EveningRollup.objects.get(evening=evening).figures, evening.game)


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


def several_figures(figures: Any) -> None:
    amounts, over, against = figures["seats"][0]
    amounts.update({"points": 11, "declared 2H": 1, "luck": 3})
    over.update(won=2, luck=3)
    against[2] = 15


#: Changes of the stored figures, and the faults that they are.
WRONG_FIGURES: list[tuple[Callable[[Any], object], list[str]]] = [
    (
        several_figures,
        [
            "its roll-up has 11 over 1 as points of seat 0; the recount gives 10 over 1",
            "its roll-up has 2 over 2 as won of seat 0; the recount gives 2 over 3",
            "its roll-up has 1 over 3 as declared 2H of seat 0; the recount gives 0 over 0",
            "its roll-up has 3 over 3 as luck of seat 0; the recount gives 0 over 0",
            "its roll-up has 15 over 1 as against 2 of seat 0; the recount gives 14 over 1",
        ],
    ),
    (
        lambda figures: [column.pop("won") for column in figures["seats"][0][:2]],
        ["its roll-up has 0 over 0 as won of seat 0; the recount gives 2 over 3"],
    ),
    (
        lambda figures: figures["best"].update(dearest=[1, 0, "99"]),
        ["its roll-up has BestHands(played=3, dearest=Dearest(number=1, seat=0, amount=99)"],
    ),
    (
        lambda figures: figures["best"]["feats"].append(["luck", 9, [0], 0, 1, 1]),
        ["its roll-up has BestHands(played=3, "],
    ),
    (lambda figures: figures["best"].update(dearest=[1]), ["its roll-up cannot be read: "]),
    (lambda figures: figures.clear(), ["its roll-up cannot be read: "]),
]
#: The same of the row, or of what it is beside.
WRONG_ROWS: list[tuple[Callable[[], object], str]] = [
    (lambda: EveningRollup.objects.all().delete(), "it has ended, but has no roll-up"),
    (
        lambda: EveningRollup.objects.update(edition=EDITION + 1),
        f"its roll-up is of edition {EDITION + 1}, not {EDITION}",
    ),
    (lambda: Evening.objects.update(ended_at=None), "it has a roll-up, but has not ended"),
]


def test_fractions_are_stored_as_whole_numbers_and_read_as_they_were(evening: Evening) -> None:
    (record_of,) = records_of([evening])
    figures: Figures = {(0, "points", ""): (Fraction(-7, 3), 1), (1, "as_opponent", ""): (Fraction(5, 4), 2)}
    stored = packed(record_of, figures)
    assert stored["scale"] == 12
    assert unpacked(stored, evening.game).items() >= figures.items()


def test_verify_names_each_fault_planted_in_a_rollup(three_hands: Evening) -> None:
    evenings.end(three_hands.pk)
    assert faults() == []
    for change, told in WRONG_FIGURES:
        row = EveningRollup.objects.get()
        whole = deepcopy(row.figures)
        change(row.figures)
        row.save()
        found = faults()
        assert len(found) == len(told)
        for said in told:
            assert any(fault.startswith(f"session {three_hands.pk}: {said}") for fault in found), said
        EveningRollup.objects.update(figures=whole)
    for wrong, said in WRONG_ROWS:
        with transaction.atomic():
            wrong()
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
