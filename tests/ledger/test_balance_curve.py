"""The balances of an evening hand by hand."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random
from uuid import uuid4

import pytest

from scorekeeper.games.amounts import Amount
from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.readers.evening import result, seating, sheets
from sessions_app.readers.evening.result import BalanceCurve, Extreme
from sessions_app.writers import ledger
from tests.factories import record
from tests.games.registered import AnyGame, every_game, some_rules
from tests.ledger.reading import as_it_is, grow
from tests.ledger.test_conformance import HANDS, correct, evening_at, some_facts, write
from tests.selection import first
from tests.views.agreed_entries import played, pulka

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]


def curve_of(evening: Evening, columns: int = 3) -> BalanceCurve:
    return result.balance_curve(as_it_is(evening), columns)


def by_the_sheet(evening: Evening) -> dict[int, tuple[Amount, ...]]:
    """The totals after each hand that counts, as the sheet has them."""
    names = seating.names_of(evening)
    lines = sheets.sheet(evening, names, down_to=1).rows
    return {line.number: line.totals for line in reversed(lines) if not (line.is_void or line.is_thrown_in)}


def test_curve_has_each_seat_s_balance_after_each_hand_that_counts(three_hands: Evening, owner: User):
    assert curve_of(three_hands) == BalanceCurve((1, 2, 3), ((0, -6, 6, 10), (0, 12, 24, 22), (0, -6, -30, -32)))
    ledger.void(three_hands.pk, 2, by=owner)
    ledger.record(three_hands.pk, token=uuid4(), number=4, facts=Facts(0, deal_stays=True), by=owner)
    record(three_hands, owner, "2H 6-5-0", declarer=0)
    curve = BalanceCurve((1, 3, 5), ((0, -6, -2, -2), (0, 12, 10, 10), (0, -6, -8, -8)))
    assert curve_of(three_hands) == curve, "one in which nobody pays counts"


def test_entries_that_were_agreed_count(owner: User):
    evening = pulka(owner)
    played(evening, owner, "6 pp", declarer=0)
    played(as_it_is(evening), owner, "= D1+5")
    curve = curve_of(evening)
    assert curve.numbers == (1, 2)
    assert dict(zip(curve.numbers, zip(*curve.after_each, strict=True), strict=True)) == by_the_sheet(as_it_is(evening))


@pytest.mark.parametrize("seed", first(1, range(4)))
@every_game
def test_curve_agrees_with_the_sheet_after_any_correction(game: AnyGame, owner: User, seed: int):
    chance = Random(seed)  # noqa: S311  cards, not keys
    evening = evening_at(game, owner, some_rules(game, chance))
    for number in range(1, HANDS + 1):
        write(evening, owner, number, some_facts(evening, chance, chance.choice(evening.sitting)))
    for _ in range(3):
        correct(evening, owner, chance)
        now = as_it_is(evening)
        curve = curve_of(evening, len(seating.names_of(now)))
        assert dict(zip(curve.numbers, zip(*curve.after_each, strict=True), strict=True)) == by_the_sheet(now)
        assert [each[-1] for each in curve.by_seat] == [seat.balance for seat in seating.seats_of(now)]


def test_curve_of_an_endless_evening_has_the_newest_hands_by_one_query(
    evening: Evening,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[..., AbstractContextManager[object]],
):
    grow(evening, owner, 30)
    whole = curve_of(evening)
    assert whole.numbers == tuple(range(1, 31))
    monkeypatch.setattr(result, "MOST_READ", 12)
    with django_assert_num_queries(1):
        newest = result.balance_curve(evening, 3)
    assert newest.numbers == whole.numbers[18:]
    assert newest.by_seat == tuple(each[18:] for each in whole.by_seat)


def test_curve_says_who_leads_since_when():
    curve = BalanceCurve((2, 3, 5, 6), ((0, 4, 9, 6, 6), (0, -2, -12, -3, -2), (0, -2, 3, -3, -4)))
    assert (curve.leaders, curve.led_since) == ((0,), 2)
    assert (curve.highest, curve.lowest) == (Extreme(0, 9, 3), Extreme(1, -12, 3))
    turned = BalanceCurve((1, 2, 3, 4), ((0, 4, 2, 2, 1), (0, -2, 3, 4, 5), (0, -2, -5, -6, -6)))
    assert (turned.leaders, turned.led_since) == ((1,), 2)
    tied = BalanceCurve((1, 2), ((0, 4, 3), (0, -2, 3), (0, -2, -6)))
    assert (tied.leaders, tied.led_since) == ((0, 1), 2)
    even = BalanceCurve((1, 2), ((0, 4, 0), (0, -2, 0), (0, -2, 0)))
    assert (even.leaders, even.led_since, even.is_drawn) == ((), None, True)


def test_there_is_nothing_to_draw_of_one_hand_or_of_noughts():
    assert not BalanceCurve((), ((0,), (0,))).is_drawn
    assert not BalanceCurve((1,), ((0, 4), (0, -4))).is_drawn
    assert not BalanceCurve((1, 2), ((0, 0, 0), (0, 0, 0))).is_drawn
