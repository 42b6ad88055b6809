"""An evening as its pages read it: seats with balances, the settlement, and the next deal."""

from decimal import Decimal
from uuid import uuid4

import pytest

from sessions_app.hand_facts import Facts
from sessions_app.models import Evening, User
from sessions_app.readers.evening import seating
from sessions_app.readers.money import settling
from sessions_app.writers import evenings, ledger
from tests.factories import evening_of, record
from tests.ledger.reading import NAMES, as_it_is


def test_seats_and_settlement_show_balances_money_and_payments_in_two_ways(three_hands: Evening, owner: User) -> None:
    settlement = settling.settlement(as_it_is(three_hands))
    assert settlement.seats == seating.seats_of(as_it_is(three_hands))
    assert [(seat.position, seat.name, seat.balance, seat.money) for seat in settlement.seats] == [
        (0, "Anna", 10, Decimal(100)),
        (1, "Béla", 22, Decimal(220)),
        (2, "Cili", -32, Decimal(-320)),
    ]
    assert (settlement.currency, settlement.per_point) == ("HUF", Decimal(10))
    pairs = [
        (view.payer.position, view.payee.position, view.points, view.coins, view.paid, view.received)
        for view in settlement.pairwise
    ]
    # The last two are (points, hands) that the two have paid each other.
    assert pairs == [(0, 1, 4, 40, (6, 1), (2, 1)), (2, 0, 14, 140, (14, 2), (0, 0)), (2, 1, 18, 180, (18, 2), (0, 0))]
    fewest = [(payer.position, payee.position, units) for payer, payee, units in settlement.fewest(1)]
    assert fewest == [(2, 0, 100), (2, 1, 220)]
    ledger.void(three_hands.pk, 2, by=owner)
    assert [seat.balance for seat in seating.seats_of(as_it_is(three_hands))] == [-2, 10, -8]


def test_money_is_in_the_decimals_of_the_currency_and_none_without_a_stake(owner: User) -> None:
    evening = evening_of(owner, stake=Decimal("0.05"), currency="EUR")
    record(evening, owner)
    settlement = settling.settlement(as_it_is(evening))
    assert str(settlement.per_point) == "0.05"
    assert [str(seat.money) for seat in settlement.seats] == ["-0.30", "0.60", "-0.30"]
    assert [(view.coins, view.units) for view in settlement.pairwise] == [(30, 30), (30, 30)]
    evening = evening_of(owner, stake=None)
    record(evening, owner)
    settlement = settling.settlement(as_it_is(evening))
    assert [seat.money for seat in settlement.seats] == [None] * 3
    assert (settlement.per_point, settlement.currency) == (None, "points:asszorti")
    assert {view.coins for view in settlement.pairwise} == {None}


@pytest.mark.parametrize(
    ("seats", "dealer", "speaks_first", "leaders"),
    [
        (3, 2, 0, ((0, 2), (1, 0), (2, 1))),
        (4, 0, 1, ((1, 3), (2, 1), (3, 2))),
        (4, 2, 3, ((0, 3), (1, 0), (3, 1))),
    ],
)
def test_first_turn_is_as_opened_and_says_who_speaks_first_and_who_leads_to_whom(
    owner: User, seats: int, dealer: int, speaks_first: int, leaders: tuple[tuple[int, int], ...]
) -> None:
    evening = evening_of(owner, [*NAMES, "Dóra"][:seats], dealer)
    assert seating.turn(evening) == seating.Turn(1, dealer, speaks_first, leaders)


def test_void_hands_and_agreed_entries_never_move_the_deal(owner: User) -> None:
    """Anna dealt, a penalty was agreed on; then it was Béla who had dealt, and then nobody had."""
    opening = evenings.Opening(NAMES, 0, game_key="preference")
    evening = evenings.start(opening, token=uuid4(), by=owner)
    for number, facts in enumerate([Facts(0, 1, "6S pp"), Facts(1, None, "= D1+5", deal_stays=True)], 1):
        ledger.record(evening.pk, token=uuid4(), number=number, facts=facts, by=owner)
    assert seating.turn(as_it_is(evening)).dealer == 1
    ledger.amend(evening.pk, 1, facts=Facts(1, 2, "6S pp"), by=owner)
    assert seating.turn(as_it_is(evening)).dealer == 2
    ledger.void(evening.pk, 1, by=owner)
    assert seating.turn(as_it_is(evening)).dealer == 0
